package view

import (
	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// checks lists the conditions of trust of the shown method, failing ones first.
func (p *page) checks() html.HTML {
	w := p.w
	if p.Room.On() {
		return html.El(`section id="r-checks" class="r-checks" tabindex="0"`, html.At("aria-label", w.T("room")),
			p.roomPanel())
	}
	r := p.Shown()
	if r == nil || r.Early ||
		r.Provisional && r.State != runstate.MethodFailed && !report.IsNumber(r.LogZ) { // nothing to check yet
		return html.El(`section id="r-checks" class="r-checks blank"`, html.At("aria-label", w.T("checks")), p.invite())
	}

	// The conditions, failing ones first.
	var items, sayings []html.HTML
	for _, level := range []string{report.Stop, report.Caution, report.Trust} {
		for _, c := range r.Verdict.Checks {
			if c.Level() == level {
				items = append(items, p.check(r, c))
				sayings = append(sayings, html.El("li", html.At("data-key", c.Name), html.Text(p.checkSays(c))))
			}
		}
	}

	// The receipt: the hash, and whether it is the expected one.
	title := w.T("checks.of", state.Label(r.Method))
	hash := html.TagText("span", w.T("hash.later"))
	if r.State == runstate.MethodDone {
		hash = html.El("code", html.At("title", "LogZ Lab "+r.Version), html.Text(format.Spaced(r.Hash)))
	}
	kids := []html.HTML{html.Tag("h2", html.Text(title), html.TagText("span", w.T("needs"))),
		html.Tag(`ul class="checks"`, items...),
		html.El(`details data-keep=""`, html.At("hidden", html.When(len(items) == 0)), // for fingers and keys
			html.TagText("summary", w.T("checks.say")), html.Tag(`ul class="sayings"`, sayings...)),
		html.Tag(`p class="receipt"`, html.El("span", html.At("title", w.T("help.hash")), html.Text(w.T("hash"))), hash)}
	if says, level := p.receipt(); says != "" {
		kids = append(kids, html.El(`p class="receipt agree" id="receipt"`, html.At("data-level", level),
			html.Icon("v-"+level, "i "+level), html.TagText("b", says)))
	}
	kids = append(kids, p.invite(), p.weights()) // the code is in sight on every projector
	return html.El(`section id="r-checks" class="r-checks" tabindex="0"`, html.At("aria-label", title), kids...)
}

// check is one condition of trust; a failing check offers a change that would mend the experiment.
func (p *page) check(r *report.Report, c report.VerdictCheck) html.HTML {
	w := p.w
	level, class := c.Level(), "fail"
	if c.OK {
		class = "passed"
	}
	if c.Near {
		level = "info"
	}
	return html.El("li", html.At("class", class, "data-key", c.Name, "title", p.checkSays(c)),
		html.El("span", html.At("class", level), html.Icon("v-"+level, "i"), html.TagText(`span class="vh"`,
			w.T("check."+class))),
		html.TagText("b", CheckName(p.w, &c)), html.TagText("em", w.Measure(c.Text)), html.TagText(`span class="needs"`,
			w.Measure(c.Needs)),
		p.mendButton(r, &c))
}

// checkSays is a check in a sentence: what its failure means, or what passed.
func (p *page) checkSays(c report.VerdictCheck) string {
	w := p.w
	term, text, needs := w.Phrase(c.Name), w.Measure(c.Text), w.Measure(c.Needs)
	switch {
	case c.Near:
		return w.T("check.near", term, text, needs)
	case c.OK:
		return w.T("check.fine", term, text, needs)
	case term != CheckName(w, &c):
		return w.T("check.term", term, w.Phrase(c.Means))
	}
	return w.Phrase(c.Means)
}

// CheckName is the plain name of a check; of one that fails, where there is one, what the failure is.
func CheckName(w *words.Language, c *report.VerdictCheck) string {
	if failing := c.Name + "!"; !c.OK && w.HasPlain(failing) {
		return w.Plain(failing)
	}
	return w.Plain(c.Name)
}

// receipt compares the hashes with those that the link expects.
func (p *page) receipt() (says, level string) {
	w := p.w
	if len(p.Settings.Expect) == 0 || len(p.Reports) == 0 {
		return "", ""
	}
	for _, r := range p.Reports {
		if r.State != runstate.MethodDone {
			return w.T("receipt.wait"), "info"
		}
	}
	if p.Settings.Agrees(p.Reports) {
		return w.T("receipt.agree"), report.Trust
	}
	return w.T("receipt.differ"), report.Stop
}

// invite is the code that thirty phones can read from a projector.
func (p *page) invite() html.HTML {
	if !p.Settings.Projector || p.Spec == nil {
		return ""
	}
	if p.Unreachable() {
		return html.Tag(`div class="invite"`, html.TagText("p", p.w.T("share.local")))
	}
	return html.Tag(`div class="invite"`, p.drawQR(p.URL(p.Inviting()), p.w.T("qr")),
		html.Tag("p", html.TagText("b", p.w.T("invite")), html.Text(p.w.T("invite.why"))))
}

// mendButton is the button of a failing check, "" where there is none.
func (p *page) mendButton(r *report.Report, c *report.VerdictCheck) html.HTML {
	a := p.Offers[c.Name]
	if a == nil || c.OK || r != p.Shown() {
		return ""
	}
	return html.El(`button type="button" class="mend" data-event="mend"`, html.At("data-value", a.Value),
		html.Text(a.Label))
}
