package record

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// What is remembered of earlier frames: where points were, which rungs chains
// stood on, and how rows looked at certain temperatures.

const (
	TrailLength = 8
	HopLength   = 96
)

// trailPoint is an earlier place of a point.
type trailPoint struct {
	At   paint.Point
	Beta float64
}

// hop is the rung of a chain at a time of its lane.
type hop struct {
	Clock float64
	Rung  int
}

// clock counts the sweeps of a lane through its phases.
type clock struct {
	phase        string
	Step         int
	Now, started float64 // started: of this phase

	// Seconds: of the first and the newest frame, and how long points take to their new places.
	first, seen, since, glide float64
}

// Frames that come slower than patient apart let points glide, for at most longest.
const patient, tooLate, LongestGlide = 0.12, 3, 0.4

// pace decides, at the time of a new frame, whether points glide or jump: at full
// speed nothing is animated.
func (c *clock) pace(now float64, fresh bool) {
	gap := now - c.seen
	c.seen, c.since, c.glide = now, now, 0
	if fresh || c.first == 0 {
		c.first = now
	}
	if !fresh && gap > patient && gap < tooLate {
		c.glide = min(gap, LongestGlide)
	}
}

// Place is where a point is on its straight way to its newest place.
func (s *Slot) Place(now float64, still bool) paint.Point {
	if still || s.Lane == nil || s.Lane.glide <= 0 || !num.Finite(s.AtBefore.X+s.AtBefore.Y) {
		return s.At
	}
	f := (now - s.Lane.since) / s.Lane.glide
	if !(f >= 0 && f < 1) {
		return s.At
	}
	return paint.Pt(s.AtBefore.X+(s.At.X-s.AtBefore.X)*f, s.AtBefore.Y+(s.At.Y-s.AtBefore.Y)*f)
}

// Slid is how far a row that was copied has come on its way from the place of the other one, 1: all the way.
func (s *Slot) Slid(now float64, still bool) float64 {
	if still || s.ParentSlot < 0 || s.Lane == nil || s.Lane.glide <= 0 {
		return 1
	}
	return min(max((now-s.Lane.since)/s.Lane.glide, 0), 1)
}

// reweighTime is how long a change of weights takes to be seen, in seconds, where frames come slowly.
const reweighTime = 0.3

// Weight is the log weight of a row on its way from that of the frame before.
func (s *Slot) Weight(now float64, still bool) float64 {
	if still || s.Lane == nil || s.Lane.glide <= 0 || !num.Finite(s.logWBefore) || !num.Finite(s.LogW) {
		return s.LogW
	}
	f := (now - s.Lane.since) / reweighTime
	if !(f >= 0 && f < 1) {
		return s.LogW
	}
	return s.logWBefore + (s.LogW-s.logWBefore)*f
}

// Fraction is how far a row that was resampled away has dropped, 1: out of sight.
func (d *droppedRow) Fraction(now float64, still bool) float64 {
	if still {
		return 1
	}
	return min(max((now-d.since)/dropTime, 0), 1)
}

// Gliding tells whether any point or weight is on its way.
func (p *Run) Gliding() bool {
	for _, w := range p.Particles {
		if n := len(w.Dropped); n > 0 && p.Now < w.Dropped[n-1].since+dropTime {
			return true
		}
		for _, c := range w.lanes {
			if c.glide > 0 && p.Now < c.since+max(c.glide, reweighTime) {
				return true
			}
		}
	}
	return false
}

// advance moves the clock to a step and reports whether a new phase began.
func (c *clock) advance(phase string, step int) (fresh bool) {
	fresh = phase != c.phase || step < c.Step
	if fresh {
		c.started = c.Now
	}
	c.phase, c.Step = phase, step
	c.Now = c.started + float64(step)
	return fresh
}

// Shot is a row as it was near a temperature.
type Shot struct {
	Ok     bool
	Beta   float64
	At     paint.Point
	Values []float32
	Cells  []byte
	Shades []byte
	LogW   float64
	rung   int
}

