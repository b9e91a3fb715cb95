package engine

import (
	"math"
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators"
)

// An experiment with a wanted standard error (spec.Target) makes independent runs of each method, replicates 0, 1, ...,
// until those of a method reach it or would take more sweeps than the limit. How many are looked at, and so how many a
// method takes, follows from its own runs alone: the digits do not depend on the other methods, workers or time.

// taken is the number of runs that the result is made of; a number above len(runs) says that so many runs are needed
// first. reached: with n runs the error is small enough; else n runs are all that the limit allows.
func (j *Job) taken(method string, runs []*estimators.Result) (n int, reached bool) {
	info, _ := j.opt.Names.Method(method)
	if len(runs) == 0 {
		return 1, false
	}
	most := j.mostRuns(runs)
	for n = 1; n <= len(runs); {
		ok, need := estimators.EnoughRuns(*info, runs[:n], j.Target(method))
		if ok || n == most {
			return n, ok
		}
		n = min(int(min(need, float64(2*n+2))), most)
	}
	return n, false
}

// mostRuns is how many runs like these the limit allows, or the method.
func (j *Job) mostRuns(runs []*estimators.Result) int {
	most := min(j.Spec.SweepLimit()/max(runs[0].Work(), 1), spec.MaxReplicates)
	if n := runs[0].Runs; n > 0 {
		most = min(most, float64(n))
	}
	return max(1, int(most))
}

// expected is about how many runs methods that share them need in all for the wanted error, by those that are over; 0
// while none is.
func (j *Job) expected(methods []string) (all float64) {
	for _, m := range methods {
		runs := j.finished(m)
		if j.Target(m) == 0 {
			continue
		}
		if n, _ := j.taken(m, runs); len(runs) == 0 || n <= len(runs) {
			continue
		}
		info, _ := j.opt.Names.Method(m)
		need := estimators.RunsNeeded(*info, runs, j.Target(m))
		all = max(all, min(need, float64(j.mostRuns(runs))))
	}
	return all
}

// Needed is about how much work (estimators.Result.Work) a method needs in all for the wanted error; NaN before its
// first run is over.
func (j *Job) Needed(method string) float64 {
	info, _ := j.opt.Names.Method(method)
	runs := j.finished(method)
	if len(runs) == 0 {
		return math.NaN()
	}
	return estimators.RunsNeeded(*info, runs, j.Target(method)) * runs[0].Work()
}

// finished lists the results of a method's runs up to the first that is not over.
func (j *Job) finished(method string) (out []*estimators.Result) {
	for _, t := range j.tracks {
		at := slices.Index(t.methods, method)
		if at < 0 {
			continue
		}
		if !t.finished || t.err != nil {
			break
		}
		out = append(out, t.final[at])
	}
	return out
}

// extend adds replicates of a run that is over, until its methods reach their target.
func (j *Job) extend(t *track) {
	if len(t.methods) == 0 || j.Target(t.methods[0]) == 0 || t.err != nil {
		return
	}
	have, need := 0, 0
	for _, other := range j.methods() {
		if slices.Equal(other.methods, t.methods) {
			if have++; !other.finished {
				return
			}
		}
	}
	for _, m := range t.methods {
		n, _ := j.taken(m, j.finished(m))
		need = max(need, n)
	}
	which := slices.IndexFunc(j.groups, func(c []string) bool { return slices.Equal(c, t.methods) })
	for ; have < need; have++ {
		i := which + have*len(j.groups)
		more := newTrack(firstRun+i, runOf(j.groups, i))
		more.need = t.need
		last := len(j.tracks) - 2 // before the floor and the exact value
		j.tracks = append(j.tracks[:last:last], more, j.tracks[last], j.tracks[last+1])
	}
}
