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

// climbs are two pictures of nested sampling over the log of the prior mass that is left, from all of it at the left:
// how high a run has climbed there, and how much of Z lies there.
func (p *paper) climbs() []html.HTML {
	runs := p.pictures.Climbs
	if len(runs) == 0 {
		return nil
	}

	// What all runs have between them.
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
	const below = 6 // times what lies between where Z begins and the top: what is far below would flatten all else
	bottom = max(bottom, top-below*(top-low))

	// Two pictures over one axis, with the part of most weight in shade.
	x, room := chart.Axis{Lo: 0, Hi: end}, (top-bottom)/20
	heights := p.plot(plotWide, plotHigh, x, chart.Axis{Lo: bottom - room, Hi: top + room})
	masses := p.plot(plotWide, plotHigh, x, chart.Axis{Lo: 0, Hi: most * 1.05})
	for _, c := range []*chart.Chart{heights, masses} {
		c.Shade(from, to, math.Inf(-1), math.Inf(1), chart.Style{Color: paint.Light.Track})
	}
	for i, c := range runs {
		s := p.run(i, len(runs))
		heights.Line(c.LogX, c.LogL, s)
		masses.Area(c.LogX, c.Mass, chart.Style{Color: s.Color})
		masses.Line(c.LogX, c.Mass, s)
	}

	// The pictures in words.
	says := p.w.Number(p.w.Sentence(problem.New("between log X = %s and %s lie %s of Z, on %d of %d points",
		format.Fixed(from, 1), format.Fixed(to, 1), "90 %", inside, points)))
	return []html.HTML{
		p.figure("Log likelihood over log X, the log of the prior mass left", "A run climbs from the whole prior at the "+
			"left to ever less of it. The shaded part holds 90 % of Z.", p.draw(heights, says)),
		p.figure("Where log Z comes from: L X/Z over log X", "The area is 1: it is likelihood times the prior mass between "+
			"points. It must come down again at the right, or the run ended too early.", p.draw(masses, says),
			html.TagText("p", says))}
}

// stones are two pictures of sums of stones: what each run finds at each stone, and where runs part.
func (p *paper) stones() []html.HTML {
	stones := p.pictures.Stones
	if len(stones) == 0 {
		return nil
	}
	zero := chart.Style{Color: paint.Light.Line2}

	// What runs have summed, and how far they are apart.
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

	// Bars of the stones, those of the runs side by side.
	x := chart.Axis{Names: rungNames(labels)}
	plot := p.plot(plotWide, plotHigh, x, chart.Axis{})
	wide := .8 / float64(runs)
	for run := range runs {
		s := p.run(run, runs)
		s.BarWidth = wide
		xs := places(n)
		for i := range xs {
			xs[i] += wide*(float64(run)+.5) - .4
		}
		plot.Bars(xs, adds[run], s)
	}
	plot.Level(0, "", zero)
	says := p.sums(sums)
	out := []html.HTML{p.figure("What each stone adds to log Z, by its power",
		"Runs that agree have bars of one length at "+
			"each stone.", p.draw(plot, says), html.TagText("p", says))}
	if runs < 2 {
		return out
	}

	// Where runs part: lines from one end of the ladder to the other.
	plot = p.plot(plotWide, plotHigh, x, chart.Axis{})
	plot.Level(0, "", zero)
	for run := range runs {
		xs := places(n + 1)
		for i := range xs {
			xs[i] -= .5
		}
		plot.Line(xs, way[run], p.run(run, runs))
	}
	says = p.w.Number(p.w.Sentence(problem.New("runs part most at power %s, by %s nats", labels[at],
		format.Fixed(far, 2))))
	return append(out, p.figure("Where runs part: the sum so far, minus the mean", "Runs that agree stay "+
		"together. A step that does not close again is the stone to run longer.", p.draw(plot, says),
		html.TagText("p", says)))
}

// sums names the sum of each run, and how far the two furthest lie apart.
func (p *paper) sums(z []float64) string {
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
