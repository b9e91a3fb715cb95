package papers_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/arm"
	"logzlab/internal/papertest"
	"logzlab/internal/tier"
)

// An interrupted experiment continues with the rows of its table, whose numbers stay the same. A table with other
// columns is an error.
func TestContinueKeepsRows(t *testing.T) {
	tier.Test(t)
	out, dir := papertest.Small(t, arm.Fig2)
	path := filepath.Join(dir, "arm-fig2.csv")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	incomplete := slices.Concat(bytes.Join(lines[:4], nil), lines[4][:len(lines[4])/2])
	if err := os.WriteFile(path, incomplete, 0o666); err != nil {
		t.Fatal(err)
	}
	pointsRun, incompleteMessages, noTableMessages := 0, 0, 0
	again, err := papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1,
		Load: papertest.Load, Continue: true,
		Say: func(text string, done bool) {
			if strings.Contains(text, "arm-fig2.csv ended within a line: its 3 whole rows are kept") {
				incompleteMessages++
			} else if done {
				pointsRun++
			}
		}})
	if err != nil || pointsRun != len(out.Rows)-3 || len(again.Rows) != len(out.Rows) || incompleteMessages != 1 {
		t.Fatalf("%v: ran %d points of %d, told %d times that a line was torn", err, pointsRun, len(out.Rows), incompleteMessages)
	}
	for i := range out.Rows {
		a, b := out.Rows[i], again.Rows[i]
		if a.Hash != b.Hash || a.Link != b.Link || a.R != b.R || a.N != b.N || a.Known != b.Known || a.EP != b.EP ||
			math.Float64bits(a.LogMeanExp) != math.Float64bits(b.LogMeanExp) || i < 3 && math.Abs(a.Seconds/b.Seconds-1) > 1e-3 {
			t.Errorf("row %d: %+v\n%+v", i, a, b)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1,
		Load: papertest.Load, Continue: true,
		Say: func(text string, done bool) {
			if strings.Contains(text, "there is no "+path+" yet: this begins with the first point") {
				noTableMessages++
			}
			if strings.Contains(text, "NaN") {
				t.Errorf("text = %v", text)
			}
		}}); err != nil || noTableMessages != 1 {
		t.Errorf("%v: told %d times that there is no table", err, noTableMessages)
	}
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small,
		Load:     papertest.Load,
		Continue: true}); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Errorf("error = %v", err)
	}
}

// The rows of an earlier run stay in the table until the new run reaches their points, and a table that cannot be
// written stays unchanged.
func TestTableStaysWhenDiskIsFull(t *testing.T) {
	out, dir := papertest.Small(t, arm.Fig2)
	path := filepath.Join(dir, "arm-fig2.csv")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	if err := os.WriteFile(path, slices.Concat(lines[0], lines[2], lines[4]), 0o666); err != nil {
		t.Fatal(err)
	}
	var saved []byte
	pointsDone := 0
	again, err := papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1,
		Load: papertest.Load, Continue: true,
		Say: func(_ string, done bool) {
			if !done {
				return
			}
			if pointsDone++; pointsDone == 2 { // from the third point, the table cannot be written
				saved, _ = os.ReadFile(path)
				os.Mkdir(path+".tmp", 0o777)
			}
		}})
	if err == nil || !strings.Contains(err.Error(), "4 points are in "+dir+": make room there and go on with -continue") ||
		again.Saved != 4 || len(again.Rows) != 5 {
		t.Errorf("%d rows, %d saved, error %v", len(again.Rows), again.Saved, err)
	}
	current, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(current, saved) || !bytes.HasSuffix(current, lines[4]) || bytes.Count(current, []byte("\n")) != 5 {
		t.Errorf("the table is\n%s\nand was\n%s", current, saved)
	}
	os.Remove(path + ".tmp")
	again, err = papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1,
		Load: papertest.Load, Continue: true,
		Say: func(string, bool) {}})
	if err != nil || len(again.Rows) != len(out.Rows) || again.Saved != len(out.Rows) {
		t.Errorf("%d rows of %d, %d saved, error %v", len(again.Rows), len(out.Rows), again.Saved, err)
	}
}

// A folder that cannot be created or written is an error before any computation.
func TestUnwritableFolderIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	full := t.TempDir()
	if err := os.Mkdir(filepath.Join(full, "logz-try.tmp"), 0o777); err != nil { // makes the check of the folder fail like a full disk, also for root
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(file, "x"), full} {
		out, err := papers.Run(context.Background(), arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1,
			Load: papertest.Load, Say: func(string, bool) { t.Error("a point was begun") }})
		if err == nil || len(out.Rows) != 0 || !strings.Contains(err.Error(), "folder") {
			t.Errorf("error = %v", err)
		}
	}
}

// An interrupted experiment keeps the rows of its points, and NAME.txt says that it is incomplete.
func TestInterruptedExperimentKeepsPoints(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	points := 0
	out, err := papers.Run(ctx, arm.Fig2, papers.Options{Dir: dir, Size: papers.Small, Workers: 1, Load: papertest.Load,
		Say: func(_ string, done bool) {
			if done {
				if points++; points == 2 {
					cancel()
				}
			}
		}})
	if err == nil || !out.Interrupted || len(out.Rows) != 2 {
		t.Fatalf("%v, interrupted %v, %d rows", err, out.Interrupted, len(out.Rows))
	}
	text, _ := os.ReadFile(filepath.Join(dir, "arm-fig2.txt"))
	if !strings.Contains(string(text), "Not complete: 2 of ") {
		t.Errorf("text = %s", text)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "arm-fig2.csv"))
	if n := bytes.Count(b, []byte("\n")); n != 3 {
		t.Errorf("%d lines", n)
	}
}

// Outcome.Saved counts points, not rows, also if a point has several rows, with data in or outside of the table, from
// this or from an earlier run.
func TestSavedCountsPoints(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	threeRows := func(_ context.Context, p papers.Point, _ papers.Load, _ func(float64)) ([]papers.Row, error) {
		return slices.Repeat([]papers.Row{papers.NewRow(p, &spec.Spec{Methods: []string{"ais"}}, nil)}, 3), nil
	}
	link := "v=1&model=mixture2&method=rts,ts&rts.sweeps=50&rts.temperatures=3"
	e := &papers.Experiment{Name: "rows", Points: func(papers.Size) []papers.Point {
		return []papers.Point{
			{Panel: "a", Series: "one run", Readers: []string{"RTS", "TS"}, Link: link},
			{Panel: "b", Series: "three rows", Make: threeRows},
			{Panel: "c", Series: "never", Make: func(ctx context.Context, _ papers.Point, _ papers.Load, _ func(float64)) (
				[]papers.Row, error) {
				stop()
				return nil, ctx.Err()
			}},
		}
	}, Judge: func([]papers.Row) []papers.Finding { return nil },
		Chart: func([]papers.Row, *papers.Experiment) ([]byte, string, error) { return nil, "", nil }}
	dir := t.TempDir()
	for range 2 { // the second run has the points of the first one
		out, err := papers.Run(ctx, e, papers.Options{Dir: dir, Size: papers.Small, Workers: 1, Load: papertest.Load,
			Continue: true, Say: func(string, bool) {}})
		if !out.Interrupted || out.Saved != 2 || out.Planned != 3 {
			t.Errorf("%d of %d points saved, interrupted %v: %v", out.Saved, out.Planned, out.Interrupted, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "rows.txt"))
	if err != nil || !strings.Contains(string(text), "Not complete: 2 of 3 points.") {
		t.Errorf("%v: %s", err, text)
	}
}
