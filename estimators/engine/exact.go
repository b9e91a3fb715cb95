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

// Exact is the exact log Z of a model: the known value, an integral over few coordinates, or an enumeration of up to
// models.MaxEnumerated units with the given number of goroutines.
func Exact(ctx context.Context, m models.Model, workers int) (*models.Truth, error) {
	if t := models.TruthOf(m); t != nil {
		return t, nil
	}

	// Without a known value the states must be few enough to enumerate.
	exact := models.Can(m).Exact
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
			some := max(1, min(models.BlocksAtOnce, n/max(workers, 1)))
			for i := some * w; i < n && ctx.Err() == nil; i += some * max(workers, 1) {
				e.LogBlocks(i, blocks[i:min(i+some, n)])
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &models.Truth{LogZ: num.LogSumExp(blocks), Source: estimators.SumName(e)}, nil
}

// Truth is the exact log Z that this job has summed up, nil while it has not.
func (j *Job) Truth() *models.Truth { return j.truth }

// sum is the track of the exact value, the last one.
func (j *Job) sum() *track { return j.tracks[len(j.tracks)-1] }

// summed takes the exact value, nil where there is none for certain.
func (j *Job) summed(t *models.Truth) { j.truth, j.sumless = t, t == nil }

// Summing reports whether all that is left to do is the exact value.
func (j *Job) Summing() bool { return !j.stopped && j.begun() == len(j.tracks)-1 }

// SumSeconds is about how long Sum takes here, for a model whose exact value is not known and fits in memory.
func (j *Job) SumSeconds() (seconds float64, ok bool) {
	m := estimators.NewExact(j.Model, nil)
	if m == nil || j.truth != nil || j.sumless {
		return 0, false
	}
	need := m.Need()
	limit := meter.Meter{Limit: j.opt.Limit}
	all, _ := j.opt.bytes(need, 1)
	return need.Time / 1e9 * Pace() / max(1, min(j.opt.atOnce(), need.Lanes)), limit.Fits(all)
}

// sumsAlone reports whether the exact value is added up without being asked for: that takes a second or two.
func (j *Job) sumsAlone() bool {
	exact := models.Can(j.Model).Exact
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
	most := models.MaxSumTime
	if e.SumName() != "" {
		most = models.MaxEliminationTime
	}
	return fits && time <= most && tables <= models.MaxSumTables
}
