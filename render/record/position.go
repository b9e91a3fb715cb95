package record

import (
	"math"

	"logzlab/core/runstate"
)

// Position is where in the records of a run a picture is: what the viewer of the canvas chose, or where the film is.
type Position struct {
	now      float64
	state    runstate.Run
	scrubber scrubber
	islands  map[*Island]bookmark
}

// bookmark is where in the record of an island a picture is.
type bookmark struct {
	review Review
	back   int
}

// StartOfRecords is the position at the start of all records of a run that is over. Of particles that are resampled it
// is shortly before the first time that they are.
func (p *Run) StartOfRecords(now float64) Position {
	at := Position{state: runstate.Done, scrubber: scrubber{On: true, Played: true}, islands: map[*Island]bookmark{}}
	for _, w := range p.Particles {
		for _, is := range []*Island{w.Island(), w.Weighed} {
			if is != nil && len(is.Moments) > 0 {
				at.islands[is] = bookmark{review: Review{On: is.Moments[is.eventful()].ID, Began: now}}
			}
		}
	}
	return at
}

// Swap exchanges the position on show with another one.
func (p *Run) Swap(at *Position) {
	p.Now, at.now = at.now, p.Now
	p.State, at.state = at.state, p.State
	p.Scrubber, at.scrubber = at.scrubber, p.Scrubber
	for is, other := range at.islands {
		at.islands[is] = bookmark{is.Review, is.Back}
		is.Review, is.Back = other.review, other.back
	}
}

// Wind goes to a part u of the records, from 0 to 1: of temperatures, and of the stages of the islands of at. Phases of resampling follow the
// clock.
func (p *Run) Wind(at *Position, now, u float64) {
	p.Now = now
	w, _ := p.Pick((*Particles).Recorded)
	if w != nil {
		k, part := math.Modf(u * float64(len(w.Moments)-1))
		if p.Scrubber.Beta = 1; u < 1 {
			p.Scrubber.Beta = w.Moments[int(k)] + (w.Moments[int(k)+1]-w.Moments[int(k)])*part
		}
	}
	for is := range at.islands {
		is.Scrub(u * float64(is.stages))
	}
}
