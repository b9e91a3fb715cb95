package anneal

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/models"
)

// Probe is a pilot in small steps, for pictures. It has a fixed seed and makes no schedule.
type Probe struct {
	method estimators.Method // run, or run after a fit of the base
	run    *run
	round  *estimators.Round
	done   [][]byte // partials of the finished lanes of the round
	unit   *estimators.Unit
	next   func() (*frame.Frame, bool) // of the current lane; nil between lanes
	stop   func()
	found  *schedule.PathStats
}

// NewProbe returns a probe of some chains on the ladder of pilots, with the rungs i/steps and (i/steps)^5. If the model
// wants a fitted base, the probe begins with the fit.
func NewProbe(m models.Model, chains, steps int) *Probe {
	c := estimators.Config{Model: m, Key: rng.NewKey(0, "probe", 0), Auxiliary: true, LaneSize: 10, RoundSweeps: 1 << 30}
	p := &Probe{}
	begin := func(c estimators.Config) (estimators.Method, error) {
		p.run = along(c, pilotLadder(steps), chains, 1)
		p.run.recordCurves()
		return p.run, nil
	}
	if models.CapabilitiesOf(m).Base.FitsFirst {
		p.method, _ = estimators.AfterFit(c, begin) // the only errors are from begin, which returns none
	} else {
		p.method, _ = begin(c)
	}
	p.round, _ = p.method.Next(nil, nil)
	return p
}

// Step moves the chains of a lane by one sweep. It reports whether the probe continues.
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
	p.round, _ = p.method.Next(p.done, make([][]byte, len(p.done))) // rounds are not cut, so lanes have no states
	if p.done = nil; p.round != nil {
		return true
	}
	p.found = p.run.pathStats(p.run.known.rows(), 0, false)
	return false
}

// End ends the current lane. Call it if a probe is abandoned.
func (p *Probe) End() {
	if p.next != nil {
		p.stop()
		p.next = nil
	}
}

// PathStats returns the statistics of the path, nil until all chains have reached the target.
func (p *Probe) PathStats() *schedule.PathStats { return p.found }
