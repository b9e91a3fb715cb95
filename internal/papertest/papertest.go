// Package papertest has what tests of experiments share: miniatures, and rows that agree or differ. Only tests import
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

// Again continues a miniature that is whole: no point is computed, and what is written is the same to the last digit.
func Again(t *testing.T, out *papers.Outcome, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, out.Name+".*"))
	before, whole := map[string][]byte{}, false
	for _, name := range files {
		before[name], _ = os.ReadFile(name)
		whole = whole || filepath.Ext(name) == ".kept"
	}
	again := run(t, out.Experiment, papers.Options{Dir: dir, Continue: true, Say: func(text string, _ bool) {
		t.Errorf("%s: nothing was to be computed: %s", out.Name, text)
	}})
	if a, b := again.Summary(), out.Summary(); a != b {
		t.Errorf("%s: %q, and continued %q", out.Name, b, a)
	}
	for _, name := range files {
		switch filepath.Ext(name) {
		case ".txt", ".html": // they say when they were made, and in what time
			continue
		case ".svg":
			if !whole { // the table rounds the processor times along its axis
				continue
			}
		}
		if b, _ := os.ReadFile(name); !bytes.Equal(before[name], b) {
			t.Errorf("%s is another file after the experiment was continued", filepath.Base(name))
		}
	}
}

func run(t *testing.T, e *papers.Experiment, o papers.Options) *papers.Outcome {
	t.Helper()
	o.Size, o.Workers, o.Page, o.Load = papers.Small, 2, true, Load
	out, err := papers.Run(context.Background(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
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
		if strings.Contains(x.Claim(), about) {
			return x.Answer
		}
	}
	t.Fatalf("no finding about %q in %v", about, f)
	return papers.Unseen
}
