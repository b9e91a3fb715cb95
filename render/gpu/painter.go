package gpu

import (
	"image"
	"image/color"
	"logzlab/render/paint"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// flushAt is the number of vertices at which a batch is drawn; the GPU accepts far more.
const flushAt = 1 << 17

// Painter paints layers of marks: one draw call per layer, and one more for its pictures.
type Painter struct {
	atlas  *atlas
	theme  *paint.Theme
	dst    *ebiten.Image
	src    *ebiten.Image // texture of the batch
	linear bool          // the batch uses linear filtering
	vtx    []ebiten.Vertex
	idx    []uint32
	sheets []*ebiten.Image // textures of pictures, one for each layer with pictures
	sheet  int             // index of the next one
	pix    []byte
	work   mesh // memory of the current mesh
	plates map[int]*plate
}

// plate is a painted relief.
type plate struct {
	img    *ebiten.Image
	relief *paint.Relief
	theme  *paint.Theme
	dark   bool
}

// NewPainter returns a painter with a set of fonts.
func NewPainter(f *paint.Fonts) *Painter {
	return &Painter{atlas: newAtlas(f), plates: map[int]*plate{}}
}

// Paint clears the screen and paints layers.
func (p *Painter) Paint(screen *ebiten.Image, t *paint.Theme, layers []paint.Layer) {
	p.theme = t
	screen.Fill(t.Ground)
	p.sheet = 0
	for i := range layers {
		l := &layers[i]
		p.dst = screen
		if c := l.Clip; c.W > 0 {
			p.dst = screen.SubImage(image.Rect(int(math.Floor(c.X)), int(math.Floor(c.Y)),
				int(math.Ceil(c.X+c.W)), int(math.Ceil(c.Y+c.H)))).(*ebiten.Image)
		}
		// Pictures have a texture of their own, so they are painted first, in one call.
		for j := range l.Marks {
			if m := &l.Marks[j]; m.Kind == paint.Ground {
				p.ground(m)
			}
		}
		p.pictures(l.Marks)
		for j := range l.Marks {
			p.mark(&l.Marks[j])
		}
		p.flush()
	}
}

// flush draws the batch.
func (p *Painter) flush() {
	if len(p.idx) > 0 {
		f := ebiten.FilterNearest
		if p.linear {
			f = ebiten.FilterLinear
		}
		p.dst.DrawTriangles32(p.vtx, p.idx, p.src, &ebiten.DrawTrianglesOptions{
			ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha, Filter: f, DisableMipmaps: true})
	}
	p.vtx, p.idx = p.vtx[:0], p.idx[:0]
}

// setTexture sets the texture of the following triangles. Only scaled sprites need linear filtering, which costs a software
// renderer four times as much.
func (p *Painter) setTexture(img *ebiten.Image, linear bool) {
	if p.src != img || p.linear != linear || len(p.vtx) > flushAt {
		p.flush()
		p.src, p.linear = img, linear
	}
}

// vertex appends a vertex of colour c and opacity a.
func (p *Painter) vertex(x, y, sx, sy float64, c color.RGBA, a float64) {
	k := float32(a / 255)
	p.vtx = append(p.vtx, ebiten.Vertex{DstX: float32(x), DstY: float32(y), SrcX: float32(sx), SrcY: float32(sy),
		ColorR: float32(c.R) * k, ColorG: float32(c.G) * k, ColorB: float32(c.B) * k, ColorA: float32(c.A) * k})
}

// box appends the part s of the texture over the rectangle d.
func (p *Painter) box(d paint.Rect, s image.Rectangle, c color.RGBA) {
	i := uint32(len(p.vtx))
	x0, y0, x1, y1 := float64(s.Min.X), float64(s.Min.Y), float64(s.Max.X), float64(s.Max.Y)
	p.vertex(d.X, d.Y, x0, y0, c, 1)
	p.vertex(d.X+d.W, d.Y, x1, y0, c, 1)
	p.vertex(d.X+d.W, d.Y+d.H, x1, y1, c, 1)
	p.vertex(d.X, d.Y+d.H, x0, y1, c, 1)
	p.idx = append(p.idx, i, i+1, i+2, i, i+2, i+3)
}

// mesh appends triangles of one colour.
func (p *Painter) mesh(m *mesh, c color.RGBA) {
	p.setTexture(p.atlas.img, false)
	base := uint32(len(p.vtx))
	for _, q := range m.pts {
		p.vertex(q.x, q.y, 3, 3, c, q.a) // the centre of the white patch
	}
	for _, i := range m.tri {
		p.idx = append(p.idx, base+i)
	}
}

// mark appends the triangles of one mark.
func (p *Painter) mark(m *paint.Mark) {
	switch m.Kind {
	case paint.Fill:
		p.setTexture(p.atlas.img, false)
		p.box(m.Box, image.Rect(2, 2, 4, 4), m.Color)
	case paint.Stroke:
		for _, piece := range dashes(m.Pts, m.Dash[0], m.Dash[1]) {
			if m.Halo {
				p.strip(piece, m.Width+2.5*p.atlas.fonts.Scale, p.theme.Ground)
			}
			p.strip(piece, m.Width, m.Color)
		}
	case paint.Segments:
		for i := 0; i+1 < len(m.Pts); i += 2 {
			c := m.Color
			if m.Colors != nil {
				c = m.Colors[i/2]
			}
			p.strip(m.Pts[i:i+2], m.Width, c)
		}
	case paint.Band:
		p.band(m)

	case paint.Disc, paint.Square, paint.Diamond, paint.Emblem:
		if m.Halo {
			p.shape(m, m.R+1.5*p.atlas.fonts.Scale, p.theme.Ground)
		}
		p.shape(m, m.R, m.Color)
		if m.Hollow > 0 {
			p.shape(m, m.R-m.Hollow, p.theme.Ground)
		}
	case paint.Dots:
		for i, at := range m.Pts {
			if m.Width > 0 && m.Radii[i] > m.Width { // no ring around a dot smaller than the ring
				p.disc(at, m.Radii[i]+m.Width, p.theme.Ground)
			}
			p.disc(at, m.Radii[i], m.Colors[i])
		}
	case paint.Wires:
		p.wires(m)
	case paint.Polylines:
		for i := 0; i*m.Slot < len(m.Pts); i++ {
			c := m.Color
			if m.Colors != nil {
				c = m.Colors[i]
			}
			p.strip(m.Pts[i*m.Slot:(i+1)*m.Slot], m.Radii[i], c)
		}
	case paint.Mosaic:
		p.mosaic(m)

	case paint.Triangle:
		if m.Halo {
			h := m.R + 2.5*p.atlas.fonts.Scale
			p.triangle(m.At, h, h, p.theme.Ground)
		}
		p.triangle(m.At, m.R, m.R*1.08, m.Color)
	case paint.Text:
		p.words(m)
	}
}

// band fills the area between two boundaries.
func (p *Painter) band(m *paint.Mark) {
	g := p.emptyMesh()
	if m.Sideways {
		flip := func(in []paint.Point) []paint.Point {
			out := make([]paint.Point, len(in))
			for i, q := range in {
				out[i] = paint.Pt(q.Y, q.X)
			}
			return out
		}
		g.between(flip(m.Pts), flip(m.Lower))
		for i, q := range g.pts {
			g.pts[i].x, g.pts[i].y = q.y, q.x
		}
	} else {
		g.between(m.Pts, m.Lower)
	}
	p.mesh(g, m.Color)
}

// mosaic draws a grid of points, m.Cols per row, with interpolated colours.
func (p *Painter) mosaic(m *paint.Mark) {
	p.setTexture(p.atlas.img, false)
	base := uint32(len(p.vtx))
	for i, q := range m.Pts {
		p.vertex(q.X, q.Y, 3, 3, m.Colors[i], 1)
	}
	for i := range uint32(len(m.Pts)) {
		if w := uint32(m.Cols); i%w+1 < w && i+w < uint32(len(m.Pts)) {
			p.idx = append(p.idx, base+i, base+i+1, base+i+w+1, base+i, base+i+w+1, base+i+w)
		}
	}
}

// triangle draws a triangle that points up; half is half the width of its base.
func (p *Painter) triangle(at paint.Point, r, half float64, c color.RGBA) {
	g := p.emptyMesh()
	g.convex([]paint.Point{{X: at.X, Y: at.Y - r}, {X: at.X + half, Y: at.Y + 0.83*r}, {X: at.X - half, Y: at.Y + 0.83*r}})
	p.mesh(g, c)
}

// wires draws horizontal and vertical segments on whole pixels.
func (p *Painter) wires(m *paint.Mark) {
	p.setTexture(p.atlas.img, false)
	seg := func(a, b paint.Point, w float64, c color.RGBA) {
		w = max(1, math.Round(w))
		x0, x1 := math.Round(min(a.X, b.X)-w/2), math.Round(max(a.X, b.X)-w/2)
		y0, y1 := math.Round(min(a.Y, b.Y)-w/2), math.Round(max(a.Y, b.Y)-w/2)
		p.box(paint.XYWH(x0, y0, x1-x0+w, y1-y0+w), image.Rect(2, 2, 4, 4), c)
	}
	if m.Halo {
		for i := 0; i+1 < len(m.Pts); i += 2 {
			seg(m.Pts[i], m.Pts[i+1], m.Width+2.5*p.atlas.fonts.Scale, p.theme.Ground)
		}
	}
	for i := 0; i+1 < len(m.Pts); i += 2 {
		c := m.Color
		if m.Colors != nil {
			c = m.Colors[i/2]
		}
		seg(m.Pts[i], m.Pts[i+1], m.Width, c)
	}
}

// ground draws a relief from its plate.
func (p *Painter) ground(m *paint.Mark) {
	if m.Relief == nil || m.Box.W < 1 || m.Box.H < 1 {
		return
	}
	t := p.plates[m.Slot]
	size := image.Rect(0, 0, int(m.Box.W), int(m.Box.H))
	if t == nil || t.img.Bounds() != size {
		if t != nil {
			t.img.Deallocate()
		}
		t = &plate{img: texture(size.Max)}
		p.plates[m.Slot] = t
	}

	// The plate is repainted for another relief or theme.
	if t.relief != m.Relief || t.theme != p.theme || t.dark != m.Dark {
		t.relief, t.theme, t.dark = m.Relief, p.theme, m.Dark
		p.flush()
		screen := p.dst
		p.dst = t.img
		t.img.Fill(p.theme.Ground)
		p.setTexture(p.atlas.img, false)
		for k := len(paint.Contours) - 1; k >= 0; k-- {
			c := p.theme.Shade(k, m.Dark)
			for i := 0; i+2 < len(m.Relief.Bands[k]); i += 3 {
				for _, q := range m.Relief.Bands[k][i : i+3] {
					p.idx = append(p.idx, uint32(len(p.vtx)))
					p.vertex(q.X, q.Y, 3, 3, c, 1)
				}
			}
			p.setTexture(p.atlas.img, false)
		}
		g := p.emptyMesh()
		for i := 0; i+1 < len(m.Relief.Lines); i += 2 {
			g.strip(m.Relief.Lines[i:i+2], 0.75*p.atlas.fonts.Scale)
		}
		p.mesh(g, p.theme.ContourLine())
		p.flush()
		p.dst = screen
	}

	p.setTexture(t.img, false)
	p.box(m.Box, size, color.RGBA{255, 255, 255, 255})
}

// strip draws a polyline.
func (p *Painter) strip(pts []paint.Point, width float64, c color.RGBA) {
	g := p.emptyMesh()
	g.strip(pts, width)
	p.mesh(g, c)
}

// emptyMesh returns an empty mesh. It is valid until the next call.
func (p *Painter) emptyMesh() *mesh {
	p.work.pts, p.work.tri = p.work.pts[:0], p.work.tri[:0]
	return &p.work
}

// disc draws a disc of radius r.
func (p *Painter) disc(at paint.Point, r float64, c color.RGBA) {
	if r <= 0 {
		return
	}
	p.setTexture(p.atlas.img, true)
	s, sr := p.atlas.disc(r)
	half := r * (sr + 1) / sr
	p.box(paint.XYWH(at.X-half, at.Y-half, 2*half, 2*half), s.src, c)
}

// shape draws a mark of nominal radius r; all shapes look as large as the disc.
func (p *Painter) shape(m *paint.Mark, r float64, c color.RGBA) {
	if m.Kind == paint.Disc || r <= 0 {
		p.disc(m.At, r, c)
		return
	}
	g := p.emptyMesh()
	for _, polygon := range m.Outline(r) {
		g.convex(polygon)
	}
	p.mesh(g, c)
}

// words draws a text, with its halo below.
func (p *Painter) words(m *paint.Mark) {
	x := m.At.X
	switch m.Align {
	case paint.Centre:
		x -= p.atlas.fonts.Width(m.Text, m.Style) / 2
	case paint.Right:
		x -= p.atlas.fonts.Width(m.Text, m.Style)
	}
	y := math.Round(m.At.Y)
	if m.Halo {
		p.glyphs(m.Text, m.Style, x, y, p.theme.Ground, true)
	}
	p.glyphs(m.Text, m.Style, x, y, m.Color, false)
}

// glyphs draws the glyphs of a text.
func (p *Painter) glyphs(s string, st paint.Style, x, y float64, c color.RGBA, halo bool) {
	p.setTexture(p.atlas.img, false)
	p.atlas.fonts.EachRune(s, st, func(r rune, dx float64) {
		// Glyphs are on whole pixels, at one of a few horizontal phases: sharp and evenly spaced.
		n := float64(p.atlas.phases)
		q := math.Round((x + dx) * n)
		whole := math.Floor(q / n)
		k := glyphKey{r, st, uint8(q - whole*n), halo}
		g, ok := p.atlas.glyph(k)
		if !ok {
			p.flush()
			p.atlas.clear()
			g, _ = p.atlas.glyph(k)
		}
		if !g.src.Empty() {
			p.box(paint.XYWH(whole+g.x, y+g.y, float64(g.src.Dx()), float64(g.src.Dy())), g.src, c)
		}
	})
}

// Forget frees the textures of another run.
func (p *Painter) Forget() {
	for _, img := range p.sheets {
		if img != nil {
			img.Deallocate()
		}
	}
	p.sheets = nil
	for i, t := range p.plates {
		t.img.Deallocate()
		delete(p.plates, i)
	}
}
