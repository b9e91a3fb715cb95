package varopt

import (
	"fmt"
	"math"

	"logzlab/core/stats"
	"logzlab/estimators/papers"
)

// Fig1 draws the schedules themselves.
var Fig1 = &papers.Experiment{
	Name: "varopt-fig1",
	About: "Schedules on Boltzmann machines of 20 hidden units: linear, sm08, gms13, varopt and a slower varopt, " +
		"as 12 pilots make them.",
	Figure: figureOf("Figure 1"),
	Points: fig1Points, Judge: fig1Judge,
	Chart: courses("inverse temperature", ladderOf),
	Notes: []string{noteMachines, noteBase, notePilot, noteSpeed,
		"Here the path is hardest at the base: g, the variance that VAROPT spreads evenly, falls along it by about " +
			"five times, from coins by fifty. VAROPT goes slowly first, and SM08 last. GMS13 makes the same sum " +
			"small from coarser measurements, so it lies beside VAROPT.",
		"The paper shows one schedule of each kind; here are the means of 12 pilots. Distances between schedules " +
			"are mean distances in inverse temperature at the same share of the steps.",
		"The runs behind the rows are short, 20 chains over 200 temperatures: they are there for their ladders, not " +
			"for log Z.",
	},
	Title: "Where the temperatures go",
	Lead: "A ladder may climb evenly, by a rule that somebody found by hand, or as a cheap first pass of annealing " +
		"suggests.",
	Alt: "For each machine the inverse temperature against the share of the steps that are done, a line for each " +
		"schedule: SM08 rises steeply and then crawls, the others lie near the diagonal, VAROPT below it.",
	Live: [2]string{"v=1&model=rbm-pcd-20&start=uniform&method=ais&ais.schedule=varopt&view.scene=schedule",
		"See them all and draw your own"},
}

func fig1Points(size papers.Size) []papers.Point {
	chains, rungs, n := 20, 200, map[papers.Size]int{papers.Small: 3, papers.Normal: 12, papers.Full: 200}[size]
	if size == papers.Small {
		chains, rungs = 4, 40
	}
	lines := []string{seriesLinear, seriesSM08, seriesGMS13, seriesVAROPT, seriesSlow}
	return onRoads(size, lines, func(m papers.Machine, s string) papers.Point { return seeded(m, s, chains, rungs, n) })
}

// onRoads makes a point for each machine and line; small experiments have one machine.
func onRoads(size papers.Size, lines []string,
	point func(m papers.Machine, line string) papers.Point) (out []papers.Point) {
	machines := roads
	if size == papers.Small {
		machines = roads[:1]
	}
	for _, m := range machines {
		for _, s := range lines {
			out = append(out, point(m, s))
		}
	}
	return out
}

// apart is the mean distance of the schedules of two rows, with its standard error over pilots, each row's own.
func apart(a, b *papers.Row) (mean, se float64) {
	middleA, _ := averaged(a, ladderOf)
	middleB, _ := averaged(b, ladderOf)
	mean = distance(middleA, middleB)
	vary := func(r *papers.Row, other []float64) float64 {
		var w stats.Welford
		for i := range r.Ladders {
			w.Add(distance(ladderOf(r, i), other))
		}
		return w.Var() / float64(len(r.Ladders))
	}
	return mean, math.Sqrt(vary(a, middleB) + vary(b, middleA))
}

func distance(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += math.Abs(x[i] - y[i])
	}
	return sum / float64(len(x))
}

func fig1Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		nearer := func(paper, name, near, far string) {
			a, b, c := papers.Series(rows, panel, name), papers.Series(rows, panel, near), papers.Series(rows, panel, far)
			if len(a) == 0 || len(b) == 0 || len(c) == 0 {
				return
			}
			close, se1 := apart(&a[0], &b[0])
			away, se2 := apart(&a[0], &c[0])
			f := papers.Finding{Paper: paper,
				Here: fmt.Sprintf("%s lies %.3f +- %.3f from %s and %.3f +- %.3f from %s, in the mean over the run.",
					name, close, se1, near, away, se2, far), Answer: papers.Below(close-away, math.Hypot(se1, se2))}
			out = papers.Panelled(panel, out, f, true)
		}
		nearer("GMS13 is largely different from VAROPT and rather similar to the linear schedule.", seriesGMS13, seriesLinear,
			seriesVAROPT)
		nearer("VAROPT is similar to the heuristic schedule of Salakhutdinov and Murray, SM08.", seriesVAROPT, seriesSM08,
			seriesLinear)
	}
	return out
}
