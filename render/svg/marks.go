package svg

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"math"

	"logzlab/render/paint"
)

// Widths of halos, both sides together, in CSS pixels; the same as on the canvas.
const (
	haloShape = 3.0
	haloLine  = 2.5
	haloText  = 4.0
)

// crisp turns anti-aliasing off, which would show the ground between adjacent areas.
const crisp = ` shape-rendering="crispEdges"`

// mark writes a mark; dark is the same mark in the dark theme.
func (w *writer) mark(m, dark *paint.Mark) {
	t, scale := tone{m.Color, dark.Color}, w.d.Fonts.Scale
	var p path
	switch m.Kind {
	case paint.Fill:
		p.box(m.Box)
		w.fill(&p, t)
	case paint.Stroke:
		w.line(m, t)
	case paint.Band:
		p.polyline(m.Pts)
		for i := len(m.Lower) - 1; i >= 0; i-- {
			p.line(m.Lower[i])
		}
		p.close()
		w.fill(&p, t)
	case paint.Disc, paint.Square, paint.Diamond, paint.Emblem:
		w.shape(m, t)
	case paint.Text:
		if m.Text == "" {
			return
		}
		w.text(m, t)
	case paint.Cells:
		w.cells(m, dark)
	case paint.Ground:
		w.relief(m)
	case paint.Dots:
		w.dots(m, dark)
	case paint.Wires:
		w.wires(m, dark)
	case paint.Segments:
		w.pieces(m, dark, 2, func(int) float64 { return m.Width })
	case paint.Polylines:
		w.pieces(m, dark, m.Slot, func(i int) float64 { return m.Radii[i] })
	case paint.Triangle:
		foot := m.At.Y + 0.83*m.R
		p.polygon(paint.Pt(m.At.X, m.At.Y-m.R), paint.Pt(m.At.X+1.08*m.R, foot), paint.Pt(m.At.X-1.08*m.R, foot))
		if m.Halo {
			w.stroke(&p, haloShape*scale, w.ground(), ` stroke-linejoin="round"`)
		}
		w.fill(&p, t)
	case paint.Mosaic:
		w.mosaic(m, dark)
	}
}

// line writes a stroke, with its halo below.
func (w *writer) line(m *paint.Mark, t tone) {
	var p path
	p.polyline(m.Pts)
	dash := ""
	if m.Dash[0] > 0 && m.Dash[1] > 0 {
		dash = ` stroke-dasharray="` + number(m.Dash[0]) + " " + number(m.Dash[1]) + `"`
	}
	if m.Halo {
		w.stroke(&p, m.Width+haloLine*w.d.Fonts.Scale, w.ground(), dash)
	}
	w.stroke(&p, m.Width, t, dash)
}

// shape writes the mark of a method: its halo, the mark, and a hole if it is hollow.
func (w *writer) shape(m *paint.Mark, t tone) {
	put := func(r float64, t tone) {
		if r <= 0 {
			return
		}
		if m.Kind == paint.Disc {
			w.element("circle", w.ink("fill", t), `cx="`, number(m.At.X), `" cy="`, number(m.At.Y), `" r="`, number(r), `"`)
			return
		}
		var p path
		for _, piece := range m.Outline(r) {
			p.polygon(piece...)
		}
		w.fill(&p, t)
	}
	if m.Halo {
		put(m.R+haloShape/2*w.d.Fonts.Scale, w.ground())
	}
	put(m.R, t)
	if m.Hollow > 0 {
		put(m.R-m.Hollow, w.ground())
	}
}

// text writes a text, with its halo below. textLength gives it the width that the layout has measured, whatever font
// the reader has.
func (w *writer) text(m *paint.Mark, t tone) {
	f := w.d.Fonts
	size, bold := m.Style.Size()
	attributes := fmt.Sprintf(`x="%s" y="%s" font-size="%s"`, number(m.At.X), number(math.Round(m.At.Y)),
		number(size*f.Scale))
	if bold {
		attributes += ` font-weight="700"`
	}
	if m.Align != paint.Left {
		attributes += ` text-anchor="` + [...]string{paint.Centre: "middle", paint.Right: "end"}[m.Align] + `"`
	}
	if width := f.Width(m.Text, m.Style); width > 0 {
		attributes += ` textLength="` + number(math.Round(10*width)/10) + `" lengthAdjust="spacingAndGlyphs"`
	}
	words := escape(f.Localized(m.Text))
	if m.Halo && w.d.Dark == nil {
		attributes += fmt.Sprintf(` %s stroke-width="%s" stroke-linejoin="round" paint-order="stroke"`,
			w.ink("stroke", w.ground()), number(haloText*f.Scale))
	} else if m.Halo { // a class for the halo would override the class of the letters
		fmt.Fprintf(&w.b, `<g %s stroke-width="%s" stroke-linejoin="round" paint-order="stroke">`,
			w.ink("stroke", w.ground()), number(haloText*f.Scale))
		defer w.b.WriteString("</g>")
	}
	fmt.Fprintf(&w.b, "<text %s %s>%s</text>", w.ink("fill", t), attributes, words)
}

