package show

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/external/samples"
	"logzlab/render/chart"
	"logzlab/render/html"
	"logzlab/render/paint"
)

const (
	maxTraces = 12  // largest number of rungs whose traces are plotted
	columns   = 240 // a trace is reduced to the minimum and the maximum of this many equal parts
)

// traces returns the section with the traces of the rungs that contribute most to the error, "" if there are none.
func (p *reportPage) traces() html.HTML {
	rungs := p.tracedRungs()
	if len(rungs) == 0 {
		return ""
	}
	var plots []html.HTML
	for _, rung := range rungs {
		plots = append(plots, p.trace(rung))
	}
	explanation := p.w.Phrase("The log likelihood of each sample in turn")
	if p.r.FreeEnergy != nil {
		explanation = p.w.Phrase("The difference of log f to the next rung, for each sample in turn, in kT")
	}
	return section(p.w.Phrase("Traces by rung"), html.TagText(`p class="why"`, explanation+". "+p.w.Phrase(
		"A stationary chain looks the same from start to end. The burn-in left out is shaded.")),
		html.Tag(`div class="traces"`, plots...))
}

// tracedRungs returns the labels of the rungs whose traces are plotted, in the order of the ladder: the rungs with
// samples that have the largest shares in the variance of log Z, at most maxTraces.
func (p *reportPage) tracedRungs() (out []string) {
	largestDropped := math.Inf(-1)
	var shares []float64
	for _, k := range p.r.Ladder {
		if k.Samples > 0 {
			s := float64(k.Share)
			if !num.NotNaN(s) {
				s = 0
			}
			shares = append(shares, s)
		}
	}
	for len(shares) > maxTraces {
		smallest := 0
		for i, s := range shares {
			if s < shares[smallest] {
				smallest = i
			}
		}
		largestDropped = shares[smallest]
		shares = append(shares[:smallest], shares[smallest+1:]...)
	}
	for _, k := range p.r.Ladder {
		if s := float64(k.Share); k.Samples > 0 && !(s <= largestDropped) && len(out) < maxTraces {
			out = append(out, k.Label)
		}
	}
	return out
}

// trace plots the chains of a rung, one run after another.
func (p *reportPage) trace(rung string) html.HTML {
	total := 0
	for _, s := range p.plots.Series {
		if s.Rung == rung {
			total += len(s.Values)
		}
	}
	plot := p.plot(traceWidth, traceHeight, chart.Axis{Lo: 0, Hi: float64(max(total, 1)), Bare: true}, chart.Axis{})
	t, edge := &paint.Light, math.Inf(1)
	from := 0
	for _, s := range p.plots.Series {
		if s.Rung != rung {
			continue
		}
		if s.BurnIn > 0 {
			plot.Shade(float64(from), float64(from+s.BurnIn), -edge, edge, chart.Style{Color: t.Track})
		}
		if from > 0 {
			plot.LevelX(float64(from), "", chart.Style{Color: t.Line2, Width: 1})
		}
		xs, ys := minMaxThinned(s.Values, max(columns*len(s.Values)/total, 2))
		for i := range xs {
			xs[i] += float64(from)
		}
		plot.Line(xs, ys, chart.Style{Color: t.Methods[s.Run%2], Width: 1, NoHalo: true})
		from += len(s.Values)
	}
	label := p.w.Number(p.w.Sentence(problem.New("rung %s, %w", rung, samples.CountSamples(total))))
	return html.Tag("figure", html.TagText("figcaption", label), p.chartHTML(plot, label))
}

// minMaxThinned divides a series into a number of equal parts (columns) and returns the positions and the values of the
// minimum and the maximum of each part, in the order of the series. A short series is returned unchanged.
func minMaxThinned(x []float64, columns int) (positions, values []float64) {
	if len(x) <= 2*columns {
		for i, v := range x {
			positions, values = append(positions, float64(i)+.5), append(values, v)
		}
		return positions, values
	}
	for c := range columns {
		from, to := c*len(x)/columns, (c+1)*len(x)/columns
		lo, hi := from, from
		for i := from; i < to; i++ {
			if x[i] < x[lo] {
				lo = i
			}
			if x[i] > x[hi] {
				hi = i
			}
		}
		for _, i := range []int{min(lo, hi), max(lo, hi)} {
			positions, values = append(positions, float64(i)+.5), append(values, x[i])
		}
	}
	return positions, values
}
