package chart

import (
	"slices"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// animationTime is the duration of an animation in seconds.
const glide = 0.3

// Motion animates values from one layout to the next: it stores the values that were shown last. The zero value is
// ready for use. It belongs to the state of a scene.
type Motion struct {
	tracks map[string]*track
}

// transition is a list of values that are being animated.
type track struct {
	from, to []float64
	since    float64 // start of the animation, in seconds
}

// Animate returns the values to draw at time now (in seconds): between those that were last shown under a name and the
// new ones. If a.Still is set, it returns the new ones. Values that are new or not finite are not animated.
func (m *Motion) To(a *paint.Area, name string, now float64, values ...float64) []float64 {
	if m.tracks == nil {
		m.tracks = map[string]*track{}
	}
	t := m.tracks[name]
	if t == nil {
		t = &track{to: slices.Clone(values), since: now - glide}
		m.tracks[name] = t
	}
	if !same(t.to, values) {
		t.from, t.to, t.since = t.at(now), slices.Clone(values), now
	}
	if a.Still {
		t.since = now - glide
	}
	return t.at(now)
}

// IsAnimating reports whether any values are being animated.
func (m *Motion) Moving(now float64) bool {
	for _, t := range m.tracks {
		if t.done(now) < 1 {
			return true
		}
	}
	return false
}

// fraction returns the fraction of the animation that is complete.
func (t *track) done(now float64) float64 { return min(max((now-t.since)/glide, 0), 1) }

// at returns the values at a time; the motion starts and ends slowly.
func (t *track) at(now float64) []float64 {
	out, f := slices.Clone(t.to), t.done(now)
	f = f * f * (3 - 2*f)
	for i := range min(len(out), len(t.from)) {
		if num.Finite(t.from[i]) && num.Finite(out[i]) && f < 1 {
			out[i] = t.from[i] + (out[i]-t.from[i])*f
		}
	}
	return out
}

// same compares values; one that is not a number is like another.
func same(x, y []float64) bool {
	return slices.EqualFunc(x, y, func(v, w float64) bool { return v == w || v != v && w != w })
}
