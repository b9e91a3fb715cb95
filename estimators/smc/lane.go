package smc

import (
	"math"
	"slices"

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

// lane runs an island through the steps of a unit: particles theta_i with weights W_i that sum to one.
type lane struct {
	*smc
	islandRecord
	u                *estimators.Unit
	lane             int // index of the lane for its random numbers
	out              estimators.Observer
	hooks            hooks
	v                *estimators.View
	pop              models.Population
	lw               []float64 // log W_i
	ess              float64   // effective sample size of the weights, as a share of the particles; 0 if all are zero
	cur, next        []float64 // log f of each particle at the rung, and at another
	a                []float64 // log weights of a step, before they are normalised
	counts, parents  []int32
	sampler          *resample.Sampler
	storesLikelihood bool      // rows keep their likelihood, so LogF needs no evaluation
	batches          batches   // used by arm-tempered
	proposals        []float64 // of the pilot of aisel: beta and a Cholesky factor each, by increasing beta
}

// cool moves the island up the ladder by some steps of sequential Monte Carlo, Algorithm 1 of [AISEL], whose density
// eta_{a_t} at temperature a_t is f of a rung.
func (l *lane) cool(steps int) {
	for ; steps > 0 && l.Rung < l.top() && !l.out.Stopped; steps-- {
		l.density(l.Rung, l.cur)
		l.reweight(l.nextRung()) // (i) w = W eta_{a_t} / eta_{a_t-1}; log Z += log sum w; W = w / sum w
		if l.mustResample() {
			l.resample() // (ii) theta ~ W; W = 1/M
		}
		if l.Rung < l.top() || l.Last {
			l.move() // (iii) theta ~ K(theta; theta), which leaves eta_{a_t} invariant
		}
	}
}

// top returns the index of the last rung.
func (l *lane) top() int { return len(l.ladder) - 1 }

// at returns the address of the random numbers of row 0 at a rung. The phase is the rung and, in its last three bits,
// the purpose (estimators/islands.go).
func (l *lane) at(rung, purpose int) rng.At {
	return rng.At{Key: l.Key, Phase: uint32(rung)<<3 | uint32(purpose), Slot: uint32(l.lane) << estimators.IslandBits}
}

// hooks are called by the steps of an island, in this order. They record the posterior and set proposals.
type hooks interface {
	begun()      // once, after the particles were drawn from the base
	reweighted() // with the weights of a new rung, before resampling
	beforeMove()
	afterMove()
	ended() // once, at the end of the island
}

// noHooks are the hooks of smc and arm-tempered, which do nothing.
type noHooks struct{}

func (noHooks) begun()      {}
func (noHooks) reweighted() {}
func (noHooks) beforeMove() {}
func (noHooks) afterMove()  {}
func (noHooks) ended()      {}

// run makes the steps of a unit.
func (l *lane) run(yield func(*frame.Frame) bool) {
	l.out, l.u.LastStep = estimators.NewObserver(yield), -1
	l.u.Peek = func() []byte { return l.islandRecord.append(nil) }

	// The plan, and the island: loaded, or new.
	plan := wire.Reader{B: l.u.Plan}
	steps := plan.IntWithin(1, l.top())
	l.proposals = plan.Floats()
	estimators.MustDecode(&plan)
	estimators.CorruptIf(len(l.proposals)%l.proposalSize() != 0)
	if l.u.State != nil {
		l.load()
	} else {
		l.begin()
	}
	arrived := l.Rung == l.top()
	l.loop(l, steps)
	l.finish()
	if l.out.Stopped {
		return
	}

	// At the end of the island, call the hook once. Then encode its record for the estimate and its state for the next
	// unit.
	if l.Rung == l.top() && !arrived {
		l.hooks.ended()
	}
	if l.Rung == l.top() && l.u.Lane < estimators.ClimbedChains {
		l.Climbed = l.Climb(min(l.Size, estimators.ClimbedParticles), l.pop.Read)
	}
	l.u.Partial = l.islandRecord.append(nil)
	w := wire.Writer{B: slices.Clone(l.u.Partial)}
	estimators.SaveIsland(&w, l.lw, l.pop)
	l.u.State = w.B
}

// begin draws the particles from the base.
func (l *lane) begin() {
	l.pop.Draw(l.at(0, estimators.PurposeStart))
	if l.storesLikelihood {
		l.Evals += float64(l.Size)
	}
	if l.equalWeights(); l.Moves == 0 && l.MinESS > 0 {
		l.Ancestors.Init(l.Size)
	}
	l.Worst = 1
	l.LogZs = make([]float64, 0, len(l.recorded))
	l.record()
	l.hooks.begun()
	l.observe(frame.PhaseInit, 0)
}

// load decodes the state.
func (l *lane) load() {
	in := wire.Reader{B: l.u.State}
	l.islandRecord = *readIslandRecord(&in)
	estimators.CorruptIf(l.Rung < 0 || l.Rung > l.top() || len(l.LogZs) > len(l.recorded) || !l.Ancestors.Valid(l.Size))
	estimators.LoadIsland(&in, l.lw, l.pop)
	estimators.MustDecode(&in)
	estimators.Fill(l.v.Rung, int32(l.Rung))
	l.v.Weighing.FrameNumber = l.lastFrame()
}

// equalWeights gives all particles the weight 1/R.
func (l *lane) equalWeights() {
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(l.Size))
	}
	l.ess = 1
}

