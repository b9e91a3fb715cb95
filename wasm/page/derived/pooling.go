package derived

import (
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
	"logzlab/wasm/page/state"
)

// Pooling pools the replicates of a tempering run as they arrive, in the right way and in three other ways.
type Pooling struct {
	job    *engine.Job
	method string
	course []state.PoolPoint
}

const (
	poolPoints = 40  // points of the course
	poolCost   = 2e6 // largest runs x rungs^2 that is quick enough
)

// poolable returns the finished runs of a method without gaps, so that the result does not depend on the order in which
// runs end; nil if there is nothing to pool.
func poolable(job *engine.Job, method string) []*estimators.Result {
	n := job.Spec.Replicates
	if n < 2 {
		return nil
	}
	runs := job.Replicates(method)
	if i := slices.IndexFunc(runs, func(x *estimators.Result) bool { return x == nil || x.Batch == nil }); i >= 0 {
		runs = runs[:i]
	}
	if len(runs) < 2 || float64(n*len(runs[0].Batch.LogC)*len(runs[0].Batch.LogC)) > poolCost {
		return nil
	}
	return runs
}

// Facts pools the runs of a method if the four ways are on show.
func (c *Pooling) Facts(job *engine.Job, method string, shown bool) state.Pool {
	runs := poolable(job, method)
	if runs == nil || !shown {
		return state.Pool{Available: runs != nil}
	}
	if c.job != job || c.method != method {
		*c = Pooling{job: job, method: method}
	}
	replicates := job.Spec.Replicates
	step := (replicates + poolPoints - 1) / poolPoints
	for n := 2; n <= len(runs); n++ {
		if (n%step == 0 || n < step && n&(n-1) == 0 || n == replicates) &&
			(len(c.course) == 0 || n > c.course[len(c.course)-1].N) {
			all := temper.PoolRuns(runs[:n])
			c.course = append(c.course, state.PoolPoint{N: n, Ways: [4]temper.Pool{all.Fit, all.Shares, all.Seed, all.Logs}})
		}
	}
	return state.Pool{Available: true, Course: c.course}
}
