package estimators

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/resample"
	"logzlab/core/rng"
	"logzlab/models"
)

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
	Must(&plan)
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
	return rng.At{Key: l.Key, Phase: phase, Slot: uint32(l.u.Lane) << IslandBits}
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
		l.logZ1 = l.p.Init(l.at(0, PurposeStart))
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
	if l.to == l.n && !l.pilot && l.u.Lane < ClimbedChains {
		l.climbed = l.Climb(min(l.rows, ClimbedParticles), l.p.Read)
	}
	var s, p frame.Writer
	l.island.append(&p)
	if l.to < l.n {
		l.island.append(&s)
		SaveIsland(&s, l.lw[:l.rows], l.p)
	}
	l.u.State, l.u.Partial = s.B, p.B
}

func (l *formLane) load() {
	s := frame.Reader{B: l.u.State}
	l.island = *readIsland(&s)
	l.p.Resize(l.rows)
	l.p.SetStage(l.from)
	l.lw = resized(l.lw, l.rows)
	LoadIsland(&s, l.lw, l.p)
	Must(&s)
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
	if !l.move(l.at(n, PurposeMove), 0, r, l.movesAt(n), false) || !l.show(frame.PhaseMove, n, stepMove, r, l.lw) {
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
	l.p.Augment(l.at(n, PurposeAugment))
	return l.show(frame.PhaseAugment, n, stepAugment, l.rows, l.lw)
}
