package aisel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"logzlab/core/num/stats"
	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// figureOf returns the reference to a figure or section of the paper.
func figureOf(label string) string {
	return label + " of Annealed Important Sampling for Models with Latent Variables (AISEL)"
}

// Theorem1 measures the cost of noise in likelihoods.
var Theorem1 = &papers.Experiment{
	Name: "aisel-theorem1",
	About: "Effective sample sizes with estimated likelihoods against exact ones, by the noise of the estimates " +
		"and the number of steps: perfect moves, and a particle filter with real ones.",
	Figure: figureOf("Theorem 1"),
	Points: theoremPoints, Judge: theoremJudge, Chart: theoremChart,
	Axes: papers.Axes{ESS: true},
	Notes: []string{
		"With perfect moves parameters and noise are drawn as the theorem supposes: a normal prior, a normal " +
			"likelihood and normal noise. The effective sample size is that of the weights, and its ratio to that " +
			"of the same parameters without noise.",
		"The filter's steps make ten moves each. The noise of its estimates is measured at the end, at draws of " +
			"the posterior. The effective sample size is divided by that of as many runs with the exact likelihood.",
		"The theorem supposes normal noise of one variance, and perfect moves. A filter's log estimates are skewed " +
			"downwards: with 10 particles their variance is 7.3 and their skewness -0.6. So its slopes are fitted up to " +
			"the variance 2, and are this lab's findings.",
		"A filter's noise does not have one variance, either: it depends on the parameters. With 40 particles the " +
			"variance is 1.21 in the mean over the posterior, and its standard deviation is 1.13. An effective sample size " +
			"squares the weights, and over the squared posterior the mean is only 0.91: 3,000 estimates there say that one " +
			"step must lose a factor exp(-0.73). Measured is exp(-0.82), and the theorem says exp(-1.58) of the variance that " +
			"this run measures. With 80 particles the three are 0.45, 0.40 and 0.63, with 160 particles 0.19, 0.21 and 0.32.",
		"With five steps a filter's moves are far from perfect: at 40 particles, variance 1.5, ten moves leave 0.66 of the " +
			"effective sample size. Forty moves leave 0.78, and the theorem says 0.74 (three runs).",
		"Lines are exp(-tau sigma^2), tau = 1/T for T equal steps; marks are measured.",
		"A slope counts as the theorem's if it is within a quarter of it.",
	},
	Title: "What noise in the likelihood costs",
	Lead: "Weights from estimated likelihoods vary more than exact ones. With variance sigma^2 of the log " +
		"estimates, the effective sample size falls by the factor exp(-sigma^2) in one step, and by much less in " +
		"many small steps.",
	Alt: "Ratios of effective sample sizes against the variance of the log likelihood's estimates, falling, a line " +
		"for each number of steps: on the left with perfect moves, on the right with a particle filter.",
	Live: [2]string{"v=1&model=lgssm-40&method=aisel&inner=20&likelihood=filter", "Anneal with a particle filter"},
}

const (
	panelPerfect = "perfect moves"
	panelFilter  = "a particle filter"
)

// stepCounts returns the numbers of annealing steps T. Each is a series; with a particle filter there is a second
// series, with the exact likelihood.
func stepCounts(size papers.Size) []int {
	if size == papers.Small {
		return []int{1, 3}
	}
	return []int{1, 2, 5, 20}
}

// stepSeries returns the name of the series of t steps.
func stepSeries(t int) string { return seriesAISEL + ", " + stepName(t) }

// stepName formats a number of steps.
func stepName(t int) string {
	if t == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", t)
}

// exactSeries is the suffix of the names of series with the exact likelihood.
const exactSeries = ", exact likelihood"

// theoremPoints returns the points of the simulation with perfect moves, and of the runs with particle filters.
func theoremPoints(size papers.Size) (out []papers.Point) {
	for _, t := range stepCounts(size) {
		out = append(out, papers.Point{Panel: panelPerfect, Series: stepSeries(t), Cost: 3, Make: perfectMoves(t, size)})
	}

	// Sizes of the runs with particle filters.
	filtered := stepCounts(size)
	particles, n, inner := 500, map[papers.Size]int{papers.Small: 3, papers.Normal: 48, papers.Full: 200}[size],
		[]int{10, 20, 40, 80, 160}
	switch size {
	case papers.Small:
		particles, inner = 50, inner[1:3]
	case papers.Normal:
		filtered = filtered[:3] // 20 steps would take most of the time
	}

	// The exact likelihood, then estimates by increasing numbers of inner draws.
	for _, t := range filtered {
		link := func(likelihood string) string {
			return fmt.Sprintf("v=1&model=lgssm-40&method=aisel&aisel.ess=0&aisel.islands=4&aisel.moves=10&"+
				"aisel.particles=%d&aisel.schedule=linear&aisel.temperatures=%d&%s&replicates=%d", particles, t+1, likelihood, n)
		}
		cost := float64(4*particles*n*(10*t+1)) * 40
		out = append(out, papers.Point{Panel: panelFilter, Series: stepSeries(t) + exactSeries, At: 1, Cost: cost * 30e-9,
			Link: link("likelihood=kalman")})
		for _, k := range inner {
			if size == papers.Normal && t*k > 200 {
				continue // too expensive
			}
			out = append(out, papers.Point{Panel: panelFilter, Series: stepSeries(t), At: float64(k),
				Step: fmt.Sprintf("%d draws", k), Cost: cost * 40e-9 * float64(k),
				Link: link(fmt.Sprintf("inner=%d&likelihood=filter", k))})
		}
	}
	return out
}

