package chart

import (
	"slices"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// animationTime is the duration of an animation in seconds.
const animationTime = 0.3

// Motion animates values from one layout to the next: it stores the values that were shown last. The zero value is
// ready for use. It belongs to the state of a scene.
type Motion struct {
	transitions map[string]*transition
}

// transition is a list of values that are being animated.
type transition struct {
	from, to []float64
	start    float64 // start of the animation, in seconds
}

// Animate returns the values to draw at time now (in seconds): between those that were last shown under a name and the
// new ones. If a.Still is set, it returns the new ones. Values that are new or not finite are not animated.
func (m *Motion) Animate(a *paint.Area, name string, now float64, values ...float64) []float64 {
	if m.transitions == nil {
		m.transitions = map[string]*transition{}
	}
	t := m.transitions[name]
	if t == nil {
		t = &transition{to: slices.Clone(values), start: now - animationTime}
		m.transitions[name] = t
	}
	if !equal(t.to, values) {
		t.from, t.to, t.start = t.at(now), slices.Clone(values), now
	}
	if a.Still {
		t.start = now - animationTime
	}
	return t.at(now)
}

// IsAnimating reports whether any values are being animated.
func (m *Motion) IsAnimating(now float64) bool {
	for _, t := range m.transitions {
		if t.fraction(now) < 1 {
			return true
		}
	}
	return false
}

// fraction returns the fraction of the animation that is complete.
func (t *transition) fraction(now float64) float64 {
	return min(max((now-t.start)/animationTime, 0), 1)
}

// at returns the values at a time; the motion starts and ends slowly.
func (t *transition) at(now float64) []float64 {
	out, f := slices.Clone(t.to), t.fraction(now)
	f = f * f * (3 - 2*f)
	for i := range min(len(out), len(t.from)) {
		if num.Finite(t.from[i]) && num.Finite(out[i]) && f < 1 {
			out[i] = t.from[i] + (out[i]-t.from[i])*f
		}
	}
	return out
}

// equal compares values; one that is not a number is like another.
func equal(x, y []float64) bool {
	return slices.EqualFunc(x, y, func(v, w float64) bool { return v == w || v != v && w != w })
}
