package arm

import (
	"fmt"
	"math"
	"slices"

	"logzlab/estimators/papers"
)

// Fig2 compares rm and arm with annealing on classification by a Gaussian process with a strongly correlated prior.
var Fig2 = &papers.Experiment{
	Name:   "arm-fig2",
	About:  "Gaussian-process classification: rm and arm against annealing with Hamiltonian samplers, by time.",
	Figure: "Figure 2 of the ARM paper (Fraccaro, Paquet and Winther)",
	Points: fig2Points, Judge: fig2Judge, Chart: papers.Lines,
	OtherModels: papers.AllPanels, // the paper's digits have an experiment of their own
	Axes:        papers.Axes{Reach: 6},
	Notes: []string{
		"The paper has 767 USPS digits; here are 200 digits of MNIST and 60 points in the plane with the same amplitude.",
		"The paper ran 80 estimates up to R = 100,000 particles and 10,000 temperatures: -full does.",
		"The Riemannian sampler factorises a matrix several times at every step: a temperature takes 0.001 to 0.004 s for " +
			"60 data, 0.08 to 0.16 s for 200. Plain HMC cannot move in the plane, where the covariance is singular but for " +
			"rounding.",
		"At the paper's step of 0.1 the implicit equations of the Riemannian sampler do not always converge: from EP's " +
			"Gaussian 18 of 160 moves on the digits were lost. One chain of 20 that stayed far out makes the deviation of " +
			"13 nats at 100 temperatures; at a step of 0.03 no move is lost, and it is 1.9.",
		"Rows of RM and ARM were timed in one go, those of annealing before: the computer may have been half or twice as " +
			"fast then. No answer hangs on that. A star means help from EP's Gaussian.",
		"On the 200 digits RM makes better use of a budget than ARM with the paper's i_max = 50. Where the next label " +
			"surprises, the weights stay uneven however many particles there are: at 12 % of the stages all 50 batches are " +
			"made in vain, so ARM has 6.8 R particles a stage; the paper reports 1.5 R on its digits. At equal sweeps, some " +
			"134,000, the deviation of log Z is 0.31 for RM and 0.32 for ARM with i_max = 3, 0.37 with 10 and 0.43 with 50 " +
			"(100 estimates each, 200 of the last). In the plane ARM has 7.8 R particles a stage, and its variance is still " +
			"smaller at equal time.",
		"One estimate of annealing is one chain.",
		"Findings are from R = 100 particles on, where the paper begins. With fewer ARM is too high: by 0.65 nats at R = " +
			"10 and 0.31 at 30 on the digits, as the weights that are averaged also decide how many there are.",
		"The reference is the dashed level. EP's correction has the third and fourth cumulants (Opper, Paquet and Winther).",
	},
	Title: "Classification, one label after the other",
	Lead: "What is the probability of all labels of some digits under a Gaussian process? Resample-move, which adds " +
		"the labels one by one, is compared with annealing by Hamiltonian samplers, at equal time.",
	Alt: "For each model, log Z on the left and its standard deviation on the right against processor time, a line " +
		"for each method; the dotted level is expectation propagation, the solid one its second-order " +
		"correction, the dashed one the reference.",
	Live: [2]string{"v=1&model=gpc-2d&amplitude=164&length=10&method=arm&arm.moves=1&arm.ess=0.9&arm.i_max=50" +
		"&view.scene=function", "Watch functions take in the labels"},
}

// Series of Fig2. A star marks the use of expectation propagation's Gaussian.
const (
	seriesRM      = "RM"
	seriesARM     = "ARM"
	seriesWhite   = "AIS, whitened HMC"
	seriesPlain   = "AIS, HMC"
	seriesPlainQ  = "AIS, HMC from EP*"
	seriesRiemann = "AIS, RMHMC"
	seriesRMQ     = "AIS, RMHMC from EP*"
)

// gpcPanel is a panel of Fig2. The fields rm, arm, white (whitened HMC), plain (plain HMC) and riem (Riemannian HMC)
// are costs: CPU seconds per particle of rm and of arm, and per temperature of each sampler.
type gpcPanel struct {
	name, model                 string
	rm, arm, white, plain, riem float64
	reference                   string // additional parameters in the link of the reference
}

// gpcPanels are the panels of Fig2. Plain HMC is omitted for points in the plane (cost 0): the points are so close that
// the covariance is numerically singular, and no step size is small enough.
var gpcPanels = []gpcPanel{
	{"60 points in the plane", "gpc-2d&amplitude=164&length=10", 2.2e-4, 9e-4, 7e-5, 0, 3e-3, ""},
	{"200 digits", "gpc-mnist35", 2.1e-3, 1.3e-2, 8e-4, 6e-3, .17, ""},
}

