package view

import (
	"image/color"

	"logzlab/render/paint"
	"logzlab/render/svg"
)

// Drawings that the user keeps are whole SVG documents with colours, type and sizes of their own, since they leave the
// page. Their unit is half a CSS pixel.
const (
	keptWide = 1200.0
	keptUnit = 2.0
	keptPad  = 48.0
)

// drawing is a drawing under way, made from the top down.
type drawing struct {
	a      *paint.Area
	layers []paint.Layer
	y      float64 // what is above is drawn
}

// kept makes a drawing in a theme of the page; with none it follows the reader's light or dark.
func (p *page) kept(theme string, draw func(d *drawing)) string {
	fonts := paint.NewFonts(keptUnit, false) // the page writes its numbers
	in := func(t *paint.Theme) *drawing {
		d := &drawing{a: &paint.Area{W: keptWide, H: keptWide, Unit: keptUnit, Theme: t, Fonts: fonts, Still: true,
			Print: true}}
		draw(d)
		return d
	}
	t := paint.Themes[theme]
	if t == nil {
		t = &paint.Light
	}
	d := in(t)
	doc := svg.Document{W: keptWide, H: d.y, Theme: t, Fonts: fonts, Layers: d.layers, Ground: true, Title: p.cardTitle()}
	if theme == "" {
		doc.Dark = in(&paint.Dark).layers
	}
	return string(doc.Write())
}

// put adds marks in a layer of their own.
func (d *drawing) put(marks ...paint.Mark) { d.layers = append(d.layers, paint.Layer{Marks: marks}) }

// write writes a line of text at x, on the present height.
func (d *drawing) write(x float64, st paint.Style, ink color.RGBA, s string) {
	d.put(paint.Mark{Kind: paint.Text, Text: s, At: paint.Pt(x, d.y), Style: st, Color: ink})
}

// lines writes a text in lines no longer than the drawing is wide.
func (d *drawing) lines(st paint.Style, ink color.RGBA, s string) {
	px, _ := st.Size()
	for _, line := range d.a.Wrap(s, st, keptWide-2*keptPad) {
		d.y += 1.4 * px * keptUnit
		d.write(keptPad, st, ink, line)
	}
}

// symbol draws the mark of the i-th method.
func (d *drawing) symbol(i int, x, y float64) {
	var l paint.Layer
	l.MethodMark(d.a, i, x, y, 8.5, false)
	d.put(l.Marks...)
}
