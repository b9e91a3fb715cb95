package rts

import (
	"fmt"
	"logzlab/estimators/papers"
	"slices"
)

// Fig3 runs tempering and annealing on Boltzmann machines at equal cost.
var Fig3 = &papers.Experiment{
	Name:   "rts-fig3",
	About:  "Boltzmann machines of 20, 100 and 500 hidden units: rts, ti-rb and ts against ais and raise, by sweeps.",
	Figure: "Figure 3 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	Points: fig3Points, Judge: fig3Judge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 8, X: "sweeps of each chain", RMSE: true},
	Notes: []string{
		"The machines are this lab's own. The paper's have 100 and 500 hidden units; the one with 20 is here because its " +
			"log Z is exact.",
		"The paper's reference is the mean of AIS and RTS over a million sweeps of 100 chains; here it is a long AIS.",
		"The paper ran up to 100,000 and 1,000,000 sweeps; here are up to 10,000, from a third of the replicates, with " +
			"-full 100,000. All sweeps of a tempering run count, those of its start too.",
		"The first guess of tempering is an annealing pass of three sweeps at each rung; the paper started from equal " +
			"guesses and made 10 initial iterations.",
		"TI-RB and TS read the same runs as RTS; they are not in the paper's figure. AIS and RAISE read the same runs, so " +
			"the seconds in their rows are those of both ways.",
	},
	Title: "Tempering against annealing",
	Lead: "Three Boltzmann machines, 100 chains each: what does a sweep buy by tempering, by annealing, and by " +
		"annealing that starts from data?",
	Alt: "For each machine, the mean of log Z on the left and its root mean squared error on the right against the " +
		"sweeps of a chain, a line for each method; the solid level is exact, or the estimate of a long annealing.",
	Live: [2]string{"v=1&model=rbm-pcd-100&method=ais,rts&ais.temperatures=1000&rts.sweeps=500&view.scene=trace",
		"Race them on 100 hidden units"},
}

var machine20 = papers.Machine{Panel: "20 hidden units", Model: "rbm-pcd-20", Sweep: 5e-6, Replicates: 120, Exact: true}

const seriesRAISE = "RAISE"

func fig3Points(size papers.Size) (out []papers.Point) {
	total := map[papers.Size][]int{papers.Small: {60, 120}, papers.Normal: {300, 1000, 3000, 10000},
		papers.Full: {300, 1000, 3000, 10000, 30000,
			100000}}[size]
	run := tempering{chains: 100, rungs: 100, initialRounds: 4, initialSweeps: 50}
	machines := []papers.Machine{machine20, papers.Machine100, papers.Machine500}
	if size == papers.Small {
		machines = machines[:1]
		run = tempering{chains: 10, rungs: 10, initialRounds: 1, initialSweeps: 5}
	}
	for _, m := range machines {
		out = m.Reference(out, size)
		for _, sweeps := range total {
			n := map[papers.Size]int{papers.Small: 3, papers.Normal: m.Replicates, papers.Full: 120}[size]
			if size == papers.Normal && sweeps == total[len(total)-1] {
				n /= 3
			}
			run.kept, run.burn = 0, 0
			left := sweeps - run.sweeps() // for the final run
			run.burn = left / 10
			run.kept = left - run.burn
			tempered := left > 0 // else its start alone takes as many
			p := papers.Point{Panel: m.Panel, At: float64(sweeps), Cost: float64(n*run.chains*sweeps) * m.Sweep}
			rts, ais := p, p
			rts.Series, rts.Readers = "one run", []string{seriesRTS, seriesTIRB, seriesTS}
			rts.Step = fmt.Sprintf("%d sweeps", run.kept)
			rts.Link = run.link(m.Model, "rts,ti-rb,ts", n, "&ti-rb.rule=trapezoid")
			ais.Series, ais.Readers, ais.Cost = "there and back", []string{seriesAIS, seriesRAISE}, 2*p.Cost
			ais.Link = annealing(m.Model, "ais,raise", run.chains, sweeps, n)
			if tempered {
				out = append(out, rts)
			}
			out = append(out, ais)
		}
	}
	return out
}

func fig3Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		rts, ais, raise := papers.Series(rows, panel, seriesRTS), papers.Series(rows, panel, seriesAIS),
			papers.Series(rows, panel, seriesRAISE)
		ais = slices.DeleteFunc(ais, func(r papers.Row) bool { return r.Reference }) // judged by itself it lies on log Z
		add := func(f papers.Finding, ok bool) {
			if ok {
				f.Paper = panel + ": " + f.Paper
				out = append(out, f)
			}
		}
		add(papers.Smaller("RTS has the smaller error than AIS at equally many sweeps.", rts, ais))
		add(papers.Smaller("RTS has the smaller error than RAISE at equally many sweeps.", rts, raise))
		if len(rts) > 0 && len(ais) > 0 {
			last := ais[len(ais)-1:]
			f, ok := papers.Smaller("the error of AIS is that of RTS at 1,000 sweeps only after more than ten times as many.",
				moved(rts[:1], int(last[0].At)), last)
			f.Here = fmt.Sprintf("RTS at %.0f sweeps against AIS at %.0f: %s", rts[0].At, last[0].At, f.Here)
			add(f, ok)
		}
		se := 0.0
		if ref := papers.Reference(rows, panel); ref != nil {
			se = ref.SE
		}
		if len(ais) > 0 {
			add(papers.Side("AIS estimates log Z from below.", &ais[0], ais[0].Known, se, -1), true)
		}
		if len(raise) > 0 {
			add(papers.Side("RAISE estimates log Z from above.", &raise[0], raise[0].Known, se, 1), true)
		}
	}
	return out
}