// runs has the points of a series: size, the numbers of particles or temperatures, and n, the number of estimates at
// each size.
type runs struct{ size, n []int }

// equalRuns returns runs with n estimates at every size.
func equalRuns(n int, size ...int) runs { return runs{size, slices.Repeat([]int{n}, len(size))} }

// gpcSizes has the runs of each series of a panel, and the size of the reference. The series are those of gpcPanel;
// plainQ and riemQ are plain and Riemannian HMC from the Gaussian of EP instead of the prior.
type gpcSizes struct {
	rm, arm, white, plain, plainQ, riem, riemQ runs
	refChains, refTemps                        int
}

// fig2Points returns the points of both panels.
func fig2Points(size papers.Size) []papers.Point {
	sizes := map[papers.Size][2]gpcSizes{
		papers.Small: {{equalRuns(3, 10, 20), equalRuns(3, 10, 20), equalRuns(3, 5), noRuns, noRuns, equalRuns(2, 5), equalRuns(2, 5), 20, 20}},
		papers.Normal: {{runs{[]int{100, 300, 1000, 3000}, []int{400, 400, 100, 50}},
			runs{[]int{30, 100, 300, 1000}, []int{1000, 400, 200, 60}}, equalRuns(40, 100, 300, 1000, 3000),
			noRuns, noRuns, equalRuns(20, 100, 300, 1000), equalRuns(20, 10, 25, 50, 100), 100, 1000},
			{runs{[]int{30, 100, 300}, []int{200, 100, 300}}, runs{[]int{10, 30, 100, 300}, []int{400, 150, 200, 100}},
				equalRuns(40, 100, 300, 1000), equalRuns(10, 100, 300), runs{[]int{100, 300}, []int{80, 40}}, equalRuns(10, 100),
				equalRuns(20, 25, 100), 100, 300}},
		papers.Full: {{equalRuns(80, 100, 1000, 10000, 100000), equalRuns(80, 100, 1000, 10000, 100000),
			equalRuns(80, 1000, 2000, 5000, 10000),
			noRuns, noRuns, paperRMHMC, paperRMHMCFromEP, 1000, 2000}, fullDigits},
	}[size]
	if size == papers.Full {
		sizes[1].riem, sizes[1].riemQ = paperRMHMC, paperRMHMCFromEP
	}
	var out []papers.Point
	for i, z := range sizes {
		if z.refChains > 0 {
			out = append(out, gpcPanels[i].points(z)...)
		}
	}
	return out
}

// noRuns is a series that a panel omits.
var noRuns runs

// paperRMHMC and paperRMHMCFromEP are the temperatures of the paper's Riemannian sampler, from the prior and from EP.
var paperRMHMC, paperRMHMCFromEP = equalRuns(80, 500, 1000, 2000), equalRuns(80, 25, 50, 100, 500, 1000, 2000)

// fullDigits are the paper's sizes for the digits.
var fullDigits = gpcSizes{equalRuns(80, 100, 1000, 10000, 100000), equalRuns(80, 100, 1000, 10000, 100000),
	equalRuns(80, 1000, 2000, 5000, 10000), equalRuns(80, 1000, 2000, 5000, 10000), equalRuns(80, 1000, 2000, 5000, 10000), noRuns, noRuns,
	1000, 2000}

// points returns the points of a panel with the given sizes. Annealing from the prior must begin with a short step,
// because the log likelihood varies strongly under the prior.
func (p *gpcPanel) points(z gpcSizes) []papers.Point {
	out := []papers.Point{{Panel: p.name, Series: fmt.Sprintf("AIS, %d chains from EP", z.refChains), Reference: true,
		Link: fmt.Sprintf("v=1&model=%s&base=ep%s&method=ais&ais.chains=%d&ais.temperatures=%d", p.model, p.reference,
			z.refChains, z.refTemps),
		Cost: p.white * float64(z.refChains*z.refTemps)}}
	add := func(series string, z runs, cost float64, link string) {
		for i, size := range z.size {
			out = append(out, papers.Point{Panel: p.name, Series: series, Cost: cost * float64(size*z.n[i]),
				Link: fmt.Sprintf("v=1&model=%s"+link+"&replicates=%d", p.model, size, z.n[i])})
		}
	}
	const fromPrior, fromEP = "&ais.schedule=geometric:1e-06", "&ais.schedule=geometric:0.0001"
	const ais, plain = "&method=ais&ais.chains=1&ais.temperatures=%d", "&sampler=hmc_plain&eps=0.02&leaps=200"
	const riemann = "&sampler=rmhmc&eps=0.1&leaps=10"
	add(seriesRM, z.rm, p.rm, "&method=rm&rm.particles=%d&rm.islands=1&rm.moves=1&rm.ess=0.9")
	add(seriesARM, z.arm, p.arm, "&method=arm&arm.particles=%d&arm.islands=1&arm.moves=1&arm.ess=0.9&arm.i_max=50")
	add(seriesWhite, z.white, p.white, "&sampler=hmc"+ais+fromPrior)
	add(seriesRiemann, z.riem, p.riem, riemann+ais+fromPrior)
	add(seriesRMQ, z.riemQ, p.riem, riemann+"&base=ep"+ais+fromEP)
	add(seriesPlain, z.plain, p.plain, plain+ais+fromPrior)
	add(seriesPlainQ, z.plainQ, p.plain, plain+"&base=ep"+ais+fromEP)
	return out
}