// groups writes n pieces as paths. Consecutive pieces of the same width and tone share a path.
func (w *writer) groups(n int, look func(i int) (width float64, t tone), add func(p *path, i int),
	put func(p *path, width float64, t tone)) {
	for i := 0; i < n; {
		width, t := look(i)
		var p path
		for i < n {
			if x, u := look(i); x != width || u != t {
				break
			}
			add(&p, i)
			i++
		}
		put(&p, width, t)
	}
}

// colors returns the tone of each part of a mark.
func colors(m, dark *paint.Mark) func(i int) tone {
	return func(i int) tone {
		if m.Colors != nil {
			return tone{m.Colors[i], dark.Colors[i]}
		}
		return tone{m.Color, dark.Color}
	}
}

// dots writes discs. Discs with rings are separate elements, because rings cover the discs below.
func (w *writer) dots(m, dark *paint.Mark) {
	of := colors(m, dark)
	if m.Width > 0 {
		for i, at := range m.Pts {
			ring := paint.Mark{Kind: paint.Disc, At: at, R: m.Radii[i]}
			if m.Radii[i] > m.Width {
				w.shape(&paint.Mark{Kind: paint.Disc, At: at, R: m.Radii[i] + m.Width}, w.ground())
			}
			w.shape(&ring, of(i))
		}
		return
	}
	w.groups(len(m.Pts), func(i int) (float64, tone) { return m.Radii[i], of(i) },
		func(p *path, i int) { p.point(m.Pts[i]) },
		func(p *path, r float64, t tone) { w.stroke(p, 2*r, t, ` stroke-linecap="round"`) })
}

// wires writes horizontal and vertical segments on whole units, like the canvas.
func (w *writer) wires(m, dark *paint.Mark) {
	put := func(width float64, of func(i int) tone) {
		width = max(1, math.Round(width))
		w.groups(len(m.Pts)/2, func(i int) (float64, tone) { return width, of(i) }, func(p *path, i int) {
			a, b := m.Pts[2*i], m.Pts[2*i+1]
			x0, x1 := math.Round(min(a.X, b.X)-width/2), math.Round(max(a.X, b.X)-width/2)
			y0, y1 := math.Round(min(a.Y, b.Y)-width/2), math.Round(max(a.Y, b.Y)-width/2)
			p.box(paint.XYWH(x0, y0, x1-x0+width, y1-y0+width))
		}, func(p *path, _ float64, t tone) { w.fill(p, t) })
	}
	if m.Halo {
		put(m.Width+haloLine*w.d.Fonts.Scale, func(int) tone { return w.ground() })
	}
	put(m.Width, colors(m, dark))
}

// pieces writes polylines of n points each.
func (w *writer) pieces(m, dark *paint.Mark, n int, width func(i int) float64) {
	if n < 2 {
		return
	}
	of := colors(m, dark)
	w.groups(len(m.Pts)/n, func(i int) (float64, tone) { return width(i), of(i) },
		func(p *path, i int) { p.polyline(m.Pts[n*i : n*(i+1)]) },
		func(p *path, width float64, t tone) { w.stroke(p, width, t) })
}

// mosaic writes the cells of a grid, each in the mean colour of its corners. (The canvas interpolates.)
func (w *writer) mosaic(m, dark *paint.Mark) {
	if m.Cols < 2 {
		return
	}
	mean := func(of []color.RGBA, i int) color.RGBA {
		corner := [...]color.RGBA{of[i], of[i+1], of[i+m.Cols], of[i+m.Cols+1]}
		var sum [4]int
		for _, c := range corner {
			sum = [4]int{sum[0] + int(c.R), sum[1] + int(c.G), sum[2] + int(c.B), sum[3] + int(c.A)}
		}
		return color.RGBA{uint8((sum[0] + 2) / 4), uint8((sum[1] + 2) / 4), uint8((sum[2] + 2) / 4), uint8((sum[3] + 2) / 4)}
	}
	rows := len(m.Pts)/m.Cols - 1
	at := func(k int) int { return k/(m.Cols-1)*m.Cols + k%(m.Cols-1) } // first corner of cell k
	w.groups(rows*(m.Cols-1), func(k int) (float64, tone) {
		return 0, tone{mean(m.Colors, at(k)), mean(dark.Colors, at(k))}
	}, func(p *path, k int) {
		i := at(k)
		p.polygon(m.Pts[i], m.Pts[i+1], m.Pts[i+m.Cols+1], m.Pts[i+m.Cols])
	}, func(p *path, _ float64, t tone) { w.fill(p, t, crisp) })
}

