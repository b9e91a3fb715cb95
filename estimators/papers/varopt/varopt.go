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

// Schedules maps the names of the series of these experiments to the names of schedules in links.
var Schedules = map[string]string{seriesLinear: "linear", seriesSM08: "sm08", seriesGMS13: "gms13",
	seriesMarginal: "gms13-marginal", seriesVAROPT: "varopt", series9: "varopt-eta:0.009", series6: "varopt-eta:0.006",
	series3: "varopt-eta:0.003", seriesSlow: "varopt:1.5", seriesLong: "varopt-eta:0.009"}

// Series of several experiments. A number is the paper's bound on a step in beta.
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

// figureOf returns the reference to a figure of the paper.
func figureOf(what string) string {
	return what + " of Variational Optimization of Annealing Schedules (VAROPT)"
}

// smallRBMs are the panels with RBMs of 20 hidden units: an RBM, and the base of its path.
var smallRBMs = []papers.RBM{
	{Panel: "PCD from rates", Model: "rbm-plain-pcd-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "CD1 from rates", Model: "rbm-plain-cd1-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "CD25 from rates", Model: "rbm-plain-cd25-20&start=rates", Sweep: costSmall, Exact: true},
	{Panel: "PCD from biases", Model: "rbm-plain-pcd-20&start=biases", Sweep: costSmall, Exact: true},
	{Panel: "CD1 from biases", Model: "rbm-plain-cd1-20&start=biases", Sweep: costSmall, Exact: true},
	{Panel: "CD25 from biases", Model: "rbm-plain-cd25-20&start=biases", Sweep: costSmall, Exact: true},
}

// CPU seconds per temperature and chain. For small RBMs they include the reverse chain, which starts at an exact
// sample.
const (
	costSmall = 6.5e-6
	costLarge = 1.3e-5
)

