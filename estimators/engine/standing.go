package engine

import (
	"maps"
	"slices"

	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/estimators"
)

// Standing is how far one method of a job has come.
type Standing struct {
	State   runstate.Method
	Err     error                // why it failed
	Shared  bool                 // other methods read the same run
	Reached bool                 // the wanted error, if there is one
	Share   float64              // of its first run that is done, 0 to 1
	Results []*estimators.Result // of finished replicates in order; before, of the one under way
	Found   *schedule.PathStats  // what its pilot has found so far, nil unless one is under way
}

// Standing is how far a method has come.
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

		// While replicates run, only finished ones count, except that the first shows early.
		if all := t.estimate(); all != nil && (t.finished || len(s.Results) == 0) {
			s.Results = append(s.Results, all[at])
		} else if s.Found == nil && !t.finished {
			s.Found = t.found()
		}
	}

	// A wanted error may be reached by fewer runs.
	all := j.Spec.Replicates
	if j.Target(method) > 0 {
		runs := j.finished(method)
		if all, s.Reached = j.taken(method, runs); all <= len(runs) {
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

// begun is the first track that is not finished. Of thousands of replicates most are, so nobody looks at all of them.
func (j *Job) begun() int {
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
		return slices.ContainsFunc(t.estimate(), func(r *estimators.Result) bool { return num.Known(r.LogZ) })
	})
}

// Watched is the number of the track whose pictures are shown, -1 if there is none or no pictures are wanted.
func (j *Job) Watched() int {
	if i := j.watched(); i >= 0 && !j.opt.Unseen {
		return j.tracks[i].number
	}
	return -1
}

// watched is the index of the first track that has a unit running, or else, between two rounds, of the first under way,
// or -1.
func (j *Job) watched() int {
	last := len(j.methods())
	for i := max(j.begun(), 1); i <= last; i++ {
		if t := j.tracks[i]; !t.finished && len(t.running) > 0 {
			return i
		}
	}
	for i := max(j.begun(), 1); i <= last; i++ {
		if t := j.tracks[i]; !t.finished && t.round != nil {
			return i
		}
	}
	return -1
}

// Shown is the method that names the pictures on show: those of the watched track, or of the last one at the end.
func (j *Job) Shown() string {
	i := j.watched()
	if i < 0 {
		i = len(j.methods())
	}
	return j.tracks[i].methods[0]
}

// PicturesOf is the first reader of a method's run: pictures of the run carry its name.
func (j *Job) PicturesOf(method string) string {
	if t := j.track(method); t != nil {
		return t.methods[0]
	}
	return method
}

// SameRun reports whether two methods read the same run. Such methods use the same samples, so neither confirms the
// other.
func (j *Job) SameRun(a, b string) bool {
	t := j.track(a)
	return t != nil && t == j.track(b)
}

// Planned is what one replicate of a method's run takes, in chain-sweeps; 0 while that is not known.
func (j *Job) Planned(method string) float64 {
	if t := j.track(method); t != nil {
		return t.planned()
	}
	return 0
}

// track is the first one whose run a method reads.
func (j *Job) track(method string) *track {
	for _, t := range j.tracks {
		if slices.Contains(t.methods, method) {
			return t
		}
	}
	return nil
}

// Progress is the share of the work that is done, 0 to 1, and 1 only at the end. It does not fall while the job runs:
// where more work is added, progress stands still, and then moves from there to 1.
func (j *Job) Progress() float64 {
	share := j.share()
	switch {
	case share <= j.seen:
	case j.shown == j.seen:
		j.shown = share
	default:
		j.shown = 1 - num.Mul(1-j.shown, 1-share)/(1-j.seen)
	}
	j.seen = share
	return j.shown
}

// share is the share of a track's planned work that is done, and 1 only at its end: progress could not move on from 1.
func (t *track) share() float64 {
	if t.finished {
		return 1
	}
	d := t.spent
	// In the order of the lanes: the same state has the same share, to the last bit.
	for _, lane := range slices.Sorted(maps.Keys(t.running)) {
		d += t.running[lane]
	}
	return min(d/max(t.need.Time, 1), .99)
}

// share is the share of the planned work that is done. A run that several methods read counts once, and runs that a
// wanted error will need count as far as can be told.
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

// Replicates are the results of a method's replicates in order, nil where one is not finished.
func (j *Job) Replicates(method string) []*estimators.Result {
	out := make([]*estimators.Result, j.Spec.Replicates)
	for _, t := range j.methods() {
		if at := slices.Index(t.methods, method); at >= 0 && at < len(t.final) && t.replicate < len(out) {
			out[t.replicate] = t.final[at]
		}
	}
	return out
}
