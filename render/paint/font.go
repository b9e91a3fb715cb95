package paint

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"golang.org/x/image/math/fixed"

	"logzlab/core/format"
)

// Style is a text style of the canvas.
type Style uint8

// The styles.
const (
	Tick       Style = iota // 11 px
	Plain                   // 12 px
	Strong                  // 12 px, bold
	StrongTick              // 11 px, bold: an emphasized tick
	Figure                  // 14 px, bold: the main number of a scene
	styles
)

// Size returns the size of a style in CSS pixels, and whether it is bold.
func (st Style) Size() (px float64, bold bool) {
	return [styles]float64{11, 12, 12, 11, 14}[st], st >= Strong
}

//go:generate go run ./gen

// advanceFile contains the advance widths of letters; gen writes it.
//
//go:embed go-advances.bin
var advanceFile []byte

// letterWidths contains the advance widths of a font, in font units.
type letterWidths struct {
	em, missing fixed.Int26_6
	letters     map[rune]fixed.Int26_6
}

// fontWidths returns the widths of the regular and the bold font. Package gpu has the outlines, so that programs that
// only lay out contain neither these nor the packages that read them.
var fontWidths = sync.OnceValue(func() (out [2]*letterWidths) {
	b := advanceFile
	next := func() uint16 {
		v := binary.BigEndian.Uint16(b)
		b = b[2:]
		return v
	}
	for i := range out {
		w := &letterWidths{em: fixed.Int26_6(next()), missing: fixed.Int26_6(next()), letters: map[rune]fixed.Int26_6{}}
		for range next() {
			r := rune(next())
			w.letters[r] = fixed.Int26_6(next())
		}
		out[i] = w
	}
	return out
})

// Fonts measures text in all styles at a pixel ratio.
type Fonts struct {
	Scale  float64
	Comma  bool // numbers have a decimal comma
	widths [styles]map[string]float64
}

// NewFonts returns the fonts for a pixel ratio.
func NewFonts(scale float64, comma bool) *Fonts { return &Fonts{Scale: scale, Comma: comma} }

// advance returns the width of letters in a style. The fonts have no kerning.
func (f *Fonts) advance(st Style) func(r rune) fixed.Int26_6 {
	px, heavy := st.Size()
	w := fontWidths()[0]
	if heavy {
		w = fontWidths()[1]
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

// Width returns the advance width of s in device pixels.
func (f *Fonts) Width(s string, st Style) float64 {
	if w, ok := f.widths[st][s]; ok {
		return w
	}
	if len(f.widths[st]) > 500 || f.widths[st] == nil {
		f.widths[st] = map[string]float64{}
	}
	advance, x := f.advance(st), fixed.Int26_6(0)
	for _, r := range f.Localized(s) {
		x += advance(r)
	}
	w := float64(x) / 64
	f.widths[st][s] = w
	return w
}

// Fit returns s if it fits into width device pixels. Otherwise it returns its beginning, at least one letter, and an
// ellipsis.
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

// Localized returns s with a decimal comma in its numbers if Comma is set.
func (f *Fonts) Localized(s string) string {
	if f.Comma {
		return format.DecimalComma(s, "\u00a0")
	}
	return s
}

// EachRune calls at for each rune of s with its x position.
func (f *Fonts) EachRune(s string, st Style, at func(r rune, x float64)) {
	advance, x := f.advance(st), fixed.Int26_6(0)
	for _, r := range f.Localized(s) {
		at(r, float64(x)/64)
		x += advance(r)
	}
}
