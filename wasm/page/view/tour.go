package view

import (
	"strconv"

	"logzlab/core/runstate"
	"logzlab/render/html"
)

// The tour for newcomers has five steps on the live page. Each step outlines a part of the page (style.css). view.tour
// is the number of the step.

// tourStep is a step of the tour. Its title and text are the words tour.N and tour.N.text.
type tourStep struct {
	Point string   // id of the part that is scrolled into view
	Waits []string // events that complete the step; its text is then tour.N.did
}

// TourSteps are the steps in order.
var TourSteps = []tourStep{
	{Point: "r-head"},
	{Point: "transport", Waits: []string{"run", "restart", "new-seed"}},
	{Point: "r-head"},
	{Point: "r-forest"},
	{Point: "transport", Waits: []string{"param", "slide", "model", "method", "seed"}},
}

// tour is the current step, a strip below the page header.
func (p *page) tour() html.HTML {
	w, k := p.w, p.Settings.Tour
	if k == 0 || p.Settings.Projector || p.Settings.Embed {
		return html.Tag(`aside id="tour" hidden`)
	}

	// The text of the step.
	n := strconv.Itoa(k)
	textKey := "tour." + n + ".text"
	switch {
	case p.Panels.TourStepDone == k:
		textKey = "tour." + n + ".did"
	case k == 2 && p.Active && p.State == runstate.Running: // the run goes on, so there is no Run button
		textKey = "tour.2.running"
	case k == 4 && len(p.Reports) > 0 && p.Reports[0].Truth == nil:
		textKey = "tour.4.bounds"
	}

	// Buttons for the next and the previous step.
	class := "primary"
	if len(TourSteps[k-1].Waits) > 0 && p.Panels.TourStepDone != k {
		class = "" // the requested action is the primary one
	}
	next := html.Button(class, "tour", strconv.Itoa(k+1), html.Text(w.T("tour.next")))
	if k == len(TourSteps) {
		next = html.Button(class, "lesson", "1", html.Text(w.T("tour.lesson")))
	}
	var back html.HTML
	if k > 1 {
		back = html.Button("quiet", "tour", strconv.Itoa(k-1), html.Text(w.T("tour.back")))
	}
	return html.El(`aside id="tour"`, html.At("aria-label", w.T("tour"), "data-step", n),
		html.El(`div class="tour-says"`, html.At("data-key", n),
			html.Tag(`h2 id="tour-title" tabindex="-1"`, html.TagText(`span class="tour-n"`, w.T("tour.of", k, len(TourSteps))),
				html.Text(" "),
				html.Text(w.T("tour."+n))),
			html.TagText(`p aria-live="polite"`, w.T(textKey))),
		html.Tag(`div class="pair"`, back, next, html.Button("quiet", "tour", "", html.Text(w.T("tour.end")))))
}

// tourButton starts the tour.
func (p *page) tourButton() html.HTML {
	return html.El(`button type="button" id="tour-start" class="quiet" data-event="tour" data-value="1"`,
		html.At("hidden", html.When(p.Settings.Tour > 0)), html.Text(p.w.T("tour")))
}
