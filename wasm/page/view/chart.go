package view

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators/report"
	"logzlab/wasm/page/html"
	"logzlab/wasm/page/state"
)

// traceHigh is the height of the trace in pixels.
const traceHigh = 340.0

// chart is the experiment as a drawing by itself: the methods on an axis, with bars, bounds and exact value, and, where
// estimates came one after another, log Z against work.
func (p *page) chart() string {
	var c html.Drawing
	p.cardHead(&c)
	p.cardResults(&c)
	if a, ok := newAxis(p.Reports); ok {
		p.forestChart(&c, a)
	}
	p.traceChart(&c)
	p.cardFoot(&c)
	return c.Svg(p.cardTitle(), html.Palettes["light"].Style()+"@media(prefers-color-scheme:dark){"+
		html.Palettes["dark"].Style()+"}")
}

// forestChart draws each method on one axis.
func (p *page) forestChart(c *html.Drawing, a html.Axis) {
	at := func(x float64) float64 { return html.ChartLeft + (html.ChartRight-html.ChartLeft)*a.Place(x)/100 }
	within := func(x float64) float64 { return min(max(at(x), html.ChartLeft), html.ChartRight) }

	// Title and exact value.
	c.Y += 72
	title, note := p.forestTitle()
	c.Write(html.Pad, 20, ` font-weight="700"`, title)
	top := c.Y + 44
	foot := top + 46*float64(len(p.Reports))
	if t := p.Reports[0].Truth; t != nil {
		c.Line("exact", 2, at(float64(t.LogZ)), top-14, at(float64(t.LogZ)), foot)
		c.Label(min(max(at(float64(t.LogZ)), html.ChartLeft+60), html.ChartRight-60), top-22, 18, "middle", "",
			p.w.T("exact.is", p.Num(format.Fixed(float64(t.LogZ), 2))))
	}

	// The methods: sandwich, error bar and mark.
	for i, r := range p.Reports {
		y := top + 46*(float64(i)+.5)
		c.Label(html.Pad, y+6, 20, "start", "", state.Label(r.Method))
		z, se := float64(r.LogZ), float64(r.SE)
		if !report.IsNumber(r.LogZ) {
			continue
		}
		if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 {
			c.Line(`axis" stroke-dasharray="3 4`, 1.5, within(lo), y, within(hi), y)
			for _, x := range []float64{lo, hi} {
				if at(x) == within(x) {
					c.Line("exact", 2, at(x), y-11, at(x), y+11)
				}
			}
		}
		class := fmt.Sprintf("m%d", i%html.Marks)
		if at(z) != within(z) { // beyond the axis
			c.Label(within(z), y+7, 22, map[bool]string{true: "start", false: "end"}[z < a.Lo], class,
				map[bool]string{true: "◀", false: "▶"}[z < a.Lo])
			continue
		}
		if se >= 0 {
			c.Line(class, 4, within(z-se), y, within(z+se), y)
		}
		c.Symbol(i, at(z), y, 1.5)
	}

	// Axis and note.
	c.XAxis(foot, a.Ticks, at, func(x float64) string { return p.Num(format.Fixed(x, a.Digits)) }, p.w.T("kept.axis"))
	c.Y = foot + 62
	if note != "" {
		c.Lines(16, ` class="faint"`, note)
	}
}

// traceRange is the work and the values that the trace covers: all work, and, because early estimates are far off, the
// values of its second half with their bars, and the exact value.
func (p *page) traceRange() (work, lo, hi float64, many bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	for _, r := range p.Reports {
		all := p.Points[r.Method]
		many = many || len(all) > 1
		for i, q := range all {
			work = max(work, q.Sweeps)
			if 2*i >= len(all)-1 {
				cover(q.LogZ)
				cover(q.LogZ - 2*q.SE)
				cover(q.LogZ + 2*q.SE)
			}
		}
		if r.Truth != nil {
			cover(float64(r.Truth.LogZ))
		}
	}
	pad := max(.06*(hi-lo), 1e-6)
	return work, lo - pad, hi + pad, many && hi >= lo
}

// traceChart draws log Z against work: a line and a band of one error bar for each method.
func (p *page) traceChart(c *html.Drawing) {
	work, lo, hi, ok := p.traceRange()
	if !ok {
		return
	}

	// The frame: title, ticks and axis title.
	c.Y += 56
	c.Write(html.Pad, 20, ` font-weight="700"`, p.w.T("kept.trace"))
	top := c.Y + 24
	foot := top + traceHigh
	x := func(w float64) float64 { return html.ChartLeft + (html.ChartRight-html.ChartLeft-12)*w/work }
	y := func(z float64) float64 { return foot - traceHigh*(z-lo)/(hi-lo) }
	fmt.Fprintf(&c.Body, `<clipPath id="plot"><path d="M%.1f %.1fH%.1fV%.1fH%.1fz"/></clipPath>`,
		html.ChartLeft, top, html.ChartRight, foot, html.ChartLeft)
	ticks, step := format.Ticks(lo, hi, 6)
	for _, t := range ticks {
		c.Line("axis", .5, html.ChartLeft, y(t), html.ChartRight, y(t))
		c.Label(html.ChartLeft-12, y(t)+6, 18, "end", "soft", p.Num(format.Fixed(t, format.StepDecimals(step))))
	}
	fmt.Fprintf(&c.Body, `<g transform="translate(%.1f %.1f) rotate(-90)">`, html.ChartLeft-90, (top+foot)/2)
	c.Label(0, 0, 18, "middle", "soft", p.w.T("kept.axis"))
	c.Body.WriteString("</g>")

	// The exact value and a curve for each method.
	if t := p.Reports[0].Truth; t != nil {
		c.Line("exact", 2, html.ChartLeft, y(float64(t.LogZ)), html.ChartRight, y(float64(t.LogZ)))
	}
	for i, r := range p.Reports {
		all := p.Points[r.Method]
		if len(all) == 0 {
			continue
		}
		fmt.Fprintf(&c.Body, `<g class="m%d" clip-path="url(#plot)"><path stroke="none" opacity=".15" d="%s"/>`+
			`<path fill="none" stroke-width="2.5" d="%s"/></g>`, i%html.Marks, around(all, x, y), through(all, x, y))
		last := all[len(all)-1]
		c.Symbol(i, x(last.Sweeps), y(last.LogZ), 1.3)
	}

	at, _ := format.Ticks(0, work, 6)
	c.XAxis(foot, at, x, func(w float64) string { return p.Num(format.Short(w, 2)) }, p.w.T("kept.work"))
	c.Y = foot + 62
}

// through is a line through points.
func through(all []frame.Point, x, y func(float64) float64) string {
	var b strings.Builder
	for _, q := range all {
		fmt.Fprintf(&b, "%c%.1f %.1f", html.Pen(&b), x(q.Sweeps), y(q.LogZ))
	}
	return b.String()
}

// around is the area within one error bar of the points. Points without an error bar are left out.
func around(all []frame.Point, x, y func(float64) float64) string {
	var b strings.Builder
	for _, q := range all {
		if num.Finite(q.SE) {
			fmt.Fprintf(&b, "%c%.1f %.1f", html.Pen(&b), x(q.Sweeps), y(q.LogZ+q.SE))
		}
	}
	for i := range all {
		if q := all[len(all)-1-i]; num.Finite(q.SE) {
			fmt.Fprintf(&b, "L%.1f %.1f", x(q.Sweeps), y(q.LogZ-q.SE))
		}
	}
	return b.String()
}
