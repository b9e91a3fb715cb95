package engine

import (
	"maps"
	"slices"

	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/estimators"
)

// Status is the progress of one method of a job.
type Status struct {
	State         runstate.Method
	Err           error                // why it failed
	Shared        bool                 // other methods share the run
	TargetReached bool                 // the wanted standard error is reached
	Share         float64              // largest finished share among the runs of the method, 0 to 1
	Results       []*estimators.Result // results of finished replicates in order; the preliminary result of the first one while it runs
	Found         *schedule.PathStats  // findings of a running pilot, else nil
}

// Status returns the progress of a method.
func (j *Job) Status(method string) Status {
	s := Status{State: runstate.MethodQueued}
	finished := 0
	for _, t := range j.tracks {
		reader := slices.Index(t.methods, method)
		if reader < 0 {
			continue
		}
		s.Shared = len(t.methods) > 1
		if t.err != nil {
			s.State, s.Err = runstate.MethodFailed, t.err
		}
		s.Share = max(s.Share, t.share())
		if t.finished {
			finished++
		} else if t.round != nil && s.State == runstate.MethodQueued {
			s.State = runstate.MethodRunning
		}

		// Results of finished replicates, and the preliminary result of the first one.
		if all := t.estimate(); all != nil && (t.finished || len(s.Results) == 0) {
			s.Results = append(s.Results, all[reader])
		} else if s.Found == nil && !t.finished {
			s.Found = t.found()
		}
	}

	// With a wanted standard error, the result may use fewer runs.
	needed := j.Spec.Replicates
	if j.Target(method) > 0 {
		runs := j.finishedResults(method)
		if needed, s.TargetReached = j.runsUsed(method, runs); needed <= len(runs) {
			s.Results, finished = runs[:needed], needed
		}
	}

	// The state of all runs together.
	if finished == needed && s.State != runstate.MethodFailed {
		s.State = runstate.MethodDone
	} else if finished > 0 && s.State == runstate.MethodQueued {
		s.State = runstate.MethodRunning
	}
	if j.stopped && s.State != runstate.MethodDone && s.State != runstate.MethodFailed {
		s.State = runstate.MethodStopped
	}
	return s
}

// firstUnfinished returns the index of the first unfinished track. The search continues where the last one ended, as there
// may be thousands of finished replicates.
func (j *Job) firstUnfinished() int {
	for j.firstOpen < len(j.tracks) && j.tracks[j.firstOpen].finished {
		j.firstOpen++
	}
	return j.firstOpen
}

// Preparing reports whether the base of the model is still being computed.
func (j *Job) Preparing() bool { return len(j.tracks) > 0 && !j.tracks[0].finished }

// Failed reports whether a method has failed.
func (j *Job) Failed() bool {
	return slices.ContainsFunc(j.tracks, func(t *track) bool { return t.err != nil })
}

// Estimated reports whether any method has an estimate.
func (j *Job) Estimated() bool {
	return slices.ContainsFunc(j.tracks, func(t *track) bool {
		return slices.ContainsFunc(t.estimate(), func(r *estimators.Result) bool { return num.NotNaN(r.LogZ) })
	})
}

// Watched returns the number of the track whose pictures are shown, -1 if there is none or no pictures are made.
func (j *Job) Watched() int {
	if i := j.watched(); i >= 0 && !j.opt.NoPictures {
		return j.tracks[i].number
	}
	return -1
}

// watched returns the index of the first track with a running unit or, between two rounds, of the first running track;
// -1 if there is none.
func (j *Job) watched() int {
	last := len(j.methods())
	for i := max(j.firstUnfinished(), 1); i <= last; i++ {
		if t := j.tracks[i]; !t.finished && len(t.running) > 0 {
			return i
		}
	}
	for i := max(j.firstUnfinished(), 1); i <= last; i++ {
		if t := j.tracks[i]; !t.finished && t.round != nil {
			return i
		}
	}
	return -1
}

// PictureMethod returns the method whose name the displayed pictures have: the first method of the watched track, or of
// the last track if no track is watched.
func (j *Job) PictureMethod() string {
	i := j.watched()
	if i < 0 {
		i = len(j.methods())
	}
	return j.tracks[i].methods[0]
}

// PictureMethodOf returns the method whose name the pictures of a method's run have: the first of those that share
// the run.
func (j *Job) PictureMethodOf(method string) string {
	if t := j.track(method); t != nil {
		return t.methods[0]
	}
	return method
}

// SameRun reports whether two methods share a run. They then use the same samples, so neither confirms the other.
func (j *Job) SameRun(a, b string) bool {
	t := j.track(a)
	return t != nil && t == j.track(b)
}

// PlannedSweeps returns the planned sweeps of one replicate of a method's run, summed over chains; 0 if not known.
func (j *Job) PlannedSweeps(method string) float64 {
	if t := j.track(method); t != nil {
		return t.planned()
	}
	return 0
}

// track returns the track of the first replicate of a method, or nil.
func (j *Job) track(method string) *track {
	for _, t := range j.tracks {
		if slices.Contains(t.methods, method) {
			return t
		}
	}
	return nil
}

// Progress returns the finished share of the work, 0 to 1, and 1 only at the end. It never decreases: if work is added,
// progress keeps its value until work is done again, and then increases from this value to 1.
func (j *Job) Progress() float64 {
	share := j.share()
	switch {
	case share <= j.lastShare:
	case j.lastProgress == j.lastShare:
		j.lastProgress = share
	default:
		j.lastProgress = 1 - num.Mul(1-j.lastProgress, 1-share)/(1-j.lastShare)
	}
	j.lastShare = share
	return j.lastProgress
}

// share returns the finished share of a track's planned work, at most .99 before its end.
func (t *track) share() float64 {
	if t.finished {
		return 1
	}
	d := t.spent
	// Add in the order of lanes, so that the same state gives the same bits.
	for _, lane := range slices.Sorted(maps.Keys(t.running)) {
		d += t.running[lane]
	}
	return min(d/max(t.need.Time, 1), .99)
}

// share returns the finished share of the planned work. A run that several methods share counts once. With a wanted
// standard error the planned work includes the predicted number of additional runs.
func (j *Job) share() float64 {
	done, planned := 0.0, 0.0
	for i, t := range j.tracks {
		weight := t.need.Time
		if i > 0 {
			weight = max(weight, 1)
		}
		planned += weight
		done += num.Mul(t.share(), weight)
	}
	for _, methods := range j.groups {
		if expected := j.expectedRuns(methods); expected > 0 {
			existing := 0.0
			for _, t := range j.methods() {
				if slices.Equal(t.methods, methods) {
					existing++
				}
			}
			planned += num.Mul(max(expected-existing, 0), max(j.track(methods[0]).need.Time, 1))
		}
	}
	return done / planned
}

// Replicates returns the results of a method's replicates in order, nil for unfinished ones.
func (j *Job) Replicates(method string) []*estimators.Result {
	out := make([]*estimators.Result, j.Spec.Replicates)
	for _, t := range j.methods() {
		if reader := slices.Index(t.methods, method); reader >= 0 && reader < len(t.final) && t.replicate < len(out) {
			out[t.replicate] = t.final[reader]
		}
	}
	return out
}
