package record

import (
	"math"

	"logzlab/core/runstate"
)

// Position is a position in the history of a run, chosen by the viewer or by a film.
type Position struct {
	now      float64
	state    runstate.Run
	scrubber scrubber
	islands  map[*Island]bookmark
}

// bookmark is a position in the record of an island.
type bookmark struct {
	playback Playback
	shownID  int
}

// StartOfRecords returns the position at the start of the history of a run that is over. In the record of an island it
// is shortly before the first resampling.
func (p *Run) StartOfRecords(now float64) Position {
	at := Position{state: runstate.Done, scrubber: scrubber{Active: true, Opened: true}, islands: map[*Island]bookmark{}}
	for _, w := range p.Particles {
		for _, is := range []*Island{w.Island(), w.WeightedIsland} {
			if is != nil && len(is.Moments) > 0 {
				at.islands[is] = bookmark{playback: Playback{MomentID: is.Moments[is.firstResampling()].ID, Start: now}}
			}
		}
	}
	return at
}

// Swap exchanges the current position with another one.
func (p *Run) Swap(at *Position) {
	p.Now, at.now = at.now, p.Now
	p.State, at.state = at.state, p.State
	p.Scrubber, at.scrubber = at.scrubber, p.Scrubber
	for is, other := range at.islands {
		at.islands[is] = bookmark{is.Playback, is.ShownID}
		is.Playback, is.ShownID = other.playback, other.shownID
	}
}

// Seek moves the current position to fraction u of the history, from 0 to 1: of the temperatures, and of the stages of
// the islands in at. Animations of resampling follow now.
func (p *Run) Seek(at *Position, now, u float64) {
	p.Now = now
	w, _ := p.Pick((*Particles).HasHistory)
	if w != nil {
		k, part := math.Modf(u * float64(len(w.Moments)-1))
		if p.Scrubber.Beta = 1; u < 1 {
			p.Scrubber.Beta = w.Moments[int(k)] + (w.Moments[int(k)+1]-w.Moments[int(k)])*part
		}
	}
	for is := range at.islands {
		is.ShowStage(u * float64(is.stages))
	}
}
