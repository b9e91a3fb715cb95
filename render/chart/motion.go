package chart

import (
	"slices"

	"logzlab/core/num"
	"logzlab/render/paint"
)

// glide is how long values take to new ones, in seconds.
const glide = 0.3

// Motion remembers the values that a picture showed last, so that they can glide to new ones. The zero value is ready for
// use. It is kept by whoever keeps the picture's state, from one layout to the next.
type Motion struct {
	tracks map[string]*track
}

// track is a list of values on their way.
type track struct {
	from, to []float64
	since    float64 // when they began to move
}

// To returns the values that are shown at a time in seconds, on their way from those shown last under a name to the given
// ones; with Area.Still they are there at once. A value that was not shown before, or is not finite, does not glide.
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

// Moving tells whether any values are still on their way at a time.
func (m *Motion) Moving(now float64) bool {
	for _, t := range m.tracks {
		if t.done(now) < 1 {
			return true
		}
	}
	return false
}

// done is the share of the way that is done.
func (t *track) done(now float64) float64 { return min(max((now-t.since)/glide, 0), 1) }

// at are the values at a time: slow at first and in the end.
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
