package papers

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// Sizes of varopt-fig2, varopt-fig3 and varopt-table1, which share their runs.
type rungsOf struct {
	machines     []machine
	chains       int
	rungs, times []int // temperatures, and how many runs there are with as many
}

func varoptSizes(size Size) rungsOf {
	return map[Size]rungsOf{
		Small:  {roads[:1], 10, []int{20, 40}, []int{3, 3}},
		Normal: {roads, 100, []int{300, 1000, 3000, 10000}, []int{30, 20, 12, 6}},
		Full:   {roads, 1000, []int{1000, 3000, 10000, 30000, 100000}, []int{20, 20, 20, 10, 10}},
	}[size]
}

const noteRungs = "The paper's numbers of chains and temperatures are lost; its effective sample sizes reach 873, " +
	"so it had 1,000 chains or so. For the sake of time here are 100 and up to 10,000 temperatures, each point " +
	"from 6 to 30 runs; -full has 1,000 chains and up to 100,000 temperatures."

const aboutRungs = "Annealing of Boltzmann machines of 20 hidden units by the schedules linear, gms13 and varopt, " +
	"with more and more temperatures: "

// varoptFig2 is the error of log Z, varoptFig3 the effective sample size of the same runs.
var varoptFig2 = &Experiment{
	Name: "varopt-fig2", About: aboutRungs + "errors of log Z.",
	Figure: figureVAROPT("Figure 2"),
	points: varoptRungs, judge: varoptFig2Judge, chart: lines,
	axes:  axes{reach: 4, x: "temperatures", rmse: true, ess: true},
	notes: []string{noteMachines, noteBase, noteRungs, notePilot, noteSpeed, noteGain, noteMissed},
	title: "Does the best schedule give the best estimate?",
	lead: "The optimal schedule is optimal if moves are perfect. Annealing with real moves tries it against the " +
		"plain one.",
	alt: "For each machine, the mean of log Z on the left and its root mean squared error on the right against the " +
		"number of temperatures, a line for each schedule; the solid level is exact.",
	live: [2]string{"v=1&model=rbm-pcd-20&start=uniform&method=ais&ais.schedule=varopt&view.scene=schedule",
		"Try a schedule"},
}

var varoptFig3 = &Experiment{
	Name: "varopt-fig3", About: aboutRungs + "effective sample sizes.",
	Figure: figureVAROPT("Figure 3"),
	points: varoptRungs, judge: varoptFig3Judge, chart: sampleSizes,
	axes: axes{ess: true, rmse: true},
	notes: []string{"These are the runs of varopt-fig2.", noteMachines, noteBase, noteRungs, notePilot, noteSpeed,
		noteGain, noteMissed},
	title: "Effective sample sizes of schedules",
	lead: "Of 100 annealed chains, how many count? By schedule and number of temperatures, the runs of the page " +
		"before looked at from their weights.",
	alt: "For each machine the effective sample size of 100 chains against the number of temperatures, a line for " +
		"each schedule.",
	live: varoptFig2.live,
}

const noteMissed = "An effective sample size sees only what the chains have found: on CD1 it is large in runs " +
	"that miss a part of the machine, whose log Z is too low, and small in the few that find it."

const noteGain = "On these paths VAROPT has little to win: with perfect moves it would save 4 to 6 per cent of the " +
	"variance of the log weights that LINEAR has, from coins 29. What chains that move slowly add at 10,000 " +
	"temperatures is ten times that whole variance."

// varoptTable1 has more schedules, with the most temperatures.
var varoptTable1 = &Experiment{
	Name: "varopt-table1",
	About: "Boltzmann machines of 20 hidden units by the schedules varopt, slower ones, sm08, linear and gms13: " +
		"log Z and effective sample sizes.",
	Figure: figureVAROPT("Table 1"),
	points: varoptTable1Points, judge: varoptTable1Judge, chart: beside,
	axes: axes{rmse: true, ess: true},
	notes: []string{
		"Rows of LINEAR, GMS13 and VAROPT are the runs of varopt-fig2 with most temperatures. SM08 is not in the paper's " +
			"table.", noteMachines, noteBase, noteRungs, notePilot, noteSpeed, noteGain, noteMissed},
	title: "A table of schedules",
	lead: "Four machines whose log Z is exact, all schedules with the same number of temperatures: log Z, and how " +
		"many of 100 chains count.",
	alt: "For each machine, the mean of log Z on the left and the effective sample size of 100 chains on the right, a " +
		"mark with its error for each schedule; the solid level is exact.",
	live: [2]string{"v=1&model=rbm-pcd-20&method=ais&ais.schedule=varopt&ais.temperatures=10000&view.scene=schedule",
		"Run a row of the table"},
}

func varoptRungs(size Size) (out []Point) {
	s := varoptSizes(size)
	for _, m := range s.machines {
		for i, k := range s.rungs {
			for _, name := range []string{seriesLinear, seriesGMS13, seriesVAROPT} {
				out = append(out, annealed(m, name, s.chains, k, s.times[i]))
			}
		}
	}
	return out
}