// nextRung returns the next rung of the ladder or, on adaptive ladders, the farthest that CESS allows.
func (l *lane) nextRung() int {
	if !l.Adaptive {
		return l.Rung + 1
	}
	to := l.farthest()
	l.pass(to)
	return to
}

// pass records log Z at the rungs that a step to a rung skips, by the particles before the step.
func (l *lane) pass(to int) {
	for i := len(l.LogZs); i < len(l.recorded) && l.recorded[i] < to; i++ {
		l.density(l.recorded[i], l.next)
		for r, w := range l.lw {
			l.a[r] = l.weight(r, w)
		}
		l.LogZs = append(l.LogZs, l.LogZ+num.LogSumExp(l.a))
	}
}

// density evaluates log f of every row at a rung. If rows store their likelihood, the evaluation was counted when the
// row was drawn.
func (l *lane) density(rung int, out []float64) {
	l.pop.LogF(rung, 1, out)
	if !l.storesLikelihood {
		l.Evals += float64(l.Size)
	}
}

// weight returns the log weight of particle r at the next rung, given its log weight lw at this one. It is never NaN.
func (l *lane) weight(r int, lw float64) float64 {
	if x := lw + anneal.WeightStep(l.cur[r], l.next[r]); num.NotNaN(x) {
		return x
	}
	return math.Inf(-1) // weight zero, or density zero at both rungs
}

// reweight makes the step to a rung. cur must hold the densities at the previous rung.
func (l *lane) reweight(to int) {
	l.density(to, l.next)
	for r, w := range l.lw {
		l.a[r] = l.weight(r, w)
	}
	l.weigh(l.lw, l.a)
	l.arrive(to)
	l.observe(frame.PhaseReweight, 0)
}

// weigh adds log sum e^a to log Z and records the spread of the weights. rho and a are the log weights of all particles
// of the step, before and after it. The current particles are the last of these; lw becomes their normalised weights.
func (l *lane) weigh(rho, a []float64) {
	total := num.LogSumExp(a)
	l.LogZ += total
	if !num.Finite(total) {
		l.equalWeights()
		l.ess, l.Worst = 0, 0
		return
	}

	// The variance of log Z for independent particles, and the effective sample size.
	squares := 0.0
	for r, x := range a {
		p, q := num.Exp(rho[r]), num.Exp(x-total)
		squares += num.Mul(q, q)
		l.Within += num.Mul(q-p, q-p) // p (W/m - 1), squared
	}
	l.ess = stats.ESSFraction(squares, float64(len(a)))
	l.Worst = min(l.Worst, l.ess)
	if k := stats.ParetoK(a); num.NotNaN(k) {
		l.Shape += k
		l.Shapes++
	}
	for r, x := range a[len(a)-l.Size:] {
		l.lw[r] = x - total
	}
}

