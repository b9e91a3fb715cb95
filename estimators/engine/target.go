package engine

import (
	"math"
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators"
)

// An experiment with a wanted standard error (spec.Target) makes independent runs of each method, replicates 0, 1, ...,
// until the method reaches the error or would exceed the limit of sweeps. The number of runs that a method uses follows
// from its own runs alone, so the result does not depend on other methods, workers or time.

// runsUsed returns the number n of runs in the result of a method with the given finished runs. n > len(runs) means that
// n runs must be finished before the decision. For n <= len(runs), reached reports whether n runs reach the wanted error;
// otherwise the limit allows no more runs.
func (j *Job) runsUsed(method string, runs []*estimators.Result) (n int, reached bool) {
	info, _ := j.opt.Names.Method(method)
	if len(runs) == 0 {
		return 1, false
	}
	maxRuns := j.maxRuns(runs)
	for n = 1; n <= len(runs); {
		ok, need := estimators.EnoughRuns(*info, runs[:n], j.Target(method))
		if ok || n == maxRuns {
			return n, ok
		}
		n = min(int(min(need, float64(2*n+2))), maxRuns)
	}
	return n, false
}

// maxRuns returns the largest number of such runs that the limit of sweeps and the method (Result.Runs) allow.
func (j *Job) maxRuns(runs []*estimators.Result) int {
	most := min(j.Spec.SweepLimit()/max(runs[0].Work(), 1), spec.MaxReplicates)
	if n := runs[0].Runs; n > 0 {
		most = min(most, float64(n))
	}
	return max(1, int(most))
}

// expectedRuns returns the approximate total number of runs that methods sharing a run need for the wanted error, by
// their finished runs; 0 if no prediction is possible or no further run is needed.
func (j *Job) expectedRuns(methods []string) (all float64) {
	for _, m := range methods {
		runs := j.finishedResults(m)
		if j.Target(m) == 0 {
			continue
		}
		if n, _ := j.runsUsed(m, runs); len(runs) == 0 || n <= len(runs) {
			continue
		}
		info, _ := j.opt.Names.Method(m)
		need := estimators.RunsNeeded(*info, runs, j.Target(m))
		all = max(all, min(need, float64(j.maxRuns(runs))))
	}
	return all
}

// WorkNeeded returns the approximate total work (Result.Work) that a method needs for the wanted error; NaN before its
// first run is finished.
func (j *Job) WorkNeeded(method string) float64 {
	info, _ := j.opt.Names.Method(method)
	runs := j.finishedResults(method)
	if len(runs) == 0 {
		return math.NaN()
	}
	return estimators.RunsNeeded(*info, runs, j.Target(method)) * runs[0].Work()
}

// finishedResults returns the results of a method's runs up to the first unfinished one.
func (j *Job) finishedResults(method string) (out []*estimators.Result) {
	for _, t := range j.tracks {
		reader := slices.Index(t.methods, method)
		if reader < 0 {
			continue
		}
		if !t.finished || t.err != nil {
			break
		}
		out = append(out, t.final[reader])
	}
	return out
}

// addReplicates adds the replicates that the methods of a finished run need for the wanted error, if no other replicate
// of the run is unfinished.
func (j *Job) addReplicates(t *track) {
	if len(t.methods) == 0 || j.Target(t.methods[0]) == 0 || t.err != nil {
		return
	}
	existing, need := 0, 0
	for _, other := range j.methods() {
		if slices.Equal(other.methods, t.methods) {
			if existing++; !other.finished {
				return
			}
		}
	}
	for _, m := range t.methods {
		n, _ := j.runsUsed(m, j.finishedResults(m))
		need = max(need, n)
	}
	group := slices.IndexFunc(j.groups, func(c []string) bool { return slices.Equal(c, t.methods) })
	for ; existing < need; existing++ {
		i := group + existing*len(j.groups)
		more := newTrack(firstRun+i, runOf(j.groups, i))
		more.need = t.need
		last := len(j.tracks) - 2 // before the floor and the exact value
		j.tracks = append(j.tracks[:last:last], more, j.tracks[last], j.tracks[last+1])
	}
}