// perfectMoves returns a function for Point.Make that simulates chains of t steps under the assumptions of the theorem:
// the parameter x and the noise of its log likelihood are drawn from the intermediate density of each step. x has a
// standard normal prior and the likelihood exp(-2 (x-1)^2). There is a row for each variance of the noise.
func perfectMoves(t int, size papers.Size) func(context.Context, papers.Point, papers.Load, func(float64)) ([]papers.Row,
	error) {
	noises := []float64{.25, .5, 1, 1.5, 2, 3, 4}
	chains, batches := 20000, 20
	if size == papers.Small {
		noises, chains = noises[:3], 500
	}
	return func(ctx context.Context, p papers.Point, _ papers.Load, progress func(float64)) (rows []papers.Row,
		err error) {
		r := rand.New(rand.NewPCG(1, uint64(t)))
		for i, noise := range noises {
			var ratio stats.Welford
			for range batches {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				ratio.Add(essRatio(r, t, chains, noise))
			}
			nan := math.NaN()
			row := papers.Row{Point: p, Method: "simulated", Params: fmt.Sprintf("noise=%g steps=%d", noise, t), N: batches,
				Noise: noise, ESS: ratio.Mean, ESSSE: math.Sqrt(ratio.Var() / float64(batches)), LogMeanExp: nan, Mean: nan,
				SD:       nan,
				Skewness: nan, Kurtosis: nan, Paired: nan, SE: nan, Lower: nan, Upper: nan, Known: nan, Sweeps: float64(chains * t)}
			row.At, row.Step = noise, fmt.Sprintf("variance %g", noise)
			rows = append(rows, row)
			progress(float64(i+1) / float64(len(noises)))
		}
		return rows, nil
	}
}

// essRatio returns the ratio of the effective sample sizes of the same chains with noise of variance noise and without
// noise.
func essRatio(r *rand.Rand, t, chains int, noise float64) float64 {
	noisy, exact := make([]float64, chains), make([]float64, chains)
	for c := range chains {
		for k := range t {
			a, step := float64(k)/float64(t), 1/float64(t)
			precision := 1 + 4*a // precision of prior times likelihood^a
			x := 4*a/precision + r.NormFloat64()/math.Sqrt(precision)
			z := (a-.5)*noise + math.Sqrt(noise)*r.NormFloat64() // noise under the density tilted by exp(a z)
			loglik := -2 * (x - 1) * (x - 1)
			exact[c] += step * loglik
			noisy[c] += step * (loglik + z)
		}
	}
	return stats.LogWeights(noisy).ESS / stats.LogWeights(exact).ESS
}

// ratios returns the noise variances of the series of t steps, the measured ratios of effective sample sizes with and
// without noise, and their standard errors.
func ratios(rows []papers.Row, panel string, t int) (noise, ratio, se []float64) {
	base, seBase := 1.0, 0.0
	if panel == panelFilter {
		exact := papers.Series(rows, panel, stepSeries(t)+exactSeries)
		if len(exact) == 0 || !(exact[0].ESS > 0) {
			return nil, nil, nil
		}
		base, seBase = exact[0].ESS, exact[0].ESSSE
	}
	for _, r := range papers.Series(rows, panel, stepSeries(t)) {
		if r.ESS > 0 && r.Noise > 0 {
			q := r.ESS / base
			noise, ratio = append(noise, r.Noise), append(ratio, q)
			se = append(se, q*math.Hypot(r.ESSSE/r.ESS, seBase/base))
		}
	}
	return noise, ratio, se
}

// slope returns the slope b of the line -log ratio = b noise, fitted by weighted least squares, with its standard
// error. The errors within a series are correlated if all ratios have the same denominator, a run with the exact
// likelihood; so the standard error is not reduced by the number of ratios.
func slope(noise, ratio, se []float64) (b, error float64) {
	var xx, xy, var1 float64
	for i, x := range noise {
		w := ratio[i] / se[i]
		w *= w
		xx += w * x * x
		xy -= w * x * math.Log(ratio[i])
		var1 += w * x * x
	}
	return xy / xx, math.Sqrt(float64(len(noise)) / var1)
}

// maxNormalNoise is the largest variance at which the log estimates of the likelihood by a filter are nearly normal.
const maxNormalNoise = 2

