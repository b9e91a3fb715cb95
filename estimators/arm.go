package estimators

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/resample"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/models"
)

// ARM is adaptive resample-move ([ARM] Algorithm 2): the
// particles of a stage are moved, and while the effective sample size of their
// weights W is below gamma of their number, more of them are generated.
var ARM = armInfo("arm", "ARM", "adaptive", "3",
	"Adaptive resample-move: particles grow unit by unit, and where their weights are uneven, copies of them are "+
		"moved on and join them.",
	onStages, (*formLane).again, 1)

// ARMAnticipate copies the particles that the next stage will favour.
var ARMAnticipate = armInfo("arm-anticipate", "ARM-anticipate", "looks ahead", "3",
	"ARM that, where weights are uneven, adds more copies of the particles that the next stage will favour.",
	onStages, (*formLane).anticipate, 2,
	generates(yesNo("extra_copies", "Whether a promising particle gets one copy more than its share.")))

// ARMReseed draws new particles.
var ARMReseed = armInfo("arm-reseed", "ARM-reseed", "starts anew", "2",
	"ARM that, where weights are uneven, adds new particles, started from data and moved for long.",
	onStages|FromData|FromBase, (*formLane).fresh, 1,
	generates(paramInt("reseed_sweeps", "100", 1, 1e5, "Kernel applications to each new particle.")))

// generates is a parameter of particles that are generated.
func generates(p spec.Param) spec.Param { return p.Unless("gamma", "0").Unless("i_max", "0") }

// armInfo describes a method whose rule generates at most batch R particles at once.
func armInfo(name, label, short, iMax, about string, road Road, rule batchRule, batch int, more ...spec.Param) Info {
	return Info{Name: name, Label: label, Short: short, About: about, Path: Sequential, Road: road,
		Checks: generatingChecks,
		Params: append([]spec.Param{
			paramParticles, paramIslands, paramMoves,
			paramFloat("gamma", "0.7", 0, 1, "Ratio of effective sample size to particles below which more particles are "+
				"generated."),
			paramFloat("ess", "-1", -1, 1, "Ratio below which particles are resampled; -1 means gamma."),
			paramInt("i_max", iMax, 0, 1000, "Largest number of batches generated at one stage.").Unless("gamma", "0"),
			paramResample, paramAbsent,
			generates(yesNo("discard_initial", "Whether the first particles of a stage are dropped when more are generated, "+
				"as the paper's listing does.")),
		}, more...),
		New: func(c Config) (Method, error) {
			f, err := newFormer(c, name)
			if err != nil {
				return nil, err
			}
			f.mean, f.rule, f.most = true, rule, float64(1+batch*f.iMax)
			return f.advise(f.onSamples(f))
		}}
}

// formLane is an island at work. Rows [0, R) are the particles of a stage, with
// normalised log weights lw; generated ones follow. rho are the log weights of the
// whole set, a = log W + rho.
type formLane struct {
	*former
	island
	u        *Unit
	from, to int
	pilot    bool
	p        models.Particles
	lw       []float64
	logw     []float64 // log W of each row
	rho, a   []float64
	counts   []int32
	parents  []int32
	sources  []int32 // of generated rows
	batches  []int32 // of all stages, one after the other
	sampler  *resample.Sampler
	view     growthView
	yield    func(*frame.Frame) bool
}

func (f *former) newLane(u *Unit) *formLane {
	plan := frame.Reader{B: u.Plan}
	l := &formLane{former: f, u: u, from: plan.Int(), to: plan.Int(), pilot: plan.Bool()}
	// The number of particles of a stage comes with the plan, because a worker's method
	// has not seen the pilot run.
	own := *f
	own.sizes = plan.Ints()
	l.former = &own
	samples := make([][]byte, plan.Int())
	for i := range samples {
		samples[i] = plan.Bytes()
	}
	must(&plan)
	if f.trial != nil {
		own.seq = f.trial.FillSampled(samples)
	}
	if l.pilot {
		own.r = pilotParticles(f.r)
	}
	l.p, l.sampler = own.seq.NewParticles(), resample.New(f.scheme)
	l.view = growthView{u: u, p: l.p, seq: own.seq}
	v := &l.view.f
	*v = frame.Frame{Model: f.Model.Info().Name, First: u.Lane * own.r, Total: f.islands * own.r}
	l.view.rest = *v
	l.view.rest.Steps = stepsPerStage * (l.to - l.from)
	l.view.g.Stages, l.view.g.Threshold = f.n, float32(max(f.gamma, f.essMin))
	u.Last = 0
	if l.to > l.from {
		u.Last = l.step(l.to-1, stepAugment)
	}
	u.Peek = func() []byte {
		var w frame.Writer
		l.island.append(&w)
		return w.B
	}
	return l
}

