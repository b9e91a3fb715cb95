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
	s.loop, s.mean, s.gamma = (*lane).grow, true, c.Values.Float("gamma")
	if s.ess < 0 {
		s.ess = s.gamma
	}
	if s.moves > 0 {
		s.iMax = c.Values.Int("i_max")
	}
	return s, nil
}

// addGrowth adds what was generated.
func (s *smc) addGrowth(res *estimators.Result, known []*islandRecord) {
	steps, particles, cut := 0.0, 0.0, 0.0
	for _, d := range known {
		steps += float64(d.steps)
		particles += d.particles
		cut += d.cut
	}
	if s.gamma > 0 {
		res.Diagnose(estimators.DiagParticlesMean, particles/steps)
		res.Diagnose(estimators.DiagIMaxShare, cut/steps)
	}
}

// batches are all particles of a step: the first ones and those generated. Rows are encoded, one after the other, for a
// population has room for one batch.
type batches struct {
	rows   wire.Writer
	ends   []int
	rho, a []float64 // log weights before the step and after it
}

func (b *batches) clear() {
	b.rows.B, b.ends, b.rho, b.a = b.rows.B[:0], b.ends[:0], b.rho[:0], b.a[:0]
}

// grow takes the island some steps up the ladder: Algorithm 2 of [ARM], whose stages are rungs here, with the weights
// of Proposition 1. observe shows the particles, and returns false if the run is to stop.
func (l *lane) grow(steps int) bool {
	for top := len(l.ladder) - 1; steps > 0 && l.rung < top; steps-- {
		// Weigh the particles, which are the first batch, for the next rung.
		to := l.rung + 1
		l.batches.clear()
		l.density(l.rung, l.cur)
		l.density(to, l.next)
		first, ess := l.join()

		// Generate: while the effective sample size is below gamma of the number, a copy of the last batch is moved by
		// kernels that leave the density of this rung invariant, and joins the batches.
		total, more := first, 0
		for ; ess < l.gamma && more < l.iMax; more++ {
			l.store()
			at := l.at(l.rung, estimators.PurposeGenerate)
			at.Step = uint32(more * l.moves)
			if !l.move(at, frame.PhaseGenerate, ess) {
				return false
			}
			l.density(l.rung, l.cur)
			l.density(to, l.next)
			total, ess = l.join()
		}
		l.noteBatches(total-first, ess)

		// log Z += log of the mean weight of all batches.
		alive, ess := l.weigh(l.batches.rho, l.batches.a)
		several := alive && more > 0
		if several && !l.observeBatch(ess) {
			return false
		}
		l.arrive(to)
		if !several && !l.observe(frame.PhaseReweight, 0, ess) {
			return false
		}

		// Resample from all batches, or, where there is but one, below ess.
		if several || alive && ess < l.ess {
			if several {
				l.store()
				l.choose()
			} else {
				l.resample()
			}
			ess = 1
			if !l.observe(frame.PhaseResample, 0, ess) {
				return false
			}
		}

		// Move each particle by kernels that leave the density of the new rung invariant.
		if to < top && !l.move(l.at(to, estimators.PurposeMove), frame.PhaseMove, ess) {
			return false
		}
	}
	return true
}

// join takes the particles as they are into the batches, all of which share the weight evenly. It returns the log of
// the mean weight and the effective sample size as a share of the particles.
func (l *lane) join() (total, ess float64) {
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
	total = num.LogSumExp(b.a)
	if !num.Finite(total) {
		return total, 0
	}
	return total, stats.ESSShare(stats.Squares(b.a, total), float64(len(b.a)))
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
	b := &l.batches
	s := l.at(l.rung, estimators.PurposeResample).Row(0)
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
	l.even()
	l.v.Descend(l.parents)
	l.resampled++
}
