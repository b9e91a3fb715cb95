package resamplemove

import (
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// lane runs an island through the stages of a unit. Rows are the particles x^r of stage n: first the R particles with
// which the stage begins, then generated ones.
type lane struct {
	*resampleMove
	island
	u        *estimators.Unit
	out      estimators.Observer
	from, to int // stages of the unit
	pilot    bool
	p        models.Particles
	lw       []float64 // log w~_n of the R particles of the stage, which sum to one
	logW     []float64 // log W(x) of every row ([ARM] eq. 3)
	rho      []float64 // log rho~_n of every row: lw shared among the batches ([ARM] Proposition 1)
	a        []float64 // log w_{n+1} = log W(x) + log rho~_n
	set      weightedSet
	batches  []int32 // sizes of the batches of all stages of the unit
	sources  []int32 // source row of each row of the last batch, -1 for a new particle
	counts   []int32
	parents  []int32
	sampler  *resample.Sampler
	view     stageView
}

// weightedSet describes all rows of a stage, weighted for the next one.
type weightedSet struct {
	batches []int32 // sizes of the batches
	live    int     // number of particles that were not discarded
	first   float64 // log of the sum of w_{n+1} over the first batch, before others joined
	total   float64 // log of the sum of w_{n+1}
	ess     float64 // effective sample size of w_{n+1}
}

// advance takes the particles from stage n to n+1: lines 3 to 11 of [ARM] Algorithm 1, with the loop of Algorithm 2,
// which generates particles while the effective sample size is below gamma of their number.
func (l *lane) advance(n int) {
	l.move(n)   // line 3: x ~ K(x; x), which leaves p_n invariant
	l.smooth(n) // line 4: w_{n+1} = W(x) w~_n
	for i := 0; l.ratio() < l.Gamma && i < l.IMax && !l.out.Stopped; i++ {
		l.generate(n, i) // Algorithm 2: a batch x ~ K(x; x), which joins the set by its share of the weight
	}
	uneven := l.ratio() < l.MinESS || l.set.live != l.particles(n+1)
	l.record(n, uneven) // line 5: log Z_{n+1} = log Z_n + log sum_r w_{n+1}
	if uneven {
		l.resample(n) // lines 8 and 9: x ~ w~_{n+1}; w~_{n+1} = 1/R
	} else {
		l.normalise() // line 6: w~_{n+1} = w_{n+1} / sum_r w_{n+1}
	}
	l.augment(n) // line 11: x_{n+1} ~ p_{n+1}(x_{n+1} | x)
}

func (f *resampleMove) newLane(u *estimators.Unit) *lane {
	plan := wire.Reader{B: u.Plan}
	from := plan.IntWithin(1, f.n)
	l := &lane{resampleMove: f, u: u, from: from, to: plan.IntWithin(from, f.n), pilot: plan.Bool()}
	estimators.CorruptIf(u.Lane < 0 || u.Lane >= f.Islands || (u.State == nil) != (from == 1))

	// The sizes of stages come with the plan, because the pilot may have run in another worker.
	own := *f
	own.sizes = plan.Int32s()
	l.resampleMove = &own
	for _, n := range own.sizes {
		estimators.CorruptIf(n < 1 || float64(n) > f.maxGrowth*float64(f.Particles))
	}
	samples := make([][]byte, plan.Length(1))
	for i := range samples {
		samples[i] = plan.Bytes()
	}
	estimators.MustDecode(&plan)
	if f.rough != nil {
		own.seq = f.rough.FillSampled(samples)
	}
	if l.pilot {
		own.Particles = pilotParticles(f.Particles)
	}
	l.p, l.sampler = own.seq.NewParticles(), resample.New(f.Resample)

	// Frames.
	l.view = stageView{u: u, p: l.p, seq: own.seq}
	v := &l.view.f
	*v = frame.Frame{Model: f.Model.Info().Name, First: u.Lane * own.Particles, Total: f.Islands * own.Particles}
	l.view.rest = *v
	l.view.rest.Steps = stepsPerStage * (l.to - l.from)
	l.view.g.Stages, l.view.g.Threshold = f.n, float32(max(f.Gamma, f.MinESS))
	l.view.weighing = frame.Weighing{Rule: f.Resample, Threshold: float32(f.MinESS), FrameNumber: -1}
	if u.LastStep = 0; l.to > l.from {
		u.LastStep = l.step(l.to-1, stepAugment)
	}
	u.Peek = func() []byte { return l.island.append(nil) }
	return l
}

// step returns the number of the frame of a step of stage n in the unit.
func (l *lane) step(n, step int) int { return stepsPerStage*(n-l.from) + step }

// at returns the address of the random numbers of row 0 at stage n.
func (l *lane) at(n, purpose int) rng.At {
	phase := uint32(n)<<3 | uint32(purpose)
	if l.pilot {
		phase |= 1 << 31
	}
	return rng.At{Key: l.Key, Phase: phase, Slot: uint32(l.u.Lane) << estimators.IslandBits}
}

// run runs the island through the stages of the unit.
func (l *lane) run(yield func(*frame.Frame) bool) {
	l.out = estimators.NewObserver(yield)
	if l.u.State == nil {
		l.init()
	} else {
		l.load()
	}
	l.batches = make([]int32, 0, 4*(l.to-l.from))
	l.Stages = append(make([]stage, 0, l.to), l.Stages...)
	for n := l.from; n < l.to && !l.out.Stopped; n++ {
		l.advance(n)
	}
	if !l.out.Stopped {
		l.save()
	}
}

// init draws x_1 ~ p_1 and sets w~_1 = 1/R and log Z = log Z_1 ([ARM] Algorithm 1, line 1).
func (l *lane) init() {
	l.Rows = l.particles(1)
	l.p.Resize(l.Rows)
	l.LogZ1 = l.p.Init(l.at(0, estimators.PurposeStart))
	l.equalWeights(l.Rows)
	if l.Moves == 0 {
		l.Ancestors.Init(l.Rows)
	}
	l.view.begin(l.Rows)
	l.view.weighing.ESS = 1
	l.out.Show(l.view.show(frame.PhaseInit, 0, l.Rows, l.Rows, l.lw, nil))
}

// save sets the partial to the record and, before the last stage, the state for the next unit.
func (l *lane) save() {
	if l.to == l.n && !l.pilot && l.u.Lane < estimators.ClimbedChains {
		l.Climbed = l.Climb(min(l.Rows, estimators.ClimbedParticles), l.p.Read)
	}
	l.u.Partial, l.u.State = l.island.append(nil), nil
	if l.to < l.n {
		s := wire.Writer{B: slices.Clone(l.u.Partial)}
		estimators.SaveIsland(&s, l.lw[:l.Rows], l.p)
		l.u.State = s.B
	}
}

// load decodes the state that save has encoded.
func (l *lane) load() {
	s := wire.Reader{B: l.u.State}
	l.island = *readIsland(&s)
	estimators.CorruptIf(len(l.Stages) != l.from-1 || l.Rows < 1 || l.Rows > len(s.B)/8) // each row has a weight of 8 bytes
	l.p.Resize(l.Rows)
	l.p.SetStage(l.from)
	l.lw = num.Grown(l.lw, l.Rows)
	estimators.LoadIsland(&s, l.lw, l.p)
	estimators.MustDecode(&s)
	l.view.load(l.Rows)
	l.view.rest.Phase = frame.PhaseMove
}
