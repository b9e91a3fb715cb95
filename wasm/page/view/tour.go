package view

import (
	"strconv"

	"logzlab/core/runstate"
	"logzlab/render/html"
)

// A tour for newcomers: five steps on the page as it is. Each step outlines a part of the page (style.css). view.tour
// is the step.

// tourStep is a step. Its title and text are words of the page, tour.N and tour.N.text.
type tourStep struct {
	Point string   // id of the part that is brought into view
	Waits []string // events, one of which the step asks for; then it says tour.N.did
}

// TourSteps are the steps in order.
var TourSteps = []tourStep{
	{Point: "r-head"},
	{Point: "transport", Waits: []string{"run", "restart", "new-seed"}},
	{Point: "r-head"},
	{Point: "r-forest"},
	{Point: "transport", Waits: []string{"param", "slide", "model", "method", "seed"}},
}

// tour is the step on show, a strip below the head line.
func (p *page) tour() html.HTML {
	w, k := p.w, p.Settings.Tour
	if k == 0 || p.Settings.Projector || p.Settings.Embed {
		return html.Tag(`aside id="tour" hidden`)
	}

	// What the step says.
	n := strconv.Itoa(k)
	says := "tour." + n + ".text"
	switch {
	case p.Panels.Toured == k:
		says = "tour." + n + ".did"
	case k == 2 && p.Active && p.State == runstate.Running: // there is no Run to press
		says = "tour.2.running"
	case k == 4 && len(p.Reports) > 0 && p.Reports[0].Truth == nil:
		says = "tour.4.bounds"
	}

	// The ways on and back.
	class := "primary"
	if len(TourSteps[k-1].Waits) > 0 && p.Panels.Toured != k {
		class = "" // what the step asks for comes first
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
			html.TagText(`p aria-live="polite"`, w.T(says))),
		html.Tag(`div class="pair"`, back, next, html.Button("quiet", "tour", "", html.Text(w.T("tour.end")))))
}

// tourButton offers the tour beside the title.
func (p *page) tourButton() html.HTML {
	return html.El(`button type="button" id="tour-start" class="quiet" data-event="tour" data-value="1"`,
		html.At("hidden", html.When(p.Settings.Tour > 0)), html.Text(p.w.T("tour")))
}