func (l *formLane) step(n, step int) int { return stepsPerStage*(n-l.from) + step }

// at addresses row 0 of the island.
func (l *formLane) at(n, purpose int) rng.At {
	phase := uint32(n)<<3 | uint32(purpose)
	if l.pilot {
		phase |= 1 << 31
	}
	return rng.At{Key: l.Key, Phase: phase, Slot: uint32(l.u.Lane) << islandBits}
}

func (l *formLane) show(phase string, n, step, rows int, logw []float64) bool {
	return l.yield(l.view.show(phase, l.step(n, step), rows, l.particles(n), logw, l.stages))
}

// run takes the island through its stages.
func (l *formLane) run(yield func(*frame.Frame) bool) {
	l.yield = yield
	if l.u.State == nil {
		l.rows = l.particles(1)
		l.p.Resize(l.rows)
		l.logZ1 = l.p.Init(l.at(0, purposeStart))
		l.even(l.rows)
		l.view.begin(l.rows)
		if !yield(l.view.show(frame.PhaseInit, 0, l.rows, l.rows, l.lw, nil)) {
			return
		}
	} else {
		l.load()
	}
	l.batches = make([]int32, 0, 4*(l.to-l.from))
	l.stages = append(make([]stage, 0, l.to), l.stages...)
	for n := l.from; n < l.to; n++ {
		if !l.advance(n) {
			return
		}
	}
	if l.to == l.n && !l.pilot && l.u.Lane < climbed {
		l.climbed = l.climb(min(l.rows, climbedParticles), l.p.Read)
	}
	var s, p frame.Writer
	l.island.append(&p)
	if l.to < l.n {
		l.island.append(&s)
		saveIsland(&s, l.lw[:l.rows], l.p)
	}
	l.u.State, l.u.Partial = s.B, p.B
}

func (l *formLane) load() {
	s := frame.Reader{B: l.u.State}
	l.island = *readIsland(&s)
	l.p.Resize(l.rows)
	l.p.SetStage(l.from)
	l.lw = resized(l.lw, l.rows)
	loadIsland(&s, l.lw, l.p)
	must(&s)
	l.view.load(l.rows)
	l.view.rest.Phase = frame.PhaseMove
}

// even gives n particles the same weight.
func (l *formLane) even(n int) {
	l.lw = resized(l.lw, n)
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(n))
	}
	l.ess = float64(n)
}

// advance takes the particles from stage n to n+1 (lines 3 to 11 of Algorithm 1
// with Algorithm 2's loop).
func (l *formLane) advance(n int) bool {
	r := l.rows
	if !l.move(l.at(n, purposeMove), 0, r, l.movesAt(n), false) || !l.show(frame.PhaseMove, n, stepMove, r, l.lw) {
		return false
	}
	l.smooth(0, r)
	copy(l.rho, l.lw)
	live := r
	total, ess := l.weigh()
	early := total // of the first batch
	first := len(l.batches)
	l.batches = append(l.batches, int32(r))
	batches := l.batches[first:]
	l.view.g.Batches = batches
	if !l.show(frame.PhaseSmooth, n, stepSmooth, r, l.a) {
		return false
	}
	for i := 0; ess/float64(live) < l.gamma && i < l.iMax; i++ {
		lo := l.rows
		if !l.generate(n, i, ess/float64(live)) {
			return false
		}
		s := l.rows - lo
		l.smooth(lo, l.rows)
		if l.discard && i == 0 {
			for q := range r {
				l.rho[q] = math.Inf(-1)
			}
			live, batches[0] = 0, 0
		}
		old, new := num.Log(float64(live)/float64(live+s)), num.Log(float64(s)/float64(live+s))
		for q := range l.rho {
			if q < lo {
				l.rho[q] += old
			} else {
				l.rho[q] += new
			}
		}
		live += s
		l.batches = append(l.batches, int32(s))
		batches = l.batches[first:]
		l.view.g.Batches = batches
		total, ess = l.weigh()
		if !l.show(frame.PhaseGenerate, n, stepGenerate, l.rows, l.a) {
			return false
		}
	}
	l.view.g.Batches = nil
	next := l.particles(n + 1)
	again := ess/float64(live) < l.essMin || live != next
	v, within := l.spread(total)
	l.stages = append(l.stages, stage{slices.Clip(batches), live, ess, v, within, l.logZ(n) + total,
		l.moved(n) + total - early, again})
	switch {
	case again:
		l.resample(n, next)
		if !l.show(frame.PhaseResample, n, stepResample, next, l.lw) {
			return false
		}
	default:
		l.keep(r, total, ess)
	}
	l.p.Augment(l.at(n, purposeAugment))
	return l.show(frame.PhaseAugment, n, stepAugment, l.rows, l.lw)
}

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
	s := l.at(stage, purposeResample).Row(0)
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
