package aisel

import (
	"fmt"
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// Series of the experiments on estimated likelihoods; seriesPick has the number of inner draws N that the lab chooses.
const (
	seriesAISEL = "AISEL"
	seriesPower = "AISEL, power posterior"
	seriesIS2   = "IS²"
	seriesPick  = "AISEL, N picked"
)

const noteAISEL = "The paper's own tables and figures are lost in the text that this lab was built from. What is " +
	"tried here is what its abstract, its section on evidence and its guidelines claim."

// GLMM compares three estimates of the evidence of a mixed-effects regression, by the number of inner draws.
var GLMM = evidence(latentCase{"twelve wards, intercepts from their prior", "glmm-wards&latent=prior", 1.2e-6},
	"draws behind a likelihood", papers.Experiment{
		Name: "aisel-glmm",
		About: "Evidence of a logistic regression with random intercepts: aisel by product and by power posterior, " +
			"and is2, from 3 draws behind each likelihood on.",
		Figure: figureOf("The simulated example"),
		Notes: []string{noteAISEL, noteWards, noteEvidence,
			"The claim is of effective sample sizes. The error of log Z is smaller by IS² here, at equal cost: 0.059 nats " +
				"against 0.15 with 3 draws, and 0.014 against 0.046 with 100."},
		Title: "Evidence of a mixed regression",
		Lead: "Twelve wards with six patients each. The likelihood is an integral over the random intercepts of the " +
			"wards, which is estimated by sampling. How does the precision of that estimate affect the estimate of " +
			"the evidence?",
		Live: [2]string{"v=1&model=glmm-wards&method=aisel,is2&latent=prior", "Estimate the evidence"},
	})

// SV makes the same comparison for a stochastic volatility model.
var SV = evidence(latentCase{"sixty returns", "sv-60", 3e-6}, "particles of the filter", papers.Experiment{
	Name: "aisel-sv",
	About: "Evidence of a stochastic volatility model by particle filters: aisel by product and by power " +
		"posterior, and is2, from 3 particles on.",
	Figure:      figureOf("The Pound/Dollar example"),
	Notes:       []string{noteAISEL, noteReturns, noteEvidence},
	OtherModels: papers.AllPanels, // the paper's returns have an experiment of their own
	Title:       "Evidence of a wandering volatility",
	Lead: "The volatility of each day is not observed, only the return is. The likelihood is an integral over all " +
		"volatilities, which a particle filter estimates.",
	Live: [2]string{"v=1&model=sv-60&method=aisel", "Estimate the evidence"},
})

// evidence completes an experiment on the evidence of a model, with the number of inner draws on the axis; drawsLabel
// is the label of that axis.
func evidence(c latentCase, drawsLabel string, e papers.Experiment) *papers.Experiment {
	e.Points, e.Judge, e.Chart = evidencePoints(c), evidenceJudge, papers.Lines
	e.Axes = papers.Axes{Reach: 3, X: drawsLabel, RMSE: true, ESS: true}
	e.Alt = "The mean of log Z on the left and its root mean squared error on the right against the " + drawsLabel + "."
	return &e
}

const (
	noteWards   = "The data are simulated, twelve wards of six patients. The exact evidence is by quadrature."
	noteReturns = "The returns are simulated, sixty of them, so that the evidence is known by quadrature; the " +
		"paper's are 945 of pound and dollar."
	noteEvidence = "AISEL has islands of 100 particles over 40 temperatures and two moves at each, IS² as many " +
		"draws from the prior as AISEL estimates likelihoods."
)

// latentCase is a panel: a model with latent variables, whose likelihood is estimated from inner draws.
type latentCase struct {
	panel, model string
	drawSeconds  float64 // CPU seconds of one inner draw
}

// evidencePoints returns the points of AISEL and IS² at each number of inner draws.
func evidencePoints(c latentCase) func(papers.Size) []papers.Point {
	return func(size papers.Size) (out []papers.Point) {
		inner, islands, particles, temps := []int{3, 10, 30, 100, 200}, 12, 100, 40
		n := map[papers.Size]int{papers.Small: 3, papers.Normal: 20, papers.Full: 100}[size]
		switch size {
		case papers.Small:
			inner, islands, particles, temps = inner[:2], 4, 20, 5
		case papers.Normal:
			inner, islands = inner[:4], 6
		}
		estimates := (islands + 1) * particles * ((temps-1)*2 + 1) // including the pilot island and the final evaluations
		for _, k := range inner {
			n := n
			if size == papers.Normal && k <= 10 { // imprecise likelihoods make log Z noisy, and are cheap
				n *= 3
			}
			p := papers.Point{Panel: c.panel, At: float64(k), Step: fmt.Sprintf("%d draws", k),
				Cost: c.drawSeconds * float64(estimates*n*k)}
			a := p
			a.Series, a.Other, a.OtherSeries = seriesAISEL, estimators.DiagLogZPower, seriesPower
			a.Link = fmt.Sprintf("v=1&model=%s&inner=%d&method=aisel&aisel.schedule=power:4&aisel.islands=%d"+
				"&aisel.particles=%d&aisel.temperatures=%d&replicates=%d", c.model, k, islands, particles, temps, n)
			p.Series = seriesIS2
			p.Link = fmt.Sprintf("v=1&model=%s&inner=%d&method=is2&is2.islands=20&is2.particles=%d&replicates=%d", c.model, k,
				estimates/20, n)
			out = append(out, a, p)
		}
		return out
	}
}

// evidenceJudge judges the claims about the evidence, and those of robustnessFindings.
func evidenceJudge(rows []papers.Row) (out []papers.Finding) {
	const tolerance = .1 // nats
	for _, panel := range papers.Panels(rows) {
		aisel, power := papers.Series(rows, panel, seriesAISEL), papers.Series(rows, panel, seriesPower)
		if len(aisel) < 2 {
			continue
		}
		fewDraws, manyDraws := &aisel[0], &aisel[len(aisel)-1]
		add := func(f papers.Finding) { out = papers.AppendFinding(panel, out, f, true) }

		// The evidence with the fewest inner draws, and by the power posterior with the most.
		d := fewDraws.LogZ() - fewDraws.Known
		se := fewDraws.SD / math.Sqrt(float64(fewDraws.N))
		add(papers.Finding{Paper: "evidence can be had whatever the number of draws behind a likelihood.",
			Here: fmt.Sprintf("with %.0f draws the log of the mean of %d estimates is %+.3f +- %.3f nats off; up to "+
				"%.1f counts as right.", fewDraws.At, fewDraws.N, d, se, tolerance)}.Within(math.Abs(d), tolerance, se, "nats"))
		if len(power) == len(aisel) {
			last := power[len(power)-1]
			diff := last.Mean - manyDraws.Mean
			diffSE := math.Hypot(last.SD, manyDraws.SD) / math.Sqrt(float64(last.N))
			add(papers.Finding{Paper: "the power posterior gives the evidence of the same run, as the product of weights does.",
				Here: fmt.Sprintf("with %[3]g draws they are %+.3[1]f +- %.3[2]f nats apart; up to %[4]g counts as the same.",
					diff, diffSE, last.At, tolerance)}.Within(math.Abs(diff), tolerance, diffSE, "nats"))
		}
		for _, f := range robustnessFindings(aisel, papers.Series(rows, panel, seriesIS2)) {
			add(f)
		}
	}
	return out
}

// robustnessFindings returns the findings on the loss that imprecise likelihoods cause for AISEL and IS²: the paper's
// claims on effective sample sizes, and this lab's claim on errors. aisel and is2 are the rows of a panel, sorted by
// the number of inner draws.
func robustnessFindings(aisel, is2 []papers.Row) (out []papers.Finding) {
	if len(aisel) < 2 || len(is2) < 2 {
		return nil
	}
	lossAISEL, seAISEL := essLoss(aisel)
	lossIS2, seIS2 := essLoss(is2)
	from, to := aisel[len(aisel)-1].At, aisel[0].At
	essRange := func(x []papers.Row) string {
		return fmt.Sprintf("from %.0f to %.0f", x[len(x)-1].ESS, x[0].ESS)
	}
	out = append(out,
		papers.Finding{Paper: "where likelihoods are rough, IS² loses most of its effective sample size.",
			Here: fmt.Sprintf("from %.0f draws to %.0f it falls %s, %s times; more than half counts as most.", from, to,
				essRange(is2), papers.FormatErrorRatio(lossIS2, seIS2))}.Below(math.Log(2)-lossIS2, seIS2, papers.UnitSizes),
		papers.Finding{Paper: "AISEL is more robust than IS²: its effective sample size falls less.",
			Here: fmt.Sprintf("that of AISEL goes %s: the factor by which it falls is %s times that of IS².", essRange(aisel),
				papers.FormatErrorRatio(lossAISEL-lossIS2, math.Hypot(seAISEL, seIS2)))}.Below(lossAISEL-lossIS2, math.Hypot(seAISEL, seIS2), papers.UnitSizes))
	lossAISEL, seAISEL = errorGrowth(aisel)
	lossIS2, seIS2 = errorGrowth(is2)
	f := papers.Finding{Ours: true, Paper: "its error of log Z grows less, too.",
		Here: fmt.Sprintf("the RMSE of AISEL grows %s times, that of IS² %s times.", papers.FormatErrorRatio(lossAISEL, seAISEL),
			papers.FormatErrorRatio(lossIS2, seIS2))}
	if num.NotNaN(aisel[0].Known) {
		out = append(out, f.Below(lossAISEL-lossIS2, math.Hypot(seAISEL, seIS2), papers.UnitErrors))
	}
	return out
}

// essLoss returns log(ESS with the most inner draws / ESS with the fewest), with its standard error.
func essLoss(x []papers.Row) (log, se float64) {
	fewDraws, manyDraws := &x[0], &x[len(x)-1]
	return math.Log(manyDraws.ESS / fewDraws.ESS), math.Hypot(manyDraws.ESSSE/manyDraws.ESS, fewDraws.ESSSE/fewDraws.ESS)
}

// errorGrowth returns log(RMSE with the fewest inner draws / RMSE with the most), with its standard error.
func errorGrowth(x []papers.Row) (log, se float64) {
	fewDraws, varFew := papers.ByRMS(&x[0])
	manyDraws, varMany := papers.ByRMS(&x[len(x)-1])
	return math.Log(fewDraws / manyDraws), math.Sqrt(varFew + varMany)
}

// OptimalN searches for the most efficient number of inner draws.
var OptimalN = &papers.Experiment{
	Name: "aisel-optimal-n",
	About: "How many draws behind a likelihood? Processor seconds until the error of log Z is 0.1 nat, from 2 " +
		"draws on, and with the number that the lab picks.",
	Figure: figureOf("The guidelines of section 3.4"),
	Points: optimalPoints, Judge: optimalJudge, Chart: optimalChart,
	Axes: papers.Axes{RMSE: true, Needs: true, ESS: true},
	Notes: []string{noteAISEL, noteWards, noteReturns,
		"Seconds are those of one core; a run of t seconds with the error e needs t (e/0.1)^2 of them to 0.1 nat.",
		"What is picked follows from the noise of a pilot's estimates and from counted costs, not from a clock.",
		"The best number is found by the same runs, so by chance its time is too short, and the others look dearer beside " +
			"it than they are: by the errors told here, a tenth at most."},
	Title: "How many draws?",
	Lead: "With few inner draws an estimate of the likelihood is cheap but noisy; with many it is precise but " +
		"expensive. Which number gives the smallest error of log Z for the time?",
	Alt: "For each model processor seconds to an error of 0.1 nat against the draws behind a likelihood, falling " +
		"and rising again, with a line at the seconds of the number that is picked.",
	Live: [2]string{"v=1&model=sv-60&method=aisel", "See which number is picked"},
}

// optimalPoints returns the points of AISEL at several numbers of inner draws, and with the default number (k = 0).
func optimalPoints(size papers.Size) (out []papers.Point) {
	cases := []latentCase{{"twelve wards, intercepts from their prior", "glmm-wards&latent=prior", 1.2e-6},
		{"sixty returns", "sv-60", 3e-6}}
	inner, n := []int{2, 5, 10, 20, 40, 80, 160, 320, 640}, map[papers.Size]int{papers.Small: 3, papers.Normal: 30,
		papers.Full: 200}[size]
	sizeParams, estimates := "&aisel.islands=12&aisel.particles=100&aisel.temperatures=40", 13*100*79
	switch size {
	case papers.Small:
		cases, inner, sizeParams = cases[:1], []int{2, 20}, "&aisel.islands=4&aisel.particles=20&aisel.temperatures=5"
	case papers.Normal:
		inner, sizeParams, estimates = inner[:7], "&aisel.islands=4&aisel.particles=100&aisel.temperatures=20", 5*100*39
	}
	for _, c := range cases {
		for _, k := range append([]int{0}, inner...) {
			n := n
			if size == papers.Normal && k <= 20 { // near the optimum; larger numbers are expensive
				n *= 10
			}
			p := papers.Point{Panel: c.panel, Series: seriesAISEL, At: float64(k), Step: fmt.Sprintf("%d draws", k),
				Cost: c.drawSeconds * float64(estimates*n*max(k, 30)),
				Link: fmt.Sprintf("v=1&model=%s&inner=%d&method=aisel&aisel.schedule=power:4%s&replicates=%d", c.model, k, sizeParams, n)}
			if k == 0 {
				p.Series, p.Step = seriesPick, ""
				p.Link = fmt.Sprintf("v=1&model=%s&method=aisel&aisel.schedule=power:4%s&replicates=%d", c.model, sizeParams, n)
			}
			out = append(out, p)
		}
	}
	return out
}

// timeRatio returns log(seconds of b / seconds of a) to an error of 0.1 nats, with its standard error.
func timeRatio(a, b *papers.Row) (ratio, se float64) {
	_, va := papers.ByRMS(a)
	_, vb := papers.ByRMS(b)
	return math.Log(b.SecondsTo(.1) / a.SecondsTo(.1)), 2 * math.Sqrt(va+vb)
}

// optimalJudge compares the fewest, the most and the default number of inner draws with the best number.
func optimalJudge(rows []papers.Row) (out []papers.Finding) {
	const maxTimeRatio = 2
	for _, panel := range papers.Panels(rows) {
		line, picked := papers.Series(rows, panel, seriesAISEL), papers.Series(rows, panel, seriesPick)
		if len(line) < 3 || len(picked) == 0 {
			continue
		}
		best := 0
		for i := range line {
			if line[i].SecondsTo(.1) < line[best].SecondsTo(.1) {
				best = i
			}
		}
		compare := func(paper string, a, b *papers.Row, limit float64) {
			ratio, se := timeRatio(a, b)
			out = papers.AppendFinding(panel, out,
				papers.Finding{Paper: paper, Here: fmt.Sprintf("%s against %s seconds, %s times as long.",
					seconds(b),
					seconds(a), papers.FormatVarianceRatio(ratio/2, se/2))}.Below(math.Log(limit)-ratio, se, papers.UnitTimes), true)
		}

		// The fewest and the most inner draws against the best number.
		compare("with the fewest draws a result takes longer.", &line[best], &line[0], 1)
		compare("with the most draws it takes longer, too.", &line[best], &line[len(line)-1], 1)

		// The default number of the guidelines against the best number.
		ratio, se := timeRatio(&line[best], &picked[0])
		out = papers.AppendFinding(panel, out,
			papers.Finding{Paper: fmt.Sprintf("the number that the guidelines pick takes at most %d times as long "+
				"as the best one.", maxTimeRatio), Here: fmt.Sprintf("%s seconds against %s with %.0f draws, %s times as long.",
				seconds(&picked[0]), seconds(&line[best]), line[best].At,
				papers.FormatVarianceRatio(ratio/2, se/2))}.Within(ratio, math.Log(maxTimeRatio), se, papers.UnitTimes), true)
	}
	return out
}

// seconds formats the seconds to an error of 0.1 nats.
func seconds(r *papers.Row) string { return fmt.Sprintf("%.2g", r.SecondsTo(.1)) }

// optimalChart plots the seconds to an error of 0.1 nats against the number of inner draws; the seconds with the
// default number are a horizontal line.
func optimalChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	maxDraws := 15.
	for _, r := range rows {
		maxDraws = max(maxDraws, 1.3*r.At)
	}
	x := chart.Axis{Log: true, Lo: 1.5, Hi: maxDraws, Title: "draws behind a likelihood"}
	y := chart.Axis{Log: true, Title: "processor seconds to 0.1 nat"}
	return papers.Pairs(rows, x, y, func(c *chart.Chart, t *paint.Theme, rows []papers.Row, i int) {
		var draws, times, se []float64
		for k := range rows {
			r := &rows[k]
			if s := r.SecondsTo(.1); s > 0 && num.Finite(s) {
				_, v := papers.ByRMS(r)
				draws, times, se = append(draws, r.At), append(times, s), append(se, s*min(2*math.Sqrt(v), .9))
				c.Include(2, s/2) // margins
				c.Include(2, 2*s)
			}
		}
		if len(times) == 0 {
			return
		}
		if rows[0].Series == seriesPick {
			c.Line([]float64{x.Lo, x.Hi}, []float64{times[0], times[0]}, chart.Style{Name: seriesPick, Color: t.Method(i),
				Width: 1.25, NoHalo: true})
			return
		}
		papers.Curve(c, t, i, rows[0].Series, draws, times, se)
	})
}
