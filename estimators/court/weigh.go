package court

import (
	"math"

	"logzlab/core/meter"
	"logzlab/estimators/temper"
)

// mostDensities bounds the log densities that bar and mbar hold: two copies of 120 MB.
const mostDensities = 15e6

// weigh is log Z by bar or mbar, which weigh samples under the densities of other rungs. Where there are too many
// samples for the memory, each chain is thinned evenly.
func (l *ladder) weigh(solve func(*temper.Samples, *meter.Meter) (*temper.Solved, error), m *meter.Meter) (*estimate,
	error) {
	every := 1 + (l.total()*len(l.rungs)-1)/mostDensities
	n := l.total()/every + len(l.chains)
	chains, at := make([]int, 0, n), make([]int, 0, n) // of each sample
	for i, c := range l.chains {
		for s := 0; s < c.n; s += every {
			chains, at = append(chains, i), append(at, s)
		}
	}
	given := temper.Given(len(l.rungs), len(chains), func(i int) int { return l.chains[chains[i]].rung },
		func(i int, out []float64) { l.logFs(l.chains[chains[i]], at[i], out) })
	solved, err := solve(given, m)
	if err != nil {
		return nil, err
	}
	e := &estimate{z: solved.LogZ, parts: make([][]float64, len(l.chains)), iid: solved.IID, bias: "either",
		rule: math.NaN(), every: every, overlap: solved.Overlap, overlaps: solved.Overlaps, effective: solved.Effective,
		converged: solved.Converged}
	for i, c := range l.chains {
		e.parts[i] = make([]float64, 0, c.n/every+1)
	}
	for i, u := range solved.Influence {
		e.parts[chains[i]] = append(e.parts[chains[i]], u)
	}
	return e, nil
}
