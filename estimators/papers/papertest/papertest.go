// Package papertest has what tests of experiments share: miniatures, and rows that agree or differ. Only tests import
// it.
package papertest

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/site"
)

// Load reads a bundled file of the site.
func Load(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// Small runs the miniature of an experiment.
func Small(t *testing.T, e *papers.Experiment) (*papers.Outcome, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	out, err := papers.Run(context.Background(), e, papers.Options{Dir: dir, Size: papers.Small, Workers: 2, Page: true,
		Load: Load,
		Say:  func(string, bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	return out, dir
}

// Line makes rows of a line whose error falls with the root of the cost.
func Line(panel, name string, n int, scale float64, seconds ...float64) (out []papers.Row) {
	for i, t := range seconds {
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name}, N: n, R: 100 * (i + 1), Seconds: t,
			SD: scale / math.Sqrt(t), Mean: -10, LogMeanExp: -10, Known: -10, EP: -10})
	}
	return
}

// Rated makes a row for each RMSE, n estimates each, at 1, 10, 100, ...
func Rated(panel, name string, n int, rmse ...float64) (out []papers.Row) {
	for i, e := range rmse {
		at := math.Pow(10, float64(i))
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name, At: at}, N: n, Seconds: 1, SD: e,
			Known: 0})
	}
	return
}

// Find is the answer of the finding about something.
func Find(t *testing.T, f []papers.Finding, about string) papers.Answer {
	t.Helper()
	for _, x := range f {
		if strings.Contains(x.Paper, about) {
			return x.Answer
		}
	}
	t.Fatalf("no finding about %q in %v", about, f)
	return papers.Unseen
}
