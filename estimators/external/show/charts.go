package show

import (
	"image/color"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
	"logzlab/render/chart"
	"logzlab/render/html"
	"logzlab/render/paint"
)

// figures returns a section with the charts that apply to the samples, and the section with the traces.
func (p *reportPage) figures() (out []html.HTML) {
	add := func(h html.HTML) {
		if h != "" {
			out = append(out, h)
		}
	}
	for _, h := range append(p.nestedPlots(), p.stonePlots()...) {
		add(h)
	}
	add(p.errorShares())
	add(p.overlapPlot())
	add(p.slopePlot())
	add(p.convergencePlot())
	if out != nil {
		out = []html.HTML{html.Tag(`section class="figures"`, out...)}
	}
	if t := p.traces(); t != "" {
		out = append(out, t)
	}
	return out
}

// rungLabels returns the labels of the rungs of the report.
func (p *reportPage) rungLabels() (labels []string) {
	for _, k := range p.r.Ladder {
		labels = append(labels, k.Label)
	}
	return labels
}

// errorShares plots the share of each rung in the variance of log Z, in percent. It returns "" if no share is known.
func (p *reportPage) errorShares() html.HTML {
	largest, largestRung := 0.0, -1
	var ys []float64
	for i, k := range p.r.Ladder {
		s := 100 * float64(k.Share)
		if num.Finite(s) && s > largest {
			largest, largestRung = s, i
		}
		ys = append(ys, s)
	}
	if largestRung < 0 {
		return ""
	}

	// A bar for each rung.
	plot := p.plot(plotWidth, plotHeight, chart.Axis{Names: rungNames(p.rungLabels())}, chart.Axis{})
	t := &paint.Light
	colors := slices.Repeat([]color.RGBA{paint.Fade(t.Methods[0], .75)}, len(ys))
	colors[largestRung] = t.Ink
	plot.Bars(indices(len(ys)), ys, chart.Style{Colors: colors})

	// A sentence that describes the chart.
	description := p.w.Number(p.w.Sentence(problem.New("rung %s contributes %s of the squared error of log Z", p.r.Ladder[largestRung].Label,
		format.Fixed(largest, 0)+" %")))
	return p.figure("Error by rung, in percent of its square",
		"The rung with the largest share is dark. More rungs or samples help there most.", p.chartHTML(plot, description),
		html.TagText("p", description))
}

// maxCells is the largest number of rungs for which the overlap matrix is plotted.
const maxCells = 40

// overlapPlot plots the overlap matrix of mbar if the report has one of at most maxCells rungs, or else the overlap of
// neighbouring rungs.
func (p *reportPage) overlapPlot() html.HTML {
	n := len(p.r.Ladder)
	if len(p.r.Overlaps) == n && n > 1 && n <= maxCells {
		return p.overlapMatrix()
	}

	// The smallest overlap of neighbours.
	var ys []float64
	smallest, smallestRung := math.Inf(1), -1
	for i, k := range p.r.Ladder {
		o := 100 * float64(k.Overlap)
		if ys = append(ys, o); o < smallest {
			smallest, smallestRung = o, i
		}
	}
	if smallestRung < 0 {
		return ""
	}

	// Bars, with a line at the smallest acceptable overlap.
	const limit = 5
	plot := p.plot(plotWidth, plotHeight, chart.Axis{Names: rungNames(p.rungLabels()[:n-1])}, chart.Axis{})
	t := &paint.Light
	var colors []color.RGBA
	for _, o := range ys[:n-1] {
		c := paint.Fade(t.Methods[0], .75)
		if o < limit {
			c = t.Ink
		}
		colors = append(colors, c)
	}
	plot.Include(0, 20)
	plot.Bars(indices(n-1), ys[:n-1], chart.Style{Colors: colors})
	plot.Level(limit, "", chart.Style{Dash: [2]float64{5, 4}})

	// A sentence that describes the chart.
	description := p.w.Number(p.w.Sentence(problem.New("the least overlap is %s, from rung %s to the next",
		format.Fixed(smallest, 1)+" %", p.r.Ladder[smallestRung].Label)))
	return p.figure("Overlap of each rung with the next, %", "Below the dashed line, 5 %, neighbouring rungs overlap "+
		"too little.", p.chartHTML(plot, description), html.TagText("p", description))
}

// overlapMatrix plots the overlap matrix as a heat map.
func (p *reportPage) overlapMatrix() html.HTML {
	const height = 340
	n, t, names := len(p.r.Overlaps), &paint.Light, rungNames(p.rungLabels())
	plot := p.plot(plotWidth, height, chart.Axis{Names: names}, chart.Axis{Names: names})
	plot.Square = true

	// A cell for each pair of rungs, with its value as text if there are at most eight rungs.
	smallest, smallestRung := math.Inf(1), 0
	for i := range n - 1 {
		if o := p.r.Overlaps[i][i+1]; o < smallest {
			smallest, smallestRung = o, i
		}
	}
	value := func(j, i int) float64 { return max(p.r.Overlaps[i][j], 0) }
	scale := chart.Scale{Lo: 0, Hi: 1, Position: math.Sqrt,
		Color: func(f float64) color.RGBA { return paint.Fade(t.Ink, .03+.97*f) }}
	plot.HeatMap(indices(n), indices(n), value, scale)
	if n <= 8 {
		plot.DrawOver(func(l *paint.Layer) {
			for i := range n {
				for j := range n {
					o := value(j, i)
					if !num.Finite(o) {
						continue
					}
					ink, q := t.Ink, plot.At(float64(j), float64(i))
					if math.Sqrt(o) > .5 {
						ink = t.Ground
					}
					l.Add(paint.Mark{Kind: paint.Text, Text: format.Fixed(o, 2), At: paint.Pt(q.X, q.Y+4), Color: ink,
						Align: paint.Centre})
				}
			}
		})
	}

	// A sentence that describes the chart.
	description := p.w.Number(p.w.Sentence(problem.New("the least overlap is %s, from rung %s to the next",
		format.Fixed(100*smallest, 1)+" %", p.r.Ladder[smallestRung].Label)))
	return p.figure("Overlap matrix", "Share of the weight of the column's rung that falls on samples of the row's "+
		"rung. Rungs are well connected if cells next to the diagonal are dark.", p.chartHTML(plot, description), html.TagText("p", description))
}

