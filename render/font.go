package render

import (
	_ "embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"logzlab/core/format"
)

// style is one of the few text styles of the canvas; long words belong to the page.
type style uint8

const (
	tick   style = iota // 11 px
	plain               // 12 px
	strong              // 12 px, bold
	mark11              // 11 px, bold: a tick that matters
	figure              // 14 px, bold: the value of a scene
	styles
)

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
			panic("render: the built-in font is damaged: " + err.Error())
		}
	}
	return f
})

// fonts holds one face per style at a pixel ratio.
type fonts struct {
	scale  float64
	comma  bool // numbers have a decimal comma
	faces  [styles]font.Face
	widths [styles]map[string]float64 // measuring costs more than drawing
}

func newFonts(scale float64, comma bool) *fonts {
	f := &fonts{scale: scale, comma: comma}
	for st, d := range [styles]struct {
		px   float64
		bold int
	}{{11, 0}, {12, 0}, {12, 1}, {11, 1}, {14, 1}} {
		// NewFace fails only for impossible options; these are constant.
		f.faces[st], _ = opentype.NewFace(parsed()[d.bold], &opentype.FaceOptions{Size: d.px * scale, DPI: 72})
	}
	return f
}

// width is the advance of s in device pixels.
func (f *fonts) width(s string, st style) float64 {
	if w, ok := f.widths[st][s]; ok {
		return w
	}
	if len(f.widths[st]) > 500 || f.widths[st] == nil {
		f.widths[st] = map[string]float64{}
	}
	w := float64(font.MeasureString(f.faces[st], f.written(s))) / 64
	f.widths[st][s] = w
	return w
}

// written is a text with its numbers as the language of the page writes them.
func (f *fonts) written(s string) string {
	if f.comma {
		return format.Comma(s, "\u00a0")
	}
	return s
}
