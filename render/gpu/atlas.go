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

// sprite is a piece of the atlas: its texels and where they go relative to the
// pen (glyphs) or the centre (discs).
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

// atlas is one texture with everything that is not a picture: a white patch,
// discs of several sizes, and glyphs as they are first used. One texture means
// one draw call per layer.
type atlas struct {
	img    *ebiten.Image
	fonts  *paint.Fonts
	phases int // horizontal glyph positions per pixel: small pixels need fewer
	faces  map[paint.Style]font.Face
	glyphs map[glyphKey]sprite
	discs  []sprite // radius 1<<i
	x, y   int      // shelf packing: next free place, height of the shelf
	shelf  int
}

// texture is an image of its own on the GPU. Ebitengine would move it between larger
// ones when it has been drawn from for a while, and the same picture would be painted
// from then on with other roundings of the filter: a pixel here and there, one level off.
func texture(size image.Point) *ebiten.Image {
	return ebiten.NewImageWithOptions(image.Rectangle{Max: size}, &ebiten.NewImageOptions{Unmanaged: true})
}

func newAtlas(f *paint.Fonts) *atlas {
	a := &atlas{img: texture(image.Pt(atlasSize, atlasSize)), fonts: f, faces: map[paint.Style]font.Face{},
		phases: max(1, int(4/f.Scale))}
	a.clear()
	return a
}

// clear forgets all glyphs; it is also the answer to a full atlas.
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

// put copies a coverage mask into the atlas with a free texel around it, which
// keeps linear filtering from reading the neighbours. It returns an empty
// rectangle if the atlas is full.
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

// discImage is a disc of radius r in a square of side 2r+2, by distance to the rim.
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

// disc returns the smallest disc that need not be enlarged for radius r, and its
// own radius; shrinking by at most two keeps the rim clean.
func (a *atlas) disc(r float64) (sprite, float64) {
	i := 0
	for i+1 < len(a.discs) && float64(int(1)<<i) < r {
		i++
	}
	return a.discs[i], float64(int(1) << i)
}

// glyph rasterises a rune on first use. The halo is the glyph grown by two CSS
// pixels, painted in the ground colour under the text.
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
