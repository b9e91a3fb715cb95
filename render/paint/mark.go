package paint

import (
	"image/color"
	"math"
)

// Point is a place on the canvas.
type Point struct{ X, Y float64 }

// Pt is the point (x, y).
func Pt(x, y float64) Point { return Point{x, y} }

// Rect is a rectangle by its top left corner and its size.
type Rect struct{ X, Y, W, H float64 }

// XYWH is the rectangle with its top left corner at (x, y), w wide and h high.
func XYWH(x, y, w, h float64) Rect { return Rect{x, y, w, h} }

// Contains tells whether a point lies in r or on its edge.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.X <= r.X+r.W && p.Y >= r.Y && p.Y <= r.Y+r.H
}

// Kind says which fields of a mark apply, beside Color.
type Kind uint8

// The kinds of marks.

const (
	Fill      Kind = iota // Box
	Stroke                // a polyline: Pts, Width, Dash, Halo
	Band                  // the area between the upper boundary Pts and Lower
	Disc                  // At, R, Hollow
	Square                // At, R, Hollow
	Diamond               // At, R, Hollow
	Emblem                // At, R, Hollow, Slot: one of emblems
	Text                  // Text, Style, Align, Halo; At is on the baseline
	Cells                 // a picture: Box, Cells, Cols, Rows; painted before all other kinds
	Ground                // a density: Box, Relief, Slot; painted before all other kinds
	Dots                  // discs: Pts, Radii, Colors; Width of the ring around each
	Wires                 // segments along the axes: Pts (two each), Colors if they differ, Width, Halo
	Segments              // segments in any direction: Pts (two each), Colors if they differ, Width
	Triangle              // At, R
	Polylines             // polylines of Slot points each: Pts, Radii (their widths), Colors if they differ
	Mosaic                // Cols x Rows corners of cells that blend: Pts, Colors
)

// Mark is one thing to paint. Layouts produce marks and never touch a GPU, so
// tests can read them.
type Mark struct {
	Kind       Kind
	Color      color.RGBA // premultiplied
	Box        Rect
	Pts        []Point
	Lower      []Point
	At         Point
	R          float64
	Width      float64
	Dash       [2]float64 // on, off; zero is solid
	Hollow     float64    // ring width of an unfilled mark
	Halo       bool       // ground-coloured rim under the mark
	Text       string
	Style      Style
	Align      Align
	Cells      []byte // of a picture: 0 off, 1 on, 2 absent, and tints
	Grey       bool   // cells are shades from 0 to 255 instead
	Signed     bool   // cells are weights instead: 128 is 0, 1 and 255 are the ends of their scale
	Cols, Rows int    // size of the picture in cells
	Slot       int    // which particle, or which place on the canvas
	Radii      []float64
	Colors     []color.RGBA
	Relief     *Relief
	Deep       bool // of a relief: darker, because nothing has to be seen on it
	Sideways   bool // Pts and Lower are the left and the right boundary, with the same y values
}

// Align says which end of a text is at its place.
type Align uint8

// The ends of a text.
const (
	Left Align = iota
	Centre
	Right
)

// Layer is a batch of marks with a clip; a zero clip is the whole canvas.
type Layer struct {
	Clip  Rect
	Marks []Mark
}

// Add appends marks.
func (l *Layer) Add(m ...Mark) { l.Marks = append(l.Marks, m...) }

// Label appends text with its baseline at y.
func (l *Layer) Label(s string, x, y float64, st Style, c color.RGBA, al Align) {
	l.Add(Mark{Kind: Text, Text: s, At: Point{x, y}, Style: st, Color: c, Align: al, Halo: true})
}

// HLine appends a horizontal hairline, snapped to whole device pixels.
func (l *Layer) HLine(a *Area, x0, x1, y float64, c color.RGBA) {
	l.Add(Mark{Kind: Fill, Box: Rect{math.Round(x0), math.Round(y), math.Round(x1) - math.Round(x0), a.Hairline()},
		Color: c})
}

// VLine appends a vertical hairline, snapped to whole device pixels.
func (l *Layer) VLine(a *Area, x, y0, y1 float64, c color.RGBA) {
	l.Add(Mark{Kind: Fill, Box: Rect{math.Round(x), math.Round(y0), a.Hairline(), math.Round(y1) - math.Round(y0)},
		Color: c})
}

