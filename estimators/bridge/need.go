package bridge

import "logzlab/estimators"

// time returns the planned nanoseconds of all chains for some sweeps of a phase.
func (b *run) time(s phase, sweeps int) float64 {
	p := b.Costs()
	each := p.Sweep + p.Density
	if s == bridging {
		each += (p.Draw*3 + 4*p.Density) / float64(b.thinning)
	}
	return float64(b.N) * float64(sweeps) * each
}

// Need returns the memory of the sums of each chain in states and partials, of the draws that are kept, and of four
// populations, and the time.
func (b *run) Need() estimators.Need {
	p, n, d := b.Costs(), float64(b.N), float64(b.Model.Info().Dim)
	sums, kept := 8*(d+d*(d+1)/2)+60, 16*float64(b.length(bridging)/b.thinning+1)
	need := estimators.Need{Lanes: float64(b.Count()), Result: 24*d + 2000, Retained: n * (2*p.Encoded + 5*sums + 4*kept),
		Lane: 4 * p.Lane(b.Size, len(b.ladder), 16, p.Encoded+sums+kept),
		Time: b.time(cooling, b.totalSweeps()-b.length(bridging)) + b.time(bridging, b.length(bridging))}
	b.check.AddNeed(&need, p)
	return need
}
