package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/temper"
)

// pooling is log Z of the replicates of a tempering run, pooled in the right way and in three others, as they come in.
type pooling struct {
	job    *engine.Job
	method string
	course []poolPoint
}

// poolPoint is what the first n runs give: in the order of poolWays.
type poolPoint struct {
	n    int
	ways [4]temper.Pool
}

// poolWays are words and verdicts of the ways.
var poolWays = [4]struct{ word, level string }{
	{"pool.fit", report.Trust}, {"pool.shares", report.Stop}, {"pool.seed", report.Stop}, {"pool.logs", report.Caution}}

const (
	poolPoints = 40   // of a course
	poolCost   = 2e6  // runs x rungs^2, more takes the page too long
	poolHigh   = 11.0 // of the chart, em
	poolLeft   = 26.0 // where its lines begin, percent of its width: labels stand before them
	poolRight  = 96.0 // and where they end
)

// poolable are the finished runs of the method on show, in order, so that what they give does not depend on the order
// in which they end; nil where there is nothing to pool.
func (p *pane) poolable() []*estimators.Result {
	r := p.shown()
	if r == nil || p.spec.Replicates < 2 {
		return nil
	}
	runs := p.job.Replicates(r.Method)
	if i := slices.IndexFunc(runs, func(x *estimators.Result) bool { return x == nil || x.Batch == nil }); i >= 0 {
		runs = runs[:i]
	}
	if len(runs) < 2 || float64(p.spec.Replicates*len(runs[0].Batch.LogC)*len(runs[0].Batch.LogC)) > poolCost {
		return nil
	}
	return runs
}

// pools is the course of what the first runs give.
func (p *pane) pools(runs []*estimators.Result) []poolPoint {
	c, method := &p.pooling, p.shown().Method
	if c.job != p.job || c.method != method {
		*c = pooling{job: p.job, method: method}
	}
	step := (p.spec.Replicates + poolPoints - 1) / poolPoints
	for n := 2; n <= len(runs); n++ {
		if (n%step == 0 || n < step && n&(n-1) == 0 || n == p.spec.Replicates) &&
			(len(c.course) == 0 || n > c.course[len(c.course)-1].n) {
			all := temper.PoolRuns(runs[:n])
			c.course = append(c.course, poolPoint{n, [4]temper.Pool{all.Fit, all.Shares, all.Seed, all.Logs}})
		}
	}
	return c.course
}

// poolButton shows the four ways, or the methods on one axis again.
func (p *pane) poolButton() HTML {
	if p.poolable() == nil {
		return ""
	}
	return el(`button type="button" id="pool-ways" class="quiet" data-event="pool"`, at("aria-pressed", yes(p.set.Pool)),
		text(p.w.T("pool.ways")))
}

// poolForest stands in place of the forest: how the four ways go with the number of runs, and where they are now.
func (p *pane) poolForest(runs []*estimators.Result) HTML {
	w, course := p.w, p.pools(runs)
	now, exact := course[len(course)-1], math.NaN()
	if t := p.shown().Truth; t != nil {
		exact = float64(t.LogZ)
	}
	var list []HTML
	for i, way := range poolWays {
		x := now.ways[i]
		says := p.barred(x.LogZ, x.SE)
		if off := x.LogZ - exact; num.Known(off) {
			bars := "∞"
			if x.SE > 0 {
				bars = p.num(format.Fixed(math.Abs(off)/x.SE, 1))
			}
			says = w.T("pool.off", says, p.num(format.Fixed(off, 2)), bars)
		}
		list = append(list, el("li", at("data-key", way.word), icon("v-"+way.level, "i "+way.level), mark(i),
			tagText("b", w.T(way.word)), tagText("span", says)))
	}
	return el(`section id="r-forest" class="r-forest pools"`, at("aria-label", w.T("pool.ways")),
		tagText("h2", w.T("pool.title", p.count(float64(now.n)))), p.poolChart(course, exact),
		tag(`ul class="ways"`, list...), tagText(`p class="why"`, w.T("pool.note")), p.poolButton())
}

// poolLabel is a label beside the chart at a height in em.
func poolLabel(y float64, class, s string) HTML {
	return el(`text class="end"`, at("x", percent(poolLeft-2), "y", em(y+.25)), el("tspan", at("class", class), text(s)))
}

// poolChart draws log Z against the number of runs: a line for each way, with its bar at the end, and the exact value.
func (p *pane) poolChart(course []poolPoint, exact float64) HTML {
	now := course[len(course)-1]
	lo, hi := math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	cover(exact)
	for _, c := range course {
		for _, x := range c.ways {
			if 5*c.n >= now.n {
				cover(x.LogZ)
			}
		}
	}
	for _, x := range now.ways {
		cover(x.LogZ - x.SE)
		cover(x.LogZ + x.SE)
	}
	pad := max(.06*(hi-lo), 1e-6)
	lo, hi = lo-pad, hi+pad
	x := func(n int) float64 { return 100 * float64(n) / float64(p.spec.Replicates) }
	y := func(z float64) float64 { return poolHigh * (hi - z) / (hi - lo) }
	ticks, step := format.Ticks(lo, hi, 4)
	var plot, lines []HTML
	for _, t := range ticks {
		if !(math.Abs(y(t)-y(exact)) < 1) {
			plot = append(plot, svgLine("base", percent(poolLeft), em(y(t)), "100%", em(y(t))),
				poolLabel(y(t), "t", p.num(format.Fixed(t, format.StepDecimals(step)))))
		}
	}
	for i := range poolWays {
		var d strings.Builder
		for _, c := range course {
			fmt.Fprintf(&d, "%c%.2f %.3f", pen(&d), x(c.n), min(max(y(c.ways[i].LogZ), -1), poolHigh+1))
		}
		lines = append(lines, el("path", at("class", fmt.Sprintf("m-%d", i), "d", d.String())))
	}
	plot = append(plot, el(`svg preserveAspectRatio="none" class="lines"`, at("x", percent(poolLeft), "width",
		percent(poolRight-poolLeft), "height", em(poolHigh), "viewBox", fmt.Sprintf("0 0 100 %g", poolHigh)), lines...))
	says := p.w.T("pool.chart")
	if num.Known(exact) {
		label := p.w.T("exact.is", p.num(format.Fixed(exact, 2)))
		says += " " + label
		plot = append(plot, svgLine("exact", percent(poolLeft), em(y(exact)), "100%", em(y(exact))),
			poolLabel(y(exact), "exact-label", label))
	}
	for i, way := range now.ways {
		at01, class := percent(poolLeft+(poolRight-poolLeft)*x(now.n)/100), fmt.Sprintf("m-%d", i)
		plot = append(plot, svgLine("bar "+class, at01, em(y(way.LogZ-way.SE)), at01, em(y(way.LogZ+way.SE))),
			el("svg", at("x", at01, "y", em(y(way.LogZ)), "class", "over "+class),
				el("use", at("href", fmt.Sprintf("#f-%d", i)))))
	}
	plot = append(plot, el(`text class="end"`, at("x", percent(poolRight), "y", em(poolHigh+1)),
		tagText(`tspan class="t"`, p.w.T("pool.runs", p.count(float64(p.spec.Replicates))))))
	return el(`svg class="plot" role="img"`, at("height", em(poolHigh+1.25), "aria-label", says), plot...)
}