// slopePlot plots the mean slope d log f/d lambda along the path, whose integral is log Z.
func (p *reportPage) slopePlot() html.HTML {
	s := p.plots.Slopes
	if len(s) < 2 {
		return ""
	}
	plot := p.plot(plotWidth, plotHeight, chart.Axis{Lo: s[0].At, Hi: s[len(s)-1].At}, chart.Axis{})
	var xs, ys []float64
	for _, x := range s {
		xs, ys = append(xs, x.At), append(ys, x.Mean)
	}
	plot.Line(xs, ys, chart.Method(&paint.Light, 0, ""))
	title := "Mean log likelihood along the powers"
	if p.r.FreeEnergy != nil {
		title = "Mean slope along the path, in kT"
	}
	description := p.w.Number(p.w.Sentence(problem.New("from %s at %v to %s at %v", format.Fixed(s[0].Mean, 1), s[0].At,
		format.Fixed(s[len(s)-1].Mean, 1), s[len(s)-1].At)))
	return p.figure(title, "The area below the curve is log Z. Rungs must be close where the curve bends sharply.",
		p.chartHTML(plot, description), html.TagText("p", description))
}

// convergencePlot plots the estimates from growing shares of the samples, taken from the beginning of the chains and
// from their end.
func (p *reportPage) convergencePlot() html.HTML {
	points := p.plots.Convergence
	if len(points) == 0 {
		return ""
	}

	// The vertical range covers twice the final error bar, and the estimates from at least a fifth of the samples.
	f := p.factor()
	lo, hi := math.Inf(1), math.Inf(-1)
	cover := func(ys ...float64) {
		for _, y := range ys {
			if num.Finite(y) {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	for _, x := range points[len(points)/5:] {
		cover(f*x.First, f*x.Last)
	}
	end := points[len(points)-1]
	band := math.Abs(f) * end.FirstSE
	cover(f*end.First-2*band, f*end.First+2*band)
	margin := (hi - lo) / 20
	plot := p.plot(plotWidth, plotHeight, chart.Axis{Lo: 0, Hi: 100, Label: func(x float64) string { return format.Trimmed(x, 0) + " %" }},
		chart.Axis{Lo: lo - margin, Hi: hi + margin})
	if num.Finite(band) {
		plot.Shade(0, 100, f*end.First-band, f*end.First+band, chart.Style{Color: paint.Light.Track})
	}

	// Two curves: the first and the last samples.
	var xs []float64
	var curves [2][]float64
	for _, x := range points {
		xs = append(xs, 100*x.Share)
		curves[0], curves[1] = append(curves[0], f*x.First), append(curves[1], f*x.Last)
	}
	for i, name := range [...]string{"the first samples", "the last samples"} {
		s := chart.Method(&paint.Light, i, p.w.Phrase(name))
		s.Dash = [...][2]float64{{}, {6, 3}}[i]
		plot.Line(xs, curves[i], s)
	}

	// The curves as a table.
	var rows [][]html.HTML
	for _, x := range points {
		rows = append(rows, []html.HTML{html.Text(p.w.Number(format.Fixed(100*x.Share, 0) + " %")),
			html.Text(p.value(verdict.Number(x.First), verdict.Number(x.FirstSE))),
			html.Text(p.value(verdict.Number(x.Last), verdict.Number(x.LastSE)))})
	}

	// The title, and a sentence that describes the chart.
	method := p.plots.Method
	if n := p.plots.Thin; n > 1 {
		method = p.w.Explain(problem.New("%s on one of %d samples", method, n))
	}
	title := p.w.Phrase("Estimate from a growing part of the samples") + " (" + method + ", " + p.w.Phrase(p.units) + ")"
	description := p.w.Number(p.w.Sentence(problem.New("half of the samples: the first find %s, the last %s",
		p.value(verdict.Number(points[len(points)/2-1].First), verdict.Number(points[len(points)/2-1].FirstSE)),
		p.value(verdict.Number(points[len(points)/2-1].Last), verdict.Number(points[len(points)/2-1].LastSE)))))
	return html.Tag("figure", html.TagText("figcaption", title), p.chartHTML(plot, description),
		html.TagText(`p class="why"`, p.w.Phrase("Both should enter the band, one error bar of all samples, long "+
			"before the end. If the first and the last samples give different estimates, the chains have not "+
			"converged.")),
		html.Tag("details", html.TagText("summary", p.w.Phrase("As a table")), p.table(title,
			[]string{"Part", "First samples", "Last samples"}, rows)))
}
