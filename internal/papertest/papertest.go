// Package papertest has helpers for tests of package papers: experiments at the smallest size, and rows of results with
// given errors. Only tests import it.
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

// Small runs an experiment at the smallest size and returns its outcome and the folder of its files.
func Small(t *testing.T, e *papers.Experiment) (*papers.Outcome, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	return run(t, e, papers.Options{Dir: dir, Say: func(string, bool) {}}), dir
}

// Again continues a complete experiment of Small, and checks that no point is computed and that no file changes.
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
			if !whole { // without a file of exact values, the processor times on the axis are rounded
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

// Line returns rows of n estimates each with standard deviation scale/sqrt(seconds), one row for each time.
func Line(panel, name string, n int, scale float64, seconds ...float64) (out []papers.Row) {
	for i, t := range seconds {
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name}, N: n, R: 100 * (i + 1), Seconds: t,
			SD: scale / math.Sqrt(t), Mean: -10, LogMeanExp: -10, Known: -10, EP: -10})
	}
	return
}

// Rated returns a row of n estimates for each RMSE, at the positions 1, 10, 100, ...
func Rated(panel, name string, n int, rmse ...float64) (out []papers.Row) {
	for i, e := range rmse {
		at := math.Pow(10, float64(i))
		out = append(out, papers.Row{Point: papers.Point{Panel: panel, Series: name, At: at}, N: n, Seconds: 1, SD: e,
			Known: 0})
	}
	return
}

// Find returns the answer of the first finding whose claim contains the text about; it fails the test if there is none.
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
