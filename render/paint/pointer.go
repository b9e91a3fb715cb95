package paint

import (
	"image/color"
	"math"
	"strings"
)

// Pointer collects the texts that a layout offers at the position of the pointer. The nearest offer within its reach
// wins.
type Pointer struct {
	At    Point
	best  float64 // distance of the best offer over its reach
	text  func() string
	spot  Point
	ring  float64 // radius of the highlight, 0: none
	cross Rect    // crosshair: vertical if W is 0, horizontal if H is 0; otherwise a frame
}

// NewPointer returns a pointer without offers.
func NewPointer(at Point) *Pointer { return &Pointer{At: at, best: math.Inf(1)} }

// Pointed reports whether the pointer is in b. Layouts need to make offers only then.
func (a *Area) Pointed(b Rect) bool {
	return a.Pointer != nil && a.Pointer.At.X >= b.X && a.Pointer.At.X <= b.X+b.W && a.Pointer.At.Y >= b.Y &&
		a.Pointer.At.Y <= b.Y+b.H
}

// Offer offers a text. distance is the distance of its mark from the pointer, spot the position of the tooltip; ring
// and cross highlight the mark.
func (q *Pointer) Offer(distance, reach float64, spot Point, ring float64, cross Rect, text func() string) {
	if d := distance / reach; d <= 1 && d < q.best {
		q.best, q.text, q.spot, q.ring, q.cross = d, text, spot, ring, cross
	}
}

// Distance returns the distance of at from the pointer.
func (q *Pointer) Distance(at Point) float64 { return math.Hypot(at.X-q.At.X, at.Y-q.At.Y) }

// Tooltip draws the highlight and a box with the text of the best offer. It returns the text on one line.
func (a *Area) Tooltip() (l Layer, text string) {
	q := a.Pointer
	if q == nil || q.text == nil {
		return l, ""
	}
	text = q.text()
	t, u := a.Theme, a.Unit

	switch c := q.cross; {
	case c.W > 0 && c.H > 0:
		pts := []Point{{c.X, c.Y}, {c.X + c.W, c.Y}, {c.X + c.W, c.Y}, {c.X + c.W, c.Y + c.H},
			{c.X + c.W, c.Y + c.H}, {c.X, c.Y + c.H}, {c.X, c.Y + c.H}, {c.X, c.Y}}
		l.Add(Mark{Kind: Wires, Pts: pts, Width: 2 * u, Color: t.Methods[0]})
	case c.H > 0 || c.W > 0:
		l.Add(Mark{Kind: Wires, Pts: []Point{{c.X, c.Y}, {c.X + c.W, c.Y + c.H}}, Width: a.Hairline(), Color: t.Ink2})
	}
	if q.ring > 0 {
		l.Add(Mark{Kind: Stroke, Pts: Circle(q.spot, q.ring+2.5*u), Width: 1.5 * u, Color: t.Ink, Halo: true})
	}

	// The box is next to the spot, and on the canvas.
	lines := strings.Split(text, "\n")
	w := 0.0
	for i, s := range lines {
		w = max(w, a.Fonts.Width(s, lineStyle(i)))
	}
	box := Rect{W: math.Ceil(w) + 16*u, H: float64(len(lines))*16*u + 10*u}
	box.X, box.Y = q.spot.X+12*u, q.spot.Y-box.H-10*u
	if box.X+box.W > a.W-4*u {
		box.X = q.spot.X - 12*u - box.W
	}
	if box.Y < 4*u {
		box.Y = q.spot.Y + 12*u
	}
	box.X = math.Round(min(max(box.X, 4*u), max(a.W-box.W-4*u, 0)))
	box.Y = math.Round(min(max(box.Y, 4*u), max(a.H-box.H-4*u, 0)))

	edge := a.Hairline()
	l.Add(Mark{Kind: Fill, Box: Rect{box.X - edge, box.Y - edge, box.W + 2*edge, box.H + 2*edge}, Color: t.Line2},
		Mark{Kind: Fill, Box: box, Color: t.Ground})
	for i, s := range lines {
		c := color.RGBA(t.Ink2)
		if i == 0 {
			c = t.Ink
		}
		l.Add(Mark{Kind: Text, Text: s, At: Point{box.X + 8*u, box.Y + float64(i+1)*16*u}, Style: lineStyle(i), Color: c})
	}
	return l, strings.Join(lines, ", ")
}

func lineStyle(i int) Style {
	if i == 0 {
		return Strong
	}
	return Plain
}