// relief writes a density: its bands from the lowest to the highest, and the contour lines.
func (w *writer) relief(m *paint.Mark) {
	if m.Relief == nil || m.Box.W < 1 || m.Box.H < 1 {
		return
	}
	x, y, wide, high := number(m.Box.X), number(m.Box.Y), number(m.Box.W), number(m.Box.H)
	fmt.Fprintf(&w.b, `<svg x="%s" y="%s" width="%s" height="%s" viewBox="0 0 %s %s">`, x, y, wide, high, wide, high)
	var p path
	p.box(paint.XYWH(0, 0, m.Box.W, m.Box.H))
	w.fill(&p, w.ground())
	for k := len(paint.Contours) - 1; k >= 0; k-- {
		var p path
		if p.outline(m.Relief.Bands[k]); p.b.Len() > 0 {
			w.fill(&p, tone{w.d.Theme.Shade(k, m.Dark), paint.Dark.Shade(k, m.Dark)})
		}
	}
	if len(m.Relief.Lines) > 1 {
		var p path
		for i := 0; i+1 < len(m.Relief.Lines); i += 2 {
			p.polyline(m.Relief.Lines[i : i+2])
		}
		w.stroke(&p, 0.75*w.d.Fonts.Scale, tone{w.d.Theme.ContourLine(), paint.Dark.ContourLine()})
	}
	w.b.WriteString("</svg>")
}

// cells writes a picture as paths of runs of equal cells, or as an image if that is shorter.
func (w *writer) cells(m, dark *paint.Mark) {
	if len(m.Cells) != m.Cols*m.Rows || len(m.Cells) == 0 || len(dark.Cells) != len(m.Cells) {
		return
	}
	opacity := ""
	if m.Color.A > 0 && m.Color.A < 255 {
		opacity = ` opacity="` + number(float64(m.Color.A)/255) + `"`
	}

	// One path for each value of a cell, in units of cells.
	runs := map[byte]*path{}
	for y := range m.Rows {
		for x := 0; x < m.Cols; {
			v, from := m.Cells[y*m.Cols+x], x
			for x < m.Cols && m.Cells[y*m.Cols+x] == v {
				x++
			}
			if runs[v] == nil {
				runs[v] = &path{}
			}
			runs[v].box(paint.XYWH(float64(from), float64(y), float64(x-from), 1))
		}
	}
	drawn := writer{d: w.d, classes: w.classes, order: w.order}
	fmt.Fprintf(&drawn.b, `<g transform="translate(%s %s) scale(%s %s)"%s%s>`, number(m.Box.X), number(m.Box.Y),
		number(m.Box.W/float64(m.Cols)), number(m.Box.H/float64(m.Rows)), crisp, opacity)
	for v := range 256 {
		if p := runs[byte(v)]; p != nil {
			drawn.fill(p, tone{cellColor(m, w.d.Theme, byte(v)), cellColor(dark, &paint.Dark, byte(v))})
		}
	}
	drawn.b.WriteString("</g>")

	// Images, one for each theme. Colours of a page are CSS variables, which an image cannot use.
	if w.d.Encode != nil && w.d.Names == nil {
		var b bytes.Buffer
		w.image(&b, m, w.d.Theme, opacity, "light")
		if w.d.Dark != nil {
			w.image(&b, dark, &paint.Dark, opacity, "dark")
		}
		if b.Len() > 0 && b.Len() < drawn.b.Len() {
			for _, k := range drawn.order[len(w.order):] {
				delete(w.classes, k)
			}
			w.b.Write(b.Bytes())
			w.images = true
			return
		}
	}
	w.order = drawn.order
	w.b.Write(drawn.b.Bytes())
}

// image writes a picture as an image with a pixel for each cell.
func (w *writer) image(b *bytes.Buffer, m *paint.Mark, t *paint.Theme, more, class string) {
	var palette color.Palette
	seen := map[byte]uint8{}
	img := image.NewPaletted(image.Rect(0, 0, m.Cols, m.Rows), nil)
	for i, v := range m.Cells {
		k, ok := seen[v]
		if !ok {
			k = uint8(len(palette))
			seen[v] = k
			palette = append(palette, cellColor(m, t, v))
		}
		img.Pix[i] = k
	}
	img.Palette = palette
	var file bytes.Buffer
	if err := w.d.Encode(&file, img); err != nil {
		return
	}
	if w.d.Dark != nil {
		more += ` class="` + class + `"`
	}
	fmt.Fprintf(b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" image-rendering="pixelated"%s `+
		`href="data:image/png;base64,%s"/>`, number(m.Box.X), number(m.Box.Y), number(m.Box.W), number(m.Box.H), more,
		base64.StdEncoding.EncodeToString(file.Bytes()))
}

// cellColor returns the colour of a cell of a picture.
func cellColor(m *paint.Mark, t *paint.Theme, v byte) color.RGBA {
	switch {
	case m.Grey:
		return paint.Mix(t.Ground, t.Ink, float64(v)/255)
	case m.Signed:
		return t.WeightColor((float64(v) - 128) / 127)
	}
	return t.CellColors()[min(v, paint.CellKinds-1)]
}
