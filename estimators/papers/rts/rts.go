package rts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/estimators/papers"
)

// Series of several experiments.
const (
	seriesRTS  = "RTS"
	seriesTS   = "TS"
	seriesTI   = "TI, trapezoid"
	seriesTIRB = "TI-RB"
	seriesBAR  = "BAR"
	seriesMBAR = "MBAR"
	seriesAIS  = "AIS"
)

// tempering has the sizes of a tempering run.
type tempering struct {
	chains, rungs                int
	kept, burn                   int // sweeps per chain in the final run
	initialRounds, initialSweeps int
	equal                        bool // begins with equal guesses, as in the paper, instead of an annealing pass
}

// sweeps returns the total number of sweeps per chain: three at each rung of an annealing pass, the initial iterations,
// and the final run.
func (t tempering) sweeps() int {
	pass := 3 * (t.rungs - 1)
	if t.equal {
		pass = 0
	}
	return pass + t.initialRounds*t.initialSweeps + t.burn + t.kept
}

// link returns the link of n runs that the given methods (separated by commas) read; more has further parameters.
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

// annealing returns the link of n annealing runs that the given methods (separated by commas) read.
func annealing(model, methods string, chains, temperatures, n int) string {
	link := "v=1&model=" + model + "&method=" + methods
	for _, m := range strings.Split(methods, ",") {
		link += fmt.Sprintf("&%s.chains=%d&%s.temperatures=%d", m, chains, m, temperatures)
	}
	return link + fmt.Sprintf("&replicates=%d", n)
}

// maxRatio is the largest ratio at which two errors count as nearly equal.
const maxRatio = 1.25

// nearlyEqual returns the finding that the errors of two lines at equal cost are nearly equal, and false if a line has
// no rows. paper is the claim.
func nearlyEqual(paper string, a, b []papers.Row) (papers.Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return papers.Finding{}, false
	}
	ratio, se := papers.CompareAtEqualCost(a, b, papers.ByRMS)
	return papers.Finding{Paper: paper,
		Here: fmt.Sprintf("the RMSE of %s is %s times that of %s, and up to %g times, either way, counts as "+
			"nearly the same.", a[0].Series, papers.FormatErrorRatio(ratio, se), b[0].Series, maxRatio),
	}.Within(math.Abs(ratio), math.Log(maxRatio), se, papers.UnitErrors), true
}

// atCost returns copies of the rows with position at on the axis, so that CompareAtEqualCost compares them with rows at
// that position.
func atCost(rows []papers.Row, at int) []papers.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].At = float64(at)
	}
	return rows
}
