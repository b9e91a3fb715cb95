package page

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators/report"
)

// Sizes of charts in pixels.
const (
	chartLeft  = 250.0 // of the axis
	chartRight = cardWide - cardPad
	traceHigh  = 340.0
)

// chart is the experiment as a drawing by itself: the methods on an axis, with bars, bounds and exact value, and, where
// estimates came one after another, log Z against work.
func (p *pane) chart() string {
	var c card
	p.cardHead(&c)
	p.cardResults(&c)
	if a, ok := newAxis(p.reports); ok {
		p.forestChart(&c, a)
	}
	p.traceChart(&c)
	p.cardFoot(&c)
	return c.svg(p.cardTitle(), palettes["light"].style()+"@media(prefers-color-scheme:dark){"+
		palettes["dark"].style()+"}")
}

// line draws a line of a class.
func (c *card) line(class string, wide, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<path class="%s" fill="none" stroke-width="%.1f" d="M%.1f %.1fL%.1f %.1f"/>`,
		class, wide, x1, y1, x2, y2)
}

// label writes a text around, before or behind x at a height.
func (c *card) label(x, y, size float64, anchor, class, s string) {
	fmt.Fprintf(&c.b, `<text x="%.1f" y="%.1f" font-size="%.0f" text-anchor="%s" class="%s">%s</text>`,
		x, y, size, anchor, class, escape(s))
}

// forestChart draws each method on one axis.
func (p *pane) forestChart(c *card, a axis) {
	at := func(x float64) float64 { return chartLeft + (chartRight-chartLeft)*a.place(x)/100 }
	within := func(x float64) float64 { return min(max(at(x), chartLeft), chartRight) }
	c.y += 72
	title, note := p.forestTitle()
	c.write(cardPad, 20, ` font-weight="700"`, title)
	top := c.y + 44
	foot := top + 46*float64(len(p.reports))
	if t := p.reports[0].Truth; t != nil {
		c.line("exact", 2, at(float64(t.LogZ)), top-14, at(float64(t.LogZ)), foot)
		c.label(min(max(at(float64(t.LogZ)), chartLeft+60), chartRight-60), top-22, 18, "middle", "",
			p.w.T("exact.is", p.num(format.Fixed(float64(t.LogZ), 2))))
	}
	for i, r := range p.reports {
		y := top + 46*(float64(i)+.5)
		c.label(cardPad, y+6, 20, "start", "", label(r.Method))
		z, se := float64(r.LogZ), float64(r.SE)
		if !report.IsNumber(r.LogZ) {
			continue
		}
		if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 {
			c.line(`axis" stroke-dasharray="3 4`, 1.5, within(lo), y, within(hi), y)
			for _, x := range []float64{lo, hi} {
				if at(x) == within(x) {
					c.line("exact", 2, at(x), y-11, at(x), y+11)
				}
			}
		}
		class := fmt.Sprintf("m%d", i%marks)
		if at(z) != within(z) { // beyond the axis
			c.label(within(z), y+7, 22, map[bool]string{true: "start", false: "end"}[z < a.lo], class,
				map[bool]string{true: "◀", false: "▶"}[z < a.lo])
			continue
		}
		if se >= 0 {
			c.line(class, 4, within(z-se), y, within(z+se), y)
		}
		c.symbol(i, at(z), y, 1.5)
	}
	c.xAxis(foot, a.ticks, at, func(x float64) string { return p.num(format.Fixed(x, a.digits)) }, p.w.T("kept.axis"))
	c.y = foot + 62
	if note != "" {
		c.lines(16, ` class="faint"`, note)
	}
}

// xAxis draws an axis with its ticks and its title below a chart.
func (c *card) xAxis(y float64, ticks []float64, at func(float64) float64, text func(float64) string, title string) {
	c.line("axis", 1.5, chartLeft, y, chartRight, y)
	for _, t := range ticks {
		c.line("axis", 1.5, at(t), y, at(t), y+6)
		c.label(at(t), y+26, 18, "middle", "soft", text(t))
	}
	c.label((chartLeft+chartRight)/2, y+52, 18, "middle", "soft", title)
}

// traceRange is the work and the values that the trace covers: all work, and, because early estimates are far off, the
// values of its second half with their bars, and the exact value.
func (p *pane) traceRange() (work, lo, hi float64, many bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	for _, r := range p.reports {
		all := p.curves.points[r.Method]
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
func (p *pane) traceChart(c *card) {
	work, lo, hi, ok := p.traceRange()
	if !ok {
		return
	}
	c.y += 56
	c.write(cardPad, 20, ` font-weight="700"`, p.w.T("kept.trace"))
	top := c.y + 24
	foot := top + traceHigh
	x := func(w float64) float64 { return chartLeft + (chartRight-chartLeft-12)*w/work }
	y := func(z float64) float64 { return foot - traceHigh*(z-lo)/(hi-lo) }
	fmt.Fprintf(&c.b, `<clipPath id="plot"><path d="M%.1f %.1fH%.1fV%.1fH%.1fz"/></clipPath>`,
		chartLeft, top, chartRight, foot, chartLeft)
	ticks, step := format.Ticks(lo, hi, 6)
	for _, t := range ticks {
		c.line("axis", .5, chartLeft, y(t), chartRight, y(t))
		c.label(chartLeft-12, y(t)+6, 18, "end", "soft", p.num(format.Fixed(t, format.StepDecimals(step))))
	}
	fmt.Fprintf(&c.b, `<g transform="translate(%.1f %.1f) rotate(-90)">`, chartLeft-90, (top+foot)/2)
	c.label(0, 0, 18, "middle", "soft", p.w.T("kept.axis"))
	c.b.WriteString("</g>")
	if t := p.reports[0].Truth; t != nil {
		c.line("exact", 2, chartLeft, y(float64(t.LogZ)), chartRight, y(float64(t.LogZ)))
	}
	for i, r := range p.reports {
		all := p.curves.points[r.Method]
		if len(all) == 0 {
			continue
		}
		fmt.Fprintf(&c.b, `<g class="m%d" clip-path="url(#plot)"><path stroke="none" opacity=".15" d="%s"/>`+
			`<path fill="none" stroke-width="2.5" d="%s"/></g>`, i%marks, around(all, x, y), through(all, x, y))
		last := all[len(all)-1]
		c.symbol(i, x(last.Sweeps), y(last.LogZ), 1.3)
	}
	at, _ := format.Ticks(0, work, 6)
	c.xAxis(foot, at, x, func(w float64) string { return p.num(format.Short(w, 2)) }, p.w.T("kept.work"))
	c.y = foot + 62
}

// through is a line through points.
func through(all []frame.Point, x, y func(float64) float64) string {
	var b strings.Builder
	for _, q := range all {
		fmt.Fprintf(&b, "%c%.1f %.1f", pen(&b), x(q.Sweeps), y(q.LogZ))
	}
	return b.String()
}

// around is the area within one error bar of points, of those that have one.
func around(all []frame.Point, x, y func(float64) float64) string {
	var b strings.Builder
	for _, q := range all {
		if num.Finite(q.SE) {
			fmt.Fprintf(&b, "%c%.1f %.1f", pen(&b), x(q.Sweeps), y(q.LogZ+q.SE))
		}
	}
	for i := range all {
		if q := all[len(all)-1-i]; num.Finite(q.SE) {
			fmt.Fprintf(&b, "L%.1f %.1f", x(q.Sweeps), y(q.LogZ-q.SE))
		}
	}
	return b.String()
}

// pen begins a path, or goes on with it.
func pen(b *strings.Builder) rune {
	if b.Len() == 0 {
		return 'M'
	}
	return 'L'
}
