package record

import (
	"math"
	"slices"
)

// Review is where a viewer is in the record of an island whose particles are weighed. One moment follows the other by
// itself, at a pace that can be watched, however fast the run was.
type Review struct {
	On      int     // id of the moment on show, 0: none yet
	Began   float64 // seconds: when the change to it began
	Stopped bool    // it does not go on by itself
}

// Lengths are how long the change of each phase takes, in seconds. Resampling needs time: who leaves, who splits.
var Lengths = [...]float64{Starting: 0.4, Moving: 0.9, Reweighting: 1, Generating: 0.9, Resampling: 1.7,
	Augmenting: 0.5}

// Where more moments than farBehind are still to come, all but resampling is quicker, unless a viewer turns the steps.
const farBehind, quicker = 30, 0.3

// Look is the place of the moment on show, and how far the change to it has come.
func (is *Island) Look(now float64, still bool) (i int, done float64) {
	r, last := &is.Review, len(is.Moments)-1
	if r.On == 0 {
		r.On, r.Began = is.Moments[0].ID, now
	}
	for i = is.Index(r.On); ; i++ {
		length := Lengths[max(is.Moments[i].Phase, 0)]
		if !r.Stopped && last-i > farBehind && is.Moments[i].Phase != Resampling {
			length *= quicker
		}
		if !still && now < r.Began+length {
			return i, max((now-r.Began)/length, 0)
		}
		if r.Stopped || i == last {
			return i, 1
		}
		if r.On = is.Moments[i+1].ID; still || now-r.Began > 2*length+1 {
			r.Began = now // it has waited
		} else {
			r.Began += length
		}
	}
}

// soFar is log Z by the weights of the island at the last temperature of its record that is not above beta, NaN where
// it has none.
func (is *Island) soFar(beta float64) (at, z float64) {
	at, z = 0, math.NaN()
	for i := range is.Moments {
		if m := &is.Moments[i]; m.Beta <= beta {
			at, z = m.Beta, m.Weighing.LogZ
		}
	}
	return at, z
}

// TurnTo shows a moment: with the change to it, or as it was then.
func (is *Island) TurnTo(i int, now float64, change bool) {
	last := len(is.Moments) - 1
	i = min(max(i, 0), last)
	r := &is.Review
	r.On, r.Began, r.Stopped = is.Moments[i].ID, now, i < last
	if !change {
		r.Began -= Lengths[Resampling]
	}
}

// Toggle stops the record or lets it go on, from the start where it is at its end.
func (is *Island) Toggle(now float64) {
	r := &is.Review
	switch i := is.Index(r.On); {
	case i == len(is.Moments)-1:
		is.TurnTo(0, now, true)
		r.Stopped = false
	case r.Stopped:
		r.Stopped, r.Began = false, now-Lengths[Resampling]
	default:
		r.Stopped = true
	}
}

// eventful is the moment from which a film shows resampling: the one before the first time that particles are chosen.
func (is *Island) eventful() int {
	for i := range is.Moments {
		if is.Moments[i].Phase == Resampling {
			return max(i-1, 0)
		}
	}
	return 0
}

// Offspring counts the rows that descend from each row of the moment before.
func (s *Moment) Offspring(before *Moment) []int32 {
	out := make([]int32, before.Lines)
	for row := range s.Lines {
		if p := s.Parent(row); p >= 0 && p < len(out) {
			out[p]++
		}
	}
	return out
}

// OverMean are the weights of the rows over their mean; all 1 where there are none.
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

// Record is the island whose particles are weighed, nil if there is none.
func (w *Particles) Record() *Island {
	if w.Weighed != nil {
		return w.Weighed
	}
	return w.Island()
}

// Weighs tells whether there are particles that are weighed, at every moment of the record.
func Weighs(w *Particles) bool {
	is := w.Record()
	return is != nil && is.Newest() != nil && !slices.ContainsFunc(is.Moments, func(m Moment) bool {
		return m.Weighing == nil
	})
}
