package smc

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// lane is an island at work; lw are its normalised log weights.
type lane struct {
	*smc
	islandRecord
	u                *estimators.Unit
	lane             int // whose random numbers it takes
	v                *estimators.View
	pop              models.Population
	lw, a            []float64
	cur, next        []float64 // log f at the rung, and at another
	counts, parents  []int32
	sampler          *resample.Sampler
	storesLikelihood bool // rows keep their likelihood, so LogF costs no evaluation
	batches          batches
	proposals        []float64 // beta and the Cholesky factor of a covariance, one after the other, by increasing beta
	yield            func(*frame.Frame) bool
}

// at addresses row 0 of the island at a rung. A phase is the rung and, in its last three bits, the purpose
// (estimators/islands.go).
func (l *lane) at(rung, purpose int) rng.At {
	return rng.At{Key: l.Key, Phase: uint32(rung)<<3 | uint32(purpose), Slot: uint32(l.lane) << estimators.IslandBits}
}

// guide sets proposals before the moves of an island and learns from its particles: the island itself, which measures
// the posterior, or the pilot, which learns proposals.
type guide interface {
	weighed() // with the weights of a new rung, before particles are resampled
	steer()   // before the moves at a rung
	moved()   // after the moves
}

// cool takes the island some steps up the ladder: sequential Monte Carlo, and Algorithm 1 of [AISEL]. observe shows the
// particles, and returns false if the run is to stop.
func (l *lane) cool(steps int, w guide) bool {
	for top := len(l.ladder) - 1; steps > 0 && l.rung < top; steps-- {
		// The next rung: one further, or as far as the conditional effective sample size allows.
		l.density(l.rung, l.cur)
		to := l.rung + 1
		if l.adaptive {
			to = l.farthest()
			l.pass(to)
		}

		// Weigh: log w += log f_to - log f; log Z += log of the mean of these weights under those before.
		l.density(to, l.next)
		for r, w := range l.lw {
			l.a[r] = l.weight(r, w)
		}
		alive, ess := l.weigh(l.lw, l.a)
		l.arrive(to)
		if to == top {
			l.count()
		}
		if !l.observe(frame.PhaseReweight, 0, ess) {
			return false
		}

		// Resample where the weights have become uneven. At the end the posterior is that of the weighted particles,
		// unless they are to be moved once more.
		if alive {
			w.weighed()
			if ess < l.ess && (to < top || l.last || !l.givesPosterior) {
				l.resample()
				ess = 1
				if !l.observe(frame.PhaseResample, 0, ess) {
					return false
				}
			}
		}
		if to == top && !l.last {
			break
		}

		// Move each particle by kernels that leave f_to invariant.
		w.steer()
		if !l.move(l.at(to, estimators.PurposeMove), frame.PhaseMove, ess) {
			return false
		}
		w.moved()
	}
	return true
}

// move moves all particles by kernels that leave the density of their rung invariant; the first move has its random
// numbers at an address, the others follow. Each is shown as a phase.
func (l *lane) move(at rng.At, phase string, ess float64) bool {
	for t := range l.moves {
		l.pop.Move(at, l.v.Rung, false)
		at.Step++
		l.sweeps += float64(l.Size)
		if !l.observe(phase, t, ess) {
			return false
		}
	}
	return l.moves > 0 || l.observe(phase, 0, ess)
}

// run makes the steps of a unit.
func (l *lane) run(yield func(*frame.Frame) bool) {
	l.yield, l.u.Last = yield, -1
	l.u.Peek = func() []byte {
		var w wire.Writer
		l.islandRecord.append(&w)
		return w.B
	}

	// The plan, and the island: loaded, or new.
	plan := wire.Reader{B: l.u.Plan}
	steps := plan.Within(1, len(l.ladder)-1)
	l.proposals = plan.Floats()
	estimators.Must(&plan)
	estimators.Refuse(len(l.proposals)%l.proposalSize() != 0)
	if l.u.State != nil {
		l.load()
	} else if l.begin(); !l.observe(frame.PhaseInit, 0, 1) {
		return
	}

	// Cooling, as far as the plan goes.
	arrived := l.rung == len(l.ladder)-1
	if !l.loop(l, steps) {
		return
	}

	// At the top, the posterior is taken once.
	top := l.rung == len(l.ladder)-1
	if top && !arrived {
		if !l.last {
			l.measure()
		}
		l.judge()
	}
	if l.u.Last = l.lastFrame(); !l.end() {
		return
	}
	if top && l.u.Lane < estimators.ClimbedChains {
		l.climbed = l.Climb(min(l.Size, estimators.ClimbedParticles), l.pop.Read)
	}

	// The island for the estimate, and the state for the next unit.
	var w, p wire.Writer
	l.islandRecord.append(&p)
	l.islandRecord.append(&w)
	estimators.SaveIsland(&w, l.lw, l.pop)
	l.u.State, l.u.Partial = w.B, p.B
}

