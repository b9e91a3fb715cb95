package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/problem"
	"logzlab/core/stats"
	"logzlab/wasm/page/html"
)

// class is that of a run's lines or bars; of more runs than there are classes some are drawn alike.
func class(kind string, run int) string { return kind + strconv.Itoa(run%4) }

// runKey names runs by how they are drawn.
func (p *paper) runKey(n int, mark func(class string) html.HTML, kind string) html.HTML {
	if n < 2 {
		return ""
	}
	var kids []html.HTML
	for run := range n {
		kids = append(kids, html.Tag(`svg class="long" viewBox="0 0 24 12" aria-hidden="true"`, mark(class(kind, run))),
			html.TagText("span", p.w.Explain(problem.New("run %d", run+1))))
	}
	return html.Tag(`p class="key"`, kids...)
}

func lineMark(class string) html.HTML {
	return html.El("path", html.At("class", class, "d", "M0 6H24"))
}

func barMark(class string) html.HTML {
	return html.El(`rect x="7" y="1" width="10" height="10"`, html.At("class", class))
}

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
	heights := newPlot(0, end, p.w.Number, bottom, top).space()
	masses := newPlot(0, end, p.w.Number, 0, most*1.05)
	for _, plot := range []*plot{heights, masses} {
		plot.bar("band", from, plot.y0, to, plot.y1)
		plot.yAxis(5)
		plot.xAxis(6, "")
	}

	// The curves of the runs.
	for run, c := range runs {
		n := len(c.LogX)
		heights.path(class("l", run), n, func(i int) (float64, float64) {
			if c.LogL[i] < heights.y0 {
				return c.LogX[i], math.NaN()
			}
			return c.LogX[i], c.LogL[i]
		})
		masses.path(class("a", run), n+2, func(i int) (float64, float64) {
			if i == 0 || i == n+1 {
				return c.LogX[min(max(i-1, 0), n-1)], 0
			}
			return c.LogX[i-1], c.Mass[i-1]
		})
		masses.path(class("l", run), n, func(i int) (float64, float64) { return c.LogX[i], c.Mass[i] })
	}

	// The pictures in words.
	says := p.w.Number(p.w.Sentence(problem.New("between log X = %s and %s lie %s of Z, on %d of %d points",
		format.Fixed(from, 1), format.Fixed(to, 1), "90 %", inside, points)))
	key := p.runKey(len(runs), lineMark, "l")
	return []html.HTML{
		p.figure("Log likelihood over log X, the log of the prior mass left", "A run climbs from the whole prior at the "+
			"left to ever less of it. The shaded part holds 90 % of Z.", heights.draw("", says), key),
		p.figure("Where log Z comes from: L X/Z over log X", "The area is 1: it is likelihood times the prior mass between "+
			"points. It must come down again at the right, or the run ended too early.", masses.draw("", says), key,
			html.TagText("p", says))}
}

// stones are two pictures of sums of stones: what each run finds at each stone, and where runs part.
func (p *paper) stones() []html.HTML {
	stones := p.pictures.Stones
	if len(stones) == 0 {
		return nil
	}

	// What runs have summed, and how far they are apart.
	runs, n := len(stones[0].LogZ), float64(len(stones))
	var labels []string
	ys, apart := []float64{0}, []float64{0}
	sums, far, at := make([]float64, runs), 0.0, 0
	way := [][]float64{make([]float64, runs)} // of each run, minus the mean, after each stone
	for i, s := range stones {
		labels, ys = append(labels, strconv.FormatFloat(s.Power, 'g', 6, 64)), append(ys, s.LogZ...)
		mean, _ := stats.MeanVar(s.LogZ)
		next := slices.Clone(way[i])
		for run, z := range s.LogZ {
			sums[run] += z
			next[run] += z - mean
		}
		way, apart = append(way, next), append(apart, next...)
		if d := slices.Max(s.LogZ) - slices.Min(s.LogZ); d > far {
			far, at = d, i
		}
	}

	// Bars of the stones.
	plot := newPlot(0, n, p.w.Number, ys...).space()
	plot.yAxis(5)
	width := .8 / float64(runs)
	for i, s := range stones {
		for run, z := range s.LogZ {
			x := float64(i) + .1 + width*float64(run)
			plot.bar(class("c", run), x, 0, x+width, z)
		}
	}
	plot.line("base", 0, 0, n, 0)
	plot.names(labels)
	says := p.sums(sums)
	out := []html.HTML{p.figure("What each stone adds to log Z, by its power",
		"Runs that agree have bars of one length at "+
			"each stone.", plot.draw("", says), p.runKey(runs, barMark, "c"), html.TagText("p", says))}
	if runs < 2 {
		return out
	}

	// Where runs part.
	plot = newPlot(0, n, p.w.Number, apart...).space()
	plot.yAxis(5)
	for run := range runs {
		plot.path(class("l", run), len(way), func(i int) (float64, float64) { return float64(i), way[i][run] })
	}
	plot.line("base", 0, 0, n, 0)
	plot.names(labels)
	says = p.w.Number(p.w.Sentence(problem.New("runs part most at power %s, by %s nats", labels[at],
		format.Fixed(far, 2))))
	return append(out, p.figure("Where runs part: the sum so far, minus the mean", "Runs that agree stay "+
		"together. A step that does not close again is the stone to run longer.", plot.draw("", says),
		p.runKey(runs, lineMark, "l"), html.TagText("p", says)))
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
