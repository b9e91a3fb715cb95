package render

import (
	"image"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// flushAt bounds a batch; it is far below what the GPU takes in one call.
const flushAt = 1 << 17

// painter turns marks into triangles: one draw call per layer, and one more for
// the pictures of a wall.
type painter struct {
	atlas  *atlas
	theme  *Theme
	dst    *ebiten.Image
	src    *ebiten.Image // source of the batch
	linear bool          // and whether it is smoothed
	vtx    []ebiten.Vertex
	idx    []uint32
	sheets []*ebiten.Image // the pictures of a layer, in order of layers that have some
	sheet  int             // next of them
	pix    []byte
	work   mesh // memory for one mesh at a time
	plates map[int]*plate
}

// plate is a relief, drawn.
type plate struct {
	img   *ebiten.Image
	of    *Relief
	theme *Theme
}

func newPainter(f *fonts) *painter {
	return &painter{atlas: newAtlas(f), plates: map[int]*plate{}}
}

// paint draws layers on a cleared ground.
func (p *painter) paint(screen *ebiten.Image, t *Theme, layers []layer) {
	p.theme = t
	screen.Fill(t.Ground)
	p.sheet = 0
	for i := range layers {
		l := &layers[i]
		p.dst = screen
		if c := l.clip; c.w > 0 {
			p.dst = screen.SubImage(image.Rect(int(math.Floor(c.x)), int(math.Floor(c.y)),
				int(math.Ceil(c.x+c.w)), int(math.Ceil(c.y+c.h)))).(*ebiten.Image)
		}
		// Pictures use their own texture, so they come first, in one call.
		for j := range l.marks {
			if m := &l.marks[j]; m.kind == ground {
				p.ground(m)
			}
		}
		p.pictures(l.marks)
		for j := range l.marks {
			p.mark(&l.marks[j])
		}
		p.flush()
	}
}

func (p *painter) flush() {
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

// from makes img the source of what follows. Only what is scaled needs smoothing,
// which costs a software renderer four times as much.
func (p *painter) from(img *ebiten.Image, linear bool) {
	if p.src != img || p.linear != linear || len(p.vtx) > flushAt {
		p.flush()
		p.src, p.linear = img, linear
	}
}

func (p *painter) vertex(x, y, sx, sy float64, c color.RGBA, a float64) {
	k := float32(a / 255)
	p.vtx = append(p.vtx, ebiten.Vertex{DstX: float32(x), DstY: float32(y), SrcX: float32(sx), SrcY: float32(sy),
		ColorR: float32(c.R) * k, ColorG: float32(c.G) * k, ColorB: float32(c.B) * k, ColorA: float32(c.A) * k})
}

// box draws the part s of the source over the rectangle d.
func (p *painter) box(d rect, s image.Rectangle, c color.RGBA) {
	i := uint32(len(p.vtx))
	x0, y0, x1, y1 := float64(s.Min.X), float64(s.Min.Y), float64(s.Max.X), float64(s.Max.Y)
	p.vertex(d.x, d.y, x0, y0, c, 1)
	p.vertex(d.x+d.w, d.y, x1, y0, c, 1)
	p.vertex(d.x+d.w, d.y+d.h, x1, y1, c, 1)
	p.vertex(d.x, d.y+d.h, x0, y1, c, 1)
	p.idx = append(p.idx, i, i+1, i+2, i, i+2, i+3)
}

// mesh draws triangles in one colour.
func (p *painter) mesh(m *mesh, c color.RGBA) {
	p.from(p.atlas.img, false)
	base := uint32(len(p.vtx))
	for _, q := range m.pts {
		p.vertex(q.x, q.y, 3, 3, c, q.a) // the middle of the white patch
	}
	for _, i := range m.tri {
		p.idx = append(p.idx, base+i)
	}
}

func (p *painter) mark(m *mark) {
	switch m.kind {
	case fill:
		p.from(p.atlas.img, false)
		p.box(m.box, image.Rect(2, 2, 4, 4), m.color)
	case stroke:
		for _, piece := range dashes(m.pts, m.dash[0], m.dash[1]) {
			if m.halo {
				p.strip(piece, m.width+2.5*p.atlas.fonts.scale, p.theme.Ground)
			}
			p.strip(piece, m.width, m.color)
		}
	case threads:
		for i := 0; i+1 < len(m.pts); i += 2 {
			p.strip(m.pts[i:i+2], m.width, m.colors[i/2])
		}
	case band:
		p.band(m)
	case disc, square, diamond, emblem:
		if m.halo {
			p.shape(m, m.at, m.r+1.5*p.atlas.fonts.scale, p.theme.Ground)
		}
		p.shape(m, m.at, m.r, m.color)
		if m.hollow > 0 {
			p.shape(m, m.at, m.r-m.hollow, p.theme.Ground)
		}
	case dots:
		for i, at := range m.pts {
			if m.width > 0 && m.radii[i] > m.width { // a ring around a speck is a hole
				p.disc(at, m.radii[i]+m.width, p.theme.Ground)
			}
			p.disc(at, m.radii[i], m.colors[i])
		}
	case wires:
		p.wires(m)
	case vines:
		for i := 0; i*m.slot < len(m.pts); i++ {
			c := m.color
			if m.colors != nil {
				c = m.colors[i]
			}
			p.strip(m.pts[i*m.slot:(i+1)*m.slot], m.radii[i], c)
		}
	case mosaic:
		p.mosaic(m)
	case triangle:
		if m.halo {
			h := m.r + 2.5*p.atlas.fonts.scale
			p.triangle(m.at, h, h, p.theme.Ground)
		}
		p.triangle(m.at, m.r, m.r*1.08, m.color)
	case words:
		p.words(m)
	}
}

// band fills what lies between two boundaries.
func (p *painter) band(m *mark) {
	g := p.blank()
	if m.sideways {
		flip := func(in []point) []point {
			out := make([]point, len(in))
			for i, q := range in {
				out[i] = point{q.y, q.x}
			}
			return out
		}
		g.between(flip(m.pts), flip(m.more))
		for i, q := range g.pts {
			g.pts[i].x, g.pts[i].y = q.y, q.x
		}
	} else {
		g.between(m.pts, m.more)
	}
	p.mesh(g, m.color)
}

// mosaic draws a grid of points, cw to a row, with colours that blend between them.
func (p *painter) mosaic(m *mark) {
	p.from(p.atlas.img, false)
	base := uint32(len(p.vtx))
	for i, q := range m.pts {
		p.vertex(q.x, q.y, 3, 3, m.colors[i], 1)
	}
	for i := range uint32(len(m.pts)) {
		if w := uint32(m.cw); i%w+1 < w && i+w < uint32(len(m.pts)) {
			p.idx = append(p.idx, base+i, base+i+1, base+i+w+1, base+i, base+i+w+1, base+i+w)
		}
	}
}

// triangle points up; half is half the width of its foot.
func (p *painter) triangle(at point, r, half float64, c color.RGBA) {
	g := p.blank()
	g.convex([]point{{at.x, at.y - r}, {at.x + half, at.y + 0.83*r}, {at.x - half, at.y + 0.83*r}})
	p.mesh(g, c)
}

// wires draws segments that run along the axes, on whole pixels.
func (p *painter) wires(m *mark) {
	p.from(p.atlas.img, false)
	seg := func(a, b point, w float64, c color.RGBA) {
		w = max(1, math.Round(w))
		x0, x1 := math.Round(min(a.x, b.x)-w/2), math.Round(max(a.x, b.x)-w/2)
		y0, y1 := math.Round(min(a.y, b.y)-w/2), math.Round(max(a.y, b.y)-w/2)
		p.box(rect{x0, y0, x1 - x0 + w, y1 - y0 + w}, image.Rect(2, 2, 4, 4), c)
	}
	if m.halo {
		for i := 0; i+1 < len(m.pts); i += 2 {
			seg(m.pts[i], m.pts[i+1], m.width+2.5*p.atlas.fonts.scale, p.theme.Ground)
		}
	}
	for i := 0; i+1 < len(m.pts); i += 2 {
		c := m.color
		if m.colors != nil {
			c = m.colors[i/2]
		}
		seg(m.pts[i], m.pts[i+1], m.width, c)
	}
}

// ground draws a relief, from its plate.
func (p *painter) ground(m *mark) {
	if m.relief == nil || m.box.w < 1 || m.box.h < 1 {
		return
	}
	t := p.plates[m.slot]
	size := image.Rect(0, 0, int(m.box.w), int(m.box.h))
	if t == nil || t.img.Bounds() != size {
		if t != nil {
			t.img.Deallocate()
		}
		t = &plate{img: texture(size.Max)}
		p.plates[m.slot] = t
	}
	if t.of != m.relief || t.theme != p.theme {
		t.of, t.theme = m.relief, p.theme
		p.flush()
		screen := p.dst
		p.dst = t.img
		t.img.Fill(p.theme.Ground)
		p.from(p.atlas.img, false)
		for k := len(levels) - 1; k >= 0; k-- {
			c := p.theme.shade(k)
			for i := 0; i+2 < len(m.relief.Bands[k]); i += 3 {
				for _, q := range m.relief.Bands[k][i : i+3] {
					p.idx = append(p.idx, uint32(len(p.vtx)))
					p.vertex(q.x, q.y, 3, 3, c, 1)
				}
			}
			p.from(p.atlas.img, false)
		}
		g := p.blank()
		for i := 0; i+1 < len(m.relief.Lines); i += 2 {
			g.strip(m.relief.Lines[i:i+2], 0.75*p.atlas.fonts.scale)
		}
		p.mesh(g, p.theme.contour())
		p.flush()
		p.dst = screen
	}
	p.from(t.img, false)
	p.box(m.box, size, color.RGBA{255, 255, 255, 255})
}

func (p *painter) strip(pts []point, width float64, c color.RGBA) {
	g := p.blank()
	g.strip(pts, width)
	p.mesh(g, c)
}

// blank is an empty mesh, until the next one.
func (p *painter) blank() *mesh {
	p.work.pts, p.work.tri = p.work.pts[:0], p.work.tri[:0]
	return &p.work
}

// disc draws a disc of radius r.
func (p *painter) disc(at point, r float64, c color.RGBA) {
	if r <= 0 {
		return
	}
	p.from(p.atlas.img, true)
	s, sr := p.atlas.disc(r)
	half := r * (sr + 1) / sr
	p.box(rect{at.x - half, at.y - half, 2 * half, 2 * half}, s.src, c)
}

// shape draws a mark of nominal radius r; all are sized to look as large as the disc.
func (p *painter) shape(m *mark, at point, r float64, c color.RGBA) {
	if m.kind == disc || r <= 0 {
		p.disc(at, r, c)
		return
	}
	g := p.blank()
	switch m.kind {
	case emblem:
		for _, piece := range emblems[m.slot] { // each grows and shrinks around its own middle
			corners, mid := make([]point, len(piece)), point{}
			for _, q := range piece {
				mid.x, mid.y = mid.x+q.x/float64(len(piece)), mid.y+q.y/float64(len(piece))
			}
			for i, q := range piece {
				corners[i] = point{at.x + m.r*mid.x + r*(q.x-mid.x), at.y + m.r*mid.y + r*(q.y-mid.y)}
			}
			g.convex(corners)
		}
	case square:
		r *= 0.88
		g.convex([]point{{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}})
	case diamond:
		r *= 1.24
		g.convex([]point{{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}})
	}
	p.mesh(g, c)
}

// words draws text, its halo first.
func (p *painter) words(m *mark) {
	x := m.at.x
	switch m.align {
	case centre:
		x -= p.atlas.fonts.width(m.text, m.style) / 2
	case right:
		x -= p.atlas.fonts.width(m.text, m.style)
	}
	y := math.Round(m.at.y)
	if m.halo {
		p.glyphs(m.text, m.style, x, y, p.theme.Ground, true)
	}
	p.glyphs(m.text, m.style, x, y, m.color, false)
}

func (p *painter) glyphs(s string, st style, x, y float64, c color.RGBA, halo bool) {
	p.from(p.atlas.img, false)
	p.atlas.fonts.pens(s, st, func(r rune, dx float64) {
		// Glyphs sit on whole pixels at one of a few horizontal phases: sharp and
		// evenly spaced.
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
			p.box(rect{whole + g.x, y + g.y, float64(g.src.Dx()), float64(g.src.Dy())}, g.src, c)
		}
	})
}

func (p *painter) forget() {
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
