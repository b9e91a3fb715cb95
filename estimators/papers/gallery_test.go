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

	"logzlab/core/diag"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
	view "logzlab/wasm/page"
)

// Pages of the gallery open nothing but files that are there and links that can be
// read, in the lab with their view settings; a link runs what its label says.
func TestGallery(t *testing.T) {
	const dir = "../../site/experiments"
	pages, err := filepath.Glob(dir + "/*.html")
	if err != nil || len(pages) < 3 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	ref := regexp.MustCompile(`(?:href|src)="([^"]*)"(?:[^>]*>([^<]*)</a>)?`)
	for _, file := range pages {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for _, m := range ref.FindAllStringSubmatch(string(b), -1) {
			path, link, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			if page, ok := strings.CutSuffix(path, ".html"); ok && strings.HasPrefix(path, "../docs/") {
				path = page + ".md" // of which the page is made
			}
			if strings.Contains(path, ":") {
				t.Errorf("%s asks for %s", file, path)
			} else if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if link == "" {
				continue
			}
			links++
			if training.IsLink(link) {
				if _, err := training.ParseLink(link); err != nil {
					t.Errorf("%s: %s: %v", file, link, err)
				}
				continue
			}
			s, err := spec.ParseLink(link, catalog.Names{})
			if err == nil {
				_, err = view.ParseSettings(s.View)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", file, link, err)
				continue
			}
			for _, wrong := range mislabelled(s, link, html.UnescapeString(m[2])) {
				t.Errorf("%s: %q: %s", file, m[2], wrong)
			}
		}
		if links == 0 && filepath.Base(file) != "index.html" {
			t.Errorf("%s has no link into the lab", file)
		}
	}
}

// sizes are what a label says in numbers, and the parameter that must have that value.
var sizes = map[string]*regexp.Regexp{
	"particles":    regexp.MustCompile(`R = (\d+)`),
	"temperatures": regexp.MustCompile(`(\d+) temperatures`),
	"chains":       regexp.MustCompile(`(\d+) chains`),
	"sweeps":       regexp.MustCompile(`(\d+) sweeps`),
}

// mislabelled lists what a label says of a link and the link does not run, or runs only
// because it is the default today.
func mislabelled(s *spec.Spec, link, label string) (wrong []string) {
	method, _ := catalog.Method(s.Methods[0])
	values := s.Values(method.Params, method.Name)
	for param, size := range sizes {
		m := size.FindStringSubmatch(label)
		if m == nil {
			continue
		}
		if values[param] != m[1] {
			wrong = append(wrong, "the link runs "+param+" = "+values[param])
		}
		if key := method.Name + "." + param; !strings.Contains(link, "&"+key+"=") {
			wrong = append(wrong, "the link does not name "+key)
		}
	}
	series, _, ok := strings.Cut(label, ", ")
	if absent, is := strings.CutPrefix(series, seriesAbsent); is {
		if values["absent"] != absent || !strings.Contains(link, ".absent="+absent) {
			wrong = append(wrong, "the link runs absent = "+values["absent"])
		}
	} else if schedule, is := schedules[series]; is {
		if values["schedule"] != schedule {
			wrong = append(wrong, "the link runs schedule = "+values["schedule"])
		}
	} else if ok && !strings.EqualFold(series, method.Label) {
		wrong = append(wrong, "the link runs "+method.Label)
	}
	return wrong
}

// Every point's label agrees with its link, at any size of the experiment.
func TestLabels(t *testing.T) {
	for _, e := range All {
		for _, size := range []Size{Small, Normal, Full} {
			for _, point := range e.points(size) {
				for _, p := range point.lines() {
					s, err := spec.ParseLink(p.Link, catalog.Names{})
					if p.Follow != nil || err != nil {
						continue // TestLinks reports errors
					}
					label := newRow(p, s, nil).Label()
					for _, wrong := range mislabelled(s, p.Link, label) {
						t.Errorf("%s: %q: %s", e.Name, label, wrong)
					}
				}
			}
		}
	}
}

// Figures of formed machines say that they run the paper's order and sequence, whatever the defaults are.
func TestPaperSequence(t *testing.T) {
	for _, e := range []*Experiment{fig4, armCost, fig5} {
		links := []string{e.live[0]}
		for _, p := range e.points(Normal) {
			if p.Follow != nil {
				p.Link = p.Follow(make([]Row, 9))
			}
			links = append(links, p.Link)
		}
		formed := 0
		for _, link := range links {
			method := value(link, "method")
			if method == "ais" {
				continue
			}
			formed++
			if value(link, "order") != "variance" || value(link, method+".absent") != "off" {
				t.Errorf("%s: %s", e.Name, link)
			}
		}
		if formed < 2 {
			t.Errorf("%s: %d links form a machine", e.Name, formed)
		}
	}
}

// A row knows its particles from its link or from the default of the catalogue, and
// whether its estimate is a log of a mean from the method.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		link      string
		particles int
		unbiased  bool
	}{
		{"v=1&model=ising16&method=smc", 0, true},
		{"v=1&model=rbm-pcd-20&method=rm&rm.particles=7", 7, true},
		{"v=1&model=rbm-pcd-20&method=arm", 0, false},
	} {
		s, err := spec.ParseLink(c.link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		method, _ := catalog.Method(s.Methods[0])
		if c.particles == 0 {
			c.particles = s.Values(method.Params, method.Name).Int("particles")
		}
		r := &report.Report{LogZ: 3, Diagnostics: map[diag.Number]report.Number{"islands": 4}}
		row := newRow(Point{Link: c.link}, s, r)
		if row.R != c.particles || c.particles == 0 {
			t.Errorf("%s: R = %d, want %d", c.link, row.R, c.particles)
		}
		if unbiased := row.LogMeanExp == 3; unbiased != c.unbiased {
			t.Errorf("%s: log of the mean %g, mean %g", c.link, row.LogMeanExp, row.Mean)
		}
	}
	s, _ := spec.ParseLink("v=1&model=ising16&method=ais", catalog.Names{})
	if row := newRow(Point{}, s, nil); row.R != 0 {
		t.Errorf("ais has %d particles", row.R)
	}
}

// Lessons, experiments and the tables of contents have the head and foot of shell.html.
func TestShell(t *testing.T) {
	find := func(b []byte, pattern string) string {
		if m := regexp.MustCompile(`(?s)` + pattern).FindSubmatch(b); m != nil {
			return string(m[1])
		}
		return ""
	}
	german := strings.NewReplacer(`<html lang="de">`, `<html lang="en">`, "../../", "../", "?lang=de", "")
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
				Title: html.UnescapeString(find(b, `<title>(.*) · LogZ Lab</title>`)),
				Label: find(b, nav+`(.*?)"`),
				To:    find(b, nav+`.*?" href="(.*?)"`),
				Words: find(b, nav+`.*?><a .*?>(.*?)</a>`),
				Main:  template.HTML(find(b, `(<main .*</main>)`)),
			})
			if err != nil || strings.TrimSpace(want.String()) != strings.TrimSpace(string(b)) {
				t.Errorf("%s: head or foot is not that of shell.html: %v", name, err)
			}
		}
	}
}
