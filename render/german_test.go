package render

import (
	"os"
	"testing"

	"logzlab/core/words"
	"logzlab/internal/rendertest"
	"logzlab/internal/tier"
	"logzlab/render/paint"
	"logzlab/render/vocabulary"
)

// TestScenesInGerman checks that German words, which are longer, neither overlap nor leave the canvas. Except before a
// release it checks only narrow canvases.
func TestScenesInGerman(t *testing.T) {
	b, err := os.ReadFile("../core/words/de.po")
	if err != nil {
		t.Fatal(err)
	}
	de, err := words.Read("de", b)
	if err != nil {
		t.Fatal(err)
	}
	german := map[string]string{}
	for _, s := range vocabulary.Words {
		german[s] = de.Plain(s)
	}
	for name, show := range rendertest.Shows {
		scene, fs := show.Scene, show.Frames()
		p := rendertest.StageWith(fs...)
		for _, size := range rendertest.Sizes {
			if size.W > 400 && !tier.Releases() {
				continue
			}
			th := paint.Themes[size.Themes[0]]
			a := rendertest.Area(size.W, size.H, size.Scale)
			a.Words, a.Unit, a.Theme, a.Fonts = german, size.Scale*th.Zoom, th, paint.NewFonts(size.Scale*th.Zoom, false)
			rendertest.CheckMarks(t, name+" "+size.Name+" in German", a, rendertest.Draw(scene, a, p))
		}
	}
}
