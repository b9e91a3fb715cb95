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

// nestedPlots returns two charts of nested sampling over the log of the remaining prior mass X: the log likelihood L,
// and L X/Z, the density of Z. The axis begins at the left with the whole prior, log X = 0.
func (p *reportPage) nestedPlots() []html.HTML {
	runs := p.plots.Nested
	if len(runs) == 0 {
		return nil
	}

	// The ranges of all runs together.
	minLogX, massFrom, massTo, massPoints, points := 0.0, math.Inf(-1), math.Inf(1), 0, 0
	maxLogL, massLogL, minLogL, maxMass := math.Inf(-1), math.Inf(1), math.Inf(1), 0.0
	for _, c := range runs {
		last := len(c.LogX) - 1
		minLogX, massFrom, massTo, massPoints, points = min(minLogX, c.LogX[last]), max(massFrom, c.From), min(massTo, c.To), massPoints+c.Inside,
			points+c.Points
		massStart := slices.IndexFunc(c.LogX, func(x float64) bool { return x <= c.From })
		maxLogL, massLogL, minLogL = max(maxLogL, c.LogL[last]), min(massLogL, c.LogL[massStart]), min(minLogL, c.LogL[0])
		maxMass = max(maxMass, slices.Max(c.Mass))
	}
	const maxRangeRatio = 6 // largest range of log L, as a multiple of its range in the part that has 90 % of Z
	minLogL = max(minLogL, maxLogL-maxRangeRatio*(maxLogL-massLogL))

	// Two charts with a common axis; the part that has 90 % of Z is shaded.
	x, margin := chart.Axis{Lo: 0, Hi: minLogX}, (maxLogL-minLogL)/20
	logLPlot := p.plot(plotWidth, plotHeight, x, chart.Axis{Lo: minLogL - margin, Hi: maxLogL + margin})
	massPlot := p.plot(plotWidth, plotHeight, x, chart.Axis{Lo: 0, Hi: maxMass * 1.05})
	for _, c := range []*chart.Chart{logLPlot, massPlot} {
		c.Shade(massFrom, massTo, math.Inf(-1), math.Inf(1), chart.Style{Color: paint.Light.Track})
	}
	for i, c := range runs {
		s := p.runStyle(i, len(runs))
		logLPlot.Line(c.LogX, c.LogL, s)
		massPlot.Area(c.LogX, c.Mass, chart.Style{Color: s.Color})
		massPlot.Line(c.LogX, c.Mass, s)
	}

	// A sentence that describes the charts.
	description := p.w.Number(p.w.Sentence(problem.New("between log X = %s and %s lie %s of Z, on %d of %d points",
		format.Fixed(massFrom, 1), format.Fixed(massTo, 1), "90 %", massPoints, points)))
	return []html.HTML{
		p.figure("Log likelihood over log X, the log of the remaining prior mass", "A run begins with the whole prior at "+
			"the left, and the remaining mass shrinks. The shaded part has 90 % of Z.", p.chartHTML(logLPlot, description)),
		p.figure("Contributions to Z: L X/Z over log X", "The area is 1: likelihood times the prior mass between "+
			"points, relative to Z. If the curve does not fall at the right, the run ended too early.", p.chartHTML(massPlot, description),
			html.TagText("p", description))}
}

// stonePlots plots the contribution of each step to log Z in each run, and the cumulative differences of the runs from
// their mean.
func (p *reportPage) stonePlots() []html.HTML {
	stones := p.plots.Stones
	if len(stones) == 0 {
		return nil
	}
	zero := chart.Style{Color: paint.Light.Line2}

	// Cumulative sums of the runs, and their largest difference at a step.
	runs, n := len(stones[0].LogZ), len(stones)
	var labels []string
	sums, maxGap, maxGapStone := make([]float64, runs), 0.0, 0
	// Both are runs x stones; deviations has cumulative sums minus the mean of the runs.
	contributions, deviations := make([][]float64, runs), make([][]float64, runs)
	for run := range deviations {
		deviations[run] = []float64{0}
	}
	for i, s := range stones {
		labels = append(labels, strconv.FormatFloat(s.Power, 'g', 6, 64))
		mean, _ := stats.MeanVar(s.LogZ)
		for run, z := range s.LogZ {
			sums[run] += z
			contributions[run] = append(contributions[run], z)
			deviations[run] = append(deviations[run], deviations[run][i]+z-mean)
		}
		if d := slices.Max(s.LogZ) - slices.Min(s.LogZ); d > maxGap {
			maxGap, maxGapStone = d, i
		}
	}

	// A bar for each step and run.
	x := chart.Axis{Names: rungNames(labels)}
	plot := p.plot(plotWidth, plotHeight, x, chart.Axis{})
	barWidth := .8 / float64(runs)
	for run := range runs {
		s := p.runStyle(run, runs)
		s.BarWidth = barWidth
		xs := indices(n)
		for i := range xs {
			xs[i] += barWidth*(float64(run)+.5) - .4
		}
		plot.Bars(xs, contributions[run], s)
	}
	plot.Level(0, "", zero)
	description := p.sumsText(sums)
	out := []html.HTML{p.figure("Contribution of each stone to log Z, by its power",
		"Runs that agree have bars of equal length at each stone.", p.chartHTML(plot, description), html.TagText("p", description))}
	if runs < 2 {
		return out
	}

	// Cumulative differences of the runs from their mean.
	plot = p.plot(plotWidth, plotHeight, x, chart.Axis{})
	plot.Level(0, "", zero)
	for run := range runs {
		xs := indices(n + 1)
		for i := range xs {
			xs[i] -= .5
		}
		plot.Line(xs, deviations[run], p.runStyle(run, runs))
	}
	description = p.w.Number(p.w.Sentence(problem.New("runs differ most at power %s, by %s nats", labels[maxGapStone],
		format.Fixed(maxGap, 2))))
	return append(out, p.figure("Differences between runs: cumulative sum minus the mean", "Runs that agree stay close to "+
		"zero. A step that remains marks the stone to run longer.", p.chartHTML(plot, description),
		html.TagText("p", description)))
}

// sumsText returns a sentence with log Z of each run and the largest difference between runs.
func (p *reportPage) sumsText(z []float64) string {
	var parts []string
	for run, x := range z {
		parts = append(parts, p.w.Explain(problem.New("run %d sums to %s", run+1, format.Fixed(x, 2))))
	}
	text := strings.Join(parts, ", ")
	if len(z) > 1 {
		text = p.w.Explain(problem.New("%s; they differ by %s nats", text, format.Fixed(slices.Max(z)-slices.Min(z), 2)))
	}
	return p.w.Number(strings.ToUpper(text[:1]) + text[1:] + ".")
}
