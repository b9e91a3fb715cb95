package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
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

// Moves reports whether the record on show moves.
func (c *culling) Moves(still bool) bool {
	p := c.run
	w, _ := p.pick(c.has)
	if w == nil || still {
		return false
	}
	is := c.record(w, p)
	i, done := is.look(p.now, still)
	return done < 1 || !is.review.stopped && i < len(is.moments)-1
}

// Key takes the keys: a phase on or back, to the ends, and stop or go on.
func (c *culling) Key(key string) bool {
	p := c.run
	w, _ := p.pick(c.has)
	if w == nil {
		return false
	}
	is := c.record(w, p)
	i := is.index(max(is.review.on, 1))
	switch key {
	case "ArrowRight":
		is.turnTo(i+1, p.now, true)
	case "ArrowLeft":
		is.turnTo(i-1, p.now, false)
	case "Home":
		is.turnTo(0, p.now, false)
	case "End":
		is.turnTo(len(is.moments)-1, p.now, false)
	case "Enter":
		is.toggle(p.now)
	default:
		return false
	}
	return true
}

// Describe says the phase on show, where it is, and the effective sample size.
func (c *culling) Describe(a *paint.Area) string {
	p := c.run
	w, _ := p.pick(c.has)
	if w == nil {
		return ""
	}
	is := c.record(w, p)
	v := &selection{scene: c, a: a, p: p, w: w, is: is, i: is.index(max(is.review.on, 1)), done: 1}
	if v.m = &is.moments[v.i]; v.i > 0 {
		v.q = &is.moments[v.i-1]
		v.kids = v.m.offspring(v.q)
	}
	text := v.place() + ". " + v.sentence()
	if ess := float64(v.m.weighing.ESS); num.Finite(ess) {
		text += " " + a.Say("ESS") + " " + format.Grouped(ess*float64(v.m.lines), 0) + " " + a.Say("of") + " " +
			format.Grouped(float64(v.m.lines), 0) + "."
	}
	return text
}
