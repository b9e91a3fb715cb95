package engine

import (
	"maps"
	"slices"

	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/estimators"
)

// Standing is the progress of one method of a job.
type Standing struct {
	State   runstate.Method
	Err     error                // why it failed
	Shared  bool                 // other methods read the same run
	Reached bool                 // the wanted error is reached
	Share   float64              // largest finished share of one of its runs, 0 to 1
	Results []*estimators.Result // results of finished replicates in order; before the first, of the running one
	Found   *schedule.PathStats  // findings of its running pilot, else nil
}

// Standing returns the progress of a method.
func (j *Job) Standing(method string) Standing {
	s := Standing{State: runstate.MethodQueued}
	finished := 0
	for _, t := range j.tracks {
		at := slices.Index(t.methods, method)
		if at < 0 {
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

		// Only finished replicates count, except that the first is shown while it runs.
		if all := t.estimate(); all != nil && (t.finished || len(s.Results) == 0) {
			s.Results = append(s.Results, all[at])
		} else if s.Found == nil && !t.finished {
			s.Found = t.found()
		}
	}

	// A wanted error may be reached with fewer runs.
	all := j.Spec.Replicates
	if j.Target(method) > 0 {
		runs := j.finished(method)
		if all, s.Reached = j.runsUsed(method, runs); all <= len(runs) {
			s.Results, finished = runs[:all], all
		}
	}

	// The state of all runs together.
	if finished == all && s.State != runstate.MethodFailed {
		s.State = runstate.MethodDone
	} else if finished > 0 && s.State == runstate.MethodQueued {
		s.State = runstate.MethodRunning
	}
	if j.stopped && s.State != runstate.MethodDone && s.State != runstate.MethodFailed {
		s.State = runstate.MethodStopped
	}
	return s
}

// firstUnfinished returns the index of the first unfinished track. It is remembered, as there may be thousands of
// finished replicates.
func (j *Job) firstUnfinished() int {
	for j.first < len(j.tracks) && j.tracks[j.first].finished {
		j.first++
	}
	return j.first
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
	if i := j.watched(); i >= 0 && !j.opt.Unseen {
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

// Shown returns the method that names the pictures on display: the first of the watched track, or of the last one at
// the end.
func (j *Job) Shown() string {
	i := j.watched()
	if i < 0 {
		i = len(j.methods())
	}
	return j.tracks[i].methods[0]
}

// PicturesOf returns the first reader of a method's run, whose name the pictures of the run carry.
func (j *Job) PicturesOf(method string) string {
	if t := j.track(method); t != nil {
		return t.methods[0]
	}
	return method
}

// SameRun reports whether two methods read the same run. They then use the same samples, so neither confirms the other.
func (j *Job) SameRun(a, b string) bool {
	t := j.track(a)
	return t != nil && t == j.track(b)
}

// Planned returns the work of one replicate of a method's run in chain-sweeps, 0 if it is not known.
func (j *Job) Planned(method string) float64 {
	if t := j.track(method); t != nil {
		return t.planned()
	}
	return 0
}

// track returns the first track whose run a method reads.
func (j *Job) track(method string) *track {
	for _, t := range j.tracks {
		if slices.Contains(t.methods, method) {
			return t
		}
	}
	return nil
}

// Progress returns the finished share of the work, 0 to 1, and 1 only at the end. It never falls: if work is added,
// progress pauses and then moves from there to 1.
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

// share returns the finished share of a track's planned work, 1 only at its end.
func (t *track) share() float64 {
	if t.finished {
		return 1
	}
	d := t.spent
	// Summed in the order of lanes, so that the same state gives the same bits.
	for _, lane := range slices.Sorted(maps.Keys(t.running)) {
		d += t.running[lane]
	}
	return min(d/max(t.need.Time, 1), .99)
}

// share returns the finished share of the planned work. A run that several methods read counts once. Runs that a wanted
// error will need count as far as they can be predicted.
func (j *Job) share() float64 {
	done, planned := 0.0, 0.0
	for i, t := range j.tracks {
		one := t.need.Time
		if i > 0 {
			one = max(one, 1)
		}
		planned += one
		done += num.Mul(t.share(), one)
	}
	for _, methods := range j.groups {
		if all := j.expected(methods); all > 0 {
			have := 0.0
			for _, t := range j.methods() {
				if slices.Equal(t.methods, methods) {
					have++
				}
			}
			planned += num.Mul(max(all-have, 0), max(j.track(methods[0]).need.Time, 1))
		}
	}
	return done / planned
}

// Replicates returns the results of a method's replicates in order, nil for unfinished ones.
func (j *Job) Replicates(method string) []*estimators.Result {
	out := make([]*estimators.Result, j.Spec.Replicates)
	for _, t := range j.methods() {
		if at := slices.Index(t.methods, method); at >= 0 && at < len(t.final) && t.replicate < len(out) {
			out[t.replicate] = t.final[at]
		}
	}
	return out
}
