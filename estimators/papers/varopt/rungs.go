package varopt

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// ladderSizes has the sizes of an experiment with increasing numbers of temperatures.
type ladderSizes struct {
	rbms        []papers.RBM
	chains      int
	rungs, runs []int // numbers of temperatures, and the number of runs with each
}

// smallSizes returns the sizes of figures 2 and 3 and table 1.
func smallSizes(size papers.Size) ladderSizes {
	return map[papers.Size]ladderSizes{
		papers.Small:  {smallRBMs[:1], 10, []int{20, 400}, []int{3, 3}},
		papers.Normal: {smallRBMs, 1000, []int{100, 300, 1000, 3000, 10000}, []int{20, 20, 10, 4, 3}},
		papers.Full: {smallRBMs, 1000, []int{100, 300, 1000, 3000, 10000, 30000, 100000},
			[]int{100, 100, 100, 50, 20, 10, 10}},
	}[size]
}

// points returns the points of each series at each number of temperatures. The series with the bound 0.009 on steps is
// left out for numbers of temperatures that cannot satisfy the bound.
func (s ladderSizes) points(lines ...string) (out []papers.Point) {
	for _, m := range s.rbms {
		for i, k := range s.rungs {
			for _, name := range lines {
				if name != series9 || .009*float64(k-1) >= 1 {
					out = append(out, annealed(m, name, s.chains, k, s.runs[i]))
				}
			}
		}
	}
	return out
}

// mostRungs returns the points with the largest number of temperatures.
func (s ladderSizes) mostRungs(lines ...string) []papers.Point {
	last := len(s.rungs) - 1
	s.rungs, s.runs = s.rungs[last:], s.runs[last:]
	return s.points(lines...)
}

const (
	noteRungs = "The paper's numbers of chains and temperatures are lost; its effective sample sizes reach 873, " +
		"so it had 1,000 chains or so, as here. Here are 100 to 10,000 temperatures and from 20 runs to 3; -full " +
		"goes to 100,000. At 100 temperatures no schedule has all steps below 0.009."
	aboutRungs = "Annealing of RBMs of 20 hidden units by the schedules linear, gms13 and varopt, " +
		"with more and more temperatures: "
)

// Fig2 measures the errors of log Z on RBMs with 20 hidden units.
var Fig2 = &papers.Experiment{
	Name: "varopt-fig2", About: aboutRungs + "errors of log Z.",
	Figure: figureOf("Figure 2"),
	Points: func(size papers.Size) []papers.Point {
		return smallSizes(size).points(seriesLinear, seriesGMS13, series9)
	},
	Judge: errorsJudge, Chart: papers.Lines,
	Axes:  papers.Axes{Reach: 4, X: "temperatures", RMSE: true, ESS: true},
	Notes: []string{noteRBMs, noteBase, noteRungs, notePilot, noteTheory, noteLag},
	Title: "Does the best schedule give the best estimate?",
	Lead: "The optimal schedule is optimal for perfect moves. Here it is compared with the linear schedule in " +
		"annealing with real moves.",
	Alt: "For each RBM and base, the mean of log Z on the left and its root mean squared error on the right " +
		"against the number of temperatures, a line for each schedule; the solid level is exact.",
	Live: [2]string{"v=1&model=rbm-plain-pcd-20&start=rates&method=ais&ais.schedule=varopt&view.scene=schedule",
		"Try a schedule"},
}

// Fig3 shows the effective sample sizes of the runs of Fig2.
var Fig3 = &papers.Experiment{
	Name: "varopt-fig3", About: aboutRungs + "effective sample sizes.",
	Figure: figureOf("Figure 3"),
	Points: Fig2.Points, Judge: sizesJudge, Chart: sampleSizes,
	Axes: papers.Axes{ESS: true, RMSE: true},
	Notes: []string{"These are the runs of varopt-fig2.", noteRBMs, noteBase, noteRungs, notePilot,
		noteTheory, noteLag},
	Title: "Effective sample sizes of schedules",
	Lead: "How large is the effective sample size of 1,000 annealed chains, by schedule and number of temperatures? " +
		"These are the runs of the page before.",
	Alt: "For each RBM and base the effective sample size of 1,000 chains against the number of temperatures, " +
		"a line for each schedule.",
	Live: Fig2.Live,
}

