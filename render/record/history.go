package record

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// MaxTrail earlier positions are kept for a point, MaxRungHistory earlier rungs for a chain.
const (
	MaxTrail       = 8
	MaxRungHistory = 96
)

// trailPoint is an earlier position of a point.
type trailPoint struct {
	At   paint.Point
	Beta float64
}

// rungAt is the rung of a chain at a time of its lane.
type rungAt struct {
	Clock float64
	Rung  int
}

// laneClock counts the sweeps of a lane over all its phases.
type laneClock struct {
	phase        string
	Step         int
	Now, started float64 // start of this phase

	// In seconds: times of the first and the newest frame of this phase, start and duration of the current animation.
	first, last, glideStart, glideTime float64
}

// If frames are between minGap and maxGap seconds apart, points move gradually, for at most MaxGlide seconds.
const minGap, maxGap, MaxGlide = 0.12, 3, 0.4

// pace sets whether points move gradually or jump to the positions of a new frame. At full speed nothing is animated.
func (c *laneClock) pace(now float64, newPhase bool) {
	gap := now - c.last
	c.last, c.glideStart, c.glideTime = now, now, 0
	if newPhase || c.first == 0 {
		c.first = now
	}
	if !newPhase && gap > minGap && gap < maxGap {
		c.glideTime = min(gap, MaxGlide)
	}
}

// Place returns the current position of a point on the straight line from its previous to its newest position.
func (s *Slot) Place(now float64, still bool) paint.Point {
	if still || s.Lane == nil || s.Lane.glideTime <= 0 || !num.Finite(s.AtBefore.X+s.AtBefore.Y) {
		return s.At
	}
	f := (now - s.Lane.glideStart) / s.Lane.glideTime
	if !(f >= 0 && f < 1) {
		return s.At
	}
	return paint.Pt(s.AtBefore.X+(s.At.X-s.AtBefore.X)*f, s.AtBefore.Y+(s.At.Y-s.AtBefore.Y)*f)
}

// CopyProgress returns the fraction of the animation of a copied row, which moves from its parent's slot; 1: complete.
func (s *Slot) CopyProgress(now float64, still bool) float64 {
	if still || s.ParentSlot < 0 || s.Lane == nil || s.Lane.glideTime <= 0 {
		return 1
	}
	return min(max((now-s.Lane.glideStart)/s.Lane.glideTime, 0), 1)
}

// reweighTime is the duration of the animation of weights, in seconds.
const reweighTime = 0.3

// GlidingLogW returns the log weight, interpolated from the previous frame's during the animation.
func (s *Slot) GlidingLogW(now float64, still bool) float64 {
	if still || s.Lane == nil || s.Lane.glideTime <= 0 || !num.Finite(s.logWBefore) || !num.Finite(s.LogW) {
		return s.LogW
	}
	f := (now - s.Lane.glideStart) / reweighTime
	if !(f >= 0 && f < 1) {
		return s.LogW
	}
	return s.logWBefore + (s.LogW-s.logWBefore)*f
}

// DropProgress returns the fraction of the animation of a row that was not resampled; 1: out of sight.
func (d *droppedRow) DropProgress(now float64, still bool) float64 {
	if still {
		return 1
	}
	return min(max((now-d.since)/dropTime, 0), 1)
}

// IsGliding reports whether any point, weight or dropped row is being animated.
func (p *Run) IsGliding() bool {
	for _, w := range p.Particles {
		if n := len(w.Dropped); n > 0 && p.Now < w.Dropped[n-1].since+dropTime {
			return true
		}
		for _, c := range w.lanes {
			if c.glideTime > 0 && p.Now < c.glideStart+max(c.glideTime, reweighTime) {
				return true
			}
		}
	}
	return false
}

// advance moves the clock to a step and reports whether a new phase has begun.
func (c *laneClock) advance(phase string, step int) (newPhase bool) {
	newPhase = phase != c.phase || step < c.Step
	if newPhase {
		c.started = c.Now
	}
	c.phase, c.Step = phase, step
	c.Now = c.started + float64(step)
	return newPhase
}

