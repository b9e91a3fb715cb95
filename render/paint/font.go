package paint

import (
	_ "embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"logzlab/core/format"
)

// Style is one of the few text styles of the canvas; long words belong to the page.
type Style uint8

// The styles.
const (
	Tick       Style = iota // 11 px
	Plain                   // 12 px
	Strong                  // 12 px, bold
	StrongTick              // 11 px, bold: a tick that matters
	Figure                  // 14 px, bold: the value of a scene
	styles
)

// Size is the size of a style in CSS pixels, and whether it is bold.
func (st Style) Size() (px float64, bold bool) {
	return [styles]float64{11, 12, 12, 11, 14}[st], st >= Strong
}

//go:generate go run ./gen

var (
	//go:embed go-regular.ttf
	regular []byte
	//go:embed go-bold.ttf
	bold []byte
)

var parsed = sync.OnceValue(func() (f [2]*opentype.Font) {
	for i, ttf := range [...][]byte{regular, bold} {
		var err error
		if f[i], err = opentype.Parse(ttf); err != nil {
			panic("paint: the built-in font is damaged: " + err.Error())
		}
	}
	return f
})

// Fonts holds one face per style at a pixel ratio.
type Fonts struct {
	Scale  float64
	Comma  bool // numbers have a decimal comma
	faces  [styles]font.Face
	widths [styles]map[string]float64 // measuring costs more than drawing
}

// NewFonts makes the faces for a pixel ratio; comma says that numbers have a decimal comma.
func NewFonts(scale float64, comma bool) *Fonts {
	f := &Fonts{Scale: scale, Comma: comma}
	for st := range styles {
		px, bold := st.Size()
		ttf := parsed()[0]
		if bold {
			ttf = parsed()[1]
		}
		// NewFace fails only for impossible options; these are constant.
		f.faces[st], _ = opentype.NewFace(ttf, &opentype.FaceOptions{Size: px * scale, DPI: 72})
	}
	return f
}

// Width is the advance of s in device pixels.
func (f *Fonts) Width(s string, st Style) float64 {
	if w, ok := f.widths[st][s]; ok {
		return w
	}
	if len(f.widths[st]) > 500 || f.widths[st] == nil {
		f.widths[st] = map[string]float64{}
	}
	w := float64(font.MeasureString(f.faces[st], f.Written(s))) / 64
	f.widths[st][s] = w
	return w
}

// Written is a text with its numbers as the language of the page writes them.
func (f *Fonts) Written(s string) string {
	if f.Comma {
		return format.Comma(s, "\u00a0")
	}
	return s
}

// Pens calls f for each rune of s with the x of its pen.
func (f *Fonts) Pens(s string, st Style, at func(r rune, x float64)) {
	face, x, prev := f.faces[st], fixed.Int26_6(0), rune(-1)
	for _, r := range f.Written(s) {
		if prev >= 0 {
			x += face.Kern(prev, r)
		}
		at(r, float64(x)/64)
		adv, _ := face.GlyphAdvance(r)
		x += adv
		prev = r
	}
}

// Face is the face of a style.
func (f *Fonts) Face(st Style) font.Face { return f.faces[st] }
