package view

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// PoolWays are the four ways to pool replicates: the key of the name of each, and its verdict.
var PoolWays = [4]struct{ Word, level string }{
	{"pool.fit", report.Trust}, {"pool.shares", report.Stop}, {"pool.seed", report.Stop}, {"pool.logs", report.Caution}}

// Sizes of the chart.
const (
	poolHeight = 11.0 // em
	poolLeft   = 26.0 // left end of its lines, in percent of its width; labels are left of it
	poolRight  = 96.0 // right end
)

// poolButton switches between the four ways to pool and the forest plot.
func (p *page) poolButton() html.HTML {
	if !p.Pool.Available {
		return ""
	}
	return html.El(`button type="button" id="pool-ways" class="quiet" data-event="pool"`,
		html.At("aria-pressed", html.Yes(p.Settings.Pool)),
		html.Text(p.w.T("pool.ways")))
}

// poolForest replaces the forest plot by a chart of the four pooled estimates against the number of runs, and a list of
// their current values.
func (p *page) poolForest() html.HTML {
	w, course := p.w, p.Pool.Course
	last, exact := course[len(course)-1], math.NaN()
	if t := p.Shown().Truth; t != nil {
		exact = float64(t.LogZ)
	}
	var list []html.HTML
	for i, way := range PoolWays {
		x := last.Ways[i]
		text := p.FormatEstimate(x.LogZ, x.SE)
		if difference := x.LogZ - exact; num.NotNaN(difference) {
			bars := "∞"
			if x.SE > 0 {
				bars = p.Num(format.Fixed(math.Abs(difference)/x.SE, 1))
			}
			text = w.T("pool.off", text, p.Num(format.Fixed(difference, 2)), bars)
		}
		list = append(list, html.El("li", html.At("data-key", way.Word), html.Icon("v-"+way.level, "i "+way.level),
			html.Mark(i),
			html.TagText("b", w.T(way.Word)), html.TagText("span", text)))
	}
	return html.El(`section id="r-forest" class="r-forest pools"`, html.At("aria-label", w.T("pool.ways")),
		html.TagText("h2", w.T("pool.title", p.Count(float64(last.N)))), p.poolChart(course, exact),
		html.Tag(`ul class="ways"`, list...), html.TagText(`p class="why"`, w.T("pool.note")), p.poolButton())
}

// poolLabel is a label left of the chart, at a height in em.
func poolLabel(y float64, class, s string) html.HTML {
	return html.El(`text class="end"`, html.At("x", html.Percent(poolLeft-2), "y", html.Em(y+.25)),
		html.El("tspan", html.At("class", class), html.Text(s)))
}

// poolChart draws log Z against the number of runs: a line for each way, its error bar at the end, and the exact value.
func (p *page) poolChart(course []state.PoolPoint, exact float64) html.HTML {
	last := course[len(course)-1]

	// The range covers late estimates, the final error bars and the exact value.
	lo, hi := math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	cover(exact)
	for _, c := range course {
		for _, x := range c.Ways {
			if 5*c.N >= last.N {
				cover(x.LogZ)
			}
		}
	}
	for _, x := range last.Ways {
		cover(x.LogZ - x.SE)
		cover(x.LogZ + x.SE)
	}
	pad := max(.06*(hi-lo), 1e-6)
	lo, hi = lo-pad, hi+pad

	// Ticks and lines.
	x := func(n int) float64 { return 100 * float64(n) / float64(p.Spec.Replicates) }
	y := func(z float64) float64 { return poolHeight * (hi - z) / (hi - lo) }
	ticks, step := format.Ticks(lo, hi, 4)
	var plot, lines []html.HTML
	for _, t := range ticks {
		if !(math.Abs(y(t)-y(exact)) < 1) {
			plot = append(plot, html.Line("base", html.Percent(poolLeft), html.Em(y(t)), "100%", html.Em(y(t))),
				poolLabel(y(t), "t", p.Num(format.Fixed(t, format.StepDecimals(step)))))
		}
	}
	for i := range PoolWays {
		var d strings.Builder
		for _, c := range course {
			fmt.Fprintf(&d, "%c%.2f %.3f", html.Pen(&d), x(c.N), min(max(y(c.Ways[i].LogZ), -1), poolHeight+1))
		}
		lines = append(lines, html.El("path", html.At("class", fmt.Sprintf("m-%d", i), "d", d.String())))
	}
	plot = append(plot, html.El(`svg preserveAspectRatio="none" class="lines"`,
		html.At("x", html.Percent(poolLeft), "width",
			html.Percent(poolRight-poolLeft), "height", html.Em(poolHeight), "viewBox", fmt.Sprintf("0 0 100 %g",
				poolHeight)), lines...))

	// The exact value.
	altText := p.w.T("pool.chart")
	if num.NotNaN(exact) {
		label := p.w.T("exact.is", p.Num(format.Fixed(exact, 2)))
		altText += " " + label
		plot = append(plot, html.Line("exact", html.Percent(poolLeft), html.Em(y(exact)), "100%", html.Em(y(exact))),
			poolLabel(y(exact), "exact-label", label))
	}

	// The final error bars.
	for i, way := range last.Ways {
		position, class := html.Percent(poolLeft+(poolRight-poolLeft)*x(last.N)/100), fmt.Sprintf("m-%d", i)
		plot = append(plot, html.Line("bar "+class, position, html.Em(y(way.LogZ-way.SE)), position, html.Em(y(way.LogZ+way.SE))),
			html.El("svg", html.At("x", position, "y", html.Em(y(way.LogZ)), "class", "over "+class),
				html.El("use", html.At("href", fmt.Sprintf("#f-%d", i)))))
	}
	plot = append(plot, html.El(`text class="end"`, html.At("x", html.Percent(poolRight), "y", html.Em(poolHeight+1)),
		html.TagText(`tspan class="t"`, p.w.T("pool.runs", p.Count(float64(p.Spec.Replicates))))))
	return html.El(`svg class="plot" role="img"`, html.At("height", html.Em(poolHeight+1.25), "aria-label", altText), plot...)
}
