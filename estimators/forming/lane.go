package forming

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// lane is an island at work. Rows [0, R) are the particles of a stage, with
// normalised log weights lw; generated ones follow. rho are the log weights of the
// whole set, a = log W + rho.
type lane struct {
	*former
	island
	u        *estimators.Unit
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
	set      weightedSet
	sampler  *resample.Sampler
	view     growthView
	yield    func(*frame.Frame) bool
}

// weightedSet are the particles of a stage on their way to the next one: all batches together.
type weightedSet struct {
	batches []int32 // sizes
	live    int     // particles, but those that were discarded
	total   float64 // log of the mean of W under rho
	ess     float64 // of a
}

func (f *former) newLane(u *estimators.Unit) *lane {
	plan := wire.Reader{B: u.Plan}
	from := plan.Within(1, f.n)
	l := &lane{former: f, u: u, from: from, to: plan.Within(from, f.n), pilot: plan.Bool()}
	estimators.Refuse(u.Lane < 0 || u.Lane >= f.islands || (u.State == nil) != (from == 1))

	// The number of particles of a stage comes with the plan, because a worker's method
	// has not seen the pilot run.
	own := *f
	own.sizes = plan.Ints()
	l.former = &own
	for _, n := range own.sizes {
		estimators.Refuse(n < 1 || float64(n) > f.most*float64(f.r))
	}
	samples := make([][]byte, plan.Length(1))
	for i := range samples {
		samples[i] = plan.Bytes()
	}
	estimators.Must(&plan)

	// The particles of the island.
	if f.rough != nil {
		own.seq = f.rough.FillSampled(samples)
	}
	if l.pilot {
		own.r = pilotParticles(f.r)
	}
	l.p, l.sampler = own.seq.NewParticles(), resample.New(f.scheme)

	// Frames of the growing model.
	l.view = growthView{u: u, p: l.p, seq: own.seq}
	v := &l.view.f
	*v = frame.Frame{Model: f.Model.Info().Name, First: u.Lane * own.r, Total: f.islands * own.r}
	l.view.rest = *v
	l.view.rest.Steps = stepsPerStage * (l.to - l.from)
	l.view.g.Stages, l.view.g.Threshold = f.n, float32(max(f.gamma, f.essMin))
	l.view.weighing = frame.Weighing{Rule: f.scheme, Threshold: float32(f.essMin), At: -1}

	// The last step, and a peek on the way.
	u.Last = 0
	if l.to > l.from {
		u.Last = l.step(l.to-1, stepAugment)
	}
	u.Peek = func() []byte {
		var w wire.Writer
		l.island.append(&w)
		return w.B
	}
	return l
}

func (l *lane) step(n, step int) int { return stepsPerStage*(n-l.from) + step }

// at addresses row 0 of the island.
func (l *lane) at(n, purpose int) rng.At {
	phase := uint32(n)<<3 | uint32(purpose)
	if l.pilot {
		phase |= 1 << 31
	}
	return rng.At{Key: l.Key, Phase: phase, Slot: uint32(l.u.Lane) << estimators.IslandBits}
}

// phases are what the steps of a stage are called.
var phases = [...]string{stepInit: frame.PhaseInit, stepMove: frame.PhaseMove, stepSmooth: frame.PhaseSmooth,
	stepGenerate: frame.PhaseGenerate, stepResample: frame.PhaseResample, stepAugment: frame.PhaseAugment}

// observe shows the particles after a step of stage n, with the weights that they have then.
func (l *lane) observe(n, step int) bool {
	logw, x := l.lw, &l.view.weighing
	x.ESS, x.LogZ = float32(l.ess)/float32(l.rows), l.logZ(n)
	if step > stepGenerate {
		x.LogZ = l.logZ(n + 1)
	}
	if l.view.g.Batches = nil; step == stepSmooth || step == stepGenerate {
		l.view.g.Batches, logw = l.set.batches, l.a
		x.ESS = float32(l.ratio())
	}
	return l.yield(l.view.show(phases[step], l.step(n, step), l.rows, l.particles(n), logw, l.stages))
}

