package render

import (
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

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
