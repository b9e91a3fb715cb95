package render

import (
	"image/color"
	"math"
)

// Coordinates are device pixels from the top left corner of the canvas; sizes in
// the design are CSS pixels and are multiplied by area.u on the way.

// area is what a layout may use: the canvas, its pixel ratio, theme and fonts.
type area struct {
	w, h  float64 // device pixels
	u     float64 // device pixels per CSS pixel
	theme *Theme
	fonts *fonts
}

// compact tells whether the canvas is phone sized.
func (a *area) compact() bool { return a.w < 520*a.u }

// hair is the width of a hairline: one CSS pixel in whole device pixels.
func (a *area) hair() float64 { return max(1, math.Round(a.u)) }

type point struct{ x, y float64 }

type rect struct{ x, y, w, h float64 }

// kind says which fields of a mark apply.
type kind uint8

const (
	fill    kind = iota // box
	stroke              // pts, width, dash, color, halo
	band                // pts are the upper boundary, more the lower one
	disc                // at, r, hollow
	square              // at, r, hollow
	diamond             // at, r, hollow
	words               // at is the baseline, text, style, align, halo
	picture             // box, slot of the wall, wall
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
	wall   *wall
	slot   int
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

// glyph appends the mark of the i-th method: circle, square, diamond in turn.
func (l *layer) glyph(a *area, i int, x, y, r float64, hollow bool) {
	k := [...]kind{disc, square, diamond}[i%3]
	m := mark{kind: k, at: point{x, y}, r: r, color: a.theme.method(i), halo: true}
	if hollow {
		m.hollow = 1.5 * a.u
	}
	l.add(m)
}
