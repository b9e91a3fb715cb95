package render

import (
	"image/color"
	"math"
)

// area is what a layout may use: the canvas, its pixel ratio, theme and fonts.
type area struct {
	w, h  float64 // device pixels
	u     float64 // device pixels per CSS pixel
	theme *Theme
	fonts *fonts

	still bool              // no motion: the viewer asked for less of it
	held  bool              // something is being dragged
	kept  bool              // the picture is for keeping: nothing can be pressed in it
	words map[string]string // words of another language by the English ones
	probe *probe            // where the pointer is, nil: nowhere
	taps  *[]tap            // collects what can be tapped
	slab  *slab             // memory of the last layout
}

// tap is a part of the canvas that does something.
type tap struct {
	box    rect
	action action
}

// action is what a tap asks for: another method, a switch, or something of the
// scene; what a drag goes on with as well. What a finger grabs does not scroll the page.
type action struct {
	method, turn string
	do           func(at point)
	drag, grab   bool
}

// on makes a box answer to taps.
func (a *area) on(b rect, do action) {
	if a.taps != nil {
		*a.taps = append(*a.taps, tap{b, do})
	}
}

// link writes words from x on that do something when tapped, with room around them; a picture for keeping has none.
func (a *area) link(l *layer, s string, x, y float64, st style, c color.RGBA, room float64, do action) {
	if a.kept {
		return
	}
	u, wd := a.u, a.fonts.width(s, st)
	l.label(s, x, y, st, c, left)
	l.hline(a, x, x+wd, y+3*u, a.theme.Line2)
	a.on(rect{x - room*u, y - 16*u, wd + 2*room*u, 26 * u}, do)
}

// compact tells whether the canvas is phone sized.
func (a *area) compact() bool { return a.w < 520*a.u }

// hair is the width of a hairline: one CSS pixel in whole device pixels.
func (a *area) hair() float64 { return max(1, math.Round(a.u)) }

// slab is memory for the points and colours of one layout, used again by the next.
type slab struct {
	pts   []point
	nums  []float64
	cols  []color.RGBA
	cells []byte
}

// reset makes all memory free again.
func (s *slab) reset() {
	s.pts, s.nums, s.cols, s.cells = s.pts[:0], s.nums[:0], s.cols[:0], s.cells[:0]
}

// cut takes room for n values from the end of a slab.
func cut[T any](from *[]T, n int) []T {
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(2*cap(*from), n))
	}
	l := len(*from)
	*from = (*from)[:l+n]
	return (*from)[l : l : l+n]
}

func (a *area) points(n int) []point {
	if a.slab == nil {
		return make([]point, 0, n)
	}
	return cut(&a.slab.pts, n)
}

func (a *area) numbers(n int) []float64 {
	if a.slab == nil {
		return make([]float64, 0, n)
	}
	return cut(&a.slab.nums, n)
}

// bytes has room for n cells and their length.
func (a *area) bytes(n int) []byte {
	if a.slab == nil {
		return make([]byte, n)
	}
	return cut(&a.slab.cells, n)[:n]
}

func (a *area) colors(n int) []color.RGBA {
	if a.slab == nil {
		return make([]color.RGBA, 0, n)
	}
	return cut(&a.slab.cols, n)
}
