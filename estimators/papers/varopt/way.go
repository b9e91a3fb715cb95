package varopt

import (
	"fmt"
	"logzlab/estimators/papers"
)

// Fig4 watches effective sample sizes on the way.
var Fig4 = &papers.Experiment{
	Name: "varopt-fig4",
	About: "Effective sample sizes on the way from base to target, by the schedules linear, gms13, varopt and a " +
		"slower varopt, and by varopt of ten times as many steps.",
	Figure: figureOf("Figure 4"),
	Points: fig4Points, Judge: fig4Judge,
	Chart: courses("effective sample size", effectiveOf),
	Axes:  papers.Axes{ESS: true, RMSE: true},
	Notes: []string{noteMachines, noteBase,
		"The paper's numbers of chains and temperatures are lost. Here are 100 chains over 500 temperatures, means " +
			"of 20 runs, and over 5,000, of 4.",
		"The beginning is the first tenth of the temperatures. Here VAROPT begins slowly, see varopt-fig1, so it is the " +
			"linear schedule that loses most there. What decides is the end, where chains mix too slowly for any schedule.",
		notePilot, noteSpeed},
	Title: "Where chains lose their weight",
	Lead: "Weights spread all the way from base to target. When they do tells what a schedule costs where, and " +
		"whether chains keep up.",
	Alt: "For each machine the effective sample size of 100 chains against the share of the steps that are done, a " +
		"line for each schedule, falling from 100.",
	Live: [2]string{"v=1&model=rbm-pcd-20&method=ais&ais.schedule=varopt&ais.temperatures=1000&view.scene=schedule",
		"See a pilot at work"},
}

func fig4Points(size papers.Size) []papers.Point {
	chains, rungs, n := 100, 500, map[papers.Size]int{papers.Small: 3, papers.Normal: 20, papers.Full: 200}[size]
	if size == papers.Small {
		chains, rungs = 10, 20
	}
	lines := []string{seriesLinear, seriesGMS13, seriesVAROPT, seriesSlow, seriesLong}
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
		compare := func(paper, a, b string, place int) {
			x, y := papers.Series(rows, panel, a), papers.Series(rows, panel, b)
			if len(x) == 0 || len(y) == 0 {
				return
			}
			meanA, seA := averaged(&x[0], effectiveOf)
			meanB, seB := averaged(&y[0], effectiveOf)
			ratio, se := quotient(meanA[place], seA[place], meanB[place], seB[place])
			where := "at the end"
			if place == beginning {
				where = "after a tenth of the steps"
			}
			out = papers.Panelled(panel, out,
				papers.Finding{Paper: paper, Here: fmt.Sprintf("%s %.1f +- %.1f of %.0f chains count by %s, and %.1f +- "+
					"%.1f by %s.", where, meanA[place], seA[place], chainsOf(&x[0]), a, meanB[place], seB[place], b),
					Answer: papers.Below(-ratio, se)}, true)
		}
		compare("VAROPT has a steep drop at the very beginning, which the linear schedule does not have.", seriesLinear,
			seriesVAROPT, beginning)
		compare("deceleration relaxes the drop.", seriesSlow, seriesVAROPT, beginning)
		compare("deceleration yields higher effective sample sizes in the end.", seriesSlow, seriesVAROPT, places-1)
		compare("the drop becomes smaller with more temperatures.", seriesLong, seriesVAROPT, beginning)
	}
	return out
}