func varoptTable1Points(size Size) (out []Point) {
	s := varoptSizes(size)
	last := len(s.rungs) - 1
	for _, m := range s.machines {
		lines := []string{seriesVAROPT, seriesSlow, seriesLinear, seriesGMS13, seriesSM08}
		if m.panel == panelCoins {
			lines = append(lines[:1:1], append([]string{seriesSlower}, lines[1:]...)...)
		}
		for _, name := range lines {
			out = append(out, annealed(m, name, s.chains, s.rungs[last], s.times[last]))
		}
	}
	return out
}

func varoptFig2Judge(rows []Row) (out []Finding) {
	for _, panel := range panels(rows) {
		best := series(rows, panel, seriesVAROPT)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := better("VAROPT has smaller errors than "+other+".", best, series(rows, panel, other))
			out = panelled(panel, out, f, ok)
		}
		if n := len(best); n > 1 {
			plain := series(rows, panel, seriesLinear)
			f, ok := better("this is so especially with many temperatures.", best[n-1:], plain[max(0, len(plain)-1):])
			f.Here = fmt.Sprintf("at %.0f temperatures %s", best[n-1].At, f.Here)
			out = panelled(panel, out, f, ok)
		}
	}
	return out
}

func varoptFig3Judge(rows []Row) (out []Finding) {
	for _, panel := range panels(rows) {
		best := series(rows, panel, seriesVAROPT)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := more("VAROPT has larger effective sample sizes than "+other+".", best, series(rows, panel, other))
			out = panelled(panel, out, f, ok)
		}
	}
	return out
}

// reliable is how many times larger than the effective sample size says an error may be while the size counts as
// reliable.
const reliable = 2

func varoptTable1Judge(rows []Row) (out []Finding) {
	for _, panel := range panels(rows) {
		best := series(rows, panel, seriesVAROPT)
		slow := series(rows, panel, seriesSlow)
		for _, other := range []string{seriesLinear, seriesGMS13} {
			f, ok := more("a decelerated VAROPT has a larger effective sample size than "+other+".", slow,
				series(rows, panel, other))
			out = panelled(panel, out, f, ok)
		}
		f, ok := more("deceleration raises the effective sample size of VAROPT.", slow, best)
		out = panelled(panel, out, f, ok)
		if len(best) > 0 {
			r := &best[len(best)-1]
			says, seSays := promised(r)
			size, variance := byRMS(r)
			ratio, se := math.Log(size)-.5*math.Log(says), math.Hypot(math.Sqrt(variance), seSays/2)
			out = panelled(panel, out,
				Finding{Paper: "effective sample sizes can be relied on, as log Z is near the exact value.",
					Here: fmt.Sprintf("the RMSE of VAROPT is %s times what its effective sample size says; up to %d times counts as "+
						"reliable.", roots(ratio, se), reliable), Answer: below(ratio-math.Log(reliable), se)}, true)
		}
	}
	return out
}

// sampleSizes draws effective sample sizes against temperatures.
func sampleSizes(rows []Row, e *Experiment) ([]byte, string, error) {
	blank := func() *plot.Plot {
		p := newPlot("", "temperatures", "effective sample size")
		p.Y.Min = 0
		return p
	}
	return pairs(rows, blank, func(p *plot.Plot, rows []Row, at int) error {
		var x, y, se []float64
		for _, r := range rows {
			x, y, se = append(x, r.At), append(y, r.ESS), append(se, r.ESSSE)
			p.Y.Max = max(p.Y.Max, 1.06*(r.ESS+r.ESSSE))
		}
		return mark(p, x, y, se, at)
	})
}

// beside draws log Z and effective sample sizes of lines of one row, side by side.
func beside(rows []Row, _ *Experiment) ([]byte, string, error) {
	order := names(rows, func(r *Row) string { return r.Series })
	var grid [][]*plot.Plot
	for _, panel := range panels(rows) {
		left, right := newPlot(panel, "", "log Z"), newPlot(panel, "", "effective sample size")
		for _, p := range []*plot.Plot{left, right} {
			p.X.Label.Text = "schedules in the order of the names above"
			p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, plot.ConstantTicks(nil)
			p.X.Min, p.X.Max = .5, float64(len(order))+.5
		}
		right.Y.Min = 0
		for k, s := range order {
			for _, r := range series(rows, panel, s) {
				x, se := []float64{float64(k + 1)}, r.SD/math.Sqrt(float64(r.N))
				if err := cmp.Or(mark(left, x, []float64{r.Mean}, []float64{se}, k),
					mark(right, x, []float64{r.ESS}, []float64{r.ESSSE}, k)); err != nil {
					return nil, ".svg", err
				}
			}
		}
		if r := known(rows, panel); r != nil {
			addLevel(left, r.Known, ink, nil)
		}
		room := .06 * (left.Y.Max - left.Y.Min)
		left.Y.Min, left.Y.Max, right.Y.Max = left.Y.Min-room, left.Y.Max+room, 1.06*right.Y.Max
		grid = append(grid, []*plot.Plot{left, right})
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}
	return render(grid, order)
}
