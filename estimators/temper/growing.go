package temper

import (
	"math"

	"logzlab/core/num/stats"
)

// A final run that grows ends when the error bar is short enough and the later sweeps agree with the earlier ones on
// log Z.

// ending is a point at which the run would have ended if no sweeps had been added.
type ending struct {
	kept     int
	partials [][]byte
}

// lateBurnInGrowth is the growth of the kept sweeps, relative to plan, from which their first quarter becomes burn-in.
// A run that needs so many more sweeps has slow chains, and the planned burn-in was too short for them.
const lateBurnInGrowth = 4

// driftBars is the largest accepted difference between log Z of the two halves of a run, in standard errors of the
// difference. Beyond it the earlier half becomes burn-in. The spread between chains does not show such a drift, because
// all chains begin alike: all may still be far from a mode that few have found. Without a drift, one run in 20 exceeds
// the limit by chance.
const driftBars = 2

// grow is called when the final run has made a record. It either adds sweeps and returns nil, or returns the record
// that the run ends with.
func (r *run) grow(b *Record) *Record {
	if r.ExtraSweeps == nil {
		return b
	}
	for {
		if n := r.ExtraSweeps(r.readOne(b, 0), r.used(), r.keptSweeps); n > 0 {
			r.ends = append(r.ends, ending{r.keptSweeps, r.soFar})
			r.keptSweeps += n
			if r.keptSweeps >= lateBurnInGrowth*max(r.planned, r.ExpectedSweeps) {
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

// burnTo turns the sweeps before the last ending of at most kept sweeps into burn-in, and reports whether there is such
// an ending. Earlier endings are dropped.
func (r *run) burnTo(kept int) (ok bool) {
	for len(r.ends) > 0 && r.ends[0].kept <= kept {
		r.burnt, r.ends, ok = &r.ends[0], r.ends[1:], true
	}
	return ok
}

// burntSweeps returns the number of kept sweeps of each chain that have become burn-in.
func (r *run) burntSweeps() int {
	if r.burnt == nil {
		return 0
	}
	return r.burnt.kept
}

// used returns the number of sweeps of each chain behind the estimate.
func (r *run) used() int { return r.keptSweeps - r.burntSweeps() }

// drifts reports whether log Z by the sweeps after the last ending of at most kept sweeps is far from log Z by the
// sweeps before it. The standard error of the difference is between chains, whose two halves are not independent.
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
	early, late, top := r.collect(half.partials), r.collectSince(half, r.soFar), len(r.ladder)-1
	was := difference(early.Conditionals.ratios(top), early.Conditionals.ratios(0))
	is := difference(late.Conditionals.ratios(top), late.Conditionals.ratios(0))
	gap := math.Abs(late.logZ(late.Conditionals)[top] - early.logZ(early.Conditionals)[top])
	return gap > driftBars*math.Sqrt(stats.BatchMeansVar(difference(is, was)))
}
