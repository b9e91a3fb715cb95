package page

import (
	"slices"
	"strconv"
)

// A tour for those who know nothing: five steps on the page as it is, each of which outlines what it is about
// (style.css). view.tour is the step.

// tourStep is a step. Its title and text are words of the page, tour.N and tour.N.text.
type tourStep struct {
	point string   // id of the part that is brought into view
	waits []string // events, one of which the step asks for; then it says tour.N.did
}

var tourSteps = []tourStep{
	{point: "r-head"},
	{point: "transport", waits: []string{"run", "restart", "new-seed"}},
	{point: "r-head"},
	{point: "r-forest"},
	{point: "transport", waits: []string{"param", "slide", "model", "method", "seed"}},
}

// tour is the step on show, a strip below the head line.
func (p *pane) tour() HTML {
	w, k := p.w, p.set.Tour
	if k == 0 || p.set.Projector || p.set.Embed {
		return tag(`aside id="tour" hidden`)
	}
	n := strconv.Itoa(k)
	says := "tour." + n + ".text"
	switch {
	case p.panels.toured == k:
		says = "tour." + n + ".did"
	case k == 4 && len(p.reports) > 0 && p.reports[0].Truth == nil:
		says = "tour.4.bounds"
	}
	class := "primary"
	if len(tourSteps[k-1].waits) > 0 && p.panels.toured != k {
		class = "" // what the step asks for comes first
	}
	next := button(class, "tour", strconv.Itoa(k+1), text(w.T("tour.next")))
	if k == len(tourSteps) {
		next = button(class, "lesson", "1", text(w.T("tour.lesson")))
	}
	var back HTML
	if k > 1 {
		back = button("quiet", "tour", strconv.Itoa(k-1), text(w.T("tour.back")))
	}
	return el(`aside id="tour"`, at("aria-label", w.T("tour"), "data-step", n),
		el(`div class="tour-says"`, at("data-key", n),
			tag(`h2 id="tour-title" tabindex="-1"`, tagText(`span class="tour-n"`, w.T("tour.of", k, len(tourSteps))), text(" "),
				text(w.T("tour."+n))),
			tagText(`p aria-live="polite"`, w.T(says))),
		tag(`div class="pair"`, back, next, button("quiet", "tour", "", text(w.T("tour.end")))))
}

// tourButton offers the tour beside the title.
func (p *pane) tourButton() HTML {
	return el(`button type="button" id="tour-start" class="quiet" data-event="tour" data-value="1"`,
		at("hidden", when(p.set.Tour > 0)), text(p.w.T("tour")))
}

// openTour goes to a step, or ends the tour.
func (b *Brain) openTour(value string) {
	k, _ := strconv.Atoi(value)
	if k < 0 || k > len(tourSteps) {
		return
	}
	b.set.Tour, b.panels.toured, b.panels.sheet = k, 0, ""
	if k == 0 {
		b.views.focus = "tour-start"
		return
	}
	b.set.Lesson, b.set.Projector = 0, false
	b.views.focus, b.views.point = "tour-title", tourSteps[k-1].point
}

// tourSees notes that the user did what the tour's step asks for.
func (b *Brain) tourSees(event string) {
	if k := b.set.Tour; k > 0 && slices.Contains(tourSteps[k-1].waits, event) {
		b.panels.toured = k
	}
}
