package engine

import (
	"testing"

	"logzlab/core/factor"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/internal/testmodels"
	"logzlab/models"
)

// The interval of a finished run narrows while the unit runs, step by step as in the command. It affects neither the
// estimates nor the interval of the next run. Detects bounds of the end alone, bounds that get worse at the beginning,
// and a cache that passes them on to auto.
func TestNarrow(t *testing.T) {
	t.Parallel()
	s, err := spec.ParseLink("v=1&model="+testmodels.OwnModel+"&method=is&is.particles=50", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	m := testmodels.FileModel(t, testmodels.CompleteGlass(t, 30))
	opt := Options{Cache: map[string][][]byte{}, MemoryLimit: 16e6}
	j, err := NewJob(s, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := j.NarrowSeconds(); ok {
		t.Error("an interval that is not known is offered")
	}
	finishUnits(t, j, 1000, func(*Task) {})
	first, logZ := *j.Bounds(), j.Status("is").Results[0].LogZ
	if seconds, ok := j.NarrowSeconds(); !j.Finished() || !ok || !(seconds > .01 && seconds < 60) {
		t.Fatalf("finished %v, offered %v with %v s", j.Finished(), ok, seconds)
	}

	// While the page watches.
	j.Narrow()
	if j.Finished() || !j.Narrowing() || j.Summing() || j.Progress() > .9 {
		t.Errorf("finished %v, narrowing %v, progress %v", j.Finished(), j.Narrowing(), j.Progress())
	}
	k := j.Take()
	steps, last := 0, first
	for f := range j.Lane(k) {
		j.Peek(k, k.Unit.Peek(), float64(f.Step)/float64(f.Steps))
		if b := *j.Bounds(); b.Floor < last.Floor || b.Ceiling > last.Ceiling {
			t.Fatalf("%+v after %+v", b, last)
		} else if b.Floor > last.Floor || b.Ceiling < last.Ceiling {
			last = b
			if steps++; steps == 2 {
				break
			}
		}
	}
	if j.Stop(); steps != 2 || !j.Finished() || j.Narrowing() || *j.Bounds() != last ||
		j.Status("is").Results[0].LogZ != logZ {
		t.Errorf("%d steps; stopped: finished %v, narrowing %v, %+v", steps, j.Finished(), j.Narrowing(), j.Bounds())
	}
	if _, ok := j.NarrowSeconds(); ok {
		t.Error("an interval is offered twice")
	}

	// It is one of those that the command prints.
	printed := false
	models.CapabilitiesOf(m).Bounds.Narrow(factor.Effort{Entries: models.MaxEntries, Bytes: models.QuickEffort.Bytes},
		func() bool { return true }, func(below, above float64) bool {
			printed = max(below, first.Floor) == last.Floor && above == last.Ceiling
			return !printed
		})
	if !printed {
		t.Errorf("the command does not print %+v", last)
	}

	// The next run begins as the first did.
	next, err := NewJob(s, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	finishUnits(t, next, 1000, func(*Task) {})
	if b := *next.Bounds(); b != first {
		t.Errorf("the next run has %+v, the first had %+v", b, first)
	}
}