// arrive sets the rung of the particles, after they were weighed for it.
func (l *lane) arrive(rung int) {
	l.Rung = rung
	estimators.Fill(l.v.Rung, int32(rung))
	l.Steps++
	l.record()
	l.hooks.reweighted()
}

// record keeps log Z if the rung is one of the recorded rungs.
func (l *lane) record() {
	if i := len(l.LogZs); i < len(l.recorded) && l.recorded[i] == l.Rung {
		l.LogZs = append(l.LogZs, l.LogZ)
		if l.mean {
			l.Growth.Shifts = append(l.Growth.Shifts, l.Growth.Shifted)
		}
	}
}

// farthest returns the farthest rung with CESS >= cess R, at least the next one. CESS = R (sum W u)^2 / sum W u^2, with
// u the incremental weights of the step, decreases with the length of the step.
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
		return num.Mul(s, s) >= num.Mul(l.CESS, s2)
	}

	// Bisection between the next rung and the top.
	lo, hi := l.Rung+1, l.top()
	if ok(hi) {
		return hi
	}
	for hi-lo > 1 { // invariant: lo is allowed, hi is too far
		if mid := (lo + hi) / 2; ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// mustResample reports whether the particles must be resampled. At the top they keep their weights for the posterior, unless
// they are moved once more.
func (l *lane) mustResample() bool {
	return l.ess > 0 && l.ess < l.MinESS && (l.Rung < l.top() || l.Last || !l.givesPosterior)
}

// resample replaces the particles by copies of parents drawn by weight.
func (l *lane) resample() {
	s := l.at(l.Rung, estimators.PurposeResample).Row(0)
	l.sampler.Counts(l.lw, l.Size, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	for r, p := range l.parents {
		if int32(r) != p {
			l.pop.Copy(r, int(p))
		}
	}
	l.noteCopies()
}

// noteCopies gives all particles equal weights and records the parents, after the particles became copies of them.
func (l *lane) noteCopies() {
	l.equalWeights()
	l.v.Descend(l.parents)
	l.Ancestors.Descend(l.parents)
	l.Resampled++
	l.observe(frame.PhaseResample, 0)
}

// move moves all particles by kernels that leave the density of their rung invariant.
func (l *lane) move() {
	l.hooks.beforeMove()
	l.apply(l.at(l.Rung, estimators.PurposeMove), frame.PhaseMove)
	l.hooks.afterMove()
}

// apply moves all particles Moves times and shows each move as a phase. at is the address of the random numbers of the
// first move.
func (l *lane) apply(at rng.At, phase string) {
	for t := 0; t < l.Moves && !l.out.Stopped; t++ {
		l.pop.Move(at, l.v.Rung, false)
		at.Step++
		l.islandRecord.Sweeps += float64(l.Size)
		l.observe(phase, t)
	}
	if l.Moves == 0 {
		l.observe(phase, 0)
	}
}

// observe shows the particles after a phase at a rung, or after move t of the phase.
func (l *lane) observe(phase string, t int) {
	x := l.v.Weighing
	x.Phase, x.ESS, x.LogZ = phase, float32(l.ess), l.LogZ+l.Model.LogZ0()
	switch phase {
	case frame.PhaseResample:
		t = 1
	case frame.PhaseMove:
		t += 2
	case frame.PhaseGenerate: // numbered as the last move
		t = l.Moves + 1
	}
	l.out.Show(l.v.Show(l.Rung*l.frames() + t))
}

// finish shows the particles after the last phase, in the last frame of the unit.
func (l *lane) finish() {
	if !l.out.Stopped {
		l.u.LastStep = l.lastFrame()
		l.out.Show(l.v.Show(l.u.LastStep))
	}
}

// lastFrame returns the number of the last frame of a rung.
func (l *lane) lastFrame() int { return (l.Rung+1)*l.frames() - 1 }
