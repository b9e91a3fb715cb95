package varopt

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
)

// largeRBMs are the RBMs with 500 hidden units, whose log Z is not known.
var largeRBMs = []papers.RBM{
	{Panel: "PCD(500)", Model: "rbm-pcd-500&start=rates", Sweep: costLarge},
	{Panel: "CD1(500)", Model: "rbm-cd1-500&start=rates", Sweep: costLarge},
	{Panel: "CD25(500)", Model: "rbm-cd25-500&start=rates", Sweep: costLarge},
}

// largeSizes returns the sizes of figures 5 and 6 and table 2.
func largeSizes(size papers.Size) ladderSizes {
	return map[papers.Size]ladderSizes{
		papers.Small:  {largeRBMs[:1], 4, []int{150, 400}, []int{2, 2}},
		papers.Normal: {largeRBMs, 1000, []int{300, 1000, 3000}, []int{16, 8, 4}},
		papers.Full:   {largeRBMs, 1000, []int{300, 1000, 3000, 10000, 100000}, []int{40, 20, 20, 10, 5}},
	}[size]
}

// fig5Points returns the reference of each RBM, and points with increasing numbers of temperatures.
func fig5Points(size papers.Size) (out []papers.Point) {
	s := largeSizes(size)
	for _, m := range s.rbms {
		if size == papers.Small {
			out = append(out, papers.Sandwich(m.Panel, m.Model, 2, 20))
		} else {
			out = append(out, papers.ByAuto(m.Panel, m.Model))
		}
	}
	return append(out, s.points(seriesLinear, seriesGMS13, series9)...)
}

const (
	noteLarge = "The paper drew hyperparameters of its RBMs at random. These are the bundled RBMs of 500 " +
		"hidden units, trained by the centred gradient, so their findings are counted as this lab's own."
	noteLargeRungs = "1,000 chains over 300 to 3,000 temperatures, from 16 runs to 4; -full goes to 100,000. The " +
		"paper's axes are lost. Paths begin at the base rates."
	noteReference = "log Z is compared with auto's, at a wanted error of 0.04 nat."
	aboutLarge    = "Annealing of RBMs of 500 hidden units by the schedules linear, gms13 and varopt, " +
		"with more and more temperatures: "
)

// Fig5 measures the errors of log Z on RBMs with 500 hidden units.
var Fig5 = &papers.Experiment{
	Name: "varopt-fig5", About: aboutLarge + "errors of log Z.", Figure: figureOf("Figure 5"),
	Points: fig5Points, Judge: fig5Judge, OtherModels: papers.AllPanels, Chart: papers.Lines,
	Axes:  papers.Axes{Reach: 8, X: "temperatures", RMSE: true, ESS: true},
	Notes: []string{noteLarge, noteLargeRungs, noteReference, notePilot, noteTheory},
	Title: "Schedules on RBMs too large to enumerate",
	Lead: "With 500 hidden units chains mix more slowly. Does a schedule that is optimal for perfect moves still " +
		"help, and from how many temperatures on?",
	Alt: "For each RBM of 500 hidden units, the mean of log Z on the left and its root mean squared error on " +
		"the right against the number of temperatures, a line for each schedule; the level is auto's.",
	Live: [2]string{"v=1&model=rbm-cd25-500&start=rates&method=ais&ais.schedule=varopt&view.scene=schedule",
		"Try a schedule on 500 hidden units"},
}

// Fig6 shows the effective sample sizes of the runs of Fig5.
var Fig6 = &papers.Experiment{
	Name: "varopt-fig6", About: aboutLarge + "effective sample sizes.", Figure: figureOf("Figure 6"),
	Points: func(size papers.Size) []papers.Point {
		return largeSizes(size).points(seriesLinear, seriesGMS13, series9)
	},
	Judge: sizesJudge, OtherModels: papers.AllPanels, Chart: sampleSizes,
	Axes: papers.Axes{ESS: true},
	Notes: []string{"These are the runs of varopt-fig5.", noteLarge, noteLargeRungs, notePilot,
		noteTheory},
	Title: "Effective sample sizes with 500 hidden units",
	Lead:  "How many of 1,000 chains count on RBMs too large to enumerate, by schedule and number of temperatures.",
	Alt: "For each RBM of 500 hidden units the effective sample size of 1,000 chains against the number of " +
		"temperatures, a line for each schedule.",
	Live: Fig5.Live,
}

