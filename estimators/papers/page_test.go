package papers

import (
	"bytes"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Lessons, experiments and their index pages have the header and footer of shell.html.
func TestPagesUseShell(t *testing.T) {
	find := func(b []byte, pattern string) string {
		if m := regexp.MustCompile(`(?s)` + pattern).FindSubmatch(b); m != nil {
			return string(m[1])
		}
		return ""
	}
	german := strings.NewReplacer(`<html lang="de">`, `<html lang="en">`, "../figure.js", "figure.js", "../../", "../",
		"?lang=de", "")
	for _, dir := range []string{"lessons", "lessons/de", "experiments"} {
		pages, err := filepath.Glob("../../site/" + dir + "/*.html")
		if err != nil || len(pages) < 3 {
			t.Fatalf("%s: %d pages: %v", dir, len(pages), err)
		}
		for _, name := range pages {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if dir == "lessons/de" {
				b = []byte(german.Replace(string(b)))
			}
			var want bytes.Buffer
			nav := `<nav class="top-nav" aria-label="`
			err = shell.Execute(&want, page{
				Title:    html.UnescapeString(find(b, `<title>(.*) · LogZ Lab</title>`)),
				Label:    find(b, nav+`(.*?)"`),
				LinkTo:   find(b, nav+`.*?" href="(.*?)"`),
				LinkText: find(b, nav+`.*?><a .*?>(.*?)</a>`),
				Main:     template.HTML(find(b, `(<main .*</main>)`)),
				Live: strings.HasPrefix(dir, "lessons") && filepath.Base(name) != "index.html" &&
					filepath.Base(name) != "glossary.html", // these have no interactive figure
			})
			if err != nil || strings.TrimSpace(want.String()) != strings.TrimSpace(string(b)) {
				t.Errorf("%s: header or footer differs from shell.html: %v", name, err)
			}
		}
	}
}
