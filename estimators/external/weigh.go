package external

import (
	"math"
	"sort"

	"logzlab/estimators/mbar"
)

// mostDensities bounds the log densities that bar and mbar hold: 120 MB.
const mostDensities = 15e6

// weigh is log Z by bar or mbar, which weigh samples under the densities of other rungs. Where there are too many
// samples for the memory, each chain is thinned evenly.
func (l *ladder) weigh(solve func(*mbar.Samples) (*mbar.Solved, error)) (*estimate, error) {
	every := 1 + (l.total()*len(l.rungs)-1)/mostDensities
	first := []int{0} // sample of each chain, and their number
	for i, c := range l.chains {
		first = append(first, first[i]+(c.n+every-1)/every)
	}
	at := 0
	chainOf := func(i int) int { // mostly that of the sample before
		if i < first[at] || i >= first[at+1] {
			at = sort.SearchInts(first, i+1) - 1
		}
		return at
	}
	solved, err := solve(mbar.Given(len(l.rungs), first[len(l.chains)],
		func(i int) int { return l.chains[chainOf(i)].rung },
		func(i int, rungs []int, out []float64) {
			j := chainOf(i)
			l.logF(&l.chains[j], (i-first[j])*every, rungs, out)
		}))
	if err != nil {
		return nil, err
	}
	e := &estimate{z: solved.LogZ, parts: make([][]float64, len(l.chains)), iid: solved.IID, bias: "either",
		rule: math.NaN(), every: every, overlap: solved.Overlap, overlaps: solved.Overlaps, effective: solved.Effective,
		converged: solved.Converged}
	for i := range l.chains {
		e.parts[i] = solved.Influence[first[i]:first[i+1]]
	}
	return e, nil
}
