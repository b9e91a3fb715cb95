package paint

import (
	_ "embed"
	"encoding/binary"
	"sync"

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

// advanceFile has the advances of letters; see gen.
//
//go:embed go-advances.bin
var advanceFile []byte

// widthsOf are the widths of the letters of a font, in units of the font.
type widthsOf struct {
	em, missing fixed.Int26_6
	letters     map[rune]fixed.Int26_6
}

// measured has the regular and the bold font. Outlines of letters are in package gpu, which draws them: programs that
// only lay out have neither these nor the packages that read them.
var measured = sync.OnceValue(func() (out [2]*widthsOf) {
	b := advanceFile
	next := func() uint16 {
		v := binary.BigEndian.Uint16(b)
		b = b[2:]
		return v
	}
	for i := range out {
		w := &widthsOf{em: fixed.Int26_6(next()), missing: fixed.Int26_6(next()), letters: map[rune]fixed.Int26_6{}}
		for range next() {
			r := rune(next())
			w.letters[r] = fixed.Int26_6(next())
		}
		out[i] = w
	}
	return out
})

// Fonts has the text styles at a pixel ratio.
type Fonts struct {
	Scale  float64
	Comma  bool // numbers have a decimal comma
	widths [styles]map[string]float64
}

// NewFonts makes the fonts for a pixel ratio; comma says that numbers have a decimal comma.
func NewFonts(scale float64, comma bool) *Fonts { return &Fonts{Scale: scale, Comma: comma} }

// advance returns the widths of letters in a style, as the face has them: the fonts have no kerning.
func (f *Fonts) advance(st Style) func(r rune) fixed.Int26_6 {
	px, heavy := st.Size()
	w := measured()[0]
	if heavy {
		w = measured()[1]
	}
	size := fixed.Int26_6(0.5 + px*f.Scale*64)
	return func(r rune) fixed.Int26_6 {
		a, ok := w.letters[r]
		if !ok {
			a = w.missing
		}
		return (a*size + w.em/2) / w.em
	}
}

// Width is the advance of s in device pixels.
func (f *Fonts) Width(s string, st Style) float64 {
	if w, ok := f.widths[st][s]; ok {
		return w
	}
	if len(f.widths[st]) > 500 || f.widths[st] == nil {
		f.widths[st] = map[string]float64{}
	}
	advance, x := f.advance(st), fixed.Int26_6(0)
	for _, r := range f.Written(s) {
		x += advance(r)
	}
	w := float64(x) / 64
	f.widths[st][s] = w
	return w
}

// Fit returns s, or as much of its beginning as fits into a width in device pixels, with an ellipsis behind it. At least
// one letter stays.
func (f *Fonts) Fit(s string, st Style, width float64) string {
	if f.Width(s, st) <= width {
		return s
	}
	const ellipsis = "\u2026"
	room := width - f.Width(ellipsis, st)
	advance, x, n := f.advance(st), fixed.Int26_6(0), 0
	runes := []rune(s)
	for n < len(runes) && float64(x+advance(runes[n]))/64 <= room {
		x += advance(runes[n])
		n++
	}
	return string(runes[:max(n, 1)]) + ellipsis
}

// Written is a text with its numbers as the language of the page writes them.
func (f *Fonts) Written(s string) string {
	if f.Comma {
		return format.DecimalComma(s, "\u00a0")
	}
	return s
}

// Pens calls at for each rune of s with the x of its pen.
func (f *Fonts) Pens(s string, st Style, at func(r rune, x float64)) {
	advance, x := f.advance(st), fixed.Int26_6(0)
	for _, r := range f.Written(s) {
		at(r, float64(x)/64)
		x += advance(r)
	}
}
