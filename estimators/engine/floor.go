package engine

import (
	"logzlab/core/num"
	"logzlab/models"
)

// Floor is a lower bound of log Z that holds for certain, and what it is made of (models.FloorMeanField and others).
type Floor struct {
	LogZ float64
	Kind string
}

// Floor is the best lower bound that climbs have found so far: those of the model and those from the samples of every
// method that is done. nil while there is none. It is the same for any number of workers.
func (j *Job) Floor() *Floor {
	best := j.floor
	if best == nil || !num.Known(best.LogZ) {
		return nil
	}
	for _, t := range j.methods() {
		if !t.finished {
			continue
		}
		for _, r := range t.estimate() {
			for _, x := range r.Climbed {
				if x > best.LogZ {
					best = &Floor{x, models.FloorMeanField}
				}
			}
		}
	}
	return best
}