// upToNoise returns the entries of a series whose noise variance is at most maxNoise.
func upToNoise(maxNoise float64, noise, ratio, se []float64) (n, r, s []float64) {
	for i, x := range noise {
		if x <= maxNoise {
			n, r, s = append(n, x), append(r, ratio[i]), append(s, se[i])
		}
	}
	return n, r, s
}

// theoremJudge compares the measured slopes with 1/T, the slope of the theorem for T steps.
func theoremJudge(rows []papers.Row) (out []papers.Finding) {
	const maxSlopeRatio = 1.25
	for _, panel := range papers.Panels(rows) {
		lastSlope, lastSE, lastT := math.NaN(), math.NaN(), 0
		worst, slopes := papers.Finding{Measured: math.Inf(-1)}, []string{}
		for t := 1; t <= 20; t++ {
			noise, ratio, se := ratios(rows, panel, t)
			if panel == panelFilter {
				noise, ratio, se = upToNoise(maxNormalNoise, noise, ratio, se)
			}
			if len(noise) == 0 {
				continue
			}

			// The measured slope against the theorem's.
			measured, measuredSE := slope(noise, ratio, se)
			f := papers.Finding{Paper: fmt.Sprintf("with %s the effective sample size falls as exp(-sigma^2/%d).",
				stepName(t), t), Here: fmt.Sprintf("it falls as exp(-%.3f sigma^2), +- %.3f; the theorem says %.3f.", measured, measuredSE,
				1/float64(t))}.Within(math.Abs(math.Log(math.Abs(measured)*float64(t))), math.Log(maxSlopeRatio), measuredSE/math.Abs(measured),
				"log of a ratio of slopes")
			if panel == panelPerfect {
				out = papers.AppendFinding(panel, out, f, measured > 0)
			} else if slopes = append(slopes, fmt.Sprintf("%.3f +- %.3f with %s (the theorem says %.3f)", measured, measuredSE, stepName(t),
				1/float64(t))); f.Measured > worst.Measured {
				worst = f
			}

			// More steps against fewer.
			if lastT > 0 {
				f := papers.Finding{Paper: fmt.Sprintf("%s lose less than %s.", stepName(t), stepName(lastT)),
					Here: fmt.Sprintf("%.3f +- %.3f against %.3f +- %.3f for each unit of sigma^2.", measured, measuredSE, lastSlope, lastSE),
				}.Below(measured-lastSlope, math.Hypot(measuredSE, lastSE), "slope")
				f.Predicted = 1/float64(t) - 1/float64(lastT)
				out = papers.AppendFinding(panel, out, f, true)
			}
			lastSlope, lastSE, lastT = measured, measuredSE, t
		}

		// A filter's noise and moves do not satisfy the assumptions of the theorem. Whether its slopes agree nevertheless is a
		// single claim of this lab, decided by the largest deviation.
		if len(slopes) > 0 {
			worst.Ours, worst.Here = true, "for each unit of sigma^2 it falls by "+strings.Join(slopes, ", ")+"."
			worst.Paper = "the effective sample size falls as exp(-sigma^2/T), for every number of steps T."
			out = papers.AppendFinding(panel, out, worst, true)
		}
	}
	return out
}

// theoremChart plots the measured ratios with error bars, and the theorem's lines exp(-sigma^2/T).
func theoremChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	const maxNoise, minRatio = 4.2, .01 // largest variance, smallest ratio
	var order []string
	var panels []papers.Panel
	for _, panel := range []string{panelPerfect, panelFilter} {
		var steps []int
		for t := 1; t <= 20; t++ {
			if len(papers.Series(rows, panel, stepSeries(t))) > 0 {
				steps = append(steps, t)
				if panel == panelPerfect {
					order = append(order, stepSeries(t))
				}
			}
		}
		panels = append(panels, papers.Panel{Title: panel,
			X: chart.Axis{Lo: 0, Hi: maxNoise, Title: "variance of the estimates of log likelihood"},
			Y: chart.Axis{Lo: minRatio, Hi: 1.2, Log: true, Title: "ratio of effective sample sizes"},
			Draw: func(c *chart.Chart, t *paint.Theme) {
				for i, n := range steps {
					s := papers.Style(t, i, stepSeries(n))
					c.Line([]float64{0, maxNoise}, []float64{1, math.Exp(-maxNoise / float64(n))}, // straight on the logarithmic axis
						chart.Style{Color: s.Color, Width: 1.25, NoHalo: true})
					dots(c, s, rows, panel, n)
				}
			}})
	}
	if len(order) == 0 {
		return nil, ".svg", nil
	}
	return papers.Figure(panels, 2, order)
}

// dots plots the measured ratios of a series, with error bars.
func dots(c *chart.Chart, s chart.Style, rows []papers.Row, panel string, steps int) {
	noise, ratio, se := ratios(rows, panel, steps)
	var lo, hi []float64
	for i := range noise {
		lo, hi = append(lo, ratio[i]-min(se[i], .9*ratio[i])), append(hi, ratio[i]+se[i])
	}
	c.Errors(noise, lo, hi, s)
	c.Dots(noise, ratio, s)
}
