package rts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/estimators/papers"
)

// Fig3 compares tempering and annealing on RBMs at equal cost.
var Fig3 = &papers.Experiment{
	Name: "rts-fig3",
	About: "RBMs of 20, 100 and 500 hidden units, from base rates and from coins: rts against ais and " +
		"raise, by sweeps; -model takes the published RBM.",
	Figure: "Figure 3 and appendix F of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	File:   papers.Published, FileOptional: true, Data: papers.DigitsByColumns,
	Points: fig3Points, Judge: fig3Judge, Chart: papers.Lines,
	OtherModels: notPublished,
	Axes:        papers.Axes{Reach: 8, X: "sweeps of each chain", RMSE: true},
	Notes: []string{
		"The paper's RBM of 500 hidden units is that of Salakhutdinov and Murray (2008). It may not be shipped: -model " +
			"takes it. The others are this lab's own; the one with 20 units is here because its log Z is exact.",
		"The paper's reference is the mean of AIS and RTS over a million sweeps of 100 chains; here it is a long AIS.",
		"The paper ran up to 100,000 and 1,000,000 sweeps; here are up to 10,000, from a third of the replicates, with " +
			"-full 100,000. All sweeps of a tempering run count, those of its start too.",
		"Only the published RBM is the paper's: what is said of the others is ours. Its base has the rates of the " +
			"bundled digits, as its file has none.",
		"RTS starts from equal guesses and spends 500 sweeps on its start, as in the paper. The paper made ten initial " +
			"iterations of 50 sweeps; here are 25 of 20. Ten are enough for 20 hidden units and too few for 100 and 500: the " +
			"rows of RTS, ten iterations, show by how much.",
		"A run of 1,000 sweeps has spent half of them on its start, and on the published RBM has not arrived: RTS is " +
			"0.90 nats too low with an sd of 0.28. At 3,000 sweeps its error is 0.26, at 10,000 0.10, where that of AIS is " +
			"0.35.",
		"RTS, quick start is this lab's own way: annealing of three sweeps at each rung gives the first guess. TI-RB and " +
			"TS read the same runs. AIS and RAISE read one run, so the seconds in their rows are those of both ways.",
		"Appendix F of the paper, with coins as the base, is lost in our copy. From there equal guesses lead nowhere in " +
			"500 sweeps, so only the quick start is run.",
	},
	Title: "Tempering against annealing",
	Lead: "RBMs, with 100 chains each: how precise is log Z for a given number of sweeps by tempering, by " +
		"annealing, and by annealing that starts from data?",
	Alt: "For each RBM, the mean of log Z on the left and its root mean squared error on the right against the " +
		"sweeps of a chain, a line for each method; the solid level is exact, or the estimate of a long annealing.",
	Live: [2]string{"v=1&model=rbm-pcd-100&start=rates&method=ais,rts&ais.temperatures=1000&rts.sweeps=500" +
		"&view.scene=trace", "Race them on 100 hidden units"},
}

// ratesBase returns the RBM with a path that begins at the rates of the pixels in the training data.
func ratesBase(m papers.RBM) papers.RBM {
	m.Model += "&start=rates"
	return m
}

// uniformBase returns the RBM with a path that begins at the uniform distribution.
func uniformBase(m papers.RBM) papers.RBM {
	m.Panel, m.Model, m.Replicates = m.Panel+panelCoins, m.Model+"&start=uniform", 30
	return m
}

// panelCoins is the suffix of the names of panels with a uniform base.
const panelCoins = ", from coins"

var (
	rbm20 = ratesBase(papers.RBM{Panel: "20 hidden units", Model: "rbm-pcd-20", Sweep: 5e-6, Replicates: 120,
		Exact: true})
	rbm100    = ratesBase(papers.RBM100)
	rbm500    = ratesBase(papers.RBM500)
	published = ratesBase(papers.RBM{Panel: "published RBM",
		Model: papers.Published + "&data=" + papers.PublishedRows,
		Sweep: 2e-5, Replicates: 60})
)

