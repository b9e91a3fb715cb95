package rts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/estimators/papers"
)

// What the experiments of the RTS paper have in common.

// Lines of several experiments.
const (
	seriesRTS  = "RTS"
	seriesTS   = "TS"
	seriesTI   = "TI, trapezoid"
	seriesTIRB = "TI-RB"
	seriesBAR  = "BAR"
	seriesMBAR = "MBAR"
	seriesAIS  = "AIS"
)

// tempering are the sizes of a tempering run.
type tempering struct {
	chains, rungs                int
	kept, burn                   int // sweeps of a chain in the final run
	initialRounds, initialSweeps int
	equal                        bool // it begins with equal guesses, as in the paper, not with an annealing pass
}

// sweeps are those of a chain in all: three at a rung of an annealing pass, the initial iterations, and the final run.
func (t tempering) sweeps() int {
	pass := 3 * (t.rungs - 1)
	if t.equal {
		pass = 0
	}
	return pass + t.initialRounds*t.initialSweeps + t.burn + t.kept
}

// link is a run, n times, read by the given methods; more are parameters of a method.
func (t tempering) link(model, methods string, n int, more ...string) string {
	link, init := "v=1&model="+model+"&method="+methods, "ais"
	if t.equal {
		init = "ones"
	}
	for _, m := range strings.Split(methods, ",") {
		link += strings.ReplaceAll(fmt.Sprintf("&M.chains=%d&M.temperatures=%d&M.schedule=linear&M.sweeps=%d&M.burn_in=%d"+
			"&M.init=%s&M.init_rounds=%d&M.init_sweeps=%d", t.chains, t.rungs, t.kept, t.burn, init, t.initialRounds,
			t.initialSweeps), "M.", m+".")
	}
	return link + strings.Join(more, "") + fmt.Sprintf("&replicates=%d", n)
}

// annealing is the link of one annealing that the methods read, n times.
func annealing(model, methods string, chains, temperatures, n int) string {
	link := "v=1&model=" + model + "&method=" + methods
	for _, m := range strings.Split(methods, ",") {
		link += fmt.Sprintf("&%s.chains=%d&%s.temperatures=%d", m, chains, m, temperatures)
	}
	return link + fmt.Sprintf("&replicates=%d", n)
}

// likeness is how many times larger one of two errors may be while the two count as nearly the same.
const likeness = 1.25

// alike is the finding that the errors of two lines are nearly the same.
func alike(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return papers.Finding{}, false
	}
	ratio, se := papers.Matched(a, b, papers.ByRMS)
	return papers.Finding{Paper: paper,
		Here: fmt.Sprintf("the RMSE of %s is %s times that of %s, and up to %g times, either way, counts as "+
			"nearly the same.", a[0].Series, papers.Roots(ratio, se), b[0].Series, likeness),
	}.Within(math.Abs(ratio), math.Log(likeness), se, papers.OfErrors), true
}

// moved are rows as if they stood elsewhere on the axis, to be compared with those there.
func moved(rows []papers.Row, at int) []papers.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].At = float64(at)
	}
	return rows
}
