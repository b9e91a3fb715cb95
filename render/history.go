package render

import "math"

// What a wall remembers of earlier frames: where points were, which rungs chains
// stood on, and how rows looked at certain temperatures.

const (
	trailLength = 8
	hopLength   = 96
)

// past is an earlier place of a point.
type past struct {
	at   point
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
}

// tell moves the clock to a step and reports whether a new phase began.
func (c *clock) tell(phase string, step int) (fresh bool) {
	fresh = phase != c.phase || step < c.step
	if fresh {
		c.started = c.now
	}
	c.phase, c.step = phase, step
	c.now = c.started + float64(step)
	return fresh
}

// film rows: the temperatures at which rows are remembered, for points, images,
// and small lattices, whose temperatures of interest are not known.
var (
	pointFilm   = []float64{0, 0.25, 0.5, 0.75, 1}
	imageFilm   = []float64{0, 0.3, 0.6, 0.78, 0.86, 0.92, 0.96, 1}
	latticeFilm = []float64{0, 1. / 7, 2. / 7, 3. / 7, 4. / 7, 5. / 7, 6. / 7, 1}
)

// shot is a row as it was near a temperature.
type shot struct {
	ok    bool
	beta  float64
	at    point
	cells []byte
}

// film returns the temperatures of a wall's shots.
func (w *wall) film() []float64 {
	switch {
	case w.w == 0:
		return pointFilm
	case w.w*w.h >= 400:
		return imageFilm
	}
	return latticeFilm
}

// remember records slot s after a frame; fresh tells that its lane began a phase.
func (w *wall) remember(i int, c *clock, fresh bool, before slot) {
	s := &w.slots[i]
	s.lane = c
	s.hops, s.trail, s.shots = before.hops, before.trail, before.shots
	weighted := !math.IsNaN(s.logW)
	if fresh {
		s.trail = s.trail[:0]
		if weighted {
			s.hops = s.hops[:0]
			for k := range s.shots {
				s.shots[k].ok = false
			}
		}
	}
	if s.rung >= 0 && i < maxSlots {
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
	if w.w == 0 && before.filled && !fresh && before.at != s.at {
		if len(s.trail) >= trailLength {
			copy(s.trail, s.trail[1:])
			s.trail = s.trail[:trailLength-1]
		}
		s.trail = append(s.trail, past{before.at, before.beta})
	}
	if i < maxSlots && s.beta == s.beta {
		w.shoot(s, weighted)
	}
}

// shoot keeps the row for the film: of a row on its way through temperatures
// what came nearest, of a row that hops among them the newest.
func (w *wall) shoot(s *slot, weighted bool) {
	at, best := w.film(), 0
	for k, b := range at {
		if math.Abs(b-s.beta) < math.Abs(at[best]-s.beta) {
			best = k
		}
	}
	if s.shots == nil {
		s.shots = make([]shot, len(at))
	}
	old := &s.shots[best]
	if weighted && old.ok && math.Abs(old.beta-at[best]) < math.Abs(s.beta-at[best]) {
		return
	}
	*old = shot{true, s.beta, s.at, s.cells}
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
		if b != b {
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
