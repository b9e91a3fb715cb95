package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
)

// In a file, progress has a line before a long run begins, few lines after that, and none for a short run.
func TestProgressInFile(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]int{"v=1&model=mixture2&method=ais": 0,
		"v=1&model=mixture2&method=ais&ais.chains=10000&ais.temperatures=1000000": 2} {
		s, err := spec.ParseLink(link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := engine.Source{}.Open(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		j, err := engine.NewJob(s, m, engine.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var w bytes.Buffer
		p := newProgress(&w, time.Now())
		p.show(j)
		p.show(j)
		if want > 0 {
			p.start = p.start.Add(-90 * time.Second)
			p.show(j)
			p.show(j)
		}
		if got := strings.Count(w.String(), " left\n"); got != want || got != strings.Count(w.String(), "\n") {
			t.Errorf("%s: %q", link, w.String())
		}
	}
}
