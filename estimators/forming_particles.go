package estimators

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/resample"
	"logzlab/core/rng"
	"logzlab/models"
)

// tickTime is the time between two progress frames, about, in nanoseconds of models.Cost: rows that move together
// share what they read. Watched lanes send frames tickQuiet times more rarely, so that stepping through pictures steps
// through phases.
const (
	tickTime  = 2e6
	tickQuiet = 4
)

// movesAt is the number of moves at stage n.
func (l *formLane) movesAt(n int) int {
	if s, ok := l.seq.(models.Resting); ok && s.Rests(n) {
		return 0
	}
	return l.moves
}

// move moves rows [lo, hi), or makes new ones. Without sweeps it prepares log W.
func (l *formLane) move(at rng.At, lo, hi, sweeps int, anew bool) bool {
	chunk := max(int(tickTime/(float64(max(sweeps, 1))*models.StageCostOf(l.Model, l.p.Stage()).Sweep)), 1)
	for i := 1; lo < hi; i++ {
		to := min(lo+chunk, hi)
		if anew {
			l.p.Reseed(at, lo, to, sweeps)
		} else {
			l.p.Move(at, lo, to, sweeps)
		}
		l.sweeps += float64((to - lo) * sweeps)
		lo = to
		if lo < hi && (!l.u.Watched || i%tickQuiet == 0) && !l.yield(l.view.tick()) {
			return false
		}
	}
	return true
}

// smooth evaluates log W of rows [lo, hi); those of other rows are kept.
func (l *formLane) smooth(lo, hi int) {
	l.logw, l.rho, l.a = resized(l.logw, hi), resized(l.rho, hi), resized(l.a, hi)
	l.p.LogW(lo, hi, l.logw[lo:])
	l.evals += float64(hi - lo)
}

// weigh sets a = log W + rho and returns the log of sum exp(a) and the effective
// sample size (sum e^a)^2 / sum e^2a ([ARM] eq. 4).
func (l *formLane) weigh() (total, ess float64) {
	top := math.Inf(-1)
	for i := range l.a {
		l.a[i] = l.logw[i] + l.rho[i]
		top = max(top, l.a[i])
	}
	if math.IsInf(top, -1) {
		return top, 0
	}
	s, s2 := 0.0, 0.0
	for _, x := range l.a {
		w := num.Exp(x - top)
		s += w
		s2 += num.Mul(w, w)
	}
	return top + num.Log(s), num.Mul(s, s) / s2
}

// spread is the variance of W/m, m its mean, under the weights rho, and that of the
// log of the mean if particles were independent: with even weights vhat = R/ESS - 1,
// and vhat/R.
func (l *formLane) spread(total float64) (v, within float64) {
	for i, lw := range l.rho {
		w, d := num.Exp(lw), num.Exp(l.logw[i]-total)-1
		x := num.Mul(w, d*d)
		v += x
		within += num.Mul(w, x)
	}
	return
}

// resample draws n particles of even weight from the set.
func (l *formLane) resample(stage, n int) {
	l.counts, l.parents = resized(l.counts, l.rows), resized(l.parents, n)
	s := l.at(stage, PurposeResample).Row(0)
	l.sampler.Counts(l.a, n, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	l.p.Resize(max(n, l.rows))
	for r, from := range l.parents {
		if int32(r) != from {
			l.p.Copy(r, int(from))
		}
	}
	l.view.descend(l.parents)
	l.p.Resize(n)
	l.rows = n
	l.even(n)
}

// keep goes on with the weighted set; r rows in front are dead if others follow.
func (l *formLane) keep(r int, total, ess float64) {
	dead := 0
	if l.rows > r {
		dead = r
		l.rows -= dead
		for i := range l.rows {
			l.p.Copy(i, dead+i)
		}
		l.view.leave(dead)
		l.p.Resize(l.rows)
	}
	l.lw = resized(l.lw, l.rows)
	for i := range l.lw {
		l.lw[i] = l.a[dead+i] - total
	}
	l.ess = ess
}

// resized gives x length n and keeps its beginning.
func resized[T any](x []T, n int) []T {
	for cap(x) < n {
		x = append(x[:cap(x)], *new(T))
	}
	return x[:n]
}
