package varopt

import (
	"fmt"

	"logzlab/estimators/papers"
)

// Fig4 shows the effective sample size at each step of the run.
var Fig4 = &papers.Experiment{
	Name: "varopt-fig4",
	About: "Effective sample sizes on the way from base to target, by the schedules linear, gms13, varopt and a " +
		"slower one, and by varopt of ten times as many steps.",
	Figure: figureOf("Figure 4"),
	Points: fig4Points, Judge: fig4Judge,
	Chart: courseChart("effective sample size", effectiveOf),
	Axes:  papers.Axes{ESS: true, RMSE: true},
	Notes: []string{noteRBMs, noteBase,
		"The paper's numbers of chains and temperatures are lost. Here are 1,000 chains over 400 temperatures, " +
			"means of 20 runs, and over 4,000, of 4.",
		"The paper decelerates VAROPT to steps of at most 0.009, 0.006 and 0.003. At 400 temperatures steps of 0.003, 1.2 " +
			"times those of the linear schedule, are shorter than VAROPT's own longest ones on every RBM; with more " +
			"temperatures, and by the other bounds, VAROPT mostly stays as it is.",
		"The beginning is the first tenth of the temperatures.", notePilot},
	Title: "Where chains lose their weight",
	Lead: "The variance of the weights grows on the way from base to target. The effective sample size at each step " +
		"shows where a schedule loses precision, and whether the chains stay close to equilibrium.",
	Alt: "For each RBM and base the effective sample size of 1,000 chains against the share of the steps that " +
		"are done, a line for each schedule, falling from 1,000.",
	Live: [2]string{"v=1&model=rbm-plain-pcd-20&start=rates&method=ais&ais.schedule=varopt" +
		"&ais.temperatures=1000&view.scene=schedule",
		"See a pilot at work"},
}

// fig4Points returns points whose rows have the ladders of all runs.
func fig4Points(size papers.Size) []papers.Point {
	chains, rungs, n := 1000, 400, map[papers.Size]int{papers.Small: 3, papers.Normal: 20, papers.Full: 200}[size]
	if size == papers.Small {
		chains = 10
	}
	lines := []string{seriesLinear, seriesGMS13, seriesVAROPT, series3, seriesLong}
	return forPanels(size, lines, func(m papers.RBM, s string) papers.Point {
		if s == seriesLong {
			return seedRuns(m, s, chains, 10*rungs, max(n/5, 2))
		}
		return seedRuns(m, s, chains, rungs, n)
	})
}

// afterTenth is the index of the position after a tenth of the steps.
const afterTenth = numPositions / 10

// fig4Judge compares the effective sample sizes after a tenth of the steps and at the end of the run.
func fig4Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		compare := func(paper, a, b string, position int) {
			x, y := papers.Series(rows, panel, a), papers.Series(rows, panel, b)
			if len(x) == 0 || len(y) == 0 || sameRuns(x, y) {
				return
			}
			meanA, seA := meanReading(&x[0], effectiveOf)
			meanB, seB := meanReading(&y[0], effectiveOf)
			ratio, se := logMeanRatio(&x[0], &y[0], effectiveOf, position)
			where := "at the end"
			if position == afterTenth {
				where = "after a tenth of the steps"
			}
			f := papers.Finding{Paper: paper, Here: fmt.Sprintf("%s %.0f +- %.0f of %.0f chains count by %s, and %.0f +- %.0f "+
				"by %s.", where, meanA[position], seA[position], chainsOf(&x[0]), a, meanB[position], seB[position], b)}
			if v, w := x[0].Predicted, y[0].Predicted; position == numPositions-1 && v > 0 && w > 0 { // ESS = M exp(-variance)
				f.Predicted, f.Lags = v-w, movesLag(x, v, x[0].At) || movesLag(y, w, y[0].At)
			}
			out = papers.AppendFinding(panel, out, f.Below(-ratio, se, papers.UnitSizes), true)
		}

		// The loss after a tenth of the steps, and the effective sample size at the end.
		compare("VAROPT has a steep drop at the very beginning, which the linear schedule does not have.", seriesLinear,
			seriesVAROPT, afterTenth)
		compare("deceleration relaxes the drop.", series3, seriesVAROPT, afterTenth)
		compare("deceleration yields higher effective sample sizes in the end.", series3, seriesVAROPT, numPositions-1)
		compare("the drop becomes smaller with more temperatures.", seriesLong, seriesVAROPT, afterTenth)
	}
	return out
}
