package varopt

import (
	"fmt"

	"logzlab/estimators/papers"
)

// Fig4 watches effective sample sizes on the way.
var Fig4 = &papers.Experiment{
	Name: "varopt-fig4",
	About: "Effective sample sizes on the way from base to target, by the schedules linear, gms13, varopt and " +
		"slower ones, and by varopt of ten times as many steps.",
	Figure: figureOf("Figure 4"),
	Points: fig4Points, Judge: fig4Judge,
	Chart: courses("effective sample size", effectiveOf),
	Axes:  papers.Axes{ESS: true, RMSE: true},
	Notes: []string{noteMachines, noteBase,
		"The paper's numbers of chains and temperatures are lost. Here are 1,000 chains over 1,000 temperatures, " +
			"means of 5 runs, and over 10,000, of 2.",
		"The beginning is the first tenth of the temperatures.", notePilot, noteSpeed},
	Title: "Where chains lose their weight",
	Lead: "Weights spread all the way from base to target. When they do tells what a schedule costs where, and " +
		"whether chains keep up.",
	Alt: "For each machine and base the effective sample size of 1,000 chains against the share of the steps that " +
		"are done, a line for each schedule, falling from 1,000.",
	Live: [2]string{"v=1&model=rbm-plain-pcd-20&start=rates&method=ais&ais.schedule=varopt" +
		"&ais.temperatures=1000&view.scene=schedule",
		"See a pilot at work"},
}

func fig4Points(size papers.Size) []papers.Point {
	chains, rungs, n := 1000, 1000, map[papers.Size]int{papers.Small: 3, papers.Normal: 5, papers.Full: 50}[size]
	if size == papers.Small {
		chains, rungs = 10, 400
	}
	lines := []string{seriesLinear, seriesGMS13, seriesVAROPT, series9, series3, seriesSlow, seriesLong}
	return onRoads(size, lines, func(m papers.Machine, s string) papers.Point {
		if s == seriesLong {
			return seeded(m, s, chains, 10*rungs, max(n/5, 2))
		}
		return seeded(m, s, chains, rungs, n)
	})
}

// beginning is the place at which a run's first tenth ends.
const beginning = places / 10

func fig4Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		compare := func(paper, a, b string, place int, ours bool) {
			x, y := papers.Series(rows, panel, a), papers.Series(rows, panel, b)
			if len(x) == 0 || len(y) == 0 {
				return
			}
			f := papers.Finding{Paper: paper, Here: bindsNot, Ours: ours}
			if !same(x, y) {
				meanA, seA := averaged(&x[0], effectiveOf)
				meanB, seB := averaged(&y[0], effectiveOf)
				ratio, se := quotient(meanA[place], seA[place], meanB[place], seB[place])
				where := "at the end"
				if place == beginning {
					where = "after a tenth of the steps"
				}
				f.Here = fmt.Sprintf("%s %.0f +- %.0f of %.0f chains count by %s, and %.0f +- %.0f by %s.", where, meanA[place],
					seA[place], chainsOf(&x[0]), a, meanB[place], seB[place], b)
				f = f.Below(-ratio, se, papers.OfSizes)
			}
			out = papers.Panelled(panel, out, f, true)
		}

		// The drop at the beginning, and the end.
		compare("VAROPT has a steep drop at the very beginning, which the linear schedule does not have.", seriesLinear,
			seriesVAROPT, beginning, false)
		compare("deceleration relaxes the drop.", series3, seriesVAROPT, beginning, false)
		compare("a deceleration to 1.5 times the linear speed relaxes the drop.", seriesSlow, seriesVAROPT, beginning, true)
		compare("deceleration yields higher effective sample sizes in the end.", series9, seriesVAROPT, places-1, false)
		compare("the drop becomes smaller with more temperatures.", seriesLong, seriesVAROPT, beginning, false)
	}
	return out
}
