package engine

import (
	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// floor returns the track that computes bounds of log Z.
func (j *Job) floor() *track { return j.tracks[len(j.tracks)-2] }

// boundsRun returns the run that computes bounds of log Z within the given effort, nil if the model has none.
func (j *Job) boundsRun(effort factor.Effort) estimators.Method {
	return estimators.NewFloor(j.Model, effort, func(b estimators.Bounds) { j.bounds = &b })
}

// tighterBoundsRun returns the run of bounds whose tables may use a quarter of the memory limit.
func (j *Job) tighterBoundsRun() estimators.Method {
	return j.boundsRun(factor.Effort{Entries: models.MaxEntries, Bytes: max(j.opt.MemoryLimit/4, models.QuickEffort.Bytes)})
}

// NarrowSeconds returns the approximate duration of Narrow on this device. ok is false if log Z has no upper bound, if the
// exact value is known, or if the bounds are already narrow or being narrowed.
func (j *Job) NarrowSeconds() (seconds float64, ok bool) {
	b := j.Bounds()
	if b == nil || !num.NotNaN(b.Ceiling) || b.Ceiling-b.Floor <= estimators.FloorSlack || j.truth != nil || j.isNarrowing {
		return 0, false
	}
	return j.tighterBoundsRun().Need().Time / 1e9 * Pace(), true
}

// Narrowing reports whether every method is finished and the bounds are being narrowed.
func (j *Job) Narrowing() bool {
	return j.isNarrowing && !j.stopped && j.firstUnfinished() == len(j.tracks)-2
}

// Bounds returns the tightest certain bounds of log Z so far: the bounds of the model, and lower bounds by climbs from
// samples of every finished method (Result.Climbed). It is nil if there are none. The bounds do not depend on the number
// of workers.
func (j *Job) Bounds() *estimators.Bounds {
	if j.bounds == nil || !num.NotNaN(j.bounds.Floor) && !num.NotNaN(j.bounds.Ceiling) {
		return nil
	}
	best := *j.bounds
	if t := j.floor(); j.isNarrowing && !t.finished && t.round != nil && t.peeks[0] != nil {
		// A run that narrows the interval begins with wider bounds.
		b, err := estimators.ReadBounds(t.peeks[0])
		if err == nil && b.Ceiling <= best.Ceiling && !(b.Floor < best.Floor) {
			best = b
		}
	}
	if !num.NotNaN(best.Floor) {
		return &best
	}
	for _, t := range j.methods() {
		if !t.finished {
			continue
		}
		for _, r := range t.estimate() {
			for _, x := range r.Climbed {
				if x > best.Floor {
					best.Floor, best.Kind = x, models.FloorMeanField
				}
			}
		}
	}
	return &best
}
