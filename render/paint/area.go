package paint

import (
	"image/color"
	"math"
	"slices"
)

// Area is the part of the canvas that a layout fills, with its theme and fonts. Coordinates are device pixels from the
// top left corner of the canvas; sizes are given in CSS pixels and multiplied by Unit.
type Area struct {
	W, H  float64 // device pixels
	Unit  float64 // device pixels per CSS pixel
	Theme *Theme
	Fonts *Fonts

	Still    bool              // no animations
	Dragging bool              // a drag is under way
	Print    bool              // the picture is for printing: it has no buttons
	Words    map[string]string // translations, by the English words
	Hidden   []string          // hidden parts of the picture: details, points, path, errors
	Pointer  *Pointer          // nil: not on the canvas
	Taps     *[]Tap            // collects the actions of the layout
	Memory   *Memory           // reused between layouts; may be nil
}

// Shows reports whether a part of the picture is shown: "details", "points", "path" (of one chain) or "errors" (the panel
// of errors).
func (a *Area) Shows(part string) bool { return !slices.Contains(a.Hidden, part) }

// Tap is a box of the canvas with an action.
type Tap struct {
	Box    Rect
	Action Action
}

// Action is the effect of a tap: it selects a method, or calls functions of the scene.
type Action struct {
	Method string         // the method to select, if any
	Do     func(at Point) // if set, is called with the position
	Drag   bool           // Do is called again whenever a press moves
	Grab   bool           // a finger drags at once and does not scroll the page
	End    func()         // if set, is called at the end of a drag

	background bool // used only if no other box is hit
}

// OnTap registers an action for a box.
func (a *Area) OnTap(b Rect, do Action) {
	if a.Taps != nil {
		*a.Taps = append(*a.Taps, Tap{b, do})
	}
}

// OnBackground registers an action for taps outside all other boxes.
func (a *Area) OnBackground(do func()) {
	a.OnTap(Rect{W: a.W, H: a.H}, Action{Do: func(Point) { do() }, background: true})
}

// TapAt returns the actions of a tap at a position, in order. It stops after the first action with Do, which is on
// top.
func TapAt(taps []Tap, at Point) (found []Action) {
	for _, t := range taps {
		if t.Action.background || !t.Box.Contains(at) {
			continue
		}
		if found = append(found, t.Action); t.Action.Do != nil {
			return found
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, t := range taps {
		if t.Action.background {
			found = append(found, t.Action)
		}
	}
	return found
}

// Clickable reports whether a position has an action other than that of the background.
func Clickable(taps []Tap, at Point) bool {
	return slices.ContainsFunc(taps, func(t Tap) bool { return !t.Action.background && t.Box.Contains(at) })
}

// Link draws text at x with an action; its box is room CSS pixels wider on both sides. It draws nothing when printing.
func (a *Area) Link(l *Layer, s string, x, y float64, st Style, c color.RGBA, room float64, do Action) {
	if a.Print {
		return
	}
	u, wd := a.Unit, a.Fonts.Width(s, st)
	l.Label(s, x, y, st, c, Left)
	l.HLine(a, x, x+wd, y+3*u, a.Theme.Line2)
	a.OnTap(Rect{x - room*u, y - 16*u, wd + 2*room*u, 26 * u}, do)
}

// Compact reports whether the canvas has the size of a phone.
func (a *Area) Compact() bool { return a.W < 520*a.Unit }

// Hairline returns the width of a hairline: one CSS pixel, rounded to whole device pixels.
func (a *Area) Hairline() float64 { return max(1, math.Round(a.Unit)) }

// Memory holds the slices of one layout, reused by the next.
type Memory struct {
	pts   []Point
	nums  []float64
	cols  []color.RGBA
	cells []byte
}

// Reset frees all slices for reuse.
func (s *Memory) Reset() {
	s.pts, s.nums, s.cols, s.cells = s.pts[:0], s.nums[:0], s.cols[:0], s.cells[:0]
}

// allocate returns an empty slice of capacity n from the end of a buffer.
func allocate[T any](from *[]T, n int) []T {
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(2*cap(*from), n))
	}
	l := len(*from)
	*from = (*from)[:l+n]
	return (*from)[l : l : l+n]
}

// Points returns an empty slice of capacity n, valid until the next layout.
func (a *Area) Points(n int) []Point {
	if a.Memory == nil {
		return make([]Point, 0, n)
	}
	return allocate(&a.Memory.pts, n)
}

// Numbers is like Points, for numbers.
func (a *Area) Numbers(n int) []float64 {
	if a.Memory == nil {
		return make([]float64, 0, n)
	}
	return allocate(&a.Memory.nums, n)
}

// Bytes is like Points, for n bytes; its length is n.
func (a *Area) Bytes(n int) []byte {
	if a.Memory == nil {
		return make([]byte, n)
	}
	return allocate(&a.Memory.cells, n)[:n]
}

// Colors is like Points, for colours.
func (a *Area) Colors(n int) []color.RGBA {
	if a.Memory == nil {
		return make([]color.RGBA, 0, n)
	}
	return allocate(&a.Memory.cols, n)
}
