package papers_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/estimators/papers/arm"
	"logzlab/internal/papertest"
)

// Parts that run concurrently in one folder compute each point once. Continuing from their tables gives the files and
// the numbers of a complete run.
func TestPartsGiveCompleteRun(t *testing.T) {
	whole, dir := papertest.Small(t, arm.Fig2)
	parts := t.TempDir()
	run := func(o papers.Options) (*papers.Outcome, int) {
		ran := 0
		o.Dir, o.Size, o.Workers, o.Load = parts, papers.Small, 1, papertest.Load
		o.Say = func(text string, done bool) {
			if done && strings.Contains(text, ": log Z ") {
				ran++
			}
		}
		out, err := papers.Run(context.Background(), arm.Fig2, o)
		if err != nil {
			t.Error(err)
		}
		return out, ran
	}
	var group sync.WaitGroup
	counts := make([]int, 3)
	for k := range counts {
		group.Go(func() { _, counts[k] = run(papers.Options{Part: papers.Part{K: k + 1, N: len(counts)}}) })
	}
	group.Wait()
	n := len(whole.Rows)
	if counts[0]+counts[1]+counts[2] != n || slices.Max(counts)-slices.Min(counts) > 1 {
		t.Errorf("parts ran %v points of %d", counts, n)
	}
	if _, again := run(papers.Options{Part: papers.Part{K: 2, N: 3}}); again != 0 {
		t.Errorf("a part that was there ran %d points again", again)
	}

	// A run that continues from the tables computes the points of a missing part.
	if err := os.Remove(filepath.Join(parts, "arm-fig2-1-of-3.csv")); err != nil {
		t.Fatal(err)
	}
	joined, ran := run(papers.Options{Continue: true})
	if ran != counts[0] || len(joined.Rows) != n {
		t.Errorf("joining ran %d points, want %d; %d rows of %d", ran, counts[0], len(joined.Rows), n)
	}
	for i := range joined.Rows {
		a, b := whole.Rows[i], joined.Rows[i]
		if a.Hash != b.Hash || a.Link != b.Link || a.Series != b.Series || a.Known != b.Known || a.EP != b.EP ||
			a.Source != b.Source || math.Float64bits(a.LogMeanExp) != math.Float64bits(b.LogMeanExp) {
			t.Errorf("row %d: %+v\n%+v", i, a, b)
		}
	}
	for _, name := range []string{"arm-fig2.csv", "arm-fig2.txt", "arm-fig2.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			if _, err := os.Stat(filepath.Join(parts, name)); err != nil {
				t.Error(err)
			}
		}
	}
}