// notPublished reports whether a panel has another RBM than the published one, which the paper uses.
func notPublished(panel string) bool { return panel != published.Panel }

const (
	seriesRAISE = "RAISE"
	seriesTen   = "RTS, ten iterations"
	seriesQuick = "RTS, quick start"
)

// hasUniformBase reports whether the paths of a panel begin at the uniform distribution.
func hasUniformBase(panel string) bool { return strings.HasSuffix(panel, panelCoins) }

// fig3Points returns the points of tempering and annealing at several numbers of sweeps.
func fig3Points(size papers.Size) (out []papers.Point) {
	total := map[papers.Size][]int{papers.Small: {60, 120}, papers.Normal: {300, 1000, 3000, 10000},
		papers.Full: {300, 1000, 3000, 10000, 30000, 100000}}[size]
	equal := tempering{chains: 100, rungs: 100, initialRounds: 25, initialSweeps: 20, equal: true}
	ten := tempering{chains: 100, rungs: 100, initialRounds: 10, initialSweeps: 50, equal: true}
	quick := tempering{chains: 100, rungs: 100, initialRounds: 4, initialSweeps: 50}
	rbms := []papers.RBM{rbm20, rbm100, rbm500, published, uniformBase(papers.RBM100),
		uniformBase(papers.RBM500)}
	if size == papers.Small {
		rbms = rbms[:1]
		equal = tempering{chains: 10, rungs: 10, initialRounds: 5, initialSweeps: 2, equal: true}
		ten = tempering{chains: 10, rungs: 10, initialRounds: 2, initialSweeps: 5, equal: true}
		quick = tempering{chains: 10, rungs: 10, initialRounds: 1, initialSweeps: 5}
	}
	for _, m := range rbms {
		out = m.Reference(out, size)
		for _, sweeps := range total {
			n := map[papers.Size]int{papers.Small: 3, papers.Normal: m.Replicates, papers.Full: 120}[size]
			if size == papers.Normal && sweeps == total[len(total)-1] {
				n /= 3
			}
			p := papers.Point{Panel: m.Panel, At: float64(sweeps), Cost: float64(n*quick.chains*sweeps) * m.Sweep}

			// RTS from equal guesses, by two kinds of initial iterations, and a quick start that more methods read. Ten
			// iterations are run with few sweeps only, where their error matters.
			for i, run := range []tempering{equal, ten} {
				if !hasUniformBase(m.Panel) && run.fitSweeps(sweeps) && (i == 0 || sweeps <= 1000) {
					p := p
					p.Series, p.Step = []string{seriesRTS, seriesTen}[i], fmt.Sprintf("%d sweeps", run.kept)
					p.Link = run.link(m.Model, "rts", n)
					out = append(out, p)
				}
			}
			if run := quick; run.fitSweeps(sweeps) {
				p := p
				p.Series, p.Readers = "one run", []string{seriesQuick, seriesTIRB, seriesTS}
				p.Step = fmt.Sprintf("%d sweeps", run.kept)
				p.Link = run.link(m.Model, "rts,ti-rb,ts", n, "&ti-rb.rule=trapezoid")
				out = append(out, p)
			}

			// Annealing in both directions.
			ais := p
			ais.Series, ais.Readers, ais.Cost = "there and back", []string{seriesAIS, seriesRAISE}, 2*p.Cost
			ais.Link = annealing(m.Model, "ais,raise", quick.chains, sweeps, n)
			out = append(out, ais)
		}
	}
	return out
}

// fitSweeps sets the sweeps of the final run, a tenth of them as burn-in, so that each chain makes the given number of
// sweeps in total. It reports whether any sweeps remain after the initial iterations. The final run must be empty
// before.
func (t *tempering) fitSweeps(sweeps int) bool {
	remaining := sweeps - t.sweeps()
	t.burn = remaining / 10
	t.kept = remaining - t.burn
	return remaining > 0
}