// minParticles is the smallest number of particles at which the paper considers effective sample sizes reliable. Rows
// with fewer particles are plotted but not judged.
const minParticles = 100

// accurateNats is the largest error of EP's log Z that counts as accurate; the paper gives no number.
const accurateNats = 0.5

// fig2Judge compares the methods in pairs, and EP with the reference.
func fig2Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		rows := slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool { return 0 < r.R && r.R < minParticles })
		if f, ok := papers.SmallerVariance(rows, panel, seriesARM, seriesRM,
			"ARM makes better use of a computational budget than RM."); ok {
			out = append(out, f)
		}

		// RM and ARM against the reference.
		ref := papers.Reference(rows, panel)
		if ref == nil {
			continue
		}
		for _, s := range []string{seriesRM, seriesARM} {
			if x := papers.Series(rows, panel, s); len(x) > 1 {
				out = append(out, fromBelow(panel, s, x, ref))
			}
		}

		// Pairs of methods, by their errors.
		for _, c := range []struct {
			better, worse, paper string
			ours                 bool
		}{
			{seriesARM, seriesPlain, "AIS with plain HMC from the prior does not compete with ARM; it was off the chart.",
				false},
			{seriesARM, seriesRiemann, "AIS with RMHMC from the prior, the closest alternative, does not compete with ARM.",
				false},
			{seriesPlainQ, seriesPlain, "AIS with HMC has to rely on outside information: EP's Gaussian makes errors smaller.",
				false},
			{seriesRMQ, seriesRiemann, "AIS with RMHMC has to rely on outside information: EP's Gaussian makes errors smaller.",
				false},
			{seriesARM, seriesWhite, "AIS with whitened HMC, which the paper did not try, does not compete with ARM.", true},
		} {
			if f, ok := papers.SmallerMSE(rows, panel, c.better, c.worse, c.paper); ok {
				f.Ours = c.ours
				out = append(out, f)
			}
		}

		// EP against annealing from EP.
		if ref.EP != 0 {
			d := ref.EP - ref.LogZ()
			f := papers.Finding{Panel: panel, Paper: "EP's estimate of log Z is remarkably accurate.",
				Here: fmt.Sprintf("EP says %.3f, annealing from EP %.3f +- %.3f: off by %+.3f nats; up to %g is what we read as "+
					"accurate.", ref.EP, ref.LogZ(), ref.SE, d, accurateNats)}.Within(math.Abs(d), accurateNats, ref.SE, "nats")
			if ref.Corrected != 0 {
				f.Here += fmt.Sprintf(" Corrected to second order it says %.3f, off by %+.3f.", ref.Corrected,
					ref.Corrected-ref.LogZ())
			}
			out = append(out, f)
		}
	}
	return out
}

// fromBelow returns the finding that the mean of the estimates of log Z approaches log Z of the reference from below as
// the number of particles R grows. x are the rows of a series, sorted by cost.
func fromBelow(panel, name string, x []papers.Row, ref *papers.Row) papers.Finding {
	first, last := &x[0], &x[len(x)-1]
	a, b := first.Mean-ref.LogZ(), last.Mean-ref.LogZ()
	f := papers.Finding{Panel: panel, Paper: "the average of " + name + " approaches log Z from below.",
		Here: fmt.Sprintf("its mean is %+.2f nats from the reference at R = %d and %+.2f at R = %d.", a, first.R, b, last.R)}
	f = f.Below(a, math.Hypot(first.SD/math.Sqrt(float64(first.N)), ref.SE), "nats")
	if f.Answer == papers.Agrees && math.Abs(b) > math.Abs(a) {
		f.Answer = papers.Contradicts
	}
	return f
}
