package paint

import (
	"image/color"
	"math"
	"slices"
)

// Area is what a layout may use: the canvas, its pixel ratio, theme and fonts. Coordinates are device pixels from the
// top left corner of the canvas; sizes in the design are CSS pixels and are multiplied by Unit.
type Area struct {
	W, H  float64 // device pixels
	Unit  float64 // device pixels per CSS pixel
	Theme *Theme
	Fonts *Fonts

	Still    bool              // no motion: the viewer asked for less of it
	Dragging bool              // something is being dragged
	Print    bool              // the picture is for keeping: nothing can be pressed in it
	Words    map[string]string // words of another language by the English ones
	Hidden   []string          // parts of the picture that are hidden: details, points, errors
	Pointer  *Pointer          // where the pointer is, nil: nowhere
	Taps     *[]Tap            // collects what can be tapped
	Memory   *Memory           // memory of the last layout
}

// Shows reports whether a part of the picture is shown: its details, which are for a second look, its points, or the
// panel of its errors.
func (a *Area) Shows(part string) bool { return !slices.Contains(a.Hidden, part) }

// Tap is a part of the canvas that does something.
type Tap struct {
	Box    Rect
	Action Action
}

// Action is what a tap asks for: another method, or something of the scene; a drag goes on with it. What a finger grabs
// does not scroll the page.
type Action struct {
	Method string         // the method to show, if any
	Do     func(at Point) // if set, is done at the place
	Drag   bool           // a press goes on with Do while it moves
	Grab   bool           // a finger drags at once
	End    func()         // if set, is called when a drag ends

	background bool // done where nothing else can be tapped
}

// OnTap makes a box answer to taps.
func (a *Area) OnTap(b Rect, do Action) {
	if a.Taps != nil {
		*a.Taps = append(*a.Taps, Tap{b, do})
	}
}

// OnBackground is done at a tap on nothing that answers to taps.
func (a *Area) OnBackground(do func()) {
	a.OnTap(Rect{W: a.W, H: a.H}, Action{Do: func(Point) { do() }, background: true})
}

// TapAt returns what a tap at a place asks for, in order: each is done until one has Do. It is empty where nothing
// answers.
func TapAt(taps []Tap, at Point) (found []Action) {
	for _, t := range taps {
		if t.Action.background || !t.Box.Contains(at) {
			continue
		}
		if found = append(found, t.Action); t.Action.Do != nil {
			return found // what lies on top comes first
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

// Clickable reports whether something in particular answers to a tap at a place.
func Clickable(taps []Tap, at Point) bool {
	return slices.ContainsFunc(taps, func(t Tap) bool { return !t.Action.background && t.Box.Contains(at) })
}

// Link writes words from x on that do something when tapped, with room around them; a picture for keeping has none.
func (a *Area) Link(l *Layer, s string, x, y float64, st Style, c color.RGBA, room float64, do Action) {
	if a.Print {
		return
	}
	u, wd := a.Unit, a.Fonts.Width(s, st)
	l.Label(s, x, y, st, c, Left)
	l.HLine(a, x, x+wd, y+3*u, a.Theme.Line2)
	a.OnTap(Rect{x - room*u, y - 16*u, wd + 2*room*u, 26 * u}, do)
}

// Compact tells whether the canvas is phone sized.
func (a *Area) Compact() bool { return a.W < 520*a.Unit }

// Hairline is the width of a hairline: one CSS pixel in whole device pixels.
func (a *Area) Hairline() float64 { return max(1, math.Round(a.Unit)) }

// Memory keeps the points and colours of one layout, used again by the next.
type Memory struct {
	pts   []Point
	nums  []float64
	cols  []color.RGBA
	cells []byte
}

// Reset makes all memory free again.
func (s *Memory) Reset() {
	s.pts, s.nums, s.cols, s.cells = s.pts[:0], s.nums[:0], s.cols[:0], s.cells[:0]
}

// cut takes room for n values from the end of a list.
func cut[T any](from *[]T, n int) []T {
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(2*cap(*from), n))
	}
	l := len(*from)
	*from = (*from)[:l+n]
	return (*from)[l : l : l+n]
}

// Points is an empty list with room for n, in the memory of the layout; so are Numbers and Colors.
func (a *Area) Points(n int) []Point {
	if a.Memory == nil {
		return make([]Point, 0, n)
	}
	return cut(&a.Memory.pts, n)
}

func (a *Area) Numbers(n int) []float64 {
	if a.Memory == nil {
		return make([]float64, 0, n)
	}
	return cut(&a.Memory.nums, n)
}

// Bytes has room for n cells and their length.
func (a *Area) Bytes(n int) []byte {
	if a.Memory == nil {
		return make([]byte, n)
	}
	return cut(&a.Memory.cells, n)[:n]
}

func (a *Area) Colors(n int) []color.RGBA {
	if a.Memory == nil {
		return make([]color.RGBA, 0, n)
	}
	return cut(&a.Memory.cols, n)
}
