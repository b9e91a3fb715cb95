package anneal

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/models"
)

// Probe is a pilot in small pieces, for pictures beside a run: it has no seed and makes no schedule.
type Probe struct {
	method estimators.Method // run, perhaps after samples that its base is fitted to
	run    *run
	round  *estimators.Round
	done   [][]byte // partials of the lanes of the round that are over
	unit   *estimators.Unit
	next   func() (*frame.Frame, bool) // of the lane under way, nil between two
	stop   func()
	found  *schedule.PathStats
}

// NewProbe sends some chains of a model up a ladder like that of pilots, with the rungs i/steps and (i/steps)^5. A
// model that asks for a fitted base is given one first.
func NewProbe(m models.Model, chains, steps int) *Probe {
	c := estimators.Config{Model: m, Key: rng.NewKey(0, "probe", 0), Auxiliary: true, LaneSize: 10, Cut: 1 << 30}
	p := &Probe{}
	begin := func(c estimators.Config) (estimators.Method, error) {
		p.run = along(c, pilotLadder(steps), chains, 1)
		p.run.askCurves()
		return p.run, nil
	}
	if models.Can(m).Base.FitsFirst {
		p.method, _ = estimators.AfterFit(c, begin) // its errors are those of begin
	} else {
		p.method, _ = begin(c)
	}
	p.round, _ = p.method.Next(nil, nil)
	return p
}

// Step moves a few chains by a sweep, and reports whether there is more to do.
func (p *Probe) Step() bool {
	if p.found != nil {
		return false
	}
	if p.next == nil {
		p.unit = p.round.Unit(len(p.done))
		p.next, p.stop = iter.Pull(p.method.Lane(p.unit))
	}
	if _, more := p.next(); more {
		return true
	}
	p.End()
	if p.done = append(p.done, p.unit.Partial); len(p.done) < p.round.Lanes {
		return true
	}
	p.round, _ = p.method.Next(p.done, make([][]byte, len(p.done))) // no round is cut, so that no lane has a state
	if p.done = nil; p.round != nil {
		return true
	}
	p.found = p.run.pathStats(p.run.known.rows(), 0, false)
	return false
}

// End ends the lane under way; a probe that is given up needs it.
func (p *Probe) End() {
	if p.next != nil {
		p.stop()
		p.next = nil
	}
}

// PathStats is what the chains found, nil before all of them are at the top.
func (p *Probe) PathStats() *schedule.PathStats { return p.found }
