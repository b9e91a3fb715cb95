package render

import "math"

// position is where in the records of a run a picture is: what the viewer of the canvas chose, or where the film is.
type position struct {
	now      float64
	state    string
	scrubber scrubber
	islands  map[*island]bookmark
}

// bookmark is where in the record of an island a picture is.
type bookmark struct {
	review review
	back   int
}

// startOfRecords is the position at the start of all records of a run that is over. Of particles that are resampled it
// is shortly before the first time that they are.
func (p *Run) startOfRecords(now float64) position {
	at := position{state: "done", scrubber: scrubber{on: true, played: true}, islands: map[*island]bookmark{}}
	for _, w := range p.walls {
		for _, is := range []*island{w.island(), w.weighed} {
			if is != nil && len(is.moments) > 0 {
				at.islands[is] = bookmark{review: review{on: is.moments[is.eventful()].id, began: now}}
			}
		}
	}
	return at
}

// swap exchanges the position on show with another one.
func (p *Run) swap(at *position) {
	p.now, at.now = at.now, p.now
	p.state, at.state = at.state, p.state
	p.scrubber, at.scrubber = at.scrubber, p.scrubber
	for is, other := range at.islands {
		at.islands[is] = bookmark{is.review, is.back}
		is.review, is.back = other.review, other.back
	}
}

// wind goes to a part u of the records, from 0 to 1: of temperatures, and of the stages of the islands of at. Phases of resampling follow the
// clock.
func (p *Run) wind(at *position, now, u float64) {
	p.now = now
	w, _ := p.pick((*wall).recorded)
	if w != nil {
		k, part := math.Modf(u * float64(len(w.moments)-1))
		if p.scrubber.beta = 1; u < 1 {
			p.scrubber.beta = w.moments[int(k)] + (w.moments[int(k)+1]-w.moments[int(k)])*part
		}
	}
	for is := range at.islands {
		is.scrub(u * float64(is.stages))
	}
}
