package aisel

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
)

// Pound compares AISEL and IS² on pound/dollar returns.
var Pound = &papers.Experiment{
	Name: "aisel-pound",
	About: "Stochastic volatility of 945 returns of pound and dollar: effective sample sizes of aisel and is2 from " +
		"the prior, and from a t density, by the particles of the filter.",
	Figure: figureOf("The Pound/Dollar example"),
	Points: poundPoints, Judge: poundJudge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 3, X: "particles of the filter", ESS: true},
	Notes: []string{noteAISEL,
		"The returns are the series of Harvey, Ruiz and Shephard (1994), 1 October 1981 to 28 June 1985, less their " +
			"mean, with the prior of Kim, Shephard and Chib (1998). That the paper has this series is a guess from its words.",
		"AISEL has six islands of 40 particles over eight temperatures and two moves at each, IS² as many draws as " +
			"AISEL estimates likelihoods. The t density has 5 degrees of freedom and twice the covariance of rough samples " +
			"of the posterior. Its pilot makes 2,000 estimates, after up to 6,000 by filters of 20 particles. Both methods " +
			"pay for one.",
		"No exact evidence is known, so what is compared are effective sample sizes."},
	Title: "Pound and dollar",
	Lead: "Daily exchange rates of nearly four years. A particle filter of moderate size estimates the likelihood " +
		"with so much noise that a few draws dominate importance sampling.",
	Alt: "The mean of log Z on the left and its standard deviation on the right against the particles of the filter, " +
		"for AISEL and IS², from the prior and from a t density.",
	Live: [2]string{"v=1&model=sv-pound&method=aisel&inner=100&aisel.base=t&aisel.islands=6&aisel.particles=40&" +
		"aisel.schedule=power:2&aisel.temperatures=8", "Anneal through four years of rates"},
}

const (
	panelPrior = "from the prior"
	panelT     = "from a t density"
)

// poundDraw is the CPU seconds per particle of a filter through the series.
const poundDraw = 4.7e-5

// poundPoints returns the points of AISEL and IS² from both bases, at several numbers of particles.
func poundPoints(size papers.Size) (out []papers.Point) {
	inner, islands, particles, temps := []int{50, 100, 200, 400}, 6, 40, 8
	n := map[papers.Size]int{papers.Small: 2, papers.Normal: 16, papers.Full: 100}[size]
	switch size {
	case papers.Small:
		inner, islands, particles, temps = []int{2, 4}, 2, 8, 4
	case papers.Normal:
		inner = inner[:3]
	}
	estimates := (islands+1)*particles*((temps-2)*2+1) + 20*islands // including the pilot island and the final evaluations

	// Both bases, at each number of inner particles.
	for _, panel := range []string{panelPrior, panelT} {
		base, power, pilot := "prior", 4, 0
		if panel == panelT {
			base, power, pilot = "t", 2, 3000
		}
		for _, k := range inner {
			// From the prior IS² has an effective sample size of about 1, so one number of particles is enough.
			if size == papers.Normal && (panel == panelPrior) != (k == 100) {
				continue
			}
			p := papers.Point{Panel: panel, At: float64(k), Step: fmt.Sprintf("%d particles", k),
				Cost: poundDraw * float64((estimates+pilot)*n*k)}

			// AISEL, then IS² with as many estimates of the likelihood.
			a := p
			a.Series = seriesAISEL
			a.Link = fmt.Sprintf("v=1&model=sv-pound&inner=%d&method=aisel&aisel.base=%s&aisel.islands=%d&aisel.particles=%d"+
				"&aisel.schedule=power:%d&aisel.temperatures=%d&replicates=%d", k, base, islands, particles, power, temps, n)
			p.Series = seriesIS2
			p.Link = fmt.Sprintf("v=1&model=sv-pound&inner=%d&method=is2&is2.base=%s&is2.islands=20&is2.particles=%d"+
				"&replicates=%d", k, base, max(estimates/20, 1), n)
			out = append(out, a, p)
		}
	}
	return out
}

// poundJudge compares the effective sample sizes of AISEL and IS².
func poundJudge(rows []papers.Row) (out []papers.Finding) {
	for _, a := range papers.Series(rows, panelPrior, seriesAISEL) {
		for _, b := range papers.Series(rows, panelPrior, seriesIS2) {
			if a.At != b.At {
				continue
			}
			ratio, se := math.Log(b.ESS/a.ESS), math.Hypot(a.ESSSE/a.ESS, b.ESSSE/b.ESS)
			out = papers.AppendFinding(panelPrior, out, papers.Finding{
				Paper: "where a good proposal is hard to find, AISEL leaves more effective draws than IS².",
				Here: fmt.Sprintf("with %.0f particles IS² leaves %.1f of as many draws as AISEL estimates likelihoods, AISEL "+
					"%.1f.", a.At, b.ESS, a.ESS)}.Below(ratio, se, papers.UnitSizes), true)
		}
	}
	for _, f := range robustnessFindings(papers.Series(rows, panelT, seriesAISEL), papers.Series(rows, panelT, seriesIS2)) {
		out = papers.AppendFinding(panelT, out, f, true)
	}
	return out
}
