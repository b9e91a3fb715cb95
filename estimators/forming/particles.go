package forming

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

// tickTime is the time between two progress frames, about, in nanoseconds of models.Cost: rows that move together
// share what they read. Watched lanes send frames tickQuiet times more rarely, so that stepping through pictures steps
// through phases.
const (
	tickTime  = 2e6
	tickQuiet = 4
)

// movesAt is the number of moves at stage n.
func (l *lane) movesAt(n int) int {
	if s, ok := l.seq.(models.Resting); ok && s.Rests(n) {
		return 0
	}
	return l.moves
}

// move moves rows [lo, hi), or makes new ones. Without sweeps it prepares log W.
func (l *lane) move(at rng.At, lo, hi, sweeps int, anew bool) bool {
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
func (l *lane) smooth(lo, hi int) {
	l.logw, l.rho, l.a = num.Grown(l.logw, hi), num.Grown(l.rho, hi), num.Grown(l.a, hi)
	l.p.LogW(lo, hi, l.logw[lo:])
	l.evals += float64(hi - lo)
}

// begin starts the weighted set with the particles of the stage.
func (l *lane) begin(rows int) {
	from := len(l.batches)
	l.batches = append(l.batches, int32(rows))
	l.set = weightedSet{batches: l.batches[from:], live: rows}
}

// join takes the rows from a first one on into the weighted set, which they share in proportion to their number; the
// rows before are discarded if so asked.
func (l *lane) join(from int, discard bool) {
	set, s := &l.set, l.rows-from
	if discard {
		for q := range from {
			l.rho[q] = math.Inf(-1)
		}
		set.live, set.batches[0] = 0, 0
	}
	old, new := num.Log(float64(set.live)/float64(set.live+s)), num.Log(float64(s)/float64(set.live+s))
	for q := range l.rho {
		if q < from {
			l.rho[q] += old
		} else {
			l.rho[q] += new
		}
	}
	set.live += s
	first := len(l.batches) - len(set.batches)
	l.batches = append(l.batches, int32(s))
	set.batches = l.batches[first:]
}

// ratio is the effective sample size of the set as a share of its particles.
func (l *lane) ratio() float64 { return l.set.ess / float64(l.set.live) }

// record keeps the stage: log Z after it, and how far later batches have moved log Z.
func (l *lane) record(logZ, moved float64, resampled bool) {
	set := &l.set
	v, within := l.spread(set.total)
	l.stages = append(l.stages, stage{slices.Clip(set.batches), set.live, set.ess, v, within, logZ, moved, resampled})
}

// weigh sets a = log W + rho, and of the set the log of sum exp(a) and the effective sample size
// (sum e^a)^2 / sum e^2a ([ARM] eq. 4).
func (l *lane) weigh() {
	top := math.Inf(-1)
	for i := range l.a {
		l.a[i] = l.logw[i] + l.rho[i]
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
	l.set.total, l.set.ess = top+num.Log(s), stats.ESS(s, s2)
}

// spread is the variance of W/m, m its mean, under the weights rho, and that of the
// log of the mean if particles were independent: with even weights vhat = R/ESS - 1,
// and vhat/R.
func (l *lane) spread(total float64) (v, within float64) {
	for i, lw := range l.rho {
		w, d := num.Exp(lw), num.Exp(l.logw[i]-total)-1
		x := num.Mul(w, d*d)
		v += x
		within += num.Mul(w, x)
	}
	return
}

// resample draws n particles of even weight from the set.
func (l *lane) resample(stage, n int) {
	l.counts, l.parents = num.Grown(l.counts, l.rows), num.Grown(l.parents, n)
	s := l.at(stage, estimators.PurposeResample).Row(0)
	l.sampler.Counts(l.a, n, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	l.p.Resize(max(n, l.rows))
	for r, from := range l.parents {
		if int32(r) != from {
			l.p.Copy(r, int(from))
		}
	}
	l.view.descend(l.parents)
	l.ancestors.Descend(l.parents)
	l.p.Resize(n)
	l.rows = n
	l.even(n)
}

// keep goes on with the weighted set; r rows in front are dead if others follow.
func (l *lane) keep(r int) {
	dead := 0
	if l.rows > r {
		dead = r
		l.rows -= dead
		for i := range l.rows {
			l.p.Copy(i, dead+i)
		}
		l.view.leave(dead)
		l.ancestors.Leave(dead)
		l.p.Resize(l.rows)
	}
	l.lw = num.Grown(l.lw, l.rows)
	for i := range l.lw {
		l.lw[i] = l.a[dead+i] - l.set.total
	}
	l.ess = l.set.ess
}
