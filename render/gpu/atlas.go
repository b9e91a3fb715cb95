package gpu

import (
	"image"
	"image/color"
	"image/draw"
	"logzlab/render/paint"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

const atlasSize = 1024

// sprite is a part of the atlas: its texels, and its position relative to the pen (glyphs) or the centre (discs).
type sprite struct {
	src  image.Rectangle
	x, y float64
}

type glyphKey struct {
	r     rune
	style paint.Style
	sub   uint8
	halo  bool
}

// atlas is one texture with everything except pictures: a white patch, discs of several sizes, and glyphs, added at
// first use. With one texture, a layer is one draw call.
type atlas struct {
	img    *ebiten.Image
	fonts  *paint.Fonts
	phases int // horizontal positions of glyphs per pixel: small pixels need fewer
	faces  map[paint.Style]font.Face
	glyphs map[glyphKey]sprite
	discs  []sprite // radius 1<<i
	x, y   int      // shelf packing: next free position, height of the shelf
	shelf  int
}

// texture returns an unmanaged image. Ebitengine would move a managed one to a larger texture after some use, and the
// same picture would then be painted with other roundings of the filter (single pixels differ by one level).
func texture(size image.Point) *ebiten.Image {
	return ebiten.NewImageWithOptions(image.Rectangle{Max: size}, &ebiten.NewImageOptions{Unmanaged: true})
}

func newAtlas(f *paint.Fonts) *atlas {
	a := &atlas{img: texture(image.Pt(atlasSize, atlasSize)), fonts: f, faces: map[paint.Style]font.Face{},
		phases: max(1, int(4/f.Scale))}
	a.clear()
	return a
}

// clear removes all glyphs. It is also called when the atlas is full.
func (a *atlas) clear() {
	a.img.Clear()
	a.glyphs = map[glyphKey]sprite{}
	a.discs = nil
	a.x, a.y, a.shelf = 0, 0, 0
	white := image.NewAlpha(image.Rect(0, 0, 4, 4))
	draw.Draw(white, white.Rect, image.Opaque, image.Point{}, draw.Src)
	a.put(white)
	for r := 1; r <= 64; r *= 2 {
		a.discs = append(a.discs, sprite{src: a.put(discImage(r))})
	}
}

// put copies a coverage mask into the atlas, with a free texel around it, so that linear filtering does not read the
// neighbours. It returns an empty rectangle if the atlas is full.
func (a *atlas) put(m *image.Alpha) image.Rectangle {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if a.x+w+2 > atlasSize {
		a.x, a.y, a.shelf = 0, a.y+a.shelf, 0
	}
	if a.y+h+2 > atlasSize || w+2 > atlasSize {
		return image.Rectangle{}
	}
	dst := image.Rect(a.x+1, a.y+1, a.x+1+w, a.y+1+h)
	a.x += w + 2
	a.shelf = max(a.shelf, h+2)
	pix := make([]byte, 0, 4*w*h)
	for y := range h {
		for x := range w {
			v := m.Pix[y*m.Stride+x]
			pix = append(pix, v, v, v, v)
		}
	}
	a.img.SubImage(dst).(*ebiten.Image).WritePixels(pix)
	return dst
}

// discImage returns a disc of radius r in a square of side 2r+2, with a soft edge.
func discImage(r int) *image.Alpha {
	n := 2*r + 2
	m := image.NewAlpha(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			d := math.Hypot(float64(x)+0.5-float64(n)/2, float64(y)+0.5-float64(n)/2)
			m.SetAlpha(x, y, color.Alpha{uint8(255*min(max(float64(r)+0.5-d, 0), 1) + 0.5)})
		}
	}
	return m
}

// disc returns the smallest disc with at least radius r, and its radius. Reducing it by at most a factor of 2 keeps
// the edge clean.
func (a *atlas) disc(r float64) (sprite, float64) {
	i := 0
	for i+1 < len(a.discs) && float64(int(1)<<i) < r {
		i++
	}
	return a.discs[i], float64(int(1) << i)
}

// glyph returns a rune, rasterized at first use. The halo is the glyph dilated by two CSS pixels, painted below the
// text in the colour of the ground.
func (a *atlas) glyph(k glyphKey) (sprite, bool) {
	if s, ok := a.glyphs[k]; ok {
		return s, true
	}
	if a.faces[k.style] == nil {
		a.faces[k.style] = face(a.fonts, k.style)
	}
	dot := fixed.Point26_6{X: fixed.Int26_6(int(k.sub) * 64 / a.phases)}
	dr, mask, mp, _, ok := a.faces[k.style].Glyph(dot, k.r)
	s := sprite{}
	if ok && !dr.Empty() {
		m := image.NewAlpha(image.Rect(0, 0, dr.Dx(), dr.Dy()))
		draw.Draw(m, m.Rect, mask, mp, draw.Src)
		s.x, s.y = float64(dr.Min.X), float64(dr.Min.Y)
		if k.halo {
			r := max(1, int(math.Round(2*a.fonts.Scale)))
			m = grow(m, r)
			s.x, s.y = s.x-float64(r), s.y-float64(r)
		}
		if s.src = a.put(m); s.src.Empty() {
			return sprite{}, false
		}
	}
	a.glyphs[k] = s
	return s, true
}

// grow dilates a mask by a disc of radius r.
func grow(m *image.Alpha, r int) *image.Alpha {
	w, h := m.Rect.Dx()+2*r, m.Rect.Dy()+2*r
	out := image.NewAlpha(image.Rect(0, 0, w, h))
	for dy := -r; dy <= r; dy++ {
		reach := int(math.Sqrt(float64(r*r - dy*dy)))
		for y := range m.Rect.Dy() {
			row := out.Pix[(y+r+dy)*out.Stride:]
			for x := range m.Rect.Dx() {
				v := m.Pix[y*m.Stride+x]
				if v == 0 {
					continue
				}
				for i := x + r - reach; i <= x+r+reach; i++ {
					row[i] = max(row[i], v)
				}
			}
		}
	}
	return out
}
