package coverage

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/calibration"
	"logzlab/estimators/catalog"
	"logzlab/internal/tier"
)

// newFolder returns a temporary directory with the folders of the files.
func newFolder(t *testing.T) string {
	dir := t.TempDir()
	for _, file := range []string{cellsFile, documentFile} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// clock is the time of a clock that advances when it is read, in seconds.
var clock float64

// options returns options for short runs in the given directory.
func options(dir string, filter ...string) Options {
	return Options{Dir: dir, Filter: filter, Seconds: 1e9, Workers: 2, Computer: "a test",
		Clock: func() float64 { clock += 1e-3; return clock }, Say: func(string) {}}
}

// mustLoad returns the measurements in a directory.
func mustLoad(t *testing.T, dir string) *state {
	s, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameCounts reports whether two cells have equal counts, up to rounding of their sums.
func sameCounts(a, b *cell) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-4*(1+math.Abs(x)) }
	ok := a.batches == b.batches && a.failedRuns == b.failedRuns && a.runs == b.runs && near(a.sum, b.sum) &&
		near(a.squares, b.squares) && len(a.classes) == len(b.classes)
	for key, x := range a.classes {
		y := b.classes[key]
		ok = ok && near(x.Squares, y.Squares)
		x.Squares, y.Squares = 0, 0
		ok = ok && x == y
	}
	return ok
}

// A run that is interrupted repeatedly, by the time limit of a session or by the context, gives the same counts as an
// uninterrupted one, also if methods that read the same run are measured separately. Cells do not change when they are
// written and read.
func TestInterruptedRunCountsTheSame(t *testing.T) {
	tier.Release(t)
	whole, interrupted := newFolder(t), newFolder(t)
	filter := []string{"ising-5x7", "starved"}
	for _, method := range []string{"is", "rts", "ts"} {
		if err := Run(t.Context(), options(whole, append(filter, method)...)); err != nil {
			t.Fatal(err)
		}
	}
	o := options(interrupted, filter...)
	o.Session = 1e-9 // one batch
	for i := 0; ; i++ {
		if left, err := mustLoad(t, interrupted).plan(o); err != nil {
			t.Fatal(err)
		} else if len(left) == 0 {
			break
		}
		ctx, cancel := context.WithCancel(t.Context())
		if i%3 == 1 {
			cancel()
		}
		if err := Run(ctx, o); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
	}
	want, got := mustLoad(t, whole), mustLoad(t, interrupted)
	if len(want.cells) != 3 || len(got.cells) < 5 {
		t.Errorf("%d and %d cells", len(want.cells), len(got.cells))
	}
	for name, x := range want.cells {
		y := got.cells[name]
		if y == nil || !sameCounts(x, y) || x.runs+x.failedRuns != batchesOtherwise*batchSize {
			t.Errorf("%s: in pieces %+v, at once %+v", name, y, x)
		}
		back, err := readCell(strings.TrimSpace(x.line()))
		if err != nil || back.line() != x.line() {
			t.Errorf("%s is read as %+v, %v", x.line(), back, err)
		}
	}
}

// The committed table and document are those of the committed cells, and the methods and targets of the cells exist.
func TestCommittedFilesAreCurrent(t *testing.T) {
	s, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	s.list = s.sorted()
	for _, c := range s.list {
		if methodIndex(c.method) < 0 || targetIndex(c.target) < 0 || budgetIndex(c.budget) < 0 {
			t.Errorf("%s is not in the lists of methods, targets and budgets; remove its line", c.name())
		}
	}
	for file, want := range map[string]string{tableFile: s.table(), documentFile: s.document()} {
		if got, err := os.ReadFile(filepath.Join("../..", file)); err != nil || string(got) != want {
			t.Errorf("%s does not match the cells (%v); run ./build.sh calibrate -hours 0 to write it again", file, err)
		}
	}
}

// The table has a row for every cell.
func TestTableHasEveryCell(t *testing.T) {
	table, err := Table("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range mustLoad(t, "../..").cells {
		_, rows, _ := strings.Cut(table, "## "+c.method+"\n")
		rows, _, _ = strings.Cut(rows, "\n## ")
		if !strings.Contains(rows, "| "+c.target+" | "+c.budget+" |") {
			t.Errorf("the table lacks %s", name)
		}
	}
}

// The plan for a target has valid batches of every method at every budget, within the time of the budget. Methods that
// read the same run share a batch. Cells that were measured with other defaults or factors are planned again.
func TestPlanHasValidBatches(t *testing.T) {
	old := &cell{method: "is", target: "rbm-10x5", budget: "medium", factor: 1, batches: batchesIfCheap}
	other := &cell{method: "ais", target: "rbm-10x5", budget: "small", factor: .3, batches: batchesIfCheap}
	s := &state{cells: map[string]*cell{old.name(): old, other.name(): other},
		defaults: map[string][]string{"is": {"particles=7"}, "ais": defaults("ais")}}
	if d := s.defaults["ais"]; len(d[len(d)-1]) != len("digits=0123456789abcdef") {
		t.Errorf("%q", d)
	}
	batches, err := s.plan(options("", "rbm-10x5"))
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]int{}
	last := 0.0
	for _, b := range batches {
		for _, m := range b.methods {
			cells[m+" "+b.budget.name]++
		}
		if first := b.methods[0]; first == "rts" && !slices.Contains(b.methods, "ts") {
			t.Errorf("%v do not share a run", b.methods)
		}
		if b.factor > b.budget.factor || b.totalTime() > b.budget.seconds && !b.choosesWork() {
			t.Errorf("%s takes %.0f s", b.link(), b.totalTime())
		}
		if cost := b.time * float64(1+b.number); cost < last || !(b.time > 0) {
			t.Errorf("%s comes after a batch that takes longer", b.link())
		} else {
			last = cost
		}
	}
	for name, n := range cells {
		if n != batchesIfCheap {
			t.Errorf("%s has %d batches", name, n)
		}
	}
	for _, m := range catalog.Methods {
		for _, x := range budgets {
			if m.Target > 0 && x.name != ownBudget || m.Path == estimators.Fitted { // these do not run on an RBM
				continue
			}
			// rts-stationary returns an error for so many moves between rungs.
			if key := m.Name + " " + x.name; cells[key] == 0 && key != "rts-stationary ample" {
				t.Errorf("the plan has no batch of %s", key)
			}
		}
	}
}

// The ends of the interval of a share satisfy |k/n - x| = 1.96 sqrt(x (1-x)/n).
func TestIntervalSatisfiesEquation(t *testing.T) {
	for _, c := range [][2]int{{0, 10}, {95, 100}, {40, 40}, {3, 200}} {
		p, n := float64(c[0])/float64(c[1]), float64(c[1])
		lo, hi := interval(c[0], c[1])
		for _, x := range []float64{lo, hi} {
			if d := math.Abs(math.Abs(p-x) - 1.96*math.Sqrt(x*(1-x)/n)); !(d < 1e-9) {
				t.Errorf("%v: end %v is off by %v", c, x, d)
			}
		}
	}
}

// coverageWord returns the word that the coverage and rms z require.
func TestCoverageWord(t *testing.T) {
	for want, c := range map[string]calibration.Counts{
		"too few runs": {Runs: 50}, "hold": {Runs: 100, Within2: 95, Squares: 105},
		"too short": {Runs: 100, Within2: 80, Squares: 190}, "a little short": {Runs: 100, Within2: 88, Squares: 170},
		"a little long": {Runs: 100, Within2: 99, Squares: 60}} {
		if got := coverageWord(c); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}
