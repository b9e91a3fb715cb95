package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// TestScenesAsSVG checks that each scene can be written as an SVG document that is well formed, has the size of a
// print, and contains every text of the scene. If LOGZ_SHOTS is set, the documents are written to that directory
// (./build.sh shots).
func TestScenesAsSVG(t *testing.T) {
	only := regexp.MustCompile(os.Getenv("LOGZ_ONLY"))
	for name, show := range rendertest.Shows {
		if !only.MatchString(name) {
			continue
		}
		s := stage.NewStage()
		s.SetScene(show.Scene)
		for _, f := range show.Frames() {
			s.Take(f)
		}
		if s.SVG() != nil {
			t.Errorf("%s: SVG returned a document before Fit", name)
		}
		s.Fit(704, 456, 1)
		s.W, s.H = 704, 456
		if act := rendertest.Acts[name]; act != nil {
			act(s)
		}
		doc := s.SVG()
		words, size := 0, ""
		for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				switch e.Name.Local {
				case "text":
					words++
				case "svg":
					for _, a := range e.Attr {
						if a.Name.Local == "width" && size == "" { // clipped parts are nested documents
							size = a.Value
						}
					}
				}
			}
		}
		want := 0
		a := s.PrintArea()
		for _, m := range rendertest.MarksOfKind(s.CurrentScene().Draw(a), paint.Text) {
			if m.Text != "" {
				want++
			}
		}
		if words != want || size != "1200" {
			t.Errorf("%s: %d texts, want %d; width %s, want 1200", name, words, want, size)
		}
		if len(doc) > 3<<20 {
			t.Errorf("%s: %d bytes, want at most %d", name, len(doc), 3<<20)
		}
		if dir := os.Getenv("LOGZ_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".svg"), doc, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
