package page

import (
	"fmt"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// CheckLink is the link that checks the browser.
const CheckLink = "check"

// usualCheck is how long the check takes in Chromium with two workers on a computer of two cores, in seconds.
const usualCheck = 60.

// browserCheck runs the golden links one after another in this browser and compares their digits with those that are
// promised.
type browserCheck struct {
	promises []report.GoldenResult // nil: there has been no check
	at       int                   // the one under way; len(promises): it is over
	bad      []string              // what differs
	began    float64
	seconds  float64
	back     string // the experiment that was on show before
	view     string // how the page looked
}

func (c *browserCheck) going() bool { return c.at < len(c.promises) }

// startCheck begins a check and shows it; view is the part of a link that says how the page looks.
func (b *Brain) startCheck(view string) {
	back := DefaultLink + view
	if b.spec != nil && !b.address.bad {
		back = b.spec.Link() + view
	}
	b.digits = browserCheck{promises: report.Promises(), began: b.host.Now(), back: back, view: view}
	b.open("check")
	b.Open(b.digits.promises[0].Link + view)
}

// goOnChecking compares the digits of a golden link that is over, and opens the next one.
func (b *Brain) goOnChecking() {
	c := &b.digits
	if !c.going() || b.state != "done" && b.state != "failed" {
		return
	}
	want := c.promises[c.at]
	if b.panels.sheet != "check" || b.spec == nil || b.spec.Link() != want.Link { // the user does something else
		c.promises = nil
		return
	}
	got := report.GoldenResult{Link: want.Link}
	if r := b.results(); b.state == "done" && len(r) == 1 {
		got = r[0].Golden()
	}
	if got != want {
		c.bad = append(c.bad, fmt.Sprintf("%s: %s %s, %s %s", want.Link, got.LogZ, got.Hash, want.LogZ, want.Hash))
	}
	c.at++
	c.seconds = b.host.Now() - c.began
	if c.going() {
		b.Open(c.promises[c.at].Link + c.view)
		return
	}
	b.Open(c.back)
}

// checkSheet tells how the check stands.
func (p *pane) checkSheet() []HTML {
	w, c := p.w, &p.digits
	if c.promises == nil {
		return []HTML{tagText("p", w.T("check.why")), button("primary", "check", "", text(w.T("check.run")))}
	}
	n := len(c.promises)
	kids := []HTML{tagText("p", w.T("check.why")),
		el(`progress max="1"`, at("value", spec.Decimal(float64(c.at)/float64(n)), "aria-label", w.T("check.title"))),
		tagText(`p role="status"`, w.T("check.at", c.at, n))}
	if c.going() {
		return kids
	}
	level, says := report.Trust, w.T("check.same", n)
	if len(c.bad) > 0 {
		level, says = report.Stop, w.T("check.differ", len(c.bad), n)
	}
	kids = append(kids, el(`p class="receipt agree"`, at("data-level", level), icon("v-"+level, "i "+level),
		tagText("b", says)),
		tagText("p", w.T("check.speed", p.num(format.Fixed(c.seconds, 0)), len(p.crew.lanes), usualCheck,
			p.num(format.Ratio(usualCheck/max(c.seconds, .1))))))
	for _, line := range c.bad {
		kids = append(kids, tagText(`code class="link"`, line))
	}
	return append(kids, button("", "check", "", text(w.T("check.again"))))
}
