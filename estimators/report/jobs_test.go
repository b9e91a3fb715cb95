package report

import (
	"context"
	"strings"
	"testing"

	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/models"
)

// newJob returns a job for a given model, with at most one Options.
func newJob(t *testing.T, m models.Model, rest string, opt ...engine.Options) *engine.Job {
	t.Helper()
	j, err := engine.NewJob(testmodels.Parse(t, rest), m, append(opt, engine.Options{})[0])
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// finished runs a job to its end and returns its reports.
func finished(t *testing.T, j *engine.Job, workers int) []*Report {
	t.Helper()
	if err := engine.Run(context.Background(), j, workers, nil); err != nil {
		t.Fatal(err)
	}
	reports := New(j).All(0)
	for _, r := range reports {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Method, r.Err)
		}
	}
	return reports
}

// hashes returns the hashes of reports.
func hashes(reports []*Report) string {
	var out []string
	for _, r := range reports {
		out = append(out, r.Hash)
	}
	return strings.Join(out, " ")
}
