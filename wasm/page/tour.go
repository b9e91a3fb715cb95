package page

import (
	"slices"
	"strconv"

	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/view"
)

// tour is the tour for newcomers: five steps on the live page. view.tour is the number of the step.
type tour struct{ *shared.Context }

// open goes to a step, or ends the tour.
func (d tour) open(value string) {
	k, _ := strconv.Atoi(value)
	if k < 0 || k > len(view.TourSteps) {
		return
	}
	d.Settings.Tour, d.Panels.TourStepDone, d.Panels.Sheet = k, 0, ""
	if k == 0 {
		d.Repaint.Focus = "tour-start"
		return
	}
	d.Settings.Lesson, d.Settings.Projector = 0, false
	d.Repaint.Focus, d.Repaint.ScrollTo = "tour-title", view.TourSteps[k-1].Point
}

// noteEvent records that the user has done what the current step asks for, if event is such an action.
func (d tour) noteEvent(event string) {
	if k := d.Settings.Tour; k > 0 && slices.Contains(view.TourSteps[k-1].Waits, event) {
		d.Panels.TourStepDone = k
	}
}
