package anneal

import (
	"iter"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// Probe is a pilot in small pieces, for pictures beside a run: it has no seed and makes no schedule.
type Probe struct {
	*run
	round *estimators.Round
	done  [][]byte // partials of the lanes that are over
	unit  *estimators.Unit
	next  func() (*frame.Frame, bool) // of the lane under way, nil between two
	stop  func()
	found *schedule.Pilot
}

// NewProbe sends some chains of a model up a ladder like that of pilots, with the rungs i/steps and (i/steps)^5.
func NewProbe(m models.Model, chains, steps int) *Probe {
	c := estimators.Config{Model: m, Key: rng.NewKey(0, "probe", 0), Auxiliary: true, LaneSize: 10, Cut: 1 << 30,
		Values: spec.Values{"chains": strconv.Itoa(chains), "sweeps": "1"}}
	p := &Probe{run: along(c, crowded(steps))}
	if s, ok := m.(models.Summed); ok {
		p.curves = s.SumsOut()
	}
	p.round, _ = p.Next(nil, nil)
	return p
}

// Step moves a few chains by a sweep, and reports whether there is more to do.
func (p *Probe) Step() bool {
	if p.found != nil {
		return false
	}
	if p.next == nil {
		p.unit = p.round.Unit(len(p.done))
		p.next, p.stop = iter.Pull(p.Lane(p.unit))
	}
	if _, more := p.next(); more {
		return true
	}
	p.End()
	if p.done = append(p.done, p.unit.Partial); len(p.done) < p.round.Lanes {
		return true
	}
	rows := [][]float64{}
	for _, lane := range p.merge(p.done) {
		rows = slices.AppendSeq(rows, slices.Chunk(lane, len(p.ladder)))
	}
	p.found = schedule.Learn(p.ladder, rows, 0, false)
	if curves := p.known.curves(); curves != nil {
		p.found.SumOut(p.ladder, rows, curves, false)
	}
	return false
}

// End ends the lane under way; a probe that is given up needs it.
func (p *Probe) End() {
	if p.next != nil {
		p.stop()
		p.next = nil
	}
}

// Pilot is what the chains found, nil before all of them are at the top.
func (p *Probe) Pilot() *schedule.Pilot { return p.found }

// crowded has the rungs i/n, and (i/n)^5 between them: as many again that crowd towards 0, since a posterior is often
// far from its prior, and on a linear ladder all chains but one would lose their weight in the first step.
func crowded(n int) (out []float64) {
	for i := range n + 1 {
		x := float64(i) / float64(n)
		out = append(out, x)
		if i > 0 && i < n {
			out = append(out, num.Mul(x*x, x*x)*x)
		}
	}
	slices.Sort(out)
	return out
}