// Notes that several of these experiments share.
const (
	noteRBMs = "The RBMs have 20 hidden units and were trained on MNIST as the paper says: the plain " +
		"gradient at a fixed rate, 250,000 updates. The rates are this lab's choice, for a log Z near the paper's. " +
		"Those of the paper are 208.6 for PCD, 194.0 for CD1 and 207.1 for CD25; ours are 209.3, 190.6 and " +
		"200.8, and exact."
	noteBase = "The paper's base distribution is lost. Two are in use in the field, and both are here: units that are " +
		"on as often as in the data (rates), and the logistic of the RBM's visible biases (biases)."
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

// annealed returns the point of n annealing runs of an RBM with the schedule of a series.
func annealed(m papers.RBM, series string, chains, temperatures, n int) papers.Point {
	return papers.Point{Panel: m.Panel, Series: series, At: float64(temperatures),
		Link: fmt.Sprintf("v=1&model=%s&method=ais&ais.chains=%d&ais.temperatures=%d&ais.schedule=%s&replicates=%d", m.Model,
			chains, temperatures, Schedules[series], n),
		Cost: m.Sweep * float64(n) * float64(chains*temperatures+pilotWork)}
}

// pilotWork is the cost of the pilot of a run, in units of one temperature of one chain in both directions.
const pilotWork = 15000

// seedRuns returns a point like annealed whose row has the ladders of all runs: n runs with consecutive seeds instead
// of n replicates. Its link is the first of these runs.
func seedRuns(m papers.RBM, series string, chains, temperatures, n int) papers.Point {
	p := annealed(m, series, chains, temperatures, n)
	p.Link = papers.WithoutReplicates(p.Link)
	p.Seeds = n
	return p
}

// A reading returns a quantity of a replicate at each of numPositions positions along its ladder.
type reading func(r *papers.Row, replicate int) []float64

// numPositions is the number of positions at which a ladder is read: after shares 0, 1/100, ..., 1 of its steps.
const numPositions = 101

// ladderOf is the reading of beta.
func ladderOf(r *papers.Row, replicate int) []float64 {
	return readLadder(r, replicate, func(k int) float64 { return r.Ladders[replicate][k].Beta })
}

// effectiveOf is the reading of the effective sample size of the weights up to a position: M/(1 + M SE^2) for M chains,
// because the squared standard error SE^2 of log Z is the relative variance of the weights divided by M.
func effectiveOf(r *papers.Row, replicate int) []float64 {
	chains := chainsOf(r)
	return readLadder(r, replicate, func(k int) float64 {
		se := r.Ladders[replicate][k].SE
		return chains / (1 + chains*se*se)
	})
}

// readLadder returns a quantity at the rungs that are nearest to the numPositions positions.
func readLadder(r *papers.Row, replicate int, value func(rung int) float64) []float64 {
	out := make([]float64, numPositions)
	last := float64(len(r.Ladders[replicate]) - 1)
	for i := range out {
		out[i] = value(int(math.Round(last * float64(i) / (numPositions - 1))))
	}
	return out
}

// chainsOf returns the number of chains of a row, from its link.
func chainsOf(r *papers.Row) (n float64) {
	fmt.Sscan(papers.LinkValue(r.Link, r.Method+".chains"), &n)
	return n
}

// meanReading returns the mean of a reading over the replicates of a row, with its standard error.
func meanReading(r *papers.Row, read reading) (mean, se []float64) {
	n := float64(len(r.Ladders))
	for i := range r.Ladders {
		y := read(r, i)
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

// logMeanRatio returns log(mean of a / mean of b) of a reading at one position, with means over the runs of each row.
// Its standard error is increased by papers.StudentSE with the degrees of freedom of Welch and Satterthwaite.
func logMeanRatio(a, b *papers.Row, read reading, position int) (ratio, se float64) {
	variance, dfSum := 0.0, 0.0
	relative := func(r *papers.Row) float64 {
		mean, se := meanReading(r, read)
		v := se[position] * se[position] / (mean[position] * mean[position])
		variance, dfSum = variance+v, dfSum+v*v/float64(len(r.Ladders)-1)
		return math.Log(mean[position])
	}
	ratio = relative(a) - relative(b)
	return ratio, papers.StudentSE(math.Sqrt(variance), variance*variance/dfSum)
}

// essVariance returns the variance of log Z implied by the effective sample size, 1/ESS - 1/M for M chains, with the
// standard error of its logarithm: the relative variance of the weights is M/ESS - 1, and the variance of log Z is 1/M
// of that.
func essVariance(r *papers.Row) (variance, se float64) {
	variance = 1/r.ESS - 1/chainsOf(r)
	return variance, r.ESSSE / (r.ESS * r.ESS * variance)
}

// compareESS compares the effective sample sizes of two lines at equal numbers of temperatures. It returns weighted
// means over these numbers: sizes of log(ESS a/ESS b); variances of the log ratio of the implied variances, with
// standard error se; and predicted of the log ratio that theory predicts, 0 if not known. lags reports whether moves
// lag behind (see movesLag) at any of them. The weights depend on the numbers of runs only, because the spread of two
// or three runs is too noisy. se is increased by papers.StudentSE with the degrees of freedom of Welch and
// Satterthwaite.
func compareESS(a, b []papers.Row) (sizes, variances, se, predicted float64, lags bool) {
	totalWeight, variance, dfSum := 0.0, 0.0, 0.0
	for i := range a {
		k := slices.IndexFunc(b, func(r papers.Row) bool { return r.At == a[i].At })
		if k < 0 {
			continue
		}
		x, seX := essVariance(&a[i])
		y, seY := essVariance(&b[k])
		if !(seX > 0 && seY > 0) {
			continue
		}
		n, m := float64(a[i].N), float64(b[k].N)
		w := n * m / (n + m)
		sizes, variances, totalWeight = sizes+w*math.Log(a[i].ESS/b[k].ESS), variances+w*math.Log(x/y), totalWeight+w
		logRatio, rowLags := predictedRatio(a, b, a[i].At)
		predicted, lags = predicted+w*logRatio, lags || rowLags
		for _, side := range [][2]float64{{w * seX, n}, {w * seY, m}} {
			v := side[0] * side[0]
			variance, dfSum = variance+v, dfSum+v*v/(side[1]-1)
		}
	}
	return sizes / totalWeight, variances / totalWeight, papers.StudentSE(math.Sqrt(variance)/totalWeight, variance*variance/dfSum), orZero(predicted / totalWeight),
		lags
}

// predictedRatio returns log(V_a/V_b), where V is the variance of log Z that perfect moves would give a line at a
// number of temperatures, and whether the real moves of a line lag behind. If the log weights have the variance v, log
// Z has the variance (e^v - 1)/M. The ratio is NaN if v is not known.
func predictedRatio(a, b []papers.Row, temperatures float64) (ratio float64, lags bool) {
	v, w := perfectVariance(a, b, temperatures), perfectVariance(b, a, temperatures)
	return math.Log(math.Expm1(v) / math.Expm1(w)), movesLag(a, v, temperatures) || movesLag(b, w, temperatures)
}

// minKeepUp is the smallest ratio of the effective sample size to that of perfect moves at which moves count as nearly
// perfect.
const minKeepUp = .5

// movesLag reports whether the effective sample size of a line is less than minKeepUp times that of perfect moves,
// whose log weights have the variance v.
func movesLag(line []papers.Row, v, temperatures float64) bool {
	return slices.ContainsFunc(line, func(r papers.Row) bool {
		return r.At == temperatures && r.ESS > 0 && r.ESS < minKeepUp*chainsOf(&r)*math.Exp(-v)
	})
}

// perfectVariance returns the variance of the log weights that perfect moves would give a line at a number K of
// temperatures. For the linear schedule it comes from the pilots of the other line, because linear runs have few
// effective chains and measure the path imprecisely. If a line has no value at K, its last known value is scaled in
// proportion to 1/K. The result is NaN if there is no value.
func perfectVariance(line, other []papers.Row, temperatures float64) float64 {
	if line[0].Series == seriesLinear {
		if i := slices.IndexFunc(other, func(r papers.Row) bool { return r.FLinear > 0 }); i >= 0 {
			return other[i].FLinear / (temperatures - 1)
		}
	}
	v := math.NaN()
	for _, r := range line {
		if r.Predicted > 0 {
			if v = r.Predicted * r.At / temperatures; r.At == temperatures {
				break
			}
		}
	}
	return v
}

// orZero returns x, or 0 if x is NaN.
func orZero(x float64) float64 {
	if !num.NotNaN(x) {
		return 0
	}
	return x
}

// fillFLinear returns the rows with FLinear set, in rows that lack it, to the value of another row of the panel.
// FLinear is a property of the path, which all rows of a panel share.
func fillFLinear(rows []papers.Row) []papers.Row {
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

// largerESS returns the finding that line a has larger effective sample sizes than line b. It returns false if a line
// has no rows, or if both ran the same schedule because a bound on steps had no effect. paper is the claim.
func largerESS(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 || sameRuns(a, b) {
		return papers.Finding{}, false
	}
	sizes, ratio, se, predicted, lags := compareESS(a, b)
	f := papers.Finding{Paper: paper, Here: "not measured.", Predicted: predicted, Lags: lags}
	if num.NotNaN(sizes) {
		f.Here = fmt.Sprintf("the effective sample size of %s is %.3g times that of %s, and the variance that it promises "+
			"%s times.", a[0].Series, math.Exp(sizes), b[0].Series, papers.FormatErrorRatio(ratio, se))
	}
	return f.Below(ratio, se, papers.UnitVariances), true
}

// smallerErrors returns the finding that line a has smaller errors than line b, and false if a line has no rows. paper
// is the claim.
func smallerErrors(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return papers.Finding{}, false
	}
	ratio, se := papers.CompareAtEqualCost(a, b, papers.ByRMS)
	predicted, lags := 0., false
	for i := range a {
		logRatio, rowLags := predictedRatio(a, b, a[i].At)
		predicted, lags = predicted+logRatio/float64(len(a)), lags || rowLags
	}
	f := papers.Finding{Paper: paper, Predicted: orZero(predicted), Lags: lags, Here: fmt.Sprintf("the mean squared error "+
		"of %s is %s times that of %s.", a[0].Series, papers.FormatVarianceRatio(ratio, se), b[0].Series)}
	return f.Below(2*ratio, 2*se, papers.UnitVariances), true
}

// sameRuns reports whether two lines are the same runs, because a bound on steps had no effect.
func sameRuns(a, b []papers.Row) bool {
	for i := range a {
		k := slices.IndexFunc(b, func(r papers.Row) bool { return r.At == a[i].At })
		if k < 0 || a[i].Mean != b[k].Mean || a[i].ESS != b[k].ESS {
			return false
		}
	}
	return true
}

// courseChart returns a chart function that plots a reading of each series against the share of the steps that are
// done. y is the title of the vertical axis.
func courseChart(y string, read reading) func(rows []papers.Row, e *papers.Experiment) ([]byte, string, error) {
	return func(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
		x := chart.Axis{Lo: 0, Hi: 1, Title: "share of the temperatures that are done"}
		return papers.Pairs(rows, x, chart.Axis{Title: y}, func(c *chart.Chart, t *paint.Theme, rows []papers.Row, i int) {
			mean, se := meanReading(&rows[0], read)
			x := make([]float64, len(mean))
			for k := range x {
				x[k] = float64(k) / (numPositions - 1)
			}
			c.Include(0, 0)
			papers.Curve(c, t, i, rows[0].Series, x, mean, se)
		})
	}
}