// Table2 compares more schedules at the largest number of temperatures.
var Table2 = &papers.Experiment{
	Name: "varopt-table2",
	About: "RBMs of 500 hidden units by the schedules varopt, slower ones, linear and gms13: log Z " +
		"and effective sample sizes.",
	Figure: figureOf("Table 2"),
	Points: func(size papers.Size) []papers.Point {
		lines := []string{seriesLinear, seriesGMS13, series9, seriesVAROPT}
		if size == papers.Full { // with 3,000 temperatures no step reaches these bounds
			lines = append(lines, series6, series3)
		}
		return largeSizes(size).mostRungs(lines...)
	},
	Judge: table2Judge, OtherModels: papers.AllPanels, Chart: scheduleMarks,
	Axes: papers.Axes{ESS: true},
	Notes: []string{"Rows of LINEAR, GMS13 and VAROPT 0.009 are the runs of varopt-fig5 with most temperatures.",
		noteLarge, noteLargeRungs, notePilot, noteSpeed},
	Title: "A table of schedules with 500 hidden units",
	Lead: "Three RBMs too large to enumerate, all schedules with the same number of temperatures: log Z, and " +
		"how many of 1,000 chains count.",
	Alt: "For each RBM, the mean of log Z on the left and the effective sample size of 1,000 chains on the " +
		"right, a mark with its error for each schedule.",
	Live: Fig5.Live,
}

// fig5Judge judges the paper's claims about these RBMs: VAROPT is worse with few temperatures, and its errors fall
// faster as temperatures are added.
func fig5Judge(rows []papers.Row) (out []papers.Finding) {
	rows = fillFLinear(rows)
	for _, panel := range papers.Panels(rows) {
		bounded, linear := papers.Series(rows, panel, series9), papers.Series(rows, panel, seriesLinear)
		n := min(len(bounded), len(linear))
		if n < 2 {
			continue
		}
		f, ok := smallerErrors("VAROPT 0.009 has larger errors than LINEAR with few temperatures.", linear[:1], bounded[:1])
		out = papers.AppendFinding(panel, out, f, ok)
		logError := func(r *papers.Row) (log, variance float64) {
			e, v := papers.ByRMS(r)
			return math.Log(e), v
		}
		boundedFew, v1 := logError(&bounded[0])
		boundedMany, v2 := logError(&bounded[len(bounded)-1])
		linearFew, v3 := logError(&linear[0])
		linearMany, v4 := logError(&linear[len(linear)-1])
		g := papers.Finding{Paper: "its errors fall faster than those of LINEAR as temperatures are added.",
			Here: fmt.Sprintf("from %.0f to %.0f temperatures the error of VAROPT 0.009 falls %.2g times, that of LINEAR %.2g "+
				"times.", bounded[0].At, bounded[len(bounded)-1].At, math.Exp(boundedFew-boundedMany), math.Exp(linearFew-linearMany))}
		few, lagsFew := predictedRatio(bounded, linear, bounded[0].At)
		many, lagsMany := predictedRatio(bounded, linear, bounded[len(bounded)-1].At)
		g.Predicted, g.Lags = orZero((many-few)/2), lagsFew || lagsMany // halved because errors are roots of variances
		out = papers.AppendFinding(panel, out, g.Below((boundedMany-boundedFew)-(linearMany-linearFew), math.Sqrt(v1+v2+v3+v4),
			papers.UnitErrors), true)
	}
	return out
}

// table2Judge compares effective sample sizes.
func table2Judge(rows []papers.Row) (out []papers.Finding) {
	rows = fillFLinear(rows)
	for _, panel := range papers.Panels(rows) {
		for _, other := range []string{seriesLinear, seriesGMS13, seriesVAROPT} {
			f, ok := largerESS("VAROPT 0.009 has a larger effective sample size than "+other+".",
				papers.Series(rows, panel, series9), papers.Series(rows, panel, other))
			out = papers.AppendFinding(panel, out, f, ok)
		}
	}
	return out
}
