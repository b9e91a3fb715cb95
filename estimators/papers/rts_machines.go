package papers

import (
	"fmt"
	"slices"
)

// rtsFig3 runs tempering and annealing on Boltzmann machines at equal cost.
var rtsFig3 = &Experiment{
	Name:   "rts-fig3",
	About:  "Boltzmann machines of 20, 100 and 500 hidden units: rts, ti-rb and ts against ais and raise, by sweeps.",
	Figure: "Figure 3 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	points: rtsFig3Points, judge: rtsFig3Judge, chart: lines,
	axes: axes{reach: 8, x: "sweeps of each chain", rmse: true},
	notes: []string{
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
	title: "Tempering against annealing",
	lead: "Three Boltzmann machines, 100 chains each: what does a sweep buy by tempering, by annealing, and by " +
		"annealing that starts from data?",
	alt: "For each machine, the mean of log Z on the left and its root mean squared error on the right against the " +
		"sweeps of a chain, a line for each method; the solid level is exact, or the estimate of a long annealing.",
	live: [2]string{"v=1&model=rbm-pcd-100&method=ais,rts&ais.temperatures=1000&rts.sweeps=500&view.scene=trace",
		"Race them on 100 hidden units"},
}

var machine20 = machine{panel: "20 hidden units", model: "rbm-pcd-20", sweep: 5e-6, replicates: 120, exact: true}

const seriesRAISE = "RAISE"

func rtsFig3Points(size Size) (out []Point) {
	total := map[Size][]int{Small: {60, 120}, Normal: {300, 1000, 3000, 10000}, Full: {300, 1000, 3000, 10000, 30000,
		100000}}[size]
	run := tempering{chains: 100, rungs: 100, initialRounds: 4, initialSweeps: 50}
	machines := []machine{machine20, machine100, machine500}
	if size == Small {
		machines = machines[:1]
		run = tempering{chains: 10, rungs: 10, initialRounds: 1, initialSweeps: 5}
	}
	for _, m := range machines {
		out = m.reference(out, size)
		for _, sweeps := range total {
			n := map[Size]int{Small: 3, Normal: m.replicates, Full: 120}[size]
			if size == Normal && sweeps == total[len(total)-1] {
				n /= 3
			}
			run.kept, run.burn = 0, 0
			left := sweeps - run.sweeps() // for the final run
			run.burn = left / 10
			run.kept = left - run.burn
			tempered := left > 0 // else its start alone takes as many
			p := Point{Panel: m.panel, At: float64(sweeps), Cost: float64(n*run.chains*sweeps) * m.sweep}
			rts, ais := p, p
			rts.Series, rts.Readers = "one run", []string{seriesRTS, seriesTIRB, seriesTS}
			rts.Step = fmt.Sprintf("%d sweeps", run.kept)
			rts.Link = run.link(m.model, "rts,ti-rb,ts", n, "&ti-rb.rule=trapezoid")
			ais.Series, ais.Readers, ais.Cost = "there and back", []string{seriesAIS, seriesRAISE}, 2*p.Cost
			ais.Link = annealing(m.model, "ais,raise", run.chains, sweeps, n)
			if tempered {
				out = append(out, rts)
			}
			out = append(out, ais)
		}
	}
	return out
}

func rtsFig3Judge(rows []Row) (out []Finding) {
	for _, panel := range panels(rows) {
		rts, ais, raise := series(rows, panel, seriesRTS), series(rows, panel, seriesAIS), series(rows, panel, seriesRAISE)
		ais = slices.DeleteFunc(ais, func(r Row) bool { return r.Reference }) // judged by itself it lies on log Z
		add := func(f Finding, ok bool) {
			if ok {
				f.Paper = panel + ": " + f.Paper
				out = append(out, f)
			}
		}
		add(smaller("RTS has the smaller error than AIS at equally many sweeps.", rts, ais))
		add(smaller("RTS has the smaller error than RAISE at equally many sweeps.", rts, raise))
		if len(rts) > 0 && len(ais) > 0 {
			last := ais[len(ais)-1:]
			f, ok := smaller("the error of AIS is that of RTS at 1,000 sweeps only after more than ten times as many.",
				moved(rts[:1], int(last[0].At)), last)
			f.Here = fmt.Sprintf("RTS at %.0f sweeps against AIS at %.0f: %s", rts[0].At, last[0].At, f.Here)
			add(f, ok)
		}
		se := 0.0
		if ref := reference(rows, panel); ref != nil {
			se = ref.SE
		}
		if len(ais) > 0 {
			add(side("AIS estimates log Z from below.", &ais[0], ais[0].Known, se, -1), true)
		}
		if len(raise) > 0 {
			add(side("RAISE estimates log Z from above.", &raise[0], raise[0].Known, se, 1), true)
		}
	}
	return out
}
