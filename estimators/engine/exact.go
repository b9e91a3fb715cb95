package engine

import (
	"context"
	"sync"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators"
	"logzlab/models"
)

// Exact returns the exact log Z of a model: the known value, an integral over few coordinates, or the sum over all states
// of up to models.MaxEnumerated units, on the given number of goroutines. It returns an error if the model has none of
// these, or if ctx ends.
func Exact(ctx context.Context, m models.Model, workers int) (*models.Truth, error) {
	if t := models.TruthOf(m); t != nil {
		return t, nil
	}

	// An integral, or an enumeration of a limited number of states.
	exact := models.CapabilitiesOf(m).Exact
	if exact.NoIntegral != nil {
		return nil, exact.NoIntegral
	}
	if exact.Integral != nil {
		t, err := exact.Integral.Integrate(func(float64) bool { return ctx.Err() == nil })
		if t == nil && err == nil {
			err = ctx.Err()
		}
		return t, err
	}
	e := exact.Sum
	if e == nil {
		return nil, problem.New("no exact log Z is known for this model; run two methods that go different ways, as ais and " +
			"rts, and compare them")
	}
	n, ok := e.Blocks(models.MaxEnumerated)
	if !ok {
		return nil, e.Refusal(models.MaxEnumerated)
	}

	// Goroutines share the blocks of the sum.
	blocks := make([]float64, n)
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() {
			batch := max(1, min(models.BlocksAtOnce, n/max(workers, 1)))
			for i := batch * w; i < n && ctx.Err() == nil; i += batch * max(workers, 1) {
				e.LogBlocks(i, blocks[i:min(i+batch, n)])
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &models.Truth{LogZ: num.LogSumExp(blocks), Source: estimators.SumName(e)}, nil
}

// Truth returns the exact log Z that this job has computed, or nil.
func (j *Job) Truth() *models.Truth { return j.truth }

// sum returns the track that computes the exact value.
func (j *Job) sum() *track { return j.tracks[len(j.tracks)-1] }

// setTruth records the exact value; nil means that the integral could not be computed reliably.
func (j *Job) setTruth(t *models.Truth) { j.truth, j.integralFailed = t, t == nil }

// Summing reports whether everything is finished except the computation of the exact value.
func (j *Job) Summing() bool { return !j.stopped && j.firstUnfinished() == len(j.tracks)-1 }

// SumSeconds returns the approximate duration of Sum on this device. ok is false if the exact value is known, cannot be
// computed, or needs more memory than the limit.
func (j *Job) SumSeconds() (seconds float64, ok bool) {
	m := estimators.NewExact(j.Model, nil)
	if m == nil || j.truth != nil || j.integralFailed {
		return 0, false
	}
	need := m.Need()
	limit := meter.Meter{Limit: j.opt.MemoryLimit}
	all, _ := j.opt.memory(need, 1)
	return need.Time / 1e9 * Pace() / max(1, min(j.opt.parallel(), need.Lanes)), limit.Fits(all)
}

// sumIsCheap reports whether the exact value takes so little time and memory that every job computes it.
func (j *Job) sumIsCheap() bool {
	exact := models.CapabilitiesOf(j.Model).Exact
	if exact.Integral != nil {
		_, fits := j.SumSeconds()
		return fits && exact.Integral.IntegralTime() <= models.MaxCubature
	}
	e := exact.Sum
	if e == nil {
		return false
	}
	time, tables := e.SumCost()
	_, fits := j.SumSeconds()
	maxTime := models.MaxSumTime
	if e.SumName() != "" {
		maxTime = models.MaxEliminationTime
	}
	return fits && time <= maxTime && tables <= models.MaxSumTables
}
