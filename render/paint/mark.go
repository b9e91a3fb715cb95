package paint

import (
	"image/color"
	"math"
)

// Point is a point of the canvas.
type Point struct{ X, Y float64 }

// Pt returns the point (x, y).
func Pt(x, y float64) Point { return Point{x, y} }

// Rect is a rectangle, given by its top left corner and its size.
type Rect struct{ X, Y, W, H float64 }

// XYWH returns the rectangle with the top left corner (x, y), width w and height h.
func XYWH(x, y, w, h float64) Rect { return Rect{x, y, w, h} }

// Contains reports whether a point is in r or on its edge.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.X <= r.X+r.W && p.Y >= r.Y && p.Y <= r.Y+r.H
}

// Kind determines which fields of a mark are used, in addition to Color.
type Kind uint8

// The kinds of marks, with their fields.

const (
	Fill      Kind = iota // Box
	Stroke                // a polyline: Pts, Width, Dash, Halo
	Band                  // the area between Pts and Lower
	Disc                  // At, R, Hollow
	Square                // At, R, Hollow
	Diamond               // At, R, Hollow
	Emblem                // At, R, Hollow, Slot: an index into Emblems
	Text                  // Text, Style, Align, Halo; At is on the baseline
	Cells                 // a picture: Box, Cells, Cols, Rows; painted before all other kinds
	Ground                // a density: Box, Relief, Slot; painted before all other kinds
	Dots                  // discs: Pts, Radii, Colors; Width of the ring around each
	Wires                 // horizontal and vertical segments: Pts (two each), Colors if they differ, Width, Halo
	Segments              // segments in any direction: Pts (two each), Colors if they differ, Width
	Triangle              // At, R
	Polylines             // polylines of Slot points each: Pts, Radii (their widths), Colors if they differ
	Mosaic                // Cols x Rows vertices with interpolated colours: Pts, Colors
)

// Mark is one shape, text or picture. Layouts return marks and never use a GPU, so that tests can read them.
type Mark struct {
	Kind       Kind
	Color      color.RGBA // premultiplied
	Box        Rect
	Pts        []Point
	Lower      []Point
	At         Point
	R          float64
	Width      float64
	Dash       [2]float64 // on, off; zero means solid
	Hollow     float64    // width of the ring of an unfilled mark, 0: filled
	Halo       bool       // a rim in the colour of the ground below the mark
	Text       string
	Style      Style
	Align      Align
	Cells      []byte // of a picture: values from CellOff to CellNewOff
	Grey       bool   // cells are shades from 0 to 255 instead
	Signed     bool   // cells are weights instead: 128 is 0, 1 and 255 are the ends of their scale
	Cols, Rows int    // size of a picture in cells
	Slot       int    // index of a particle, an emblem or a position
	Radii      []float64
	Colors     []color.RGBA
	Relief     *Relief
	Dark       bool // of a relief: darker colours
	Sideways   bool // of a band: Pts and Lower are the left and the right boundary, with the same y values
}

// Align is the end of a text that is at its position.
type Align uint8

// Alignments of a text.
const (
	Left Align = iota
	Centre
	Right
)

// Layer is a list of marks with a clip rectangle; a zero Clip is the whole canvas.
type Layer struct {
	Clip  Rect
	Marks []Mark
}

// Add appends marks.
func (l *Layer) Add(m ...Mark) { l.Marks = append(l.Marks, m...) }

// Label appends a text with its baseline at y.
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

// Emblems are the marks of the fourth and later methods, as convex pieces around the origin, as large as a disc of
// radius 1: triangles up and down, plus, cross, pillar, hourglass.
var Emblems = [...][][]Point{
	{{{0, -1.2}, {1.2, 0.9}, {-1.2, 0.9}}},
	{{{0, 1.2}, {1.2, -0.9}, {-1.2, -0.9}}},
	{{{-1.2, -0.42}, {1.2, -0.42}, {1.2, 0.42}, {-1.2, 0.42}}, {{-0.42, -1.2}, {0.42, -1.2}, {0.42, 1.2}, {-0.42, 1.2}}},
	{{{-1.13, -0.55}, {-0.55, -1.13}, {1.13, 0.55}, {0.55, 1.13}},
		{{-1.13, 0.55}, {-0.55, 1.13}, {1.13, -0.55}, {0.55, -1.13}}},
	{{{-0.55, -1.25}, {0.55, -1.25}, {0.55, 1.25}, {-0.55, 1.25}}},
	{{{-1.1, -1.1}, {1.1, -1.1}, {0, 0.2}}, {{-1.1, 1.1}, {1.1, 1.1}, {0, -0.2}}},
}

// Outline returns the boundary of a Square, a Diamond or an Emblem of nominal radius r, as convex pieces. All look as
// large as a disc of that radius. The pieces of an emblem are scaled around their own centers, so that a radius other
// than m.R gives the rim or the hole of the mark.
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

// MethodMark appends the mark of method i: circle, square, diamond and then the emblems.
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

// Relief is a density as flat bands and contour lines, in device pixels relative to its box. The painter caches it by
// its address.
type Relief struct {
	Bands [len(Contours)][]Point // triangles, three points each, for each of Contours
	Lines []Point                // segments, two points each
}

// Distinct returns pts without points that repeat the previous one. It modifies pts.
func Distinct(pts []Point) []Point {
	out := pts[:1]
	for _, q := range pts[1:] {
		if q != out[len(out)-1] {
			out = append(out, q)
		}
	}
	return out
}

// Snap returns r rounded to whole device pixels, at least one wide and high.
func Snap(r Rect) Rect {
	x, y := math.Round(r.X), math.Round(r.Y)
	return Rect{x, y, max(1, math.Round(r.W)), max(1, math.Round(r.H))}
}

// Circle returns a closed ring of points.
func Circle(at Point, r float64) []Point {
	const n = 24
	pts := make([]Point, n+2)
	for i := range pts {
		x, y := math.Sincos(2 * math.Pi * float64(i) / n)
		pts[i] = Point{at.X + r*x, at.Y + r*y}
	}
	return pts
}

// FrameAround returns a frame around a box, off pixels outside of it.
func FrameAround(b Rect, off, width float64, c color.RGBA) Mark {
	x0, y0, x1, y1 := b.X-off, b.Y-off, b.X+b.W+off, b.Y+b.H+off
	return Mark{Kind: Wires, Width: width, Color: c, Pts: []Point{
		{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y1},
		{X: x0, Y: y0}}}
}

// MaxTexture is the texture size, in pixels, that every device with WebGL 2 supports. No picture made of cells may be
// wider or higher.
const MaxTexture = 2048
