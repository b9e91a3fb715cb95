package page

import (
	"logzlab/core/format"
	"logzlab/estimators/report"
)

// checks lists the conditions of trust of the shown method, failing ones first.
func (p *pane) checks() HTML {
	w := p.w
	if p.room.on() {
		return el(`section id="r-checks" class="r-checks" tabindex="0"`, at("aria-label", w.T("room")), p.roomPanel())
	}
	r := p.shown()
	if r == nil || r.Provisional && r.State != "failed" && !report.IsNumber(r.LogZ) { // nothing to check yet
		return el(`section id="r-checks" class="r-checks blank"`, at("aria-label", w.T("checks")), p.invite())
	}
	var items []HTML
	for _, level := range []string{report.Stop, report.Caution, report.Trust} {
		for _, c := range r.Verdict.Checks {
			if c.Level() == level {
				items = append(items, p.check(r, c))
			}
		}
	}
	title := w.T("checks.of", label(r.Method))
	hash := tagText("span", w.T("hash.later"))
	if r.State == "done" {
		hash = tagText("code", format.Spaced(r.Hash))
	}
	kids := []HTML{tag("h2", text(title), tagText("span", w.T("needs"))), tag(`ul class="checks"`, items...),
		tag(`p class="receipt"`, el("span", at("title", w.T("help.hash")), text(w.T("hash"))), hash)}
	if says, level := p.receipt(); says != "" {
		kids = append(kids, el(`p class="receipt agree" id="receipt"`, at("data-level", level),
			icon("v-"+level, "i "+level), tagText("b", says)))
	}
	kids = append(kids, p.invite(), p.weights()) // the code is in sight on every projector
	return el(`section id="r-checks" class="r-checks" tabindex="0"`, at("aria-label", title), kids...)
}

// check is one condition of trust; one that fails offers what would mend it.
func (p *pane) check(r *report.Report, c report.VerdictCheck) HTML {
	w := p.w
	level, class, says := c.Level(), "fail", w.Phrase(c.Means)
	if name := w.Phrase(c.Name); name != p.checkName(&c) {
		says = w.T("check.term", name, says)
	}
	if c.OK {
		class, says = "passed", w.T("check.fine", w.Phrase(c.Name), w.Measure(c.Text), w.Measure(c.Needs))
	}
	return el("li", at("class", class, "data-key", c.Name, "title", says),
		el("span", at("class", level), icon("v-"+level, "i"), tagText(`span class="vh"`, w.T("check."+class))),
		tagText("b", p.checkName(&c)), tagText("em", w.Measure(c.Text)), tagText(`span class="needs"`, w.Measure(c.Needs)),
		p.mendButton(r, &c))
}

// checkName is the plain name of a check; of one that fails, where there is one, what the failure is.
func (p *pane) checkName(c *report.VerdictCheck) string {
	if failing := c.Name + "!"; !c.OK && p.w.HasPlain(failing) {
		return p.w.Plain(failing)
	}
	return p.w.Plain(c.Name)
}

// receipt compares the hashes with those that the link expects.
func (p *pane) receipt() (says, level string) {
	w := p.w
	if len(p.set.Expect) == 0 || len(p.reports) == 0 {
		return "", ""
	}
	for _, r := range p.reports {
		if r.State != "done" {
			return w.T("receipt.wait"), "info"
		}
	}
	if p.set.Agrees(p.reports) {
		return w.T("receipt.agree"), report.Trust
	}
	return w.T("receipt.differ"), report.Stop
}

// invite is the code that thirty phones can read from a projector.
func (p *pane) invite() HTML {
	if !p.set.Projector || p.spec == nil {
		return ""
	}
	return tag(`div class="invite"`, p.qr(p.url(Settings{Scene: p.set.Scene, Focus: p.set.Focus, Lesson: p.set.Lesson})),
		tag("p", tagText("b", p.w.T("invite")), text(p.w.T("invite.why"))))
}
