package experiment

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/wasm/session"
)

// Pages of the gallery open nothing but files that are there and links that can be
// read, in the lab with their view settings.
func TestGallery(t *testing.T) {
	const dir = "../../site/experiments"
	pages, err := filepath.Glob(dir + "/*.html")
	if err != nil || len(pages) < 3 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	ref := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for _, m := range ref.FindAllStringSubmatch(string(b), -1) {
			path, link, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			if strings.Contains(path, ":") {
				t.Errorf("%s asks for %s", page, path)
			} else if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if link == "" {
				continue
			}
			links++
			s, err := spec.ParseLink(link, catalog.Names{})
			if err == nil {
				_, err = session.ParseSettings(s.View)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", page, link, err)
			}
		}
		if links == 0 && filepath.Base(page) != "index.html" {
			t.Errorf("%s has no link into the lab", page)
		}
	}
}
