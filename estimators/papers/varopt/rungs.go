package varopt

import (
	"cmp"
	"fmt"
	"logzlab/estimators/papers"
	"math"

	"gonum.org/v1/plot"
)

// Sizes of varopt-fig2, varopt-fig3 and varopt-table1, which share their runs.
type rungsOf struct {
	machines     []papers.Machine
	chains       int
	rungs, times []int // temperatures, and how many runs there are with as many
}

func rungsSizes(size papers.Size) rungsOf {
	return map[papers.Size]rungsOf{
		papers.Small:  {roads[:1], 10, []int{20, 40}, []int{3, 3}},
		papers.Normal: {roads, 100, []int{300, 1000, 3000, 10000}, []int{30, 20, 12, 6}},
		papers.Full:   {roads, 1000, []int{1000, 3000, 10000, 30000, 100000}, []int{20, 20, 20, 10, 10}},
	}[size]
}

const noteRungs = "The paper's numbers of chains and temperatures are lost; its effective sample sizes reach 873, " +
	"so it had 1,000 chains or so. For the sake of time here are 100 and up to 10,000 temperatures, each point " +
	"from 6 to 30 runs; -full has 1,000 chains and up to 100,000 temperatures."

const aboutRungs = "Annealing of Boltzmann machines of 20 hidden units by the schedules linear, gms13 and varopt, " +
	"with more and more temperatures: "

// Fig2 is the error of log Z, Fig3 the effective sample size of the same runs.
var Fig2 = &papers.Experiment{
	Name: "varopt-fig2", About: aboutRungs + "errors of log Z.",
	Figure: figureOf("Figure 2"),
	Points: rungsPoints, Judge: fig2Judge, Chart: papers.Lines,
	Axes:  papers.Axes{Reach: 4, X: "temperatures", RMSE: true, ESS: true},
	Notes: []string{noteMachines, noteBase, noteRungs, notePilot, noteSpeed, noteGain, noteMissed},
	Title: "Does the best schedule give the best estimate?",
	Lead: "The optimal schedule is optimal if moves are perfect. Annealing with real moves tries it against the " +
		"plain one.",
	Alt: "For each machine, the mean of log Z on the left and its root mean squared error on the right against the " +
		"number of temperatures, a line for each schedule; the solid level is exact.",
	Live: [2]string{"v=1&model=rbm-pcd-20&start=uniform&method=ais&ais.schedule=varopt&view.scene=schedule",
		"Try a schedule"},
}

var Fig3 = &papers.Experiment{
	Name: "varopt-fig3", About: aboutRungs + "effective sample sizes.",
	Figure: figureOf("Figure 3"),
	Points: rungsPoints, Judge: fig3Judge, Chart: sampleSizes,
	Axes: papers.Axes{ESS: true, RMSE: true},
	Notes: []string{"These are the runs of varopt-fig2.", noteMachines, noteBase, noteRungs, notePilot, noteSpeed,
		noteGain, noteMissed},
	Title: "Effective sample sizes of schedules",
	Lead: "Of 100 annealed chains, how many count? By schedule and number of temperatures, the runs of the page " +
		"before looked at from their weights.",
	Alt: "For each machine the effective sample size of 100 chains against the number of temperatures, a line for " +
		"each schedule.",
	Live: Fig2.Live,
}

const noteMissed = "An effective sample size sees only what the chains have found: on CD1 it is large in runs " +
	"that miss a part of the machine, whose log Z is too low, and small in the few that find it."

const noteGain = "On these paths VAROPT has little to win: with perfect moves it would save 4 to 6 per cent of the " +
	"variance of the log weights that LINEAR has, from coins 29. What chains that move slowly add at 10,000 " +
	"temperatures is ten times that whole variance."

// Table1 has more schedules, with the most temperatures.
var Table1 = &papers.Experiment{
	Name: "varopt-table1",
	About: "Boltzmann machines of 20 hidden units by the schedules varopt, slower ones, sm08, linear and gms13: " +
		"log Z and effective sample sizes.",
	Figure: figureOf("Table 1"),
	Points: table1Points, Judge: table1Judge, Chart: beside,
	Axes: papers.Axes{RMSE: true, ESS: true},
	Notes: []string{
		"Rows of LINEAR, GMS13 and VAROPT are the runs of varopt-fig2 with most temperatures. SM08 is not in the paper's " +
			"table.", noteMachines, noteBase, noteRungs, notePilot, noteSpeed, noteGain, noteMissed},
	Title: "A table of schedules",
	Lead: "Four machines whose log Z is exact, all schedules with the same number of temperatures: log Z, and how " +
		"many of 100 chains count.",
	Alt: "For each machine, the mean of log Z on the left and the effective sample size of 100 chains on the right, a " +
		"mark with its error for each schedule; the solid level is exact.",
	Live: [2]string{"v=1&model=rbm-pcd-20&method=ais&ais.schedule=varopt&ais.temperatures=10000&view.scene=schedule",
		"Run a row of the table"},
}

func rungsPoints(size papers.Size) (out []papers.Point) {
	s := rungsSizes(size)
	for _, m := range s.machines {
		for i, k := range s.rungs {
			for _, name := range []string{seriesLinear, seriesGMS13, seriesVAROPT} {
				out = append(out, annealed(m, name, s.chains, k, s.times[i]))
			}
		}
	}
	return out
}

