package report

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/models"
)

var update = flag.Bool("update", false, "write testdata/golden.txt from this machine's digits")

// The results are compared with ==: any change of a bit, a draw or an order fails. The links of testdata/golden.txt
// cover every model kind, method, schedule and option that changes results, and are small enough for a phone; with
// -update a line may be a link alone.
func TestGolden(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimSpace(Golden), "\n") {
			link, _, _ := strings.Cut(line, "\t")
			r, err := RunLink(context.Background(), link, engine.Source{Load: testmodels.LoadSite}, runtime.NumCPU())
			if err != nil {
				t.Fatalf("%s: %v", link, err)
			}
			g := r[0].Golden()
			b.WriteString(g.Link + "\t" + g.LogZ + "\t" + g.Hash + "\n")
		}
		if err := os.WriteFile("testdata/golden.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	promises := Promises()
	if len(promises) < 30 {
		t.Fatalf("golden.txt has only %d links", len(promises))
	}
	every := 1
	if testing.Short() {
		every = (len(promises) + 5) / 6 // six of them
	}
	for i := 0; i < len(promises); i += every {
		want := promises[i]
		r, err := RunLink(context.Background(), want.Link, engine.Source{Load: testmodels.LoadSite}, runtime.NumCPU())
		if err != nil {
			t.Errorf("%s: %v", want.Link, err)
		} else if got := r[0].Golden(); got != want {
			t.Errorf("%s: %s %s, want %s %s", want.Link, got.LogZ, got.Hash, want.LogZ, want.Hash)
		}
	}
}

// The golden file has every method and every kind of built-in model, each link once and canonical, and no line is left
// out of the comparison.
func TestGoldenCoverage(t *testing.T) {
	methods, kinds, seen := map[string]bool{}, map[*models.Kind]bool{}, map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(Golden), "\n") {
		link, digits, _ := strings.Cut(line, "\t")
		s, err := spec.ParseLink(link, catalog.Names{})
		if err != nil || s.Link() != link || len(s.Methods) != 1 || seen[link] || strings.Count(digits, "\t") != 1 {
			t.Errorf("%q: run ./build.sh golden; each line needs the canonical link of one method, once: %v", line, err)
			continue
		}
		seen[link], methods[s.Methods[0]] = true, true
		if e, ok := catalog.Kinds.Find(s.Model); ok {
			kinds[e.Kind] = true
		}
	}
	for _, m := range catalog.Methods {
		if !methods[m.Name] {
			t.Errorf("no golden link of method %s", m.Name)
		}
	}
	for _, k := range catalog.Kinds {
		if len(k.Entries) > 0 && !kinds[k] {
			t.Errorf("no golden link of a model of kind %s", k.Name)
		}
	}
}
