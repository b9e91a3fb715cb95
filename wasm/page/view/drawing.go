package view

import (
	"image/color"

	"logzlab/render/paint"
	"logzlab/render/svg"
)

// Saved drawings are complete SVG documents with their own colours, fonts and sizes, because they leave the page. Their
// unit is half a CSS pixel.
const (
	drawingWidth  = 1200.0
	drawingUnit   = 2.0
	drawingMargin = 48.0
)

// drawing is an SVG drawing that is built from the top down.
type drawing struct {
	a      *paint.Area
	layers []paint.Layer
	y      float64 // the lower edge of the content so far
}

// svgDrawing returns a drawing as SVG in a theme of the page. With theme "" it has light and dark colours, and follows
// the mode of the viewer's system.
func (p *page) svgDrawing(theme string, draw func(d *drawing)) string {
	fonts := paint.NewFonts(drawingUnit, false) // the page formats numbers itself
	drawIn := func(t *paint.Theme) *drawing {
		d := &drawing{a: &paint.Area{W: drawingWidth, H: drawingWidth, Unit: drawingUnit, Theme: t, Fonts: fonts, Still: true,
			Print: true}}
		draw(d)
		return d
	}
	t := paint.Themes[theme]
	if t == nil {
		t = &paint.Light
	}
	d := drawIn(t)
	doc := svg.Document{W: drawingWidth, H: d.y, Theme: t, Fonts: fonts, Layers: d.layers, Ground: true, Title: p.cardTitle()}
	if theme == "" {
		doc.Dark = drawIn(&paint.Dark).layers
	}
	return string(doc.Write())
}

// addLayer adds marks as a new layer.
func (d *drawing) addLayer(marks ...paint.Mark) {
	d.layers = append(d.layers, paint.Layer{Marks: marks})
}

// write writes a line of text at x, at the current height.
func (d *drawing) write(x float64, st paint.Style, ink color.RGBA, s string) {
	d.addLayer(paint.Mark{Kind: paint.Text, Text: s, At: paint.Pt(x, d.y), Style: st, Color: ink})
}

// lines writes a text, wrapped to the width of the drawing.
func (d *drawing) lines(st paint.Style, ink color.RGBA, s string) {
	px, _ := st.Size()
	for _, line := range d.a.Wrap(s, st, drawingWidth-2*drawingMargin) {
		d.y += 1.4 * px * drawingUnit
		d.write(drawingMargin, st, ink, line)
	}
}

// symbol draws the mark of method i.
func (d *drawing) symbol(i int, x, y float64) {
	var l paint.Layer
	l.MethodMark(d.a, i, x, y, 8.5, false)
	d.addLayer(l.Marks...)
}