// begin draws the particles.
func (l *lane) begin() {
	l.pop.Draw(l.at(0, estimators.PurposeStart))
	if l.storesLikelihood {
		l.evals += float64(l.Size)
	}
	if l.even(); l.moves == 0 && l.ess > 0 {
		l.ancestors.Begin(l.Size)
	}
	l.worst = 1
	l.logZs = make([]float64, 0, len(l.recorded))
	l.record()
	l.measure()
}

// load decodes the state.
func (l *lane) load() {
	in := wire.Reader{B: l.u.State}
	l.islandRecord = *readIslandRecord(&in)
	estimators.Refuse(l.rung < 0 || l.rung >= len(l.ladder) || len(l.logZs) > len(l.recorded) ||
		!l.ancestors.Of(l.Size))
	estimators.LoadIsland(&in, l.lw, l.pop)
	estimators.Must(&in)
	estimators.Fill(l.v.Rung, int32(l.rung))
	l.v.Weighing.At = l.lastFrame()
}

func (l *lane) weighed() {}
func (l *lane) moved()   { l.measure() }

func (l *lane) even() {
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(l.Size))
	}
}

// pass records log Z at the rungs on the way to one, by the particles before the step.
func (l *lane) pass(to int) {
	for i := len(l.logZs); i < len(l.recorded) && l.recorded[i] < to; i++ {
		l.density(l.recorded[i], l.next)
		for r, w := range l.lw {
			l.a[r] = l.weight(r, w)
		}
		l.logZs = append(l.logZs, l.logZ+num.LogSumExp(l.a))
	}
}

// density evaluates log f of every row at a rung. Where rows store their likelihood,
// the evaluation was counted when the row was drawn.
func (l *lane) density(rung int, out []float64) {
	l.pop.LogF(rung, 1, out)
	if !l.storesLikelihood {
		l.evals += float64(l.Size)
	}
}

// weight is the log weight of particle r, lw at the rung, at the next one: never NaN.
func (l *lane) weight(r int, lw float64) float64 {
	if x := lw + anneal.WeightStep(l.cur[r], l.next[r]); num.Known(x) {
		return x
	}
	return math.Inf(-1) // a dead particle whose density is zero here too
}

// weigh adds the log of the mean of weights to log Z. rho and a are the log weights of all particles of the step,
// before it and after; the particles at hand, which are the last of them, get their weights. alive reports whether any
// particle has weight, ess is the effective sample size as a share of the particles.
func (l *lane) weigh(rho, a []float64) (alive bool, ess float64) {
	total := num.LogSumExp(a)
	l.logZ += total
	if !num.Finite(total) {
		l.even()
		l.worst = 0
		return false, 0
	}

	// The variance of log Z if particles were independent, and the effective sample size.
	squares := 0.0
	for r, x := range a {
		p, q := num.Exp(rho[r]), num.Exp(x-total)
		squares += num.Mul(q, q)
		l.within += num.Mul(q-p, q-p) // p (W/m - 1), squared
	}
	ess = stats.ESSShare(squares, float64(len(a)))
	l.worst = min(l.worst, ess)
	if k := stats.ParetoK(a); num.Known(k) {
		l.shape += k
		l.shapes++
	}
	for r, x := range a[len(a)-l.Size:] {
		l.lw[r] = x - total
	}
	return true, ess
}

// arrive takes the particles to a rung, once they are weighed for it.
func (l *lane) arrive(rung int) {
	l.rung = rung
	estimators.Fill(l.v.Rung, int32(rung))
	l.steps++
	l.record()
}

// farthest is the farthest rung with CESS >= cess R, at least the next one; CESS =
// R (sum W u)^2 / sum W u^2 with u the step's weights falls as the step grows.
func (l *lane) farthest() int {
	ok := func(rung int) bool {
		l.density(rung, l.next)
		top := math.Inf(-1)
		for r := range l.a {
			l.a[r] = anneal.WeightStep(l.cur[r], l.next[r])
			if l.a[r] > top && l.lw[r] > math.Inf(-1) {
				top = l.a[r]
			}
		}
		s, s2 := 0.0, 0.0
		for r, x := range l.a {
			if w := num.Exp(l.lw[r]); w > 0 {
				u := num.Exp(x - top)
				s += num.Mul(w, u)
				s2 += num.Mul(w, u*u)
			}
		}
		return num.Mul(s, s) >= num.Mul(l.cess, s2)
	}

	// Bisection between the next rung and the top.
	lo, hi := l.rung+1, len(l.ladder)-1
	if ok(hi) {
		return hi
	}
	for hi-lo > 1 { // lo is taken, hi is too far
		if mid := (lo + hi) / 2; ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// resample draws the parents of the next particles by their weights, and makes the weights even.
func (l *lane) resample() {
	s := l.at(l.rung, estimators.PurposeResample).Row(0)
	l.sampler.Counts(l.lw, l.Size, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	for r, p := range l.parents {
		if int32(r) != p {
			l.pop.Copy(r, int(p))
		}
	}
	l.even()
	l.v.Descend(l.parents)
	l.ancestors.Descend(l.parents)
	l.resampled++
}
