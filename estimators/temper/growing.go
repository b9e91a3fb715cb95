package temper

import (
	"math"

	"logzlab/core/num/stats"
)

// A final run that grows ends when the error bar is short enough and the later sweeps find the log Z of the earlier
// sweeps.

// ending is where a run would have ended, had no sweeps been added.
type ending struct {
	kept     int
	partials [][]byte
}

// lateFrom is how many times the planned sweeps a run must keep for the first quarter of them to become burn-in. Where
// so much more is needed, chains are slow, and the planned burn-in was too short for them.
const lateFrom = 4

// driftBars is the largest difference between log Z of the two halves of a run, in standard errors of the difference.
// Beyond it the earlier half becomes burn-in. The spread between chains does not show such a drift, because all chains
// begin alike: all may still be far from a mode that few have found. Without a drift one run in 20 has as much by
// chance.
const driftBars = 2

// grow is called when the final run has made a record. If more sweeps are wanted it adds them and returns nil; else it
// returns the record that the run ends with.
func (r *run) grow(b *Record) *Record {
	if r.ExtraSweeps == nil {
		return b
	}
	for {
		if n := r.ExtraSweeps(r.readOne(b, 0), r.used(), r.keptSweeps); n > 0 {
			r.ends = append(r.ends, ending{r.keptSweeps, r.soFar})
			r.keptSweeps += n
			if r.keptSweeps >= lateFrom*max(r.planned, r.Expected) {
				r.burnTo(r.keptSweeps / 4)
			}
			return nil
		}
		half := r.burntSweeps() + r.used()/2
		if !r.drifts(half) || !r.burnTo(half) {
			return b
		}
		late := r.collect(r.soFar)
		late.Climbed, b = b.Climbed, late
	}
}

// burnTo makes the sweeps before the last ending of at most so many kept sweeps burn-in, if there is such an ending.
// Endings before it are forgotten.
func (r *run) burnTo(kept int) (ok bool) {
	for len(r.ends) > 0 && r.ends[0].kept <= kept {
		r.burnt, r.ends, ok = &r.ends[0], r.ends[1:], true
	}
	return ok
}

// burntSweeps is the number of kept sweeps of each chain that have become burn-in.
func (r *run) burntSweeps() int {
	if r.burnt == nil {
		return 0
	}
	return r.burnt.kept
}

// used is the number of sweeps of each chain that the estimate is made of.
func (r *run) used() int { return r.keptSweeps - r.burntSweeps() }

// drifts reports whether log Z of the sweeps after the last ending of at most so many kept sweeps lies far from log Z
// of the sweeps before. The standard error of the difference is by chains, whose halves are not independent.
func (r *run) drifts(kept int) bool {
	at := -1
	for i, e := range r.ends {
		if e.kept <= kept {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	half := &r.ends[at]
	early, late, top := r.collect(half.partials), r.since(half, r.soFar), len(r.ladder)-1
	was := less(early.Conditionals.ratios(top), early.Conditionals.ratios(0))
	is := less(late.Conditionals.ratios(top), late.Conditionals.ratios(0))
	gap := math.Abs(late.logZ(late.Conditionals)[top] - early.logZ(early.Conditionals)[top])
	return gap > driftBars*math.Sqrt(stats.BatchMeans(less(is, was)))
}
