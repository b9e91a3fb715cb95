package render

import (
	"math"
	"slices"
)

// review is where a viewer is in the record of an island whose particles are weighed. One moment follows the other by
// itself, at a pace that can be watched, however fast the run was.
type review struct {
	on      int     // id of the moment on show, 0: none yet
	began   float64 // seconds: when the change to it began
	stopped bool    // it does not go on by itself
}

// lengths are how long the change of each phase takes, in seconds. Resampling needs time: who leaves, who splits.
var lengths = [...]float64{starting: 0.4, moving: 0.9, reweighting: 1, generating: 0.9, resampling: 1.7,
	augmenting: 0.5}

// Where more moments than farBehind are still to come, all but resampling is quicker, unless a viewer turns the steps.
const farBehind, quicker = 30, 0.3

// look is the place of the moment on show, and how far the change to it has come.
func (is *island) look(now float64, still bool) (i int, done float64) {
	r, last := &is.review, len(is.moments)-1
	if r.on == 0 {
		r.on, r.began = is.moments[0].id, now
	}
	for i = is.index(r.on); ; i++ {
		length := lengths[max(is.moments[i].phase, 0)]
		if !r.stopped && last-i > farBehind && is.moments[i].phase != resampling {
			length *= quicker
		}
		if !still && now < r.began+length {
			return i, max((now-r.began)/length, 0)
		}
		if r.stopped || i == last {
			return i, 1
		}
		if r.on = is.moments[i+1].id; still || now-r.began > 2*length+1 {
			r.began = now // it has waited
		} else {
			r.began += length
		}
	}
}

// soFar is log Z by the weights of the island at the last temperature of its record that is not above beta, NaN where
// it has none.
func (is *island) soFar(beta float64) (at, z float64) {
	at, z = 0, math.NaN()
	for i := range is.moments {
		if m := &is.moments[i]; m.beta <= beta {
			at, z = m.beta, m.weighing.LogZ
		}
	}
	return at, z
}

// turnTo shows a moment: with the change to it, or as it was then.
func (is *island) turnTo(i int, now float64, change bool) {
	last := len(is.moments) - 1
	i = min(max(i, 0), last)
	r := &is.review
	r.on, r.began, r.stopped = is.moments[i].id, now, i < last
	if !change {
		r.began -= lengths[resampling]
	}
}

// toggle stops the record or lets it go on, from the start where it is at its end.
func (is *island) toggle(now float64) {
	r := &is.review
	switch i := is.index(r.on); {
	case i == len(is.moments)-1:
		is.turnTo(0, now, true)
		r.stopped = false
	case r.stopped:
		r.stopped, r.began = false, now-lengths[resampling]
	default:
		r.stopped = true
	}
}

// eventful is the moment from which a film shows resampling: the one before the first time that particles are chosen.
func (is *island) eventful() int {
	for i := range is.moments {
		if is.moments[i].phase == resampling {
			return max(i-1, 0)
		}
	}
	return 0
}

// offspring counts the rows that descend from each row of the moment before.
func (s *moment) offspring(before *moment) []int32 {
	out := make([]int32, before.lines)
	for row := range s.lines {
		if p := s.parent(row); p >= 0 && p < len(out) {
			out[p]++
		}
	}
	return out
}

// overMean are the weights of the rows over their mean; all 1 where there are none.
func (s *moment) overMean() []float64 {
	out := s.weights()
	if len(out) < s.rows {
		out = make([]float64, s.rows)
		for i := range out {
			out[i] = 1
		}
	}
	out = out[:s.rows]
	sum := 0.0
	for _, x := range out {
		sum += x
	}
	for i := range out {
		out[i] *= float64(s.rows) / max(sum, 1e-300)
	}
	return out
}

// record is the island whose particles are weighed, nil if there is none.
func (w *wall) record() *island {
	if w.weighed != nil {
		return w.weighed
	}
	return w.island()
}

// weighs tells whether there are particles that are weighed, at every moment of the record.
func weighs(w *wall) bool {
	is := w.record()
	return is != nil && is.newest() != nil && !slices.ContainsFunc(is.moments, func(m moment) bool {
		return m.weighing == nil
	})
}
