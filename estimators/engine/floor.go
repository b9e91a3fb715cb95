package engine

import (
	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// floor is the track of the bounds, the last but one.
func (j *Job) floor() *track { return j.tracks[len(j.tracks)-2] }

// bounded is the run of bounds by tables of so much effort.
func (j *Job) bounded(most factor.Effort) estimators.Method {
	return estimators.NewFloor(j.Model, most, func(b estimators.Bounds) { j.bounds = &b })
}

// narrower is the run of bounds by all tables that a share of the memory holds.
func (j *Job) narrower() estimators.Method {
	return j.bounded(factor.Effort{Entries: models.MaxEntries, Bytes: max(j.opt.Limit/4, models.QuickEffort.Bytes)})
}

// NarrowSeconds is about how long Narrow takes here; ok is false where there is no interval, or none to narrow.
func (j *Job) NarrowSeconds() (seconds float64, ok bool) {
	b := j.Bounds()
	if b == nil || !num.Known(b.Ceiling) || b.Ceiling-b.Floor <= estimators.FloorSlack || j.truth != nil || j.narrow {
		return 0, false
	}
	return j.narrower().Need().Time / 1e9 * Pace(), true
}

// Narrowing reports whether all that is left to do is the interval.
func (j *Job) Narrowing() bool { return j.narrow && !j.stopped && j.begun() == len(j.tracks)-2 }

// Bounds are the best that hold for certain so far: those of the model, and lower ones by climbs from the samples of
// every method that is done. nil while there is none. They are the same for any number of workers.
func (j *Job) Bounds() *estimators.Bounds {
	if j.bounds == nil || !num.Known(j.bounds.Floor) && !num.Known(j.bounds.Ceiling) {
		return nil
	}
	best := *j.bounds
	if t := j.floor(); j.narrow && !t.finished && t.round != nil && t.peeks[0] != nil {
		// A narrower run begins with wider bounds.
		b, err := estimators.ReadBounds(t.peeks[0])
		if err == nil && b.Ceiling <= best.Ceiling && !(b.Floor < best.Floor) {
			best = b
		}
	}
	if !num.Known(best.Floor) {
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
