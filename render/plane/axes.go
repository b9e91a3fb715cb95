package plane

import (
	"math"
	"slices"

	"logzlab/render/paint"
	"logzlab/render/record"
)

// axes selects two of more than two parameters: x, and the vertical one by its offset from x + 1.
type axes struct{ x, offset int }

// pair returns the indices of both among d parameters.
func (s axes) pair(d int) (x, y int) { return s.x % d, (s.x%d + 1 + s.offset%(d-1)) % d }

// axesSelectable reports whether the viewer can select the axes: if there are parameters and no density.
func axesSelectable(w *record.Particles, d *density) bool {
	return w != nil && d == nil && record.HasParameters(w) && len(w.Parameters.Names) > 1
}

func (s *plane) free(w *record.Particles) bool { return axesSelectable(w, s.background.Density()) }

// projected returns the particles as points of two of their parameters.
func projected(w *record.Particles, x, y int) *record.Particles {
	if x == 0 && y == 1 {
		return w
	}
	out := *w
	turn := func(s *record.Slot) {
		at := func(values []float32) paint.Point {
			if len(values) != len(w.Parameters.Names) {
				return paint.Pt(math.NaN(), math.NaN())
			}
			return paint.Pt(float64(values[x]), float64(values[y]))
		}
		s.At, s.AtBefore, s.Trail = at(s.Values), at(s.ValuesBefore), nil
	}
	out.Slots, out.Dropped = slices.Clone(w.Slots), slices.Clone(w.Dropped)
	for i := range out.Slots {
		turn(&out.Slots[i])
	}
	for i := range out.Dropped {
		turn(&out.Dropped[i].Slot)
	}
	return &out
}

// Key handles the keys of the history, and Page Down and Page Up for other axes.
func (s *plane) Key(key string) bool {
	if s.editor.key(key) {
		return true
	}
	w, _ := s.Run.Pick(record.HasParameters)
	if !s.free(w) || key != "PageDown" && key != "PageUp" {
		return s.Run.HandleScrubKey(key)
	}
	d := len(w.Parameters.Names)
	pairs, step := d*(d-1), 1
	if key == "PageUp" {
		step = pairs - 1
	}
	k := (s.axes.x%d*(d-1) + s.axes.offset%(d-1) + step) % pairs
	s.axes = axes{k / (d - 1), k % (d - 1)}
	return true
}

// titles draws the names of the axes. If axes can be selected, a tap on a name shows the next parameter.
func (v *planeView) titles(l *paint.Layer, chosen *axes, free bool) {
	a, u, b, ink := v.a, v.a.Unit, v.Box, v.a.Theme.Ink2
	if v.names = [2]string{"x", "y"}; v.w == nil || !record.HasParameters(v.w) {
		l.Label("x", b.X+b.W+10*u, b.Y+b.H+4*u, paint.Tick, ink, paint.Left)
		l.Label("y", b.X-8*u, b.Y-8*u, paint.Tick, ink, paint.Right)
		return
	}

	// Two parameters, selected by the viewer if that is possible.
	names := v.w.Parameters.Names
	d := len(names)
	x, y := 0, 1
	if v.names = [2]string{names[0]}; d > 1 {
		if free {
			x, y = chosen.pair(d)
		}
		v.names = [2]string{names[x], names[y]}
	}

	// Plain names if there is no choice.
	right, foot, top := b.X+b.W-6*u-a.Fonts.Width(v.names[0], paint.Strong), b.Y+b.H-9*u, b.Y+16*u
	if !free || d < 3 || a.Print {
		l.Label(v.names[0], right, foot, paint.Strong, ink, paint.Left)
		l.Label(v.names[1], b.X+6*u, top, paint.Strong, ink, paint.Left)
		return
	}

	// Links to the next parameter; the axes always differ.
	next := func(k, not int) int {
		if k = (k + 1) % d; k == not {
			k = (k + 1) % d
		}
		return k
	}
	set := func(x, y int) func(paint.Point) {
		return func(paint.Point) { *chosen = axes{x, (y - x - 1 + d) % d} }
	}
	a.Link(l, v.names[0], right, foot, paint.Strong, ink, 6, paint.Action{Do: set(next(x, y), y)})
	a.Link(l, v.names[1], b.X+6*u, top, paint.Strong, ink, 6, paint.Action{Do: set(x, next(y, x))})
}
