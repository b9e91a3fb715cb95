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

// Every scene can be saved as SVG: a well-formed document of the size of a picture for keeping, with every word of the
// scene. With LOGZ_SHOTS set, the documents are written to that folder, to look at (./build.sh shots).
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
			t.Errorf("%s: a document before there is a size", name)
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
						if a.Name.Local == "width" && size == "" { // parts that are cut are documents inside
							size = a.Value
						}
					}
				}
			}
		}
		want := 0
		a := s.PrintArea()
		for _, m := range rendertest.All(s.CurrentScene().Draw(a), paint.Text) {
			if m.Text != "" {
				want++
			}
		}
		if words != want || size != "1200" {
			t.Errorf("%s: %d texts of %d, %s wide", name, words, want, size)
		}
		if len(doc) > 3<<20 {
			t.Errorf("%s: a document of %d bytes", name, len(doc))
		}
		if dir := os.Getenv("LOGZ_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".svg"), doc, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
