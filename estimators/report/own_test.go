package report_test

import (
	"context"
	"fmt"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// TestOwnChecks: a method that only the options of the job contain is reported, and judged by its own checks.
func TestOwnChecks(t *testing.T) {
	own := anneal.AIS
	own.Name = "own"
	own.Checks = []estimators.Check{{Name: "Depth", Meaning: "It is low.", Advice: "Take another method.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			return estimators.Finding{Value: f.LogZ, Text: fmt.Sprint(f.LogZ), Needs: "≥ 100", OK: f.LogZ >= 100}, true
		}}}
	names := catalog.Names{Methods: []estimators.Info{own}}
	s, err := spec.ParseLink("v=1&model=mixture2&method=own&own.temperatures=50", names)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Source{}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.RunSpec(context.Background(), s, m, engine.Options{Names: names}, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if failing := r.Verdict.Failing(); failing == nil || failing.Name != "Depth" || r.Link != s.Link() {
		t.Errorf("the report of %s has the verdict %+v", r.Link, r.Verdict)
	}
}
