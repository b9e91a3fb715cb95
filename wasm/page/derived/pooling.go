package derived

import (
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
	"logzlab/wasm/page/state"
)

// Pooling is log Z of the replicates of a tempering run, pooled in the right way and in three others, as they come in.
type Pooling struct {
	job    *engine.Job
	method string
	course []state.PoolPoint
}

const (
	poolPoints = 40  // of a course
	poolCost   = 2e6 // runs x rungs^2, more takes the page too long
)

// poolable are the finished runs of a method, in order, so that what they give does not depend on the order in which
// they end; nil where there is nothing to pool.
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

// Facts pool the runs of a method, if the four ways are on show.
func (c *Pooling) Facts(job *engine.Job, method string, shown bool) state.Pool {
	runs := poolable(job, method)
	if runs == nil || !shown {
		return state.Pool{Able: runs != nil}
	}
	if c.job != job || c.method != method {
		*c = Pooling{job: job, method: method}
	}
	all := job.Spec.Replicates
	step := (all + poolPoints - 1) / poolPoints
	for n := 2; n <= len(runs); n++ {
		if (n%step == 0 || n < step && n&(n-1) == 0 || n == all) &&
			(len(c.course) == 0 || n > c.course[len(c.course)-1].N) {
			all := temper.PoolRuns(runs[:n])
			c.course = append(c.course, state.PoolPoint{N: n, Ways: [4]temper.Pool{all.Fit, all.Shares, all.Seed, all.Logs}})
		}
	}
	return state.Pool{Able: true, Course: c.course}
}