// Near is the picture of the row nearest to moment k of the record, at most reach moments away; nil if there is none.
func (s *Slot) Near(k, reach int) *Shot {
	for d := range reach + 1 {
		for _, j := range [...]int{k - d, k + d} {
			if j >= 0 && j < len(s.Shots) && s.Shots[j].Ok {
				return &s.Shots[j]
			}
		}
	}
	return nil
}

// remember records slot s after a frame; fresh tells that its lane began a phase.
func (w *Particles) remember(i int, c *clock, fresh bool, before Slot) {
	s := &w.Slots[i]
	s.Lane, s.AtBefore, s.logWBefore = c, s.At, s.LogW
	if before.Filled {
		s.AtBefore, s.ValuesBefore, s.logWBefore = before.At, before.Values, before.LogW
	}
	s.Hops, s.Trail, s.Shots = before.Hops, before.Trail, before.Shots
	weighted := !math.IsNaN(s.LogW)

	// A new phase of a lane begins a new record.
	if fresh {
		s.Trail = s.Trail[:0]
		if weighted {
			s.Hops = s.Hops[:0]
			for k := range s.Shots {
				s.Shots[k].Ok = false
			}
		}
	}

	// The rung of the chain.
	if s.Rung >= 0 && i < MaxChains {
		h := hop{c.Now, s.Rung}
		switch n := len(s.Hops); {
		case n > 0 && s.Hops[n-1].Clock >= c.Now:
			s.Hops[n-1] = h
		case n >= HopLength && weighted:
			// The whole descent matters: keep every other one.
			for k := range n / 2 {
				s.Hops[k] = s.Hops[2*k]
			}
			s.Hops = append(s.Hops[:n/2], h)
		case n >= HopLength:
			copy(s.Hops, s.Hops[1:])
			s.Hops[n-1] = h
		default:
			s.Hops = append(s.Hops, h)
		}
	}

	// The way of the point.
	if w.W == 0 && before.Filled && !fresh && before.At != s.At {
		if len(s.Trail) >= TrailLength {
			copy(s.Trail, s.Trail[1:])
			s.Trail = s.Trail[:TrailLength-1]
		}
		s.Trail = append(s.Trail, trailPoint{before.At, before.Beta})
	}

	// The picture near this temperature.
	if i < maxRecord && num.Known(s.Beta) {
		w.shoot(s, weighted)
	}
}

// maxRecord bounds the rows of which there is a record, as many as lanes show.
const maxRecord = 1000

// shoot keeps the row for the record: of a row on its way through temperatures
// what came nearest, of a row that hops among them the newest.
func (w *Particles) shoot(s *Slot, weighted bool) {
	k := schedule.Nearest(w.Moments, s.Beta)
	if s.Shots == nil {
		s.Shots = make([]Shot, len(w.Moments))
	}
	old := &s.Shots[k]
	if weighted && old.Ok && math.Abs(old.Beta-w.Moments[k]) < math.Abs(s.Beta-w.Moments[k]) {
		return
	}
	*old = Shot{true, s.Beta, s.At, s.Values, s.Cells, s.Shades, s.LogW, s.Rung}
}

// RungBeta is the temperature of each rung as far as rows have told, with the
// gaps filled in between; nil if nothing is known.
func (w *Particles) RungBeta() []float64 {
	if len(w.betas) < 1 {
		return nil
	}
	out := make([]float64, len(w.betas))
	last := -1
	for k, b := range w.betas {
		out[k] = b
		if !num.Known(b) {
			continue
		}
		for j := last + 1; j < k; j++ {
			if last < 0 {
				out[j] = b * float64(j) / float64(k)
			} else {
				out[j] = w.betas[last] + (b-w.betas[last])*float64(j-last)/float64(k-last)
			}
		}
		last = k
	}
	if last < 0 {
		return nil
	}
	for j := last + 1; j < len(out); j++ {
		out[j] = out[last] + (1-out[last])*float64(j-last)/float64(len(out)-1-last)
	}
	return out
}
