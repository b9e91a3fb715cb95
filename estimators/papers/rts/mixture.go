package rts

import (
	"fmt"
	"logzlab/estimators/papers"
)

// Fig2 compares all methods that read a tempering run, on a mixture.
var Fig2 = &papers.Experiment{
	Name: "rts-fig2",
	About: "A mixture in ten dimensions by tempered Hamiltonian Monte Carlo: rts, ts, ti, ti-rb, bar and mbar from the " +
		"same samples, and ais, by the number of samples.",
	Figure: "Figure 2 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	Points: fig2Points, Judge: fig2Judge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 1, X: "samples", RMSE: true},
	Notes: []string{
		"The paper's appendix with the mixture is lost; here two Gaussians lie seven standard deviations apart.",
		"The paper repeated 10 times; here each point is 400 runs, with -full 2,000.",
		"The paper does not say how many temperatures there were; here are 100, evenly spaced, as in its other figures.",
		"Steps and lengths of the Hamiltonian transitions are found by a pilot run and frozen before the first sweep.",
		"The right rule of TI is 0.18 to 0.21 nats too high at any number of samples, 0.17 above the trapezoid of the same " +
			"ladder, while the sd falls from 0.26 to 0.13. That is the error of the rule itself with 100 temperatures, which " +
			"more of them would make smaller.",
		"TS, BAR and AIS are not in the paper's figure. AIS has as many sweeps as the whole tempering run.",
	},
	Title: "One run, many estimators",
	Lead: "Six ways to read log Z from the same samples of a tempered mixture in ten dimensions, and annealing at " +
		"equal cost.",
	Alt: "Log Z on the left and its root mean squared error on the right against the number of samples, a line for each " +
		"estimator; the solid level is exact.",
	Live: [2]string{"v=1&model=mixture10&proposal=hmc_tuned&method=rts,ts,ti,ti-rb,bar,mbar&view.scene=trace",
		"Read one run in six ways"},
}

// Costs in CPU seconds.
const (
	costMixture = 1e-5 // of a sweep of one chain of the mixture
	costMBAR    = 1e-4 // of a sample in MBAR
)

// seriesRight and seriesCorrected are thermodynamic integration by other rules than the trapezoid.
const (
	seriesRight     = "TI, right"
	seriesCorrected = "TI, corrected"
)

// fig2Points returns points at several numbers of samples: runs that all methods read, two more quadrature rules, and
// annealing.
func fig2Points(size papers.Size) (out []papers.Point) {
	kept := []int{100, 150, 200, 300, 400}
	n := map[papers.Size]int{papers.Small: 3, papers.Normal: 400, papers.Full: 2000}[size]
	run := tempering{chains: 10, rungs: 100, burn: 50, initialRounds: 4, initialSweeps: 50}
	if size == papers.Small {
		kept, run.rungs, run.burn, run.initialSweeps = []int{20, 40}, 8, 5, 5
	}
	const panel, model = "Mixture in ten dimensions", "mixture10&proposal=hmc_tuned"
	for _, run.kept = range kept {
		p := papers.Point{Panel: panel, At: float64(run.chains * run.kept), Step: fmt.Sprintf("%d sweeps", run.kept)}
		p.Cost = float64(n) * float64(run.chains*run.sweeps()) * costMixture
		ruleOnly := func(series, rule string) papers.Point {
			p := p
			p.Series, p.Link = series, run.link(model, "ti", n, "&ti.rule="+rule)
			return p
		}
		sharedRun := p
		sharedRun.Series, sharedRun.Readers = "one run", []string{seriesRTS, seriesTS, seriesTI, seriesTIRB, seriesBAR, seriesMBAR}
		sharedRun.Link = run.link(model, "rts,ts,ti,ti-rb,bar,mbar", n, "&ti.rule=trapezoid", "&ti-rb.rule=trapezoid")
		sharedRun.Cost += float64(n) * p.At * costMBAR
		ais := p
		ais.Series, ais.Step = seriesAIS, ""
		ais.Link = annealing(model, "ais", run.chains, run.sweeps(), n)
		out = append(out, sharedRun, ruleOnly(seriesRight, "right"), ruleOnly(seriesCorrected, "corrected"), ais)
	}
	return out
}

// fig2Judge compares the error of each method with that of RTS.
func fig2Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		for _, s := range []string{seriesMBAR, seriesRight, seriesTI, seriesCorrected, seriesTIRB} {
			if f, ok := nearlyEqual(s+" and RTS give nearly identical performance.", papers.Series(rows, panel, s),
				papers.Series(rows, panel, seriesRTS)); ok {
				out = append(out, f)
			}
		}
	}
	return out
}