// Snapshot is the state of a row near one of the temperatures Particles.Moments.
type Snapshot struct {
	Valid  bool
	Beta   float64
	At     paint.Point
	Values []float32
	Cells  []byte
	Shades []byte
	LogW   float64
	rung   int
}

// NearestSnapshot returns the snapshot nearest to moment k, an index of Particles.Moments, or nil if there is none at
// most maxDistance moments away.
func (s *Slot) NearestSnapshot(k, maxDistance int) *Snapshot {
	for d := range maxDistance + 1 {
		for _, j := range [...]int{k - d, k + d} {
			if j >= 0 && j < len(s.Snapshots) && s.Snapshots[j].Valid {
				return &s.Snapshots[j]
			}
		}
	}
	return nil
}

// updateHistory appends the new state of slot i to its histories of rungs, positions and snapshots. newPhase is true if the lane has begun a phase; before is
// the previous content of the slot.
func (w *Particles) updateHistory(i int, c *laneClock, newPhase bool, before Slot) {
	s := &w.Slots[i]
	s.Lane, s.AtBefore, s.logWBefore = c, s.At, s.LogW
	if before.Filled {
		s.AtBefore, s.ValuesBefore, s.logWBefore = before.At, before.Values, before.LogW
	}
	s.RungHistory, s.Trail, s.Snapshots = before.RungHistory, before.Trail, before.Snapshots
	weighted := !math.IsNaN(s.LogW)

	if newPhase {
		s.Trail = s.Trail[:0]
		if weighted {
			s.RungHistory = s.RungHistory[:0]
			for k := range s.Snapshots {
				s.Snapshots[k].Valid = false
			}
		}
	}

	if s.Rung >= 0 && i < MaxChains {
		h := rungAt{c.Now, s.Rung}
		switch n := len(s.RungHistory); {
		case n > 0 && s.RungHistory[n-1].Clock >= c.Now:
			s.RungHistory[n-1] = h
		case n >= MaxRungHistory && weighted:
			// The start of an annealing run must be kept: remove every other entry.
			for k := range n / 2 {
				s.RungHistory[k] = s.RungHistory[2*k]
			}
			s.RungHistory = append(s.RungHistory[:n/2], h)
		case n >= MaxRungHistory:
			copy(s.RungHistory, s.RungHistory[1:])
			s.RungHistory[n-1] = h
		default:
			s.RungHistory = append(s.RungHistory, h)
		}
	}

	if w.W == 0 && before.Filled && !newPhase && before.At != s.At {
		if len(s.Trail) >= MaxTrail {
			copy(s.Trail, s.Trail[1:])
			s.Trail = s.Trail[:MaxTrail-1]
		}
		s.Trail = append(s.Trail, trailPoint{before.At, before.Beta})
	}

	if i < maxHistoryRows && num.NotNaN(s.Beta) {
		w.saveSnapshot(s, weighted)
	}
}

// maxHistoryRows bounds the rows that have snapshots; lanes send no more.
const maxHistoryRows = 1000

// saveSnapshot stores the row. A weighted row, which passes each temperature once, keeps the snapshot nearest to a
// temperature; a row that moves on a ladder keeps the newest.
func (w *Particles) saveSnapshot(s *Slot, weighted bool) {
	k := schedule.Nearest(w.Moments, s.Beta)
	if s.Snapshots == nil {
		s.Snapshots = make([]Snapshot, len(w.Moments))
	}
	old := &s.Snapshots[k]
	if weighted && old.Valid && math.Abs(old.Beta-w.Moments[k]) < math.Abs(s.Beta-w.Moments[k]) {
		return
	}
	*old = Snapshot{true, s.Beta, s.At, s.Values, s.Cells, s.Shades, s.LogW, s.Rung}
}

// RungBetas returns the inverse temperature of each rung. Unknown ones are interpolated; the result is nil if none is
// known.
func (w *Particles) RungBetas() []float64 {
	if len(w.betas) < 1 {
		return nil
	}
	out := make([]float64, len(w.betas))
	last := -1
	for k, b := range w.betas {
		out[k] = b
		if !num.NotNaN(b) {
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
