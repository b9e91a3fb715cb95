package figures

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/arm"
	"logzlab/estimators/papers/varopt"
	"logzlab/wasm/page"
	"logzlab/wasm/page/route"
)

// Pages of experiments only refer to existing files and to valid links of the lab with valid view settings, and the
// parameters of a link are those in its label.
func TestPageLinksAreValid(t *testing.T) {
	const dir = "../../../site/experiments"
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
			if page, ok := strings.CutSuffix(path, ".html"); ok && (strings.HasPrefix(path, "../docs/") ||
				strings.HasPrefix(path, "../papers/")) {
				path = page + ".md" // the source of the page
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
			r, err := route.Parse(link, catalog.Names{}, page.Known())
			if err != nil || r.ViewErrors != nil {
				t.Errorf("%s: %s: %v, %v", file, link, err, r.ViewErrors)
			}
			if err != nil || r.Kind != route.Experiment {
				continue
			}
			for _, wrong := range mislabelled(r.Spec, link, html.UnescapeString(m[2])) {
				t.Errorf("%s: %q: %s", file, m[2], wrong)
			}
		}
		if links == 0 && filepath.Base(file) != "index.html" {
			t.Errorf("%s has no link into the lab", file)
		}
	}
}

// The index page lists all experiments and states the current numbers of findings; if this fails, pages were
// regenerated without the index. No page has an undecided finding that should have been decided according to theory.
func TestIndexStatesCounts(t *testing.T) {
	const dir = "../../../site/experiments/"
	n, err := papers.Totals(dir)
	if err != nil || n[0].All() < 50 || n[1].All() < 10 {
		t.Fatalf("%v: %v", n, err)
	}
	b, err := os.ReadFile(dir + papers.Index)
	if err != nil || !strings.Contains(string(b), papers.CountsText(n)) {
		t.Errorf("%v: the list does not say %q", err, papers.CountsText(n))
	}
	for _, e := range All {
		if !strings.Contains(string(b), "<b>"+e.Title+"</b>") {
			t.Errorf("the list does not say %q", e.Title)
		}
		b, err := os.ReadFile(dir + e.Name + ".txt")
		if err != nil || strings.Contains(string(b), "and yet nothing is decided") {
			t.Errorf("%s: %v\n%s", e.Name, err, b)
		}
	}
}

// labelSizes maps a parameter to the pattern of the number in a label that must equal its value.
var labelSizes = map[string]*regexp.Regexp{
	"particles":    regexp.MustCompile(`R = (\d+)`),
	"temperatures": regexp.MustCompile(`(\d+) temperatures`),
	"chains":       regexp.MustCompile(`(\d+) chains`),
	"sweeps":       regexp.MustCompile(`(\d+) sweeps`),
}

// mislabelled returns the differences between a label and its link: parameters with other values than in the label, and
// parameters in the label that have their value only by default.
func mislabelled(s *spec.Spec, link, label string) (wrong []string) {
	method, _ := catalog.Method(s.Methods[0])
	values := s.Values(method.Params, method.Name)
	for param, size := range labelSizes {
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
	if absent, hasAbsent := strings.CutPrefix(series, arm.SeriesAbsent); hasAbsent {
		if values["absent"] != absent || !strings.Contains(link, ".absent="+absent) {
			wrong = append(wrong, "the link runs absent = "+values["absent"])
		}
	} else if schedule, hasSchedule := varopt.Schedules[series]; hasSchedule {
		if values["schedule"] != schedule {
			wrong = append(wrong, "the link runs schedule = "+values["schedule"])
		}
	} else if ok && !strings.EqualFold(series, method.Label) {
		wrong = append(wrong, "the link runs "+method.Label)
	}
	return wrong
}

// The label of every point agrees with its link, at every size of the experiment.
func TestLabelsAgreeWithLinks(t *testing.T) {
	for _, e := range All {
		for _, size := range []papers.Size{papers.Small, papers.Normal, papers.Full} {
			for _, point := range e.Points(size) {
				for _, p := range point.Lines() {
					s, err := spec.ParseLink(p.Link, catalog.Names{})
					if p.Follow != nil || err != nil {
						continue // TestPointLinksAreValid reports errors
					}
					label := papers.NewRow(p, s, nil).Label()
					for _, wrong := range mislabelled(s, p.Link, label) {
						t.Errorf("%s: %q: %s", e.Name, label, wrong)
					}
				}
			}
		}
	}
}
