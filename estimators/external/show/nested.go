package show

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/render/chart"
	"logzlab/render/html"
	"logzlab/render/paint"
)

// nestedPlots plots log likelihood and density of Z of nested sampling over the log of the remaining prior mass, which
// begins at the left with the whole prior.
func (p *reportPage) nestedPlots() []html.HTML {
	runs := p.plots.Nested
	if len(runs) == 0 {
		return nil
	}

	// Ranges over all runs.
	end, from, to, inside, points := 0.0, math.Inf(-1), math.Inf(1), 0, 0
	top, low, bottom, most := math.Inf(-1), math.Inf(1), math.Inf(1), 0.0
	for _, c := range runs {
		last := len(c.LogX) - 1
		end, from, to, inside, points = min(end, c.LogX[last]), max(from, c.From), min(to, c.To), inside+c.Inside,
			points+c.Points
		at := slices.IndexFunc(c.LogX, func(x float64) bool { return x <= c.From })
		top, low, bottom = max(top, c.LogL[last]), min(low, c.LogL[at]), min(bottom, c.LogL[0])
		most = max(most, slices.Max(c.Mass))
	}
	const below = 6 // show at most this multiple of the range above where Z begins, because the early rise would dominate
	bottom = max(bottom, top-below*(top-low))

	// Two charts with a common axis; the range of most mass is shaded.
	x, room := chart.Axis{Lo: 0, Hi: end}, (top-bottom)/20
	heights := p.plot(plotWide, plotHigh, x, chart.Axis{Lo: bottom - room, Hi: top + room})
	masses := p.plot(plotWide, plotHigh, x, chart.Axis{Lo: 0, Hi: most * 1.05})
	for _, c := range []*chart.Chart{heights, masses} {
		c.Shade(from, to, math.Inf(-1), math.Inf(1), chart.Style{Color: paint.Light.Track})
	}
	for i, c := range runs {
		s := p.runStyle(i, len(runs))
		heights.Line(c.LogX, c.LogL, s)
		masses.Area(c.LogX, c.Mass, chart.Style{Color: s.Color})
		masses.Line(c.LogX, c.Mass, s)
	}

	// A sentence that describes the charts.
	says := p.w.Number(p.w.Sentence(problem.New("between log X = %s and %s lie %s of Z, on %d of %d points",
		format.Fixed(from, 1), format.Fixed(to, 1), "90 %", inside, points)))
	return []html.HTML{
		p.figure("Log likelihood over log X, the log of the remaining prior mass", "A run begins with the whole prior at "+
			"the left, and the remaining mass shrinks. The shaded part has 90 % of Z.", p.chartHTML(heights, says)),
		p.figure("Contributions to Z: L X/Z over log X", "The area is 1: likelihood times the prior mass between "+
			"points, relative to Z. If the curve does not fall at the right, the run ended too early.", p.chartHTML(masses, says),
			html.TagText("p", says))}
}

// stonePlots plots the contribution of each step in each run, and the differences between runs.
func (p *reportPage) stonePlots() []html.HTML {
	stones := p.plots.Stones
	if len(stones) == 0 {
		return nil
	}
	zero := chart.Style{Color: paint.Light.Line2}

	// Cumulative sums of the runs, and their largest difference at a step.
	runs, n := len(stones[0].LogZ), len(stones)
	var labels []string
	sums, far, at := make([]float64, runs), 0.0, 0
	adds, way := make([][]float64, runs), make([][]float64, runs) // of each run; way: the sum so far, minus the mean
	for run := range way {
		way[run] = []float64{0}
	}
	for i, s := range stones {
		labels = append(labels, strconv.FormatFloat(s.Power, 'g', 6, 64))
		mean, _ := stats.MeanVar(s.LogZ)
		for run, z := range s.LogZ {
			sums[run] += z
			adds[run] = append(adds[run], z)
			way[run] = append(way[run], way[run][i]+z-mean)
		}
		if d := slices.Max(s.LogZ) - slices.Min(s.LogZ); d > far {
			far, at = d, i
		}
	}

	// A bar for each step and run.
	x := chart.Axis{Names: rungNames(labels)}
	plot := p.plot(plotWide, plotHigh, x, chart.Axis{})
	wide := .8 / float64(runs)
	for run := range runs {
		s := p.runStyle(run, runs)
		s.BarWidth = wide
		xs := indices(n)
		for i := range xs {
			xs[i] += wide*(float64(run)+.5) - .4
		}
		plot.Bars(xs, adds[run], s)
	}
	plot.Level(0, "", zero)
	says := p.sumsText(sums)
	out := []html.HTML{p.figure("Contribution of each stone to log Z, by its power",
		"Runs that agree have bars of equal length at each stone.", p.chartHTML(plot, says), html.TagText("p", says))}
	if runs < 2 {
		return out
	}

	// Cumulative differences of the runs from their mean.
	plot = p.plot(plotWide, plotHigh, x, chart.Axis{})
	plot.Level(0, "", zero)
	for run := range runs {
		xs := indices(n + 1)
		for i := range xs {
			xs[i] -= .5
		}
		plot.Line(xs, way[run], p.runStyle(run, runs))
	}
	says = p.w.Number(p.w.Sentence(problem.New("runs differ most at power %s, by %s nats", labels[at],
		format.Fixed(far, 2))))
	return append(out, p.figure("Differences between runs: cumulative sum minus the mean", "Runs that agree stay close to "+
		"zero. A step that remains marks the stone to run longer.", p.chartHTML(plot, says),
		html.TagText("p", says)))
}

// sumsText lists the sum of each run and the largest difference.
func (p *reportPage) sumsText(z []float64) string {
	var parts []string
	for run, x := range z {
		parts = append(parts, p.w.Explain(problem.New("run %d sums to %s", run+1, format.Fixed(x, 2))))
	}
	says := strings.Join(parts, ", ")
	if len(z) > 1 {
		says = p.w.Explain(problem.New("%s; they differ by %s nats", says, format.Fixed(slices.Max(z)-slices.Min(z), 2)))
	}
	return p.w.Number(strings.ToUpper(says[:1]) + says[1:] + ".")
}
