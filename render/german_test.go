package render

import (
	"os"
	"testing"

	"logzlab/core/labtest/tier"
	"logzlab/render/paint"
	"logzlab/render/vocabulary"
	"logzlab/wasm/words"
)

// TestScenesInGerman: German words, which are longer, leave no canvas and lie over no others. Before a release narrow
// canvases stand for all.
func TestScenesInGerman(t *testing.T) {
	b, err := os.ReadFile("../wasm/words/de.po")
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
	for name, show := range shows {
		scene, fs := show()
		p := picturing(fs...)
		for _, size := range sizes {
			if size.w > 400 && !tier.Releases() {
				continue
			}
			th := paint.Themes[size.themes[0]]
			a := testArea(size.w, size.h, size.scale)
			a.Words, a.Unit, a.Theme, a.Fonts = german, size.scale*th.Zoom, th, paint.NewFonts(size.scale*th.Zoom, false)
			check(t, name+" "+size.name+" in German", a, draw(scene, a, p))
		}
	}
}
