package varopt

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// What the experiments of the VAROPT paper have in common: annealing of Boltzmann machines along ladders that schedules
// make.

// Schedules are the lines of these experiments, by the schedule that they run.
var Schedules = map[string]string{seriesLinear: "linear", seriesSM08: "sm08", seriesGMS13: "gms13",
	seriesMarginal: "gms13-marginal", seriesVAROPT: "varopt", series9: "varopt-eta:0.009", series6: "varopt-eta:0.006",
	series3: "varopt-eta:0.003", seriesSlow: "varopt:1.5", seriesLong: "varopt-eta:0.009"}

// Lines of several experiments. A number is the paper's bound on a step in beta.
const (
	seriesLinear   = "LINEAR"
	seriesSM08     = "SM08"
	seriesGMS13    = "GMS13"
	seriesMarginal = "GMS13 of the marginal path"
	seriesVAROPT   = "VAROPT"
	series9        = "VAROPT 0.009"
	series6        = "VAROPT 0.006"
	series3        = "VAROPT 0.003"
	seriesSlow     = "VAROPT at most 1.5 times as fast"
	seriesLong     = "VAROPT 0.009 of ten times as many steps"
)

// figureOf names a figure of the paper.
func figureOf(what string) string {
	return what + " of Variational Optimization of Annealing Schedules (VAROPT)"
}