// Emblems are the marks of the fourth method and those after it, as convex pieces around the origin, as large as a
// disc of radius one: triangles up and down, plus, cross, pillar, hourglass.
var Emblems = [...][][]Point{
	{{{0, -1.2}, {1.2, 0.9}, {-1.2, 0.9}}},
	{{{0, 1.2}, {1.2, -0.9}, {-1.2, -0.9}}},
	{{{-1.2, -0.42}, {1.2, -0.42}, {1.2, 0.42}, {-1.2, 0.42}}, {{-0.42, -1.2}, {0.42, -1.2}, {0.42, 1.2}, {-0.42, 1.2}}},
	{{{-1.13, -0.55}, {-0.55, -1.13}, {1.13, 0.55}, {0.55, 1.13}},
		{{-1.13, 0.55}, {-0.55, 1.13}, {1.13, -0.55}, {0.55, -1.13}}},
	{{{-0.55, -1.25}, {0.55, -1.25}, {0.55, 1.25}, {-0.55, 1.25}}},
	{{{-1.1, -1.1}, {1.1, -1.1}, {0, 0.2}}, {{-1.1, 1.1}, {1.1, 1.1}, {0, -0.2}}},
}

// Outline is the boundary of a Square, a Diamond or an Emblem with the nominal radius r, as convex pieces. All look as
// large as a disc of that radius. The pieces of an emblem grow and shrink around their own middles, so that with another
// radius than the mark's they are its rim or its hole.
func (m *Mark) Outline(r float64) [][]Point {
	x, y := m.At.X, m.At.Y
	switch m.Kind {
	case Square:
		r *= 0.88
		return [][]Point{{{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}}
	case Diamond:
		r *= 1.24
		return [][]Point{{{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}}}
	case Emblem:
		var out [][]Point
		for _, piece := range Emblems[m.Slot] {
			corners, mid, n := make([]Point, len(piece)), Point{}, float64(len(piece))
			for _, q := range piece {
				mid.X, mid.Y = mid.X+q.X/n, mid.Y+q.Y/n
			}
			for i, q := range piece {
				corners[i] = Point{x + m.R*mid.X + r*(q.X-mid.X), y + m.R*mid.Y + r*(q.Y-mid.Y)}
			}
			out = append(out, corners)
		}
		return out
	}
	return nil
}

// MethodMark appends the mark of the i-th method: circle, square, diamond and the emblems in turn.
func (l *Layer) MethodMark(a *Area, i int, x, y, r float64, hollow bool) {
	m := Mark{Kind: Emblem, At: Point{x, y}, R: r, Color: a.Theme.Method(i), Halo: true}
	if i %= 3 + len(Emblems); i < 3 {
		m.Kind = [...]Kind{Disc, Square, Diamond}[i]
	} else {
		m.Slot = i - 3
	}
	if hollow {
		m.Hollow = 1.5 * a.Unit
	}
	l.Add(m)
}

// Relief is a density as flat bands and contour lines in device pixels relative to its box. The painter draws it once
// and tells it from others by its address.
type Relief struct {
	Bands [len(Contours)][]Point // triangles, three points each, for each of Contours
	Lines []Point                // segments, two points each
}

// Distinct drops points that repeat the one before.
func Distinct(pts []Point) []Point {
	out := pts[:1]
	for _, q := range pts[1:] {
		if q != out[len(out)-1] {
			out = append(out, q)
		}
	}
	return out
}

// Snap is r on whole device pixels, at least one wide and high.
func Snap(r Rect) Rect {
	x, y := math.Round(r.X), math.Round(r.Y)
	return Rect{x, y, max(1, math.Round(r.W)), max(1, math.Round(r.H))}
}

// Circle is a closed ring of points.
func Circle(at Point, r float64) []Point {
	const n = 24
	pts := make([]Point, n+2)
	for i := range pts {
		x, y := math.Sincos(2 * math.Pi * float64(i) / n)
		pts[i] = Point{at.X + r*x, at.Y + r*y}
	}
	return pts
}

// FrameOf is a frame around a box.
func FrameOf(b Rect, off, width float64, c color.RGBA) Mark {
	x0, y0, x1, y1 := b.X-off, b.Y-off, b.X+b.W+off, b.Y+b.H+off
	return Mark{Kind: Wires, Width: width, Color: c, Pts: []Point{
		{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y1},
		{X: x0, Y: y0}}}
}

// MaxTexture is the size of a texture, in pixels, that every device with WebGL 2 takes: no picture made of cells may be
// wider or higher.
const MaxTexture = 2048
