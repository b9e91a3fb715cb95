package record

import (
	"math"
	"slices"
)

// Playback is the position of a viewer in the record of an island with weights. The record advances by itself, slowly
// enough to be watched, whatever the speed of the run.
type Playback struct {
	MomentID int     // ID of the moment that is shown, 0: none yet
	Start    float64 // when the animation of this moment started, in seconds
	Paused   bool    // it does not advance by itself
}

// PhaseDurations are the durations of the animation of each phase, in seconds. Resampling is slow, because rows both
// disappear and split.
var PhaseDurations = [...]float64{Starting: 0.4, Moving: 0.9, Reweighting: 1, Generating: 0.9, Resampling: 1.7,
	Augmenting: 0.5}

// If more than maxLag moments remain, all animations except resampling are shortened by the factor catchUp, unless the
// viewer has paused.
const maxLag, catchUp = 30, 0.3

// PlaybackAt returns the index of the moment that is shown, and the fraction of its animation that is complete.
func (is *Island) PlaybackAt(now float64, still bool) (i int, progress float64) {
	r, last := &is.Playback, len(is.Moments)-1
	if r.MomentID == 0 {
		r.MomentID, r.Start = is.Moments[0].ID, now
	}
	for i = is.Index(r.MomentID); ; i++ {
		duration := PhaseDurations[max(is.Moments[i].Phase, 0)]
		if !r.Paused && last-i > maxLag && is.Moments[i].Phase != Resampling {
			duration *= catchUp
		}
		if !still && now < r.Start+duration {
			return i, max((now-r.Start)/duration, 0)
		}
		if r.Paused || i == last {
			return i, 1
		}
		if r.MomentID = is.Moments[i+1].ID; still || now-r.Start > 2*duration+1 {
			r.Start = now // the animation was over and waited for this moment
		} else {
			r.Start += duration
		}
	}
}

// logZUpTo returns the last recorded inverse temperature that is at most beta, and the estimate z of log Z there from the
// weights of the island. Without such a record it returns 0 and NaN.
func (is *Island) logZUpTo(beta float64) (at, z float64) {
	at, z = 0, math.NaN()
	for i := range is.Moments {
		if m := &is.Moments[i]; m.Beta <= beta {
			at, z = m.Beta, m.Weighing.LogZ
		}
	}
	return at, z
}

// SeekTo shows moment i, with its animation if animate is true.
func (is *Island) SeekTo(i int, now float64, animate bool) {
	last := len(is.Moments) - 1
	i = min(max(i, 0), last)
	r := &is.Playback
	r.MomentID, r.Start, r.Paused = is.Moments[i].ID, now, i < last
	if !animate {
		r.Start -= PhaseDurations[Resampling]
	}
}

// Toggle pauses or resumes the record; at the end it restarts it.
func (is *Island) Toggle(now float64) {
	r := &is.Playback
	switch i := is.Index(r.MomentID); {
	case i == len(is.Moments)-1:
		is.SeekTo(0, now, true)
		r.Paused = false
	case r.Paused:
		r.Paused, r.Start = false, now-PhaseDurations[Resampling]
	default:
		r.Paused = true
	}
}

// firstResampling returns the index of the moment before the first resampling, at which a film starts.
func (is *Island) firstResampling() int {
	for i := range is.Moments {
		if is.Moments[i].Phase == Resampling {
			return max(i-1, 0)
		}
	}
	return 0
}

// Offspring returns the number of children of each row of the previous moment.
func (s *Moment) Offspring(before *Moment) []int32 {
	out := make([]int32, before.AllRows)
	for row := range s.AllRows {
		if p := s.Parent(row); p >= 0 && p < len(out) {
			out[p]++
		}
	}
	return out
}

// OverMean returns the weights of the rows divided by their mean, or 1 for all rows without weights.
func (s *Moment) OverMean() []float64 {
	out := s.Weights()
	if len(out) < s.Rows {
		out = make([]float64, s.Rows)
		for i := range out {
			out[i] = 1
		}
	}
	out = out[:s.Rows]
	sum := 0.0
	for _, x := range out {
		sum += x
	}
	for i := range out {
		out[i] *= float64(s.Rows) / max(sum, 1e-300)
	}
	return out
}

// Record returns the island whose particles are weighted, nil if there is none.
func (w *Particles) Record() *Island {
	if w.WeightedIsland != nil {
		return w.WeightedIsland
	}
	return w.Island()
}

// HasWeights reports whether there are particles with weights, at every moment of the record.
func HasWeights(w *Particles) bool {
	is := w.Record()
	return is != nil && is.Newest() != nil && !slices.ContainsFunc(is.Moments, func(m Moment) bool {
		return m.Weighing == nil
	})
}
