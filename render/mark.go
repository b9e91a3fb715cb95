package render

import (
	"image/color"
	"math"
)

// Coordinates are device pixels from the top left corner of the canvas; sizes in
// the design are CSS pixels and are multiplied by area.u on the way.

type point struct{ x, y float64 }

type rect struct{ x, y, w, h float64 }

// holds tells whether a point lies in r or on its edge.
func (r rect) holds(p point) bool {
	return p.x >= r.x && p.x <= r.x+r.w && p.y >= r.y && p.y <= r.y+r.h
}

// kind says which fields of a mark apply.
type kind uint8

const (
	fill     kind = iota // box
	stroke               // pts, width, dash, color, halo
	band                 // pts are the upper boundary, more the lower one
	disc                 // at, r, hollow
	square               // at, r, hollow
	diamond              // at, r, hollow
	emblem               // at, r, hollow, slot: one of emblems
	words                // at is the baseline, text, style, align, halo
	picture              // box, cells, cw, ch; drawn before all else
	ground               // box, relief, slot; drawn before all else
	dots                 // pts, radii, colors, width of the ring
	wires                // pts: ends of axis-parallel segments; colors if they differ, width, halo
	threads              // pts: ends of segments of any direction; colors, width
	triangle             // at, r
	vines                // pts: polylines of slot points each; radii: their widths, color or colors
	mosaic               // pts, colors: cw x ch corners of cells that blend
)

// mark is one thing to paint. Layouts produce marks and never touch a GPU, so
// tests can read them.
type mark struct {
	kind   kind
	color  color.RGBA // premultiplied
	box    rect
	pts    []point
	more   []point
	at     point
	r      float64
	width  float64
	dash   [2]float64 // on, off; zero is solid
	hollow float64    // ring width of an unfilled mark
	halo   bool       // ground-coloured rim under the mark
	text   string
	style  style
	align  align
	cells  []byte // of a picture: 0 off, 1 on, 2 absent, and tints
	grey   bool   // cells are shades from 0 to 255 instead
	signed bool   // cells are weights instead: 128 is 0, 1 and 255 are the ends of their scale
	cw, ch int    // its size
	slot   int    // which row of a wall, or which place on the canvas
	radii  []float64
	colors []color.RGBA
	relief *Relief
	// sideways: pts and more are the left and right boundary, with the same y values.
	sideways bool
}

type align uint8

const (
	left align = iota
	centre
	right
)

// layer is a batch of marks with a clip; a zero clip is the whole canvas.
type layer struct {
	clip  rect
	marks []mark
}

func (l *layer) add(m ...mark) { l.marks = append(l.marks, m...) }

// label appends text with its baseline at y.
func (l *layer) label(s string, x, y float64, st style, c color.RGBA, al align) {
	l.add(mark{kind: words, text: s, at: point{x, y}, style: st, color: c, align: al, halo: true})
}

// hline and vline append hairlines snapped to whole device pixels.
func (l *layer) hline(a *area, x0, x1, y float64, c color.RGBA) {
	l.add(mark{kind: fill, box: rect{math.Round(x0), math.Round(y), math.Round(x1) - math.Round(x0), a.hair()}, color: c})
}

func (l *layer) vline(a *area, x, y0, y1 float64, c color.RGBA) {
	l.add(mark{kind: fill, box: rect{math.Round(x), math.Round(y0), a.hair(), math.Round(y1) - math.Round(y0)}, color: c})
}

// emblems are the marks of the fourth method and those after it, as convex pieces around the origin, as large as a
// disc of radius one: triangles up and down, plus, cross, pillar, hourglass.
var emblems = [...][][]point{
	{{{0, -1.2}, {1.2, 0.9}, {-1.2, 0.9}}},
	{{{0, 1.2}, {1.2, -0.9}, {-1.2, -0.9}}},
	{{{-1.2, -0.42}, {1.2, -0.42}, {1.2, 0.42}, {-1.2, 0.42}}, {{-0.42, -1.2}, {0.42, -1.2}, {0.42, 1.2}, {-0.42, 1.2}}},
	{{{-1.13, -0.55}, {-0.55, -1.13}, {1.13, 0.55}, {0.55, 1.13}},
		{{-1.13, 0.55}, {-0.55, 1.13}, {1.13, -0.55}, {0.55, -1.13}}},
	{{{-0.55, -1.25}, {0.55, -1.25}, {0.55, 1.25}, {-0.55, 1.25}}},
	{{{-1.1, -1.1}, {1.1, -1.1}, {0, 0.2}}, {{-1.1, 1.1}, {1.1, 1.1}, {0, -0.2}}},
}

// glyph appends the mark of the i-th method: circle, square, diamond and the emblems in turn.
func (l *layer) glyph(a *area, i int, x, y, r float64, hollow bool) {
	m := mark{kind: emblem, at: point{x, y}, r: r, color: a.theme.method(i), halo: true}
	if i %= 3 + len(emblems); i < 3 {
		m.kind = [...]kind{disc, square, diamond}[i]
	} else {
		m.slot = i - 3
	}
	if hollow {
		m.hollow = 1.5 * a.u
	}
	l.add(m)
}

// Relief is a density as flat bands and contour lines in device pixels relative to its box. The painter draws it once
// and tells it from others by its address.
type Relief struct {
	Bands [len(levels)][]point // triangles, three points each, for each of levels
	Lines []point              // segments, two points each
}