// fig3Judge compares the errors of RTS and annealing, and judges the biases of annealing.
func fig3Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		rts, quick := papers.Series(rows, panel, seriesRTS), papers.Series(rows, panel, seriesQuick)
		ais, raise := papers.Series(rows, panel, seriesAIS), papers.Series(rows, panel, seriesRAISE)
		ais = slices.DeleteFunc(ais, func(r papers.Row) bool { return r.Reference }) // the error of the reference is not known
		if hasUniformBase(panel) {
			rts = quick
		}
		add := func(f papers.Finding, ok bool) {
			out = papers.AppendFinding(panel, out, f, ok)
		}

		// RTS against annealing. The claim of tenTimes is about the paper's RBM only.
		add(papers.SmallerRMSE("RTS has the smaller error than AIS at equally many sweeps.", rts, ais))
		add(papers.SmallerRMSE("RTS has the smaller error than RAISE at equally many sweeps.", rts, raise))
		if panel == published.Panel && len(rts) > 0 && len(ais) > 0 {
			add(tenTimes(rts, ais))
		}

		// The biases of AIS and RAISE.
		se := 0.0
		if ref := papers.Reference(rows, panel); ref != nil {
			se = ref.SE
		}
		if len(ais) > 0 {
			add(papers.BiasFinding("AIS estimates log Z from below.", &ais[0], ais[0].Known, se, -1), true)
		}
		if len(raise) > 0 {
			add(papers.BiasFinding("RAISE estimates log Z from above.", &raise[0], raise[0].Known, se, 1), true)
		}

		// This lab's finding: ten initial iterations are too few, except for the smallest RBM.
		if panel != rbm20.Panel {
			f, ok := papers.SmallerRMSE("ten initial iterations of 50 sweeps are too few: 25 of 20 leave RTS a smaller error.",
				rts[:min(1, len(rts))], papers.Series(rows, panel, seriesTen))
			f.Ours = true
			add(f, ok)
		}
	}
	return out
}

// tenTimes returns the finding that AIS reaches the error of RTS only with more than ten times as many sweeps. It
// compares AIS at its largest number of sweeps with RTS at its smallest, which is a tenth of that: the error of AIS
// must be larger.
func tenTimes(rts, ais []papers.Row) (papers.Finding, bool) {
	smallest, largest := rts[:1], ais[len(ais)-1:]
	f, ok := papers.SmallerRMSE("the error of AIS is that of RTS at 1,000 sweeps only after more than ten times as many.",
		atCost(smallest, int(largest[0].At)), largest)
	f.Here = fmt.Sprintf("RTS at %.0f sweeps against AIS at %.0f: %s", smallest[0].At, largest[0].At, f.Here)
	var reached []string
	for i := range rts {
		reached = append(reached, fmt.Sprintf("at %.0f sweeps after %s", rts[i].At, sweepsToReach(rts[i].RMS(), ais)))
	}
	f.Here += " AIS has the error of RTS " + strings.Join(reached, ", ") + "."
	return f, ok
}

// sweepsToReach returns a text with the number of sweeps at which a line reaches an error, by log-linear interpolation.
func sweepsToReach(rmse float64, line []papers.Row) string {
	if first := line[0]; first.RMS() <= rmse {
		return fmt.Sprintf("fewer than %.0f", first.At)
	}
	for i := 1; i < len(line); i++ {
		a, b := &line[i-1], &line[i]
		if b.RMS() <= rmse {
			fraction := math.Log(a.RMS()/rmse) / math.Log(a.RMS()/b.RMS())
			return fmt.Sprintf("about %.0f", 100*math.Round(a.At*math.Pow(b.At/a.At, fraction)/100))
		}
	}
	return fmt.Sprintf("more than %.0f", line[len(line)-1].At)
}
