package external

import (
	"math"
	"sort"

	"logzlab/estimators/mbar"
)

// maxDensities is the largest number of log densities that bar and mbar keep in memory: 120 MB.
const maxDensities = 15e6

// reweight estimates log Z by bar or mbar (the function solve), which evaluate samples at the densities of other rungs.
// Samples x rungs log densities are kept in memory; if they are more than maxDensities, each chain is thinned evenly.
func (l *ladder) reweight(solve func(*mbar.Samples) (*mbar.Solved, error)) (*estimate, error) {
	every := 1 + (l.total()*len(l.rungs)-1)/maxDensities
	first := []int{0} // index of the first sample of each chain, and the number of samples
	for i, c := range l.chains {
		first = append(first, first[i]+(c.n+every-1)/every)
	}
	at := 0
	chainOf := func(i int) int { // usually the chain of the previous sample
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
	e := &estimate{z: solved.LogZ, influence: make([][]float64, len(l.chains)), iid: solved.IID, bias: "either",
		ruleError: math.NaN(), thin: every, overlap: solved.Overlap, overlapMatrix: solved.Overlaps, effective: solved.Effective,
		converged: solved.Converged}
	for i := range l.chains {
		e.influence[i] = solved.Influence[first[i]:first[i+1]]
	}
	return e, nil
}
