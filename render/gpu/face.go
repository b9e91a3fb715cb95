package gpu

import (
	_ "embed"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"logzlab/render/paint"
)

// The outlines of the typefaces, whose widths package paint has; see render/paint/gen.
var (
	//go:embed go-regular.ttf
	regular []byte
	//go:embed go-bold.ttf
	bold []byte
)

// typefaces are the regular and the bold one.
var typefaces = sync.OnceValue(func() (out [2]*opentype.Font) {
	for i, ttf := range [...][]byte{regular, bold} {
		var err error
		if out[i], err = opentype.Parse(ttf); err != nil {
			panic("gpu: the built-in font is damaged: " + err.Error())
		}
	}
	return out
})

// face makes the face of a style, which draws its letters.
func face(f *paint.Fonts, st paint.Style) font.Face {
	px, heavy := st.Size()
	typeface := typefaces()[0]
	if heavy {
		typeface = typefaces()[1]
	}
	// NewFace fails only for impossible options; these are constant.
	out, _ := opentype.NewFace(typeface, &opentype.FaceOptions{Size: px * f.Scale, DPI: 72})
	return out
}