// panels are those of the small machines: a machine, and the base that its path starts from.
var panels = []papers.Machine{
	{Panel: "PCD from rates", Model: "rbm-plain-pcd-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "CD1 from rates", Model: "rbm-plain-cd1-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "CD25 from rates", Model: "rbm-plain-cd25-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "PCD from biases", Model: "rbm-plain-pcd-20&start=biases", Sweep: costSmall, Exact: true},
	{Panel: "CD1 from biases", Model: "rbm-plain-cd1-20&start=biases", Sweep: costSmall, Exact: true},
	{Panel: "CD25 from biases", Model: "rbm-plain-cd25-20&start=biases", Sweep: costSmall, Exact: true},
}

// CPU seconds of a temperature of a chain: of small machines with its reverse, which starts at an exact sample.
const (
	costSmall = 6.5e-6
	costLarge = 1.3e-5
)

// Notes that several of these experiments share.
const (
	noteMachines = "The machines have 20 hidden units and were trained on MNIST as the paper says: the plain " +
		"gradient at a fixed rate, 250,000 updates. The rates are this lab's choice, for a log Z near the paper's. " +
		"Those of the paper are 208.6 for PCD, 194.0 for CD1 and 207.1 for CD25; ours are 209.3, 190.6 and " +
		"200.8, and exact."
	noteBase = "The paper's base distribution is lost. Two are in use in the field, and both are here: units that are " +
		"on as often as in the data (rates), and the logistic of the machine's visible biases (biases)."
	noteSpeed = "The paper decelerates VAROPT to steps of at most 0.009, 0.006 and 0.003. With many temperatures " +
		"no step is as long, so that these schedules are VAROPT itself, and no claim sets them against it."
	notePilot = "Sizes of the paper's pilots are lost. Here a pilot is 100 chains over 300 temperatures for " +
		"VAROPT, and for GMS13 as well, in place of 1,000 Markov chains of 6,000 updates at each of 10 knots."
	noteTheory = "Theory is perfect moves: the variance of log weights that each ladder then has comes from the " +
		"variances of the slope of log f which the runs themselves measure. Real moves lag where fewer " +
		"than half as many chains count as perfect moves promise."
	noteLag = "Real moves lag behind: with 10,000 temperatures perfect moves promise that 980 to 989 of 1,000 chains " +
		"count. By VAROPT 0.009 from rates 913 do on CD1, 409 on PCD and 166 on CD25, and from biases 901, 119 and 7."
)

// annealed is a point of n annealings of a machine with the schedule of a line.
func annealed(m papers.Machine, series string, chains, temperatures, n int) papers.Point {
	return papers.Point{Panel: m.Panel, Series: series, At: float64(temperatures),
		Link: fmt.Sprintf("v=1&model=%s&method=ais&ais.chains=%d&ais.temperatures=%d&ais.schedule=%s&replicates=%d", m.Model,
			chains, temperatures, Schedules[series], n),
		Cost: m.Sweep * float64(n) * float64(chains*temperatures+pilotWork)}
}

// pilotWork is what the pilot of a run costs, in temperatures of a chain and its reverse.
const pilotWork = 15000

// seeded is the same with runs of n seeds in turn, whose ladders are kept; its link runs the first.
func seeded(m papers.Machine, series string, chains, temperatures, n int) papers.Point {
	p := annealed(m, series, chains, temperatures, n)
	p.Link = papers.Single(p.Link)
	p.Seeds = n
	return p
}

// A reading is a number of a replicate at each of some places, as along its ladder.
type reading func(r *papers.Row, replicate int) []float64

// places are the shares of a run at which its ladder is read: 0, 1/100, ... 1.
const places = 101

// ladderOf is beta, and effectiveOf the effective sample size of the weights so far, at these places. With weights w of
// mean 1 the squared standard error of log Z is their variance over the number of chains.
func ladderOf(r *papers.Row, replicate int) []float64 {
	return at(r, replicate, func(k int) float64 { return r.Ladders[replicate][k].Beta })
}

func effectiveOf(r *papers.Row, replicate int) []float64 {
	chains := chainsOf(r)
	return at(r, replicate, func(k int) float64 {
		se := r.Ladders[replicate][k].SE
		return chains / (1 + chains*se*se)
	})
}

func at(r *papers.Row, replicate int, value func(rung int) float64) []float64 {
	out := make([]float64, places)
	last := float64(len(r.Ladders[replicate]) - 1)
	for i := range out {
		out[i] = value(int(math.Round(last * float64(i) / (places - 1))))
	}
	return out
}

// chainsOf are those of one run of the row's link.
func chainsOf(r *papers.Row) (n float64) {
	fmt.Sscan(papers.Value(r.Link, r.Method+".chains"), &n)
	return n
}

// averaged is the mean of a reading over the replicates of a row, with its standard error.
func averaged(r *papers.Row, of reading) (mean, se []float64) {
	n := float64(len(r.Ladders))
	for i := range r.Ladders {
		y := of(r, i)
		if i == 0 {
			mean, se = make([]float64, len(y)), make([]float64, len(y))
		}
		for k, v := range y {
			d := v - mean[k]
			mean[k] += d / float64(i+1)
			se[k] += d * (v - mean[k])
		}
	}
	for k := range se {
		se[k] = math.Sqrt(se[k] / (n * (n - 1)))
	}
	return mean, se
}

// quotient is log(a/b) of the means of a reading over the runs of two rows at a place, with its standard error, that of
// papers.Student by the degrees of freedom of Welch and Satterthwaite.
func quotient(a, b *papers.Row, of reading, place int) (ratio, se float64) {
	square, free := 0.0, 0.0
	relative := func(r *papers.Row) float64 {
		mean, se := averaged(r, of)
		v := se[place] * se[place] / (mean[place] * mean[place])
		square, free = square+v, free+v*v/float64(len(r.Ladders)-1)
		return math.Log(mean[place])
	}
	ratio = relative(a) - relative(b)
	return ratio, papers.Student(math.Sqrt(square), square*square/free)
}

// promised is the variance of log Z that an effective sample size says, with the standard error of its logarithm:
// weights of mean 1 have the variance M/ESS - 1, and log Z a share 1/M of it.
func promised(r *papers.Row) (variance, se float64) {
	variance = 1/r.ESS - 1/chainsOf(r)
	return variance, r.ESSSE / (r.ESS * r.ESS * variance)
}

// effective compares the effective sample sizes of two lines where they have a row at the same place: the means of
// log(a/b), and of that of the variances that they promise, as measured and as theory predicts (0: not known). A place
// counts by its runs: a weight by the spread of two or three runs would be chance. The standard error is that of
// papers.Student, by the degrees of freedom of Welch and Satterthwaite.
func effective(a, b []papers.Row) (sizes, variances, se, predicted float64, lags bool) {
	all, square, free := 0.0, 0.0, 0.0
	for i := range a {
		k := slices.IndexFunc(b, func(r papers.Row) bool { return r.At == a[i].At })
		if k < 0 {
			continue
		}
		x, seX := promised(&a[i])
		y, seY := promised(&b[k])
		if !(seX > 0 && seY > 0) {
			continue
		}
		n, m := float64(a[i].N), float64(b[k].N)
		w := n * m / (n + m)
		sizes, variances, all = sizes+w*math.Log(a[i].ESS/b[k].ESS), variances+w*math.Log(x/y), all+w
		says, lag := theory(a, b, a[i].At)
		predicted, lags = predicted+w*says, lags || lag
		for _, side := range [][2]float64{{w * seX, n}, {w * seY, m}} {
			v := side[0] * side[0]
			square, free = square+v, free+v*v/(side[1]-1)
		}
	}
	return sizes / all, variances / all, papers.Student(math.Sqrt(square)/all, square*square/free), known(predicted / all),
		lags
}

// theory is log(a/b) of the variances of log Z that perfect moves would have by two lines at so many temperatures, and
// whether real moves lag behind. Log weights with the variance v give log Z the variance (e^v - 1)/M; NaN
// where v is not known.
func theory(a, b []papers.Row, at float64) (ratio float64, lags bool) {
	v, w := perfect(a, b, at), perfect(b, a, at)
	return math.Log(math.Expm1(v) / math.Expm1(w)), lag(a, v, at) || lag(b, w, at)
}

// keepsUp is the share of the chains promised by perfect moves that must count.
const keepsUp = .5

// lag reports whether fewer chains of a line count than keepsUp of those promised by perfect moves, whose log weights
// have the variance v.
func lag(line []papers.Row, v, at float64) bool {
	return slices.ContainsFunc(line, func(r papers.Row) bool {
		return r.At == at && r.ESS > 0 && r.ESS < keepsUp*chainsOf(&r)*math.Exp(-v)
	})
}

// perfect is the variance of log weights that perfect moves would have by a line. For the linear schedule it comes from
// the pilots of the other line: of linear runs few chains count, and these measure the path badly. Where a line has no
// value, the variance falls as 1/K from the last place that has one.
func perfect(line, other []papers.Row, at float64) float64 {
	if line[0].Series == seriesLinear {
		if i := slices.IndexFunc(other, func(r papers.Row) bool { return r.FLinear > 0 }); i >= 0 {
			return other[i].FLinear / (at - 1)
		}
	}
	v := math.NaN()
	for _, r := range line {
		if r.Predicted > 0 {
			if v = r.Predicted * r.At / at; r.At == at {
				break
			}
		}
	}
	return v
}

// known is x, or 0 for what is not.
func known(x float64) float64 {
	if !num.Known(x) {
		return 0
	}
	return x
}

// withPath gives rows the f_linear of their panel, a number of its path, where their own runs have not noted it.
func withPath(rows []papers.Row) []papers.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		for k := range rows {
			if !(rows[i].FLinear > 0) && rows[k].Panel == rows[i].Panel {
				rows[i].FLinear = rows[k].FLinear
			}
		}
	}
	return rows
}

