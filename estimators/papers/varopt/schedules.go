package varopt

import (
	"fmt"
	"math"

	"logzlab/core/num/stats"
	"logzlab/estimators/papers"
)

// Fig1 compares the schedules themselves: the inverse temperature of each rung.
var Fig1 = &papers.Experiment{
	Name: "varopt-fig1",
	About: "Schedules on RBMs of 20 hidden units: linear, sm08, gms13 of the joint and of the " +
		"marginal path, varopt and a slower varopt, as 12 pilots make them.",
	Figure: figureOf("Figure 1"),
	Points: fig1Points, Judge: fig1Judge,
	Chart: courseChart("inverse temperature", ladderOf),
	Notes: []string{noteRBMs, noteBase, notePilot,
		"VAROPT spreads g evenly, the variance of the slope of log f with the hidden units summed out. GMS13 spreads that " +
			"of the joint states, which hidden units make larger near the base; of the marginal path it lies beside VAROPT.",
		"SM08 makes 1/29 of its steps below beta = 0.5 and 20/29 above 0.9, a hundred times as densely: this is " +
			"optimal where g rises 10,000 times. Along these paths g varies 6 to 16 times from rates and 9 to 25 " +
			"times from biases, so VAROPT is on the side of SM08, but near the diagonal.",
		"The paper shows one schedule of each kind; here are the means of 12 pilots. Distances between schedules " +
			"are mean distances in inverse temperature at the same share of the steps.",
		"The runs behind the rows are short, 20 chains over 1,000 temperatures: they are there for their ladders, " +
			"not for log Z.",
	},
	Title: "Where the temperatures go",
	Lead: "A ladder of temperatures may be evenly spaced, follow a rule found by hand, or be computed from a pilot " +
		"run of annealing.",
	Alt: "For each RBM and base the inverse temperature against the share of the steps that are done, a line " +
		"for each schedule: SM08 rises steeply and then crawls.",
	Live: [2]string{"v=1&model=rbm-plain-pcd-20&start=rates&method=ais&ais.schedule=varopt&view.scene=schedule",
		"See them all and draw your own"},
}

// fig1Points returns points of short runs whose rows have the ladders of all runs.
func fig1Points(size papers.Size) []papers.Point {
	chains, rungs, n := 20, 1000, map[papers.Size]int{papers.Small: 3, papers.Normal: 12, papers.Full: 200}[size]
	if size == papers.Small {
		chains, rungs = 4, 40
	}
	lines := []string{seriesLinear, seriesSM08, seriesGMS13, seriesMarginal, seriesVAROPT, seriesSlow}
	return forPanels(size, lines, func(m papers.RBM, s string) papers.Point { return seedRuns(m, s, chains, rungs, n) })
}

// forPanels returns the result of the function point for each RBM and series; the small size has one RBM.
func forPanels(size papers.Size, lines []string,
	point func(m papers.RBM, line string) papers.Point) (out []papers.Point) {
	rbms := smallRBMs
	if size == papers.Small {
		rbms = smallRBMs[:1]
	}
	for _, m := range rbms {
		for _, s := range lines {
			out = append(out, point(m, s))
		}
	}
	return out
}

// scheduleDistance returns the distance between the mean schedules of two rows, with its standard error from the spread
// between pilots.
func scheduleDistance(a, b *papers.Row) (mean, se float64) {
	middleA, _ := meanReading(a, ladderOf)
	middleB, _ := meanReading(b, ladderOf)
	mean = distance(middleA, middleB)
	varianceTo := func(r *papers.Row, other []float64) float64 {
		var w stats.Welford
		for i := range r.Ladders {
			w.Add(distance(ladderOf(r, i), other))
		}
		return w.Var() / float64(len(r.Ladders))
	}
	return mean, math.Sqrt(varianceTo(a, middleB) + varianceTo(b, middleA))
}

// distance returns the mean absolute difference of x and y.
func distance(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += math.Abs(x[i] - y[i])
	}
	return sum / float64(len(x))
}

// fig1Judge judges which schedules are close to each other.
func fig1Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		line := func(name string) *papers.Row {
			if r := papers.Series(rows, panel, name); len(r) > 0 {
				return &r[0]
			}
			return nil
		}
		closer := func(paper, name, nearSeries, farSeries string, ours bool) {
			a, b, c := line(name), line(nearSeries), line(farSeries)
			if a == nil || b == nil || c == nil {
				return
			}
			nearDistance, se1 := scheduleDistance(a, b)
			farDistance, se2 := scheduleDistance(a, c)
			f := papers.Finding{Paper: paper, Ours: ours,
				Here: fmt.Sprintf("%s lies %.3f +- %.3f from %s and %.3f +- %.3f from %s, in the mean over the run.",
					name, nearDistance, se1, nearSeries, farDistance, se2, farSeries)}
			out = papers.AppendFinding(panel, out, f.Below(nearDistance-farDistance, math.Hypot(se1, se2), inBeta), true)
		}

		// Claims about three schedules.
		closer("GMS13 is largely different from VAROPT and rather similar to the linear schedule.", seriesGMS13, seriesLinear,
			seriesVAROPT, false)
		if a, b := line(seriesVAROPT), line(seriesSM08); a != nil && b != nil {
			lead, se := ahead(a)
			f := papers.Finding{
				Paper: "VAROPT leaves the linear schedule on the side of SM08: it hurries first and goes slowly last.",
				Here: fmt.Sprintf("VAROPT is %+.3f +- %.3f ahead of the linear schedule in the mean over the run, and SM08 %+.3f.",
					lead, se, first(ahead(b)))}
			out = papers.AppendFinding(panel, out, f.Below(-lead, se, inBeta), true)
		}
		closer("VAROPT lies nearer to the linear schedule than to SM08, because g does not vary enough for more.",
			seriesVAROPT, seriesLinear, seriesSM08, true)
	}
	return out
}

// inBeta is the unit of distances between schedules.
const inBeta = "inverse temperature"

// ahead returns the mean of beta over the positions of a schedule minus that of the linear schedule, 0.5, with its
// standard error from the spread between pilots.
func ahead(r *papers.Row) (mean, se float64) {
	var w stats.Welford
	for i := range r.Ladders {
		sum := 0.0
		for _, b := range ladderOf(r, i) {
			sum += b - .5
		}
		w.Add(sum / numPositions)
	}
	return w.Mean, math.Sqrt(w.Var() / float64(len(r.Ladders)))
}

// first returns its first argument.
func first(x, _ float64) float64 { return x }
