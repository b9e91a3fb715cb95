package engine

import (
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// Bounds are the best that hold for certain so far: those of the model, and lower ones by climbs from the samples of
// every method that is done. nil while there is none. They are the same for any number of workers.
func (j *Job) Bounds() *estimators.Bounds {
	if j.bounds == nil || !num.Known(j.bounds.Floor) && !num.Known(j.bounds.Ceiling) && !num.Known(j.bounds.Bethe) {
		return nil
	}
	best := *j.bounds
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
