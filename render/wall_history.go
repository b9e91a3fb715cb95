package render

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// What a wall remembers of earlier frames: where points were, which rungs chains
// stood on, and how rows looked at certain temperatures.

const (
	trailLength = 8
	hopLength   = 96
)

// trailPoint is an earlier place of a point.
type trailPoint struct {
	at   paint.Point
	beta float64
}

// hop is the rung of a chain at a time of its lane.
type hop struct {
	clock float64
	rung  int
}

// clock counts the sweeps of a lane through its phases.
type clock struct {
	phase        string
	step         int
	now, started float64 // started: of this phase

	// Seconds: of the first and the newest frame, and how long points take to their new places.
	first, seen, since, glide float64
}

// Frames that come slower than patient apart let points glide, for at most longest.
const patient, tooLate, longestGlide = 0.12, 3, 0.4

// pace decides, at the time of a new frame, whether points glide or jump: at full
// speed nothing is animated.
func (c *clock) pace(now float64, fresh bool) {
	gap := now - c.seen
	c.seen, c.since, c.glide = now, now, 0
	if fresh || c.first == 0 {
		c.first = now
	}
	if !fresh && gap > patient && gap < tooLate {
		c.glide = min(gap, longestGlide)
	}
}

// place is where a point is on its straight way to its newest place.
func (s *slot) place(now float64, still bool) paint.Point {
	if still || s.lane == nil || s.lane.glide <= 0 || !num.Finite(s.atBefore.X+s.atBefore.Y) {
		return s.at
	}
	f := (now - s.lane.since) / s.lane.glide
	if !(f >= 0 && f < 1) {
		return s.at
	}
	return paint.Pt(s.atBefore.X+(s.at.X-s.atBefore.X)*f, s.atBefore.Y+(s.at.Y-s.atBefore.Y)*f)
}

// slid is how far a row that was copied has come on its way from the place of the other one, 1: all the way.
func (s *slot) slid(now float64, still bool) float64 {
	if still || s.parentSlot < 0 || s.lane == nil || s.lane.glide <= 0 {
		return 1
	}
	return min(max((now-s.lane.since)/s.lane.glide, 0), 1)
}

// reweighTime is how long a change of weights takes to be seen, in seconds, where frames come slowly.
const reweighTime = 0.3

// weight is the log weight of a row on its way from that of the frame before.
func (s *slot) weight(now float64, still bool) float64 {
	if still || s.lane == nil || s.lane.glide <= 0 || !num.Finite(s.logWBefore) || !num.Finite(s.logW) {
		return s.logW
	}
	f := (now - s.lane.since) / reweighTime
	if !(f >= 0 && f < 1) {
		return s.logW
	}
	return s.logWBefore + (s.logW-s.logWBefore)*f
}

// fraction is how far a row that was resampled away has dropped, 1: out of sight.
func (d *droppedRow) fraction(now float64, still bool) float64 {
	if still {
		return 1
	}
	return min(max((now-d.since)/dropTime, 0), 1)
}

// gliding tells whether any point or weight is on its way.
func (p *Run) gliding() bool {
	for _, w := range p.walls {
		if n := len(w.dropped); n > 0 && p.now < w.dropped[n-1].since+dropTime {
			return true
		}
		for _, c := range w.lanes {
			if c.glide > 0 && p.now < c.since+max(c.glide, reweighTime) {
				return true
			}
		}
	}
	return false
}

// advance moves the clock to a step and reports whether a new phase began.
func (c *clock) advance(phase string, step int) (fresh bool) {
	fresh = phase != c.phase || step < c.step
	if fresh {
		c.started = c.now
	}
	c.phase, c.step = phase, step
	c.now = c.started + float64(step)
	return fresh
}

// shot is a row as it was near a temperature.
type shot struct {
	ok     bool
	beta   float64
	at     paint.Point
	values []float32
	cells  []byte
	shades []byte
	logW   float64
	rung   int
}

// near is the picture of the row nearest to moment k of the record, at most reach moments away; nil if there is none.
func (s *slot) near(k, reach int) *shot {
	for d := range reach + 1 {
		for _, j := range [...]int{k - d, k + d} {
			if j >= 0 && j < len(s.shots) && s.shots[j].ok {
				return &s.shots[j]
			}
		}
	}
	return nil
}

// remember records slot s after a frame; fresh tells that its lane began a phase.
func (w *wall) remember(i int, c *clock, fresh bool, before slot) {
	s := &w.slots[i]
	s.lane, s.atBefore, s.logWBefore = c, s.at, s.logW
	if before.filled {
		s.atBefore, s.valuesBefore, s.logWBefore = before.at, before.values, before.logW
	}
	s.hops, s.trail, s.shots = before.hops, before.trail, before.shots
	weighted := !math.IsNaN(s.logW)

	// A new phase of a lane begins a new record.
	if fresh {
		s.trail = s.trail[:0]
		if weighted {
			s.hops = s.hops[:0]
			for k := range s.shots {
				s.shots[k].ok = false
			}
		}
	}

	// The rung of the chain.
	if s.rung >= 0 && i < maxChains {
		h := hop{c.now, s.rung}
		switch n := len(s.hops); {
		case n > 0 && s.hops[n-1].clock >= c.now:
			s.hops[n-1] = h
		case n >= hopLength && weighted:
			// The whole descent matters: keep every other one.
			for k := range n / 2 {
				s.hops[k] = s.hops[2*k]
			}
			s.hops = append(s.hops[:n/2], h)
		case n >= hopLength:
			copy(s.hops, s.hops[1:])
			s.hops[n-1] = h
		default:
			s.hops = append(s.hops, h)
		}
	}

	// The way of the point.
	if w.w == 0 && before.filled && !fresh && before.at != s.at {
		if len(s.trail) >= trailLength {
			copy(s.trail, s.trail[1:])
			s.trail = s.trail[:trailLength-1]
		}
		s.trail = append(s.trail, trailPoint{before.at, before.beta})
	}

	// The picture near this temperature.
	if i < maxRecord && num.Known(s.beta) {
		w.shoot(s, weighted)
	}
}

// maxRecord bounds the rows of which there is a record, as many as lanes show.
const maxRecord = 1000

// shoot keeps the row for the record: of a row on its way through temperatures
// what came nearest, of a row that hops among them the newest.
func (w *wall) shoot(s *slot, weighted bool) {
	k := schedule.Nearest(w.moments, s.beta)
	if s.shots == nil {
		s.shots = make([]shot, len(w.moments))
	}
	old := &s.shots[k]
	if weighted && old.ok && math.Abs(old.beta-w.moments[k]) < math.Abs(s.beta-w.moments[k]) {
		return
	}
	*old = shot{true, s.beta, s.at, s.values, s.cells, s.shades, s.logW, s.rung}
}

// rungBeta is the temperature of each rung as far as rows have told, with the
// gaps filled in between; nil if nothing is known.
func (w *wall) rungBeta() []float64 {
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
