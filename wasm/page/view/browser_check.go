package view

import (
	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/report"
	"logzlab/render/html"
)

// usualCheckSeconds is the duration of the check in Chromium with two workers on a computer of two cores.
const usualCheckSeconds = 60.

// checkSheet shows the progress and the outcome of the browser check.
func (p *page) checkSheet() []html.HTML {
	w, c := p.w, &p.Check
	if c.Total == 0 {
		return []html.HTML{html.TagText("p", w.T("check.why")), html.Button("primary", "check", "",
			html.Text(w.T("check.run")))}
	}
	n := c.Total
	children := []html.HTML{html.TagText("p", w.T("check.why")),
		html.El(`progress max="1"`, html.At("value", spec.Decimal(float64(c.Done)/float64(n)), "aria-label",
			w.T("check.title"))),
		html.TagText(`p role="status"`, w.T("check.at", c.Done, n))}
	if c.Done < n {
		return children
	}
	level, text := report.Trust, w.T("check.same", n)
	if len(c.Differences) > 0 {
		level, text = report.Stop, w.T("check.differ", len(c.Differences), n)
	}
	children = append(children, html.El(`p class="receipt agree"`, html.At("data-level", level), html.Icon("v-"+level, "i "+level),
		html.TagText("b", text)),
		html.TagText("p", w.T("check.speed", p.Num(format.Fixed(c.Seconds, 0)), p.Lanes, usualCheckSeconds,
			p.Num(format.Ratio(usualCheckSeconds/max(c.Seconds, .1))))))
	for _, line := range c.Differences {
		children = append(children, html.TagText(`code class="link"`, line))
	}
	return append(children, html.Button("", "check", "", html.Text(w.T("check.again"))))
}