// Table1 compares more schedules at the largest number of temperatures.
var Table1 = &papers.Experiment{
	Name: "varopt-table1",
	About: "RBMs of 20 hidden units by the schedules varopt, slower ones, sm08, linear and gms13: " +
		"log Z and effective sample sizes.",
	Figure: figureOf("Table 1"),
	Points: func(size papers.Size) []papers.Point {
		return smallSizes(size).mostRungs(seriesLinear, seriesGMS13, series9, seriesVAROPT, series6, series3, seriesSlow,
			seriesMarginal, seriesSM08)
	},
	Judge: table1Judge, Chart: scheduleMarks,
	Axes: papers.Axes{RMSE: true, ESS: true},
	Notes: []string{"Rows of LINEAR, GMS13 and VAROPT 0.009 are the runs of varopt-fig2 with most temperatures. " +
		"SM08, GMS13 of the marginal path and VAROPT at most 1.5 times as fast are not in the paper's table.",
		"VAROPT at most 1.5 times as fast helps where chains lag. On CD1 they keep up, and a bound only costs: from rates " +
			"905 of 1,000 chains count with it and 913 without. Of perfect moves theory promises 0.01085 and 0.01072 for the " +
			"variances, 1 % apart; the run sees 0 to 22 %.",
		noteRBMs, noteBase, noteRungs, notePilot, noteSpeed},
	Title: "A table of schedules",
	Lead: "Three RBMs whose log Z is exact, each from two bases, all schedules with the same number of " +
		"temperatures: log Z, and how many of 1,000 chains count.",
	Alt: "For each RBM and base, the mean of log Z on the left and the effective sample size of 1,000 chains " +
		"on the right, a mark with its error for each schedule; the solid level is exact.",
	Live: [2]string{"v=1&model=rbm-plain-pcd-20&start=rates&method=ais&ais.schedule=varopt&ais.temperatures=10000" +
		"&view.scene=schedule", "Run a row of the table"},
}

// errorsJudge compares the errors of VAROPT with those of the other schedules.
func errorsJudge(rows []papers.Row) (out []papers.Finding) {
	rows = fillFLinear(rows)
	for _, panel := range papers.Panels(rows) {
		bounded := papers.Series(rows, panel, series9)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := smallerErrors("VAROPT 0.009 has smaller errors than "+other+".", bounded, papers.Series(rows, panel, other))
			out = papers.AppendFinding(panel, out, f, ok)
		}
		if n := len(bounded); n > 1 {
			linear := papers.Series(rows, panel, seriesLinear)
			f, ok := smallerErrors("this is so especially with many temperatures.", bounded[n-1:], linear[max(0, len(linear)-1):])
			f.Here = fmt.Sprintf("at %.0f temperatures %s", bounded[n-1].At, f.Here)
			out = papers.AppendFinding(panel, out, f, ok)
		}
	}
	return out
}

// sizesJudge compares the effective sample sizes of VAROPT with those of the other schedules.
func sizesJudge(rows []papers.Row) (out []papers.Finding) {
	rows = fillFLinear(rows)
	for _, panel := range papers.Panels(rows) {
		bounded := papers.Series(rows, panel, series9)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := largerESS("VAROPT 0.009 has larger effective sample sizes than "+other+".", bounded,
				papers.Series(rows, panel, other))
			out = papers.AppendFinding(panel, out, f, ok)
		}
	}
	return out
}

// maxErrorRatio is the largest ratio of the measured error to the error implied by the effective sample size at which
// the implied error counts as reliable.
const maxErrorRatio = 2

