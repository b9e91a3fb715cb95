package gpu

import (
	_ "embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"logzlab/render/paint"
)

// The outlines of the fonts whose widths are in package paint; see render/paint/gen.
var (
	//go:embed go-regular.ttf
	regular []byte
	//go:embed go-bold.ttf
	bold []byte
)

// typefaces returns the regular and the bold font.
var typefaces = sync.OnceValue(func() (out [2]*opentype.Font) {
	for i, ttf := range [...][]byte{regular, bold} {
		var err error
		if out[i], err = opentype.Parse(ttf); err != nil {
			panic("gpu: the built-in font is damaged: " + err.Error())
		}
	}
	return out
})

// face returns the face of a style.
func face(f *paint.Fonts, st paint.Style) font.Face {
	px, heavy := st.Size()
	typeface := typefaces()[0]
	if heavy {
		typeface = typefaces()[1]
	}
	// NewFace fails only for invalid options; these are constant.
	out, _ := opentype.NewFace(typeface, &opentype.FaceOptions{Size: px * f.Scale, DPI: 72})
	return out
}
