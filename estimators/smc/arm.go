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

// ARMTempered is adaptive resample-move ([ARM] Algorithm 2) on a ladder of inverse temperatures; the paper's sequence
// adds coordinates instead. While the effective sample size of the weights for the next rung is below gamma times the
// number of particles, a moved copy of the particles is added. Log Z (nats) is the mean of log Zhat over islands; its
// bias is O(1/R), of either sign, and the change of log Z by added batches is part of the standard error, as in arm.
// Without moves no copies are made.
var ARMTempered = estimators.Info{
	Name: "arm-tempered", Label: "ARM-tempered", Short: "adaptive", Path: estimators.Tempered,
	Provenance: estimators.OnRungs, New: anneal.Scheduled(newARM),
	Checks: estimators.Appended(estimators.Appended([]estimators.Check{estimators.CheckParticles}, estimators.IslandChecks...),
		estimators.CheckTarget, estimators.CheckCutShort),
	About: "Adaptive resample-move along temperatures: particles are cooled from the base to the target, and where " +
		"their weights are uneven, copies of them are moved on and join them.",
	Params: estimators.Appended(coolingParams,
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

// addGrowth adds the diagnostics of generated particles.
func (s *smc) addGrowth(res *estimators.Result, records []*islandRecord) {
	steps, particles, cut := 0.0, 0.0, 0.0
	for _, d := range records {
		steps += float64(d.Steps)
		particles += d.Growth.Particles
		cut += d.Growth.Cut
	}
	if s.Gamma > 0 {
		res.Diagnose(estimators.DiagParticlesMean, particles/steps)
		res.Diagnose(estimators.DiagIMaxShare, cut/steps)
	}
}

// growth is the record of generated particles; all 0 for methods other than arm-tempered.
type growth struct {
	Particles float64   // summed over steps
	Cut       float64   // number of steps at which i_max batches were not enough
	Shifted   float64   // change of log Z by generated batches, summed over steps
	Shifts    []float64 // Shifted at the recorded rungs up to the last
}

// observeStep records a step: its number of particles, the change of log Z by generated batches, and whether i_max
// limited their number.
func (d *growth) observeStep(particles int, moved float64, cut bool) {
	d.Particles += float64(particles)
	if num.Finite(moved) {
		d.Shifted += moved
	}
	if cut {
		d.Cut++
	}
}

// batches holds all particles of a step: the first batch and the generated ones. Particles are stored encoded, because
// a population has room for one batch only.
type batches struct {
	rows         wire.Writer
	ends         []int
	rho, a       []float64 // log weights before the step, log rho~, and after it, log w
	first, total float64   // log of the sum of w over the first batch, and over all
}

// grow moves the island up the ladder by some steps: Algorithm 2 of [ARM] with rungs as stages n, and the weights of
// Proposition 1.
func (l *lane) grow(steps int) {
	for ; steps > 0 && l.Rung < l.top() && !l.out.Stopped; steps-- {
		l.smooth() // line 4: w = W(x) w~, with W(x) = f of the next rung / f of this one
		for i := 0; l.ess < l.Gamma && i < l.IMax && !l.out.Stopped; i++ {
			l.generate(i) // a batch x ~ K(x; x) joins by its share of the weight
		}
		several := l.addBatches() // lines 5 and 6: log Z += log sum w; w~ = w / sum w
		if several {
			l.choose() // lines 8 and 9: x ~ w~ of all batches
		} else if l.mustResample() {
			l.resample()
		}
		if l.Rung < l.top() {
			l.move() // line 3 of the next stage: x ~ K(x; x)
		}
	}
}

// smooth weighs the particles, the first batch of a step, for the next rung.
func (l *lane) smooth() {
	b := &l.batches
	b.rows.B, b.ends, b.rho, b.a = b.rows.B[:0], b.ends[:0], b.rho[:0], b.a[:0]
	l.join()
	b.first = b.total
}

// generate adds batch i: the previous batch, moved by kernels that leave the density of this rung invariant.
func (l *lane) generate(i int) {
	l.store()
	at := l.at(l.Rung, estimators.PurposeGenerate)
	at.Step = uint32(i * l.Moves)
	l.apply(at, frame.PhaseGenerate)
	l.join()
}

// join weighs the particles for the next rung and adds them to the batches, which have equal totals of rho~.
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
		l.ess = stats.ESSFraction(stats.SumSquares(b.a, b.total), float64(len(b.a)))
	}
}

// addBatches makes the step to the next rung with the weights of all batches. It reports whether the particles must be
// resampled from several batches; in this case the last batch is shown with its weights.
func (l *lane) addBatches() (several bool) {
	b := &l.batches
	l.Growth.observeStep(len(b.a), b.total-b.first, l.IMax > 0 && l.ess < l.Gamma)
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

// store adds the encoded particles to the batches.
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