// more is the finding that one line has larger effective sample sizes than another. There is none where the bound of
// one on its steps binds nowhere, so that both are one schedule.
func more(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 || same(a, b) {
		return papers.Finding{}, false
	}
	sizes, ratio, se, predicted, lags := effective(a, b)
	f := papers.Finding{Paper: paper, Here: "not measured.", Predicted: predicted, Lags: lags}
	if num.Known(sizes) {
		f.Here = fmt.Sprintf("the effective sample size of %s is %.3g times that of %s, and the variance that it promises "+
			"%s times.", a[0].Series, math.Exp(sizes), b[0].Series, papers.Roots(ratio, se))
	}
	return f.Below(ratio, se, papers.OfVariances), true
}

// better is the finding that one line has smaller errors than another.
func better(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return papers.Finding{}, false
	}
	ratio, se := papers.Matched(a, b, papers.ByRMS)
	predicted, lags := 0., false
	for i := range a {
		says, lag := theory(a, b, a[i].At)
		predicted, lags = predicted+says/float64(len(a)), lags || lag
	}
	f := papers.Finding{Paper: paper, Predicted: known(predicted), Lags: lags, Here: fmt.Sprintf("the mean squared error "+
		"of %s is %s times that of %s.", a[0].Series, papers.Times(ratio, se), b[0].Series)}
	return f.Below(2*ratio, 2*se, papers.OfVariances), true
}

// same reports whether two lines made the same runs, because the bound of one on its steps binds nowhere.
func same(a, b []papers.Row) bool {
	for i := range a {
		k := slices.IndexFunc(b, func(r papers.Row) bool { return r.At == a[i].At })
		if k < 0 || a[i].Mean != b[k].Mean || a[i].ESS != b[k].ESS {
			return false
		}
	}
	return true
}

// courses draws a reading of each line along its run.
func courses(y string, of reading) func(rows []papers.Row, e *papers.Experiment) ([]byte, string, error) {
	return func(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
		x := chart.Axis{Lo: 0, Hi: 1, Title: "share of the temperatures that are done"}
		return papers.Pairs(rows, x, chart.Axis{Title: y}, func(c *chart.Chart, t *paint.Theme, rows []papers.Row, i int) {
			mean, se := averaged(&rows[0], of)
			x := make([]float64, len(mean))
			for k := range x {
				x[k] = float64(k) / (places - 1)
			}
			c.Include(0, 0)
			papers.Curve(c, t, i, rows[0].Series, x, mean, se)
		})
	}
}