func table1Points(size papers.Size) (out []papers.Point) {
	s := rungsSizes(size)
	last := len(s.rungs) - 1
	for _, m := range s.machines {
		lines := []string{seriesVAROPT, seriesSlow, seriesLinear, seriesGMS13, seriesSM08}
		if m.Panel == panelCoins {
			lines = append(lines[:1:1], append([]string{seriesSlower}, lines[1:]...)...)
		}
		for _, name := range lines {
			out = append(out, annealed(m, name, s.chains, s.rungs[last], s.times[last]))
		}
	}
	return out
}

func fig2Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		best := papers.Series(rows, panel, seriesVAROPT)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := better("VAROPT has smaller errors than "+other+".", best, papers.Series(rows, panel, other))
			out = papers.Panelled(panel, out, f, ok)
		}
		if n := len(best); n > 1 {
			plain := papers.Series(rows, panel, seriesLinear)
			f, ok := better("this is so especially with many temperatures.", best[n-1:], plain[max(0, len(plain)-1):])
			f.Here = fmt.Sprintf("at %.0f temperatures %s", best[n-1].At, f.Here)
			out = papers.Panelled(panel, out, f, ok)
		}
	}
	return out
}

func fig3Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		best := papers.Series(rows, panel, seriesVAROPT)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := more("VAROPT has larger effective sample sizes than "+other+".", best, papers.Series(rows, panel, other))
			out = papers.Panelled(panel, out, f, ok)
		}
	}
	return out
}

// reliable is how many times larger than the effective sample size says an error may be while the size counts as
// reliable.
const reliable = 2

func table1Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		best := papers.Series(rows, panel, seriesVAROPT)
		slow := papers.Series(rows, panel, seriesSlow)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := more("a decelerated VAROPT has a larger effective sample size than "+other+".", slow,
				papers.Series(rows, panel, other))
			out = papers.Panelled(panel, out, f, ok)
		}
		f, ok := more("deceleration raises the effective sample size of VAROPT.", slow, best)
		out = papers.Panelled(panel, out, f, ok)
		if len(best) > 0 {
			r := &best[len(best)-1]
			says, seSays := promised(r)
			size, variance := papers.ByRMS(r)
			ratio, se := math.Log(size)-.5*math.Log(says), math.Hypot(math.Sqrt(variance), seSays/2)
			out = papers.Panelled(panel, out,
				papers.Finding{Paper: "effective sample sizes can be relied on, as log Z is near the exact value.",
					Here: fmt.Sprintf("the RMSE of VAROPT is %s times what its effective sample size says; up to %d times counts as "+
						"reliable.", papers.Roots(ratio, se), reliable), Answer: papers.Below(ratio-math.Log(reliable), se)}, true)
		}
	}
	return out
}

// sampleSizes draws effective sample sizes against temperatures.
func sampleSizes(rows []papers.Row, e *papers.Experiment) ([]byte, string, error) {
	blank := func() *plot.Plot {
		p := papers.NewPlot("", "temperatures", "effective sample size")
		p.Y.Min = 0
		return p
	}
	return papers.Pairs(rows, blank, func(p *plot.Plot, rows []papers.Row, at int) error {
		var x, y, se []float64
		for _, r := range rows {
			x, y, se = append(x, r.At), append(y, r.ESS), append(se, r.ESSSE)
			p.Y.Max = max(p.Y.Max, 1.06*(r.ESS+r.ESSSE))
		}
		return papers.Mark(p, x, y, se, at)
	})
}

// beside draws log Z and effective sample sizes of lines of one row, side by side.
func beside(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	order := papers.Distinct(rows, func(r *papers.Row) string { return r.Series })
	var grid [][]*plot.Plot
	for _, panel := range papers.Panels(rows) {
		left, right := papers.NewPlot(panel, "", "log Z"), papers.NewPlot(panel, "", "effective sample size")
		for _, p := range []*plot.Plot{left, right} {
			p.X.Label.Text = "schedules in the order of the names above"
			p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, plot.ConstantTicks(nil)
			p.X.Min, p.X.Max = .5, float64(len(order))+.5
		}
		right.Y.Min = 0
		for k, s := range order {
			for _, r := range papers.Series(rows, panel, s) {
				x, se := []float64{float64(k + 1)}, r.SD/math.Sqrt(float64(r.N))
				if err := cmp.Or(papers.Mark(left, x, []float64{r.Mean}, []float64{se}, k),
					papers.Mark(right, x, []float64{r.ESS}, []float64{r.ESSSE}, k)); err != nil {
					return nil, ".svg", err
				}
			}
		}
		if r := papers.KnownRow(rows, panel); r != nil {
			papers.AddLevel(left, r.Known, papers.Ink, nil)
		}
		room := .06 * (left.Y.Max - left.Y.Min)
		left.Y.Min, left.Y.Max, right.Y.Max = left.Y.Min-room, left.Y.Max+room, 1.06*right.Y.Max
		grid = append(grid, []*plot.Plot{left, right})
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}
	return papers.Render(grid, order)
}