// table1Judge compares effective sample sizes, and tests whether they imply the measured error.
func table1Judge(rows []papers.Row) (out []papers.Finding) {
	rows = fillFLinear(rows)
	for _, panel := range papers.Panels(rows) {
		line := func(name string) []papers.Row { return papers.Series(rows, panel, name) }
		for _, other := range []string{seriesLinear, seriesGMS13, seriesVAROPT} {
			f, ok := largerESS("VAROPT 0.009 has a larger effective sample size than "+other+".", line(series9), line(other))
			out = papers.AppendFinding(panel, out, f, ok)
		}
		for _, x := range [][2]string{{seriesSlow, seriesVAROPT}, {seriesMarginal, seriesGMS13}} {
			f, ok := largerESS(x[0]+" has a larger effective sample size than "+x[1]+".", line(x[0]), line(x[1]))
			f.Ours = true
			out = papers.AppendFinding(panel, out, f, ok)
		}
		if bounded := line(series9); len(bounded) > 0 {
			r := &bounded[len(bounded)-1]
			implied, impliedSE := essVariance(r)
			size, variance := papers.ByRMS(r)
			ratio, se := math.Log(size)-.5*math.Log(implied), math.Hypot(math.Sqrt(variance), impliedSE/2)
			f := papers.Finding{Ours: true, Paper: fmt.Sprintf("the error of VAROPT 0.009 is at most %d times what its "+
				"effective sample size says.", maxErrorRatio), Here: fmt.Sprintf("it is %s times that.", papers.FormatErrorRatio(ratio, se))}
			out = papers.AppendFinding(panel, out, f.Within(ratio, math.Log(maxErrorRatio), se, papers.UnitErrors), true)
		}
	}
	return out
}

// sampleSizes plots effective sample sizes against temperatures.
func sampleSizes(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	x, y := chart.Axis{Log: true, Title: "temperatures"}, chart.Axis{Title: "effective sample size"}
	return papers.Pairs(rows, x, y, func(c *chart.Chart, t *paint.Theme, rows []papers.Row, i int) {
		var x, y, se []float64
		for _, r := range rows {
			x, y, se = append(x, r.At), append(y, r.ESS), append(se, r.ESSSE)
		}
		c.Include(x[0], 0)
		papers.Curve(c, t, i, rows[0].Series, x, y, se)
	})
}

// scheduleMarks draws two plots for each panel, with a mark for each schedule: log Z, and the effective sample size.
func scheduleMarks(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	order := papers.Distinct(rows, func(r *papers.Row) string { return r.Series })
	x := chart.Axis{Lo: .5, Hi: float64(len(order)) + .5, Ticks: []float64{},
		Title: "schedules in the order of the names above"}
	var panels []papers.Panel
	for _, panel := range papers.Panels(rows) {
		// A mark for each schedule.
		draw := func(c *chart.Chart, t *paint.Theme, value func(r *papers.Row) (y, se float64)) {
			for k, s := range order {
				for _, r := range papers.Series(rows, panel, s) {
					y, se := value(&r)
					papers.Curve(c, t, k, s, []float64{float64(k + 1)}, []float64{y}, []float64{se})
				}
			}
		}
		panels = append(panels,
			papers.Panel{Title: panel, X: x, Y: chart.Axis{Title: "log Z"}, Draw: func(c *chart.Chart, t *paint.Theme) {
				if r := papers.KnownRow(rows, panel); r != nil {
					c.Level(r.Known, "", chart.Style{})
				}
				draw(c, t, func(r *papers.Row) (y, se float64) { return r.Mean, r.SD / math.Sqrt(float64(r.N)) })
			}},
			papers.Panel{Title: panel, X: x, Y: chart.Axis{Title: "effective sample size"},
				Draw: func(c *chart.Chart, t *paint.Theme) {
					c.Include(1, 0)
					draw(c, t, func(r *papers.Row) (y, se float64) { return r.ESS, r.ESSSE })
				}})
	}
	return papers.Figure(panels, 2, order)
}
