package view

import (
	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// checks lists the checks of the selected method, failing ones first, and the checksum of the result.
func (p *page) checks() html.HTML {
	w := p.w
	if p.Room.InRoom() {
		return html.El(`section id="r-checks" class="r-checks" tabindex="0"`, html.At("aria-label", w.T("room")),
			p.roomPanel())
	}
	r := p.Shown()
	if r == nil || r.Early ||
		r.Provisional && r.State != runstate.MethodFailed && !report.IsNumber(r.LogZ) { // nothing to check yet
		return html.El(`section id="r-checks" class="r-checks blank"`, html.At("aria-label", w.T("checks")), p.qrInvitation())
	}

	// The checks, failing ones first.
	var items, descriptions []html.HTML
	for _, level := range []string{report.Stop, report.Caution, report.Trust} {
		for _, c := range r.Verdict.Checks {
			if c.Level() == level {
				items = append(items, p.check(r, c))
				descriptions = append(descriptions, html.El("li", html.At("data-key", c.Name), html.Text(p.describeCheck(c))))
			}
		}
	}

	// The checksum, and whether it is the expected one.
	title := w.T("checks.of", state.Label(r.Method))
	hash := html.TagText("span", w.T("hash.later"))
	if r.State == runstate.MethodDone {
		hash = html.El("code", html.At("title", "LogZ Lab "+r.Version), html.Text(format.Spaced(r.Hash)))
	}
	children := []html.HTML{html.Tag("h2", html.Text(title), html.TagText("span", w.T("needs"))),
		html.Tag(`ul class="checks"`, items...),
		html.El(`details data-keep=""`, html.At("hidden", html.When(len(items) == 0)), // without a mouse there are no tooltips
			html.TagText("summary", w.T("checks.say")), html.Tag(`ul class="sayings"`, descriptions...)),
		html.Tag(`p class="receipt"`, html.El("span", html.At("title", w.T("help.hash")), html.Text(w.T("hash"))), hash)}
	if text, level := p.receipt(); text != "" {
		children = append(children, html.El(`p class="receipt agree" id="receipt"`, html.At("data-level", level),
			html.Icon("v-"+level, "i "+level), html.TagText("b", text)))
	}
	children = append(children, p.qrInvitation(), p.weights()) // the QR code is visible on every projector
	return html.El(`section id="r-checks" class="r-checks" tabindex="0"`, html.At("aria-label", title), children...)
}

// check returns one check. A failing check has a button that changes the experiment so that the check should pass.
func (p *page) check(r *report.Report, c report.VerdictCheck) html.HTML {
	w := p.w
	level, class := c.Level(), "fail"
	if c.OK {
		class = "passed"
	}
	if c.Near {
		level = "info"
	}
	return html.El("li", html.At("class", class, "data-key", c.Name, "title", p.describeCheck(c)),
		html.El("span", html.At("class", level), html.Icon("v-"+level, "i"), html.TagText(`span class="vh"`,
			w.T("check."+class))),
		html.TagText("b", CheckName(p.w, &c)), html.TagText("em", w.Measure(c.Text)), html.TagText(`span class="needs"`,
			w.Measure(c.Needs)),
		p.mendButton(r, &c))
}

// describeCheck describes a check in a sentence: the meaning of its failure, or its value if the check passes.
func (p *page) describeCheck(c report.VerdictCheck) string {
	w := p.w
	term, text, needs := w.Phrase(c.Name), w.Measure(c.Text), w.Measure(c.Needs)
	switch {
	case c.Near:
		return w.T("check.near", term, text, needs)
	case c.OK:
		return w.T("check.fine", term, text, needs)
	case term != CheckName(w, &c):
		return w.T("check.term", term, w.Phrase(c.Meaning))
	}
	return w.Phrase(c.Meaning)
}

// CheckName returns the plain name of a check; for a failing check, the name of the failure if it has one.
func CheckName(w *words.Language, c *report.VerdictCheck) string {
	if failing := c.Name + "!"; !c.OK && w.HasPlain(failing) {
		return w.Plain(failing)
	}
	return w.Plain(c.Name)
}

// receipt compares the checksums of the results with those in the link. text is "" if the link has none; level is the
// level of the message: info, trust or stop.
func (p *page) receipt() (text, level string) {
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

// qrInvitation returns the QR code of the run, in the projector view.
func (p *page) qrInvitation() html.HTML {
	if !p.Settings.Projector || p.Spec == nil {
		return ""
	}
	if p.Unreachable() {
		return html.Tag(`div class="invite"`, html.TagText("p", p.w.T("share.local")))
	}
	return html.Tag(`div class="invite"`, p.drawQR(p.URL(p.InvitationView()), p.w.T("qr")),
		html.Tag("p", html.TagText("b", p.w.T("invite")), html.Text(p.w.T("invite.why"))))
}

// mendButton returns the button that changes the experiment so that a failing check should pass, or "" if there is
// none.
func (p *page) mendButton(r *report.Report, c *report.VerdictCheck) html.HTML {
	a := p.Offers[c.Name]
	if a == nil || c.OK || r != p.Shown() {
		return ""
	}
	return html.El(`button type="button" class="mend" data-event="mend"`, html.At("data-value", a.Value),
		html.Text(a.Label))
}
