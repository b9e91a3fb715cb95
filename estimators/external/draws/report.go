package draws

import (
	"fmt"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// Limits of the checks. A value beyond a limit named max or min lowers the verdict to caution, a value beyond a limit
// named stop lowers it to stop.
const (
	maxRHat       = 1.1
	stopRHat      = 1.5
	minESS        = 100
	stopESS       = 20
	minOverlap    = .05 // overlap of the posterior and the normal distribution, from 0 to 1
	stopOverlap   = .005
	maxSpread     = .1 // nats: standard deviation of the log density in the file minus that of the program
	stopSpread    = 1
	stopDivergent = .05 // share of the draws after divergent transitions
	maxMissed     = .01 // share of Z in modes without draws
	stopMissed    = .1
	excessHalves  = 2 // difference between the halves, in standard errors, above which it widens the error bar
)

// judge makes the reports on posterior draws, one for each of the given methods: bridge sampling, with or without
// mirror images.
func judge(p Program, s *samples.Set, methods []string, o external.Options, m *meter.Meter) ([]*external.Report, error) {
	d, err := newPosterior(p, s, o, m)
	if err != nil {
		return nil, err
	}
	var reports []*external.Report
	for _, name := range methods {
		both, err := d.bridge(name == external.Warp3)
		if err != nil {
			return nil, err
		}
		r := external.NewReport(s, name, o)
		d.report(r, both)
		r.Finish(s)
		reports = append(reports, r)
	}
	return reports, nil
}

// report fills a report from the two estimates, each with the normal distribution fitted to one half of the draws.
func (d *posterior) report(r *external.Report, both [2]estimators.BridgeSolution) {
	a, b := both[0], both[1]
	r.Bias, r.SEMethod = "either", external.SECorrelated
	if d.independent {
		r.SEMethod = external.SEIndependent
	}
	if !num.Finite(a.LogZ) || !num.Finite(b.LogZ) {
		r.Verdict.Add(verdict.Check{Name: "A result", Value: verdict.NaN, Text: "none", Needs: "a number", Bad: true,
			Meaning: "There is no estimate.",
			Advice:  "Check that the draws are of this program and these data, and draw more."})
		return
	}

	// Log Z is the mean of both; a significant difference widens the error bar.
	se, gap := d.jointSE(a, b), math.Abs(a.LogZ-b.LogZ)
	gapInSE := gap / stats.JointSE(a.SE, b.SE)
	if gapInSE > excessHalves {
		se = max(se, gap/2)
	}
	r.LogZ, r.SE = verdict.Number((a.LogZ+b.LogZ)/2), verdict.Number(se)
	r.Diagnostics[external.DiagHalves] = verdict.Number(gapInSE)
	r.Verdict.Add(verdict.Check{Name: "Halves agree", Value: verdict.Number(gapInSE),
		OK: gapInSE <= external.MaxRunGap || gap < estimators.HarmlessGap, Bad: gapInSE > external.StopRunGap && gap > external.StopRunNats,
		Text: estimators.FormatAgainst(gapInSE, external.MaxRunGap, 1) + " bars", Needs: fmt.Sprintf("≤ %v", external.MaxRunGap),
		Meaning: "The first halves of the chains and the second ones find different log Z.",
		Advice:  "Draw more, or use a tempering method if there are several modes."})

	// Checks of the chains and of the program.
	d.checkChains(r)
	d.checkProgram(r)
	d.checkModes(r)

	// Checks of the bridge: effective draws, and overlap.
	ess, overlap := min(a.ESS, b.ESS), min(a.Overlap, b.Overlap)
	r.Diagnostics[estimators.DiagESS], r.Diagnostics[estimators.DiagOverlap] = verdict.Number(ess),
		verdict.Number(overlap)
	r.Diagnostics[estimators.DiagInefficiency] = verdict.Number(max(a.Inefficiency, b.Inefficiency))
	r.Verdict.Add(verdict.Check{Name: "Effective draws", Value: verdict.Number(ess), OK: ess >= minESS,
		Bad: !(ess >= stopESS), Text: estimators.FormatAgainst(ess, minESS, 0), Needs: fmt.Sprintf("≥ %d", minESS),
		Meaning: "Few draws of the target, or of the normal distribution, say anything about the other one.",
		Advice:  "Draw more."})
	r.Verdict.Add(verdict.Check{Name: "Overlap", Value: verdict.Number(overlap), OK: overlap >= minOverlap,
		Bad: !(overlap >= stopOverlap), Text: estimators.FormatAgainst(100*overlap, 100*minOverlap, 0) + " %",
		Needs: "5 % or more",
		Meaning: "The target has little in common with the normal distribution: its shape is another one, or it has several " +
			"modes.",
		Advice: "Read bridge-warp3, or use a tempering method: logz run on the program."})
	r.Next = append(r.Next, external.NextStep{What: "draws", Factor: 4, SE: r.SE / 2})
}

// checkModes searches for modes without draws, if the program supports it. Chains that all stay in one of several modes
// agree with each other, so the other checks do not detect the missing modes.
func (d *posterior) checkModes(r *external.Report) {
	s, ok := d.program.(ModeSearcher)
	if !ok {
		return
	}
	var points []float64
	for _, chain := range d.chains {
		for i, u := range chain.u {
			points = append(points, u+d.origin[i%d.dim])
		}
	}
	missedRatio := num.Exp(min(s.Unvisited(points)-float64(r.LogZ), 700))
	share := missedRatio / (1 + missedRatio)
	r.Verdict.Add(verdict.Check{Name: "Modes have draws", Value: verdict.Number(share), OK: share <= maxMissed,
		Bad: share > stopMissed, Text: estimators.FormatAgainst(100*share, 100*maxMissed, 1) + " %", Needs: "1 % or less",
		Meaning: "A search found modes of the program that no draw is near, with this share of Z, so log Z is too low.",
		Advice:  "Run the program here, with logz run: its base covers all modes that the search finds."})
}

// jointSE returns the standard error of the mean of both estimates, sqrt(SE_a^2 + SE_b^2 + 2 c)/2. Each estimate uses
// the draws of one half with the normal distribution fitted to the other half, so they are correlated. For a normal
// posterior, their covariance is c = p tau_a tau_b/(4 n^2), with n draws in each half, statistical inefficiencies tau
// and p = dim (dim+3)/2 fitted moments. c is at most SE_a SE_b.
func (d *posterior) jointSE(a, b estimators.BridgeSolution) float64 {
	n, p := float64(len(d.sameAs))/2, float64(d.dim*(d.dim+3))/2
	shared := min(num.Mul(a.Inefficiency, b.Inefficiency)*p/(4*n*n), num.Mul(a.SE, b.SE))
	return math.Sqrt(num.Mul(a.SE, a.SE)+num.Mul(b.SE, b.SE)+float64(2*shared)) / 2
}

// checkChains checks the largest split R-hat of the log density and of all numbers of a draw, and the number of
// divergent transitions.
func (d *posterior) checkChains(r *external.Report) {
	largestRHat, largestName := 0., ""
	for j := -1; j < len(d.names); j++ {
		rhat := d.rHat(func(e *drawChain, i int) float64 {
			if j < 0 {
				return e.logF[i]
			}
			return e.from.X[i*len(d.names)+j]
		})
		if rhat > largestRHat {
			if largestRHat, largestName = rhat, "log f"; j >= 0 {
				largestName = d.names[j]
			}
		}
	}

	// The largest R-hat.
	r.Diagnostics[estimators.DiagRHat] = verdict.Number(min(largestRHat, 1000))
	r.Verdict.Add(verdict.Check{Name: "Chains agree", Value: verdict.Number(largestRHat), OK: largestRHat <= maxRHat,
		Bad: largestRHat > stopRHat, At: largestName, Text: "R-hat " + estimators.FormatAgainst(largestRHat, maxRHat, 2),
		Needs:   fmt.Sprintf("≤ %v", maxRHat),
		Meaning: "Chains, or their halves, are in parts of the target that differ, so each misses some of it.",
		Advice:  "Draw longer chains from other starts, or use a tempering method if there are several modes."})

	// Divergent transitions.
	divergent, n := 0, 0
	for _, chain := range d.chains {
		divergent, n = divergent+chain.from.Divergent, n+chain.n
	}
	r.Diagnostics[external.DiagDivergent], r.Diagnostics[external.DiagSamples] = verdict.Number(divergent), verdict.Number(n)
	r.Verdict.Add(verdict.Check{Name: "No divergent transitions", Value: verdict.Number(divergent), OK: divergent == 0,
		Bad: float64(divergent) > stopDivergent*float64(n), Text: fmt.Sprint(divergent), Needs: "0",
		Meaning: "Trajectories went astray where the density is steep, and chains may have missed that part.",
		Advice:  "Raise adapt_delta, or write the program in other parameters, and draw again."})
}

// rHat returns split R-hat of a quantity: sqrt((n-1)/n + B/W), with n the number of draws of the shortest half of a
// chain, B the variance of the means of the halves and W the mean variance within them. It returns 0 for a constant.
func (d *posterior) rHat(value func(e *drawChain, i int) float64) float64 {
	var means, within stats.Welford
	length := math.Inf(1)
	for c := range d.chains {
		chain := &d.chains[c]
		for h := range 2 {
			var w stats.Welford
			for _, i := range chain.halves[h] {
				w.Add(value(chain, i))
			}
			means.Add(w.Mean)
			within.Add(w.Var())
			length = min(length, float64(w.N))
		}
	}
	if !(within.Mean > 1e-12*num.Mul(means.Mean, means.Mean)) {
		return 0
	}
	return math.Sqrt((length-1)/length + means.Var()/within.Mean)
}

// checkProgram checks that the draws belong to the program: the log densities in the file (lp__), if any, must differ
// from those of the program by a constant. It also checks that every parameter has a prior.
func (d *posterior) checkProgram(r *external.Report) {
	var diff stats.Welford
	for _, chain := range d.chains {
		for i, l := range chain.from.LogP {
			diff.Add(l - chain.logF[i])
		}
	}
	if diff.N > 1 && !d.program.Underdetermined() {
		sd := math.Sqrt(max(diff.Var(), 0))
		r.Diagnostics[external.DiagDensity] = verdict.Number(sd)
		r.Verdict.Add(verdict.Check{Name: "Draws are of this program", Value: verdict.Number(sd), OK: sd <= maxSpread,
			Bad: sd > stopSpread, Text: estimators.FormatAgainst(sd, maxSpread, 2) + " nats",
			Needs:   fmt.Sprintf("≤ %v", maxSpread),
			Meaning: "The log densities in the file (lp__) are not those of the program with these data, up to a constant.",
			Advice:  "Give the program and the data that made the draws, and draws with all digits (sig_figs=18)."})
	}
	if names := d.program.Improper(); names != "" {
		r.Verdict.Add(verdict.Check{Name: "A prior for each parameter", Value: verdict.NaN, Text: names, At: names,
			Needs: "all", Meaning: "The program states no prior for a parameter, so that log Z may have no meaning beyond a " +
				"constant.",
			Advice: "State a prior for it, and draw again."})
	}
}
