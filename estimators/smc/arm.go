package smc

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// ARMTempered is adaptive resample-move ([ARM] Algorithm 2) on a ladder of inverse temperatures, where the paper's
// sequence grows by a coordinate at a time: smc whose particles of a rung become more while the effective sample size
// of their weights for the next rung is below gamma of their number. Log Z (nats) is the mean of log Zhat of islands,
// off by O(1/R), of a sign that depends on the model; how far later batches moved log Z is part of the error bar, as in
// arm. Without moves no copies are made.
var ARMTempered = estimators.Info{
	Name: "arm-tempered", Label: "ARM-tempered", Short: "adaptive", Path: estimators.Tempered,
	Provenance: estimators.OnRungs, New: anneal.Scheduled(newARM),
	Checks: estimators.With(estimators.With([]estimators.Check{estimators.CheckParticles}, estimators.IslandChecks...),
		estimators.CheckTarget, estimators.CheckCutShort),
	About: "Adaptive resample-move along temperatures: particles are cooled from the base to the target, and where " +
		"their weights are uneven, copies of them are moved on and join them.",
	Params: estimators.With(coolingParams,
		estimators.ParamGamma, estimators.ParamESSOfGamma,
		estimators.ParamIMax("3").Unless("moves", "0"), estimators.ResampleParam),
}

func newARM(c estimators.Config) (estimators.Method, error) {
	m, err := newRun(c)
	if err != nil {
		return nil, err
	}
	s := m.(*smc)
	s.loop, s.mean = (*lane).grow, true
	if s.MinESS < 0 {
		s.MinESS = s.Gamma
	}
	if s.Moves == 0 {
		s.IMax = 0
	}
	return s, nil
}

// addGrowth adds what was generated.
func (s *smc) addGrowth(res *estimators.Result, known []*islandRecord) {
	steps, particles, cut := 0.0, 0.0, 0.0
	for _, d := range known {
		steps += float64(d.Steps)
		particles += d.Growth.Particles
		cut += d.Growth.Cut
	}
	if s.Gamma > 0 {
		res.Diagnose(estimators.DiagParticlesMean, particles/steps)
		res.Diagnose(estimators.DiagIMaxShare, cut/steps)
	}
}

// growth is what an island records of generated particles; all 0 in others.
type growth struct {
	Particles float64   // at all steps
	Cut       float64   // steps at which generating was cut short
	Shifted   float64   // how far later batches have moved log Z
	Shifts    []float64 // the same at the recorded rungs passed
}

// see takes the number of particles of a step, by how much later batches have moved log Z, and whether more of them
// were wanted.
func (d *growth) see(particles int, moved float64, cut bool) {
	d.Particles += float64(particles)
	if num.Finite(moved) {
		d.Shifted += moved
	}
	if cut {
		d.Cut++
	}
}

// batches are all particles of a step: the first ones and those generated. Rows are encoded, one after the other, for a
// population has room for one batch.
type batches struct {
	rows         wire.Writer
	ends         []int
	rho, a       []float64 // log weights before the step, log rho~, and after it, log w
	first, total float64   // log of the sum of w: of the first batch alone, and of all
}

// grow takes the island some steps up the ladder: Algorithm 2 of [ARM], whose stages n are rungs here, with the weights
// of Proposition 1.
func (l *lane) grow(steps int) {
	for ; steps > 0 && l.Rung < l.top() && !l.out.Stopped; steps-- {
		l.smooth() // line 4: w = W(x) w~, with W(x) = f of the next rung / f of this one
		for i := 0; l.ess < l.Gamma && i < l.IMax && !l.out.Stopped; i++ {
			l.generate(i) // a batch x ~ K(x; x) joins by its share of the weight
		}
		several := l.addBatches() // lines 5 and 6: log Z += log sum w; w~ = w / sum w
		if several {
			l.choose() // lines 8 and 9: x ~ w~ of all batches
		} else if l.uneven() {
			l.resample()
		}
		if l.Rung < l.top() {
			l.move() // line 3 of the next stage: x ~ K(x; x)
		}
	}
}

// smooth makes the particles the first batch of a step.
func (l *lane) smooth() {
	b := &l.batches
	b.rows.B, b.ends, b.rho, b.a = b.rows.B[:0], b.ends[:0], b.rho[:0], b.a[:0]
	l.join()
	b.first = b.total
}

// generate makes batch i: a copy of the last batch, moved by kernels that leave the density of this rung invariant.
func (l *lane) generate(i int) {
	l.store()
	at := l.at(l.Rung, estimators.PurposeGenerate)
	at.Step = uint32(i * l.Moves)
	l.apply(at, frame.PhaseGenerate)
	l.join()
}

// join weighs the particles for the next rung and takes them into the batches, all of which share the weight evenly.
func (l *lane) join() {
	l.density(l.Rung, l.cur)
	l.density(l.Rung+1, l.next)
	b, n := &l.batches, float64(len(l.batches.a)/l.Size)
	old, own := num.Log(n/(n+1)), num.Log(1/(n+1))
	for i := range b.a {
		b.rho[i] += old
		b.a[i] += old
	}
	for r, w := range l.lw {
		b.rho = append(b.rho, w+own)
		b.a = append(b.a, l.weight(r, w+own))
	}
	b.total, l.ess = num.LogSumExp(b.a), 0
	if num.Finite(b.total) {
		l.ess = stats.ESSShare(stats.Squares(b.a, b.total), float64(len(b.a)))
	}
}

// addBatches takes the particles to the next rung by the weights of all batches. It reports whether several of them
// are to be resampled from; the last of these is shown with its share of the weights.
func (l *lane) addBatches() (several bool) {
	b := &l.batches
	l.Growth.see(len(b.a), b.total-b.first, l.IMax > 0 && l.ess < l.Gamma)
	l.weigh(b.rho, b.a)
	if several = l.ess > 0 && len(b.a) > l.Size; several {
		l.v.Weighing.Phase, l.v.Weighing.ESS = frame.PhaseReweight, float32(l.ess)
		l.out.Show(l.v.Show(l.lastFrame()))
	}
	l.arrive(l.Rung + 1)
	if !several {
		l.observe(frame.PhaseReweight, 0)
	}
	return several
}

// store encodes the particles.
func (l *lane) store() {
	b := &l.batches
	for r := range l.Size {
		l.pop.Append(r, &b.rows)
		b.ends = append(b.ends, len(b.rows.B))
	}
}

// choose resamples the particles from all batches.
func (l *lane) choose() {
	l.store()
	b := &l.batches
	s := l.at(l.Rung, estimators.PurposeResample).Row(0)
	counts := make([]int32, len(b.a))
	l.sampler.Counts(b.a, l.Size, &s, counts)
	resample.Parents(counts, l.parents)
	for r, p := range l.parents {
		from := 0
		if p > 0 {
			from = b.ends[p-1]
		}
		l.pop.Load(r, &wire.Reader{B: b.rows.B[from:b.ends[p]]})
		l.parents[r] = p % int32(l.Size)
	}
	l.noteCopies()
}
