// Package papertest has helpers for tests of experiments: miniature runs, and rows with given errors. Only tests import
// it.
package papertest

import (
	"bytes"
	"context"
	"math"
	"os"
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
	return run(t, e, papers.Options{Dir: dir, Say: func(string, bool) {}}), dir
}

// Again continues a complete miniature and checks that no point is computed and that the files do not change.
func Again(t *testing.T, out *papers.Outcome, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, out.Name+".*"))
	before, whole := map[string][]byte{}, false
	for _, name := range files {
		before[name], _ = os.ReadFile(name)
		whole = whole || filepath.Ext(name) == ".kept"
	}
	again := run(t, out.Experiment, papers.Options{Dir: dir, Continue: true, Say: func(text string, _ bool) {
		t.Errorf("%s: a complete experiment reports %q when continued", out.Name, text)
	}})
	if a, b := again.Summary(), out.Summary(); a != b {
		t.Errorf("%s: summary %q when continued, want %q", out.Name, a, b)
	}
	for _, name := range files {
		switch filepath.Ext(name) {
		case ".txt", ".html": // they contain the date and the duration
			continue
		case ".svg":
			if !whole { // the table rounds processor times, which are on the axis
				continue
			}
		}
		if b, _ := os.ReadFile(name); !bytes.Equal(before[name], b) {
			t.Errorf("%s changed when the experiment was continued", filepath.Base(name))
		}
	}
}

// run runs an experiment at the smallest size.
func run(t *testing.T, e *papers.Experiment, o papers.Options) *papers.Outcome {
	t.Helper()
	o.Size, o.Workers, o.Page, o.Load = papers.Small, 2, true, Load
	out, err := papers.Run(context.Background(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Line makes the rows of a line whose error falls with the root of the cost.
func Line(panel, name string, n int, scale float64, seconds ...float64) (out []papers.Row) {
	for i, t := range seconds {
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name}, N: n, R: 100 * (i + 1), Seconds: t,
			SD: scale / math.Sqrt(t), Mean: -10, LogMeanExp: -10, Known: -10, EP: -10})
	}
	return
}

// Rated makes a row for each RMSE, with n estimates each, at the positions 1, 10, 100, ...
func Rated(panel, name string, n int, rmse ...float64) (out []papers.Row) {
	for i, e := range rmse {
		at := math.Pow(10, float64(i))
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name, At: at}, N: n, Seconds: 1, SD: e,
			Known: 0})
	}
	return
}

// Find returns the answer of the first finding whose claim contains a text.
func Find(t *testing.T, f []papers.Finding, about string) papers.Answer {
	t.Helper()
	for _, x := range f {
		if strings.Contains(x.Claim(), about) {
			return x.Answer
		}
	}
	t.Fatalf("no finding about %q in %v", about, f)
	return papers.Unseen
}