// run takes the island through its stages.
func (l *lane) run(yield func(*frame.Frame) bool) {
	l.yield = yield
	if l.u.State == nil {
		l.rows = l.particles(1)
		l.p.Resize(l.rows)
		l.logZ1 = l.p.Init(l.at(0, estimators.PurposeStart))
		l.even(l.rows)
		if l.moves == 0 {
			l.ancestors.Begin(l.rows)
		}
		l.view.begin(l.rows)
		l.view.weighing.ESS = 1
		if !yield(l.view.show(frame.PhaseInit, 0, l.rows, l.rows, l.lw, nil)) {
			return
		}
	} else {
		l.load()
	}

	// The stages of this unit.
	l.batches = make([]int32, 0, 4*(l.to-l.from))
	l.stages = append(make([]stage, 0, l.to), l.stages...)
	for n := l.from; n < l.to; n++ {
		if !l.advance(n) {
			return
		}
	}

	// Complete islands climb to modes with some particles.
	if l.to == l.n && !l.pilot && l.u.Lane < estimators.ClimbedChains {
		l.climbed = l.Climb(min(l.rows, estimators.ClimbedParticles), l.p.Read)
	}

	// The state for the next unit, and the island for the estimate.
	var s, p wire.Writer
	l.island.append(&p)
	if l.to < l.n {
		l.island.append(&s)
		estimators.SaveIsland(&s, l.lw[:l.rows], l.p)
	}
	l.u.State, l.u.Partial = s.B, p.B
}

func (l *lane) load() {
	s := wire.Reader{B: l.u.State}
	l.island = *readIsland(&s)
	estimators.Refuse(len(l.stages) != l.from-1 || l.rows < 1 || l.rows > len(s.B)/8) // each with a weight
	l.p.Resize(l.rows)
	l.p.SetStage(l.from)
	l.lw = num.Grown(l.lw, l.rows)
	estimators.LoadIsland(&s, l.lw, l.p)
	estimators.Must(&s)
	l.view.load(l.rows)
	l.view.rest.Phase = frame.PhaseMove
}

// even gives n particles the same weight.
func (l *lane) even(n int) {
	l.lw = num.Grown(l.lw, n)
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(n))
	}
	l.ess = float64(n)
}

// advance takes the particles from stage n to n+1 ([ARM] Algorithm 1, lines 3 to 11, with the loop of Algorithm 2,
// which generates more particles while their weights are uneven). observe shows the particles after each line, and
// returns false if the run is to stop.
func (l *lane) advance(n int) bool {
	// Move each particle by a kernel that leaves p_n invariant.
	first := l.rows
	if !l.move(l.at(n, estimators.PurposeMove), 0, first, l.movesAt(n), false) || !l.observe(n, stepMove) {
		return false
	}

	// Weigh the particles for p_n+1: a = log W + rho.
	l.smooth(0, first)
	copy(l.rho, l.lw)
	l.begin(first)
	l.weigh()
	early := l.set.total // log of the mean weight of the first batch
	if !l.observe(n, stepSmooth) {
		return false
	}

	// Generate more particles of p_n while the effective sample size is below gamma of their number.
	for i := 0; l.ratio() < l.gamma && i < l.iMax; i++ {
		from := l.rows
		if !l.generate(n, i, l.ratio()) {
			return false
		}
		l.smooth(from, l.rows)
		l.join(from, l.discard && i == 0)
		l.weigh()
		if !l.observe(n, stepGenerate) {
			return false
		}
	}

	// log Z_n+1 = log Z_n + log of the mean weight; resample, or go on with the weighted set.
	next := l.particles(n + 1)
	logZ := l.logZ(n) + l.set.total
	resampled := l.ratio() < l.essMin || l.set.live != next
	l.record(logZ, l.moved(n)+l.set.total-early, resampled)
	if resampled {
		l.resample(n, next)
		if !l.observe(n, stepResample) {
			return false
		}
	} else {
		l.keep(first)
	}

	// Draw the coordinate of stage n+1.
	l.p.Augment(l.at(n, estimators.PurposeAugment))
	return l.observe(n, stepAugment)
}
