package resamplemove

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/models"
)

// move moves the particles of stage n by a kernel that leaves p_n invariant, unless the model skips moves at this
// stage.
func (l *lane) move(n int) {
	sweeps := l.Moves
	if l.seq.SkipsMoves(n) {
		sweeps = 0
	}
	l.apply(l.p.Move, l.at(n, estimators.PurposeMove), 0, sweeps)
	l.observe(n, stepMove)
}

// tickTime is the approximate time between two progress frames, in nanoseconds of models.Cost. It is not shorter
// because rows that move together share cache lines. Watched lanes send only one progress frame in tickQuiet, so that
// stepping through pictures steps through phases.
const (
	tickTime  = 2e6
	tickQuiet = 4
)

// apply makes sweeps of a kernel, Move or Reseed of models.Particles, on the rows from row lo. Without sweeps it
// prepares LogW.
func (l *lane) apply(kernel func(at rng.At, lo, hi, sweeps int), at rng.At, lo, sweeps int) {
	chunk := max(int(tickTime/(float64(max(sweeps, 1))*models.StageCostOf(l.Model, l.p.Stage()).Sweep)), 1)
	for i := 1; lo < l.Rows; i++ {
		hi := min(lo+chunk, l.Rows)
		kernel(at, lo, hi, sweeps)
		l.island.Sweeps += float64((hi - lo) * sweeps)
		if lo = hi; lo < l.Rows && (!l.u.Watched || i%tickQuiet == 0) {
			l.out.Show(l.view.tick())
		}
		if l.out.Stopped {
			sweeps = 0
		}
	}
}

// smooth weighs the particles of stage n for p_{n+1}. They are the first batch of the weighted set.
func (l *lane) smooth(n int) {
	l.evaluate(0)
	copy(l.rho, l.lw)
	from := len(l.batches)
	l.batches = append(l.batches, int32(l.Rows))
	l.set = weightedSet{batches: l.batches[from:], live: l.Rows}
	l.weigh()
	l.set.first = l.set.total
	l.observe(n, stepSmooth)
}

// evaluate sets log W of the rows from a given one.
func (l *lane) evaluate(from int) {
	l.logW, l.rho, l.a = num.Grown(l.logW, l.Rows), num.Grown(l.rho, l.Rows), num.Grown(l.a, l.Rows)
	l.p.LogW(from, l.Rows, l.logW[from:])
	l.Evals += float64(l.Rows - from)
}

// weigh sets a = log W + rho and, of the weighted set, the log of sum exp(a) and the effective sample size
// (sum e^a)^2 / sum e^2a ([ARM] eq. 4).
func (l *lane) weigh() {
	top := math.Inf(-1)
	for i := range l.a {
		l.a[i] = l.logW[i] + l.rho[i]
		top = max(top, l.a[i])
	}
	if math.IsInf(top, -1) {
		l.set.total, l.set.ess = top, 0
		return
	}
	s, s2 := 0.0, 0.0
	for _, x := range l.a {
		w := num.Exp(x - top)
		s += w
		s2 += num.Mul(w, w)
	}
	l.set.total, l.set.ess = top+num.Log(s), stats.KishESS(s, s2)
}

// ratio returns the effective sample size of the set over its number of particles, to compare with gamma.
func (l *lane) ratio() float64 { return l.set.ess / float64(l.set.live) }

// record adds log Z_{n+1} and the statistics of stage n to the record of the island.
func (l *lane) record(n int, resampled bool) {
	set := &l.set
	v, within := l.spread()
	l.Stages = append(l.Stages, stage{Batches: slices.Clip(set.batches), Count: set.live, ESS: set.ess, V: v,
		Within: within, LogZ: l.logZ(n) + set.total, Moved: l.moved(n) + set.total - set.first, Resampled: resampled})
}

// spread returns vhat_n = sum rho (W/m - 1)^2, with m = sum rho W, and within = sum rho^2 (W/m - 1)^2, the variance of
// log m for independent particles. With equal weights these are R/ESS - 1 and vhat/R.
func (l *lane) spread() (v, within float64) {
	for i, lw := range l.rho {
		w, d := num.Exp(lw), num.Exp(l.logW[i]-l.set.total)-1
		x := num.Mul(w, d*d)
		v += x
		within += num.Mul(w, x)
	}
	return
}

// resample draws the equally weighted particles of stage n+1 from the weighted set.
func (l *lane) resample(n int) {
	next := l.particles(n + 1)
	l.counts, l.parents = num.Grown(l.counts, l.Rows), num.Grown(l.parents, next)
	s := l.at(n, estimators.PurposeResample).Row(0)
	l.sampler.Counts(l.a, next, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	l.p.Resize(max(next, l.Rows))
	for r, from := range l.parents {
		if int32(r) != from {
			l.p.Copy(r, int(from))
		}
	}
	l.view.descend(l.parents)
	l.Ancestors.Descend(l.parents)
	l.p.Resize(next)
	l.Rows = next
	l.equalWeights(next)
	l.observe(n, stepResample)
}

// equalWeights gives n particles the weight 1/n.
func (l *lane) equalWeights(n int) {
	l.lw = num.Grown(l.lw, n)
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(n))
	}
	l.ESS = float64(n)
}

// normalise makes the weighted set the particles of the next stage, without a discarded first batch.
func (l *lane) normalise() {
	discarded := l.Rows - l.set.live
	if discarded > 0 {
		l.Rows = l.set.live
		for r := range l.Rows {
			l.p.Copy(r, discarded+r)
		}
		l.view.dropFirst(discarded)
		l.Ancestors.DropFirst(discarded)
		l.p.Resize(l.Rows)
	}
	l.lw = num.Grown(l.lw, l.Rows)
	for r := range l.lw {
		l.lw[r] = l.a[discarded+r] - l.set.total
	}
	l.ESS = l.set.ess
}

// augment draws the coordinate of stage n+1 for each particle.
func (l *lane) augment(n int) {
	l.p.Augment(l.at(n, estimators.PurposeAugment))
	l.observe(n, stepAugment)
}
