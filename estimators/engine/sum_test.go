package engine

import (
	"math"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/targets"
	"logzlab/internal/testmodels"
	"logzlab/models"
)

// sumJob returns a short run on an RBM of random weights.
func sumJob(t *testing.T, m, j int, opt Options) *Job {
	t.Helper()
	model, err := models.FromFile(testmodels.OwnModel, targets.RandomRBM(m, j, .3, 1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.ParseLink("v=1&model="+testmodels.OwnModel+"&method=is&is.particles=50&replicates=3",
		catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	job, err := NewJob(s, model, opt)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// finishUnits runs at most limit units of a job and calls before ahead of each.
func finishUnits(t *testing.T, j *Job, limit int, before func(k *Task)) {
	t.Helper()
	for range limit {
		k := j.Take()
		if k == nil {
			return
		}
		before(k)
		for range j.Lane(k) {
		}
		j.Done(k)
	}
}

// TestSumComesLast checks that the exact value of an RBM with 2^24 to 2^30 terms is computed after all units of the
// methods, whose results it does not change, and that a second run on the model has the value from the start. It detects
// units of the sum that are handed out together with units of the methods, and a sum made for every model.
func TestSumComesLast(t *testing.T) {
	t.Parallel()
	opt := Options{Cache: map[string][][]byte{}}
	j := sumJob(t, 30, 21, opt) // 6e7 terms, and more hidden units than exact sampling enumerates
	methods := func() bool { return j.Status("is").State == runstate.MethodDone }
	sumUnits := 0
	finishUnits(t, j, 10000, func(k *Task) {
		if k.Track != sumTrack {
			return
		}
		if sumUnits++; !methods() || j.Truth() != nil || !j.Summing() {
			t.Fatalf("unit %d of the sum: methods over %v, exact value %v", sumUnits, methods(), j.Truth())
		}
	})
	exact, err := Exact(t.Context(), j.Model, 2)
	if err != nil {
		t.Fatal(err)
	}
	got := j.Truth()
	if sumUnits != 32 || got == nil || math.Abs(got.LogZ-exact.LogZ) > 1e-9 || got.Source != "enumeration" || !j.Finished() {
		t.Errorf("%d units, %+v, by all blocks at once %+v", sumUnits, got, exact)
	}
	if again := sumJob(t, 30, 21, opt); again.Truth() == nil || again.Truth().LogZ != got.LogZ || again.Summing() {
		t.Errorf("the next run has %+v", again.Truth())
	}
	if small := sumJob(t, 20, 8, Options{}); len(small.sum().todo) > 0 || !small.sum().finished {
		t.Error("the sum is computed for a model whose exact value is known")
	}
}

// TestSumOnDemand checks that larger sums start only on request, that their expected time is offered, that they continue
// after a finished run, and that Stop ends them.
func TestSumOnDemand(t *testing.T) {
	t.Parallel()
	j := sumJob(t, 40, 26, Options{Workers: 2})
	finishUnits(t, j, 10000, func(k *Task) {
		if k.Track == sumTrack {
			t.Fatal("2.7e9 terms are summed without being asked for")
		}
	})
	seconds, ok := j.SumSeconds()
	if !j.Finished() || !ok || !(seconds > .1 && seconds < 100) {
		t.Fatalf("finished %v, offered %v with %v s", j.Finished(), ok, seconds)
	}
	before := j.Progress()
	j.Sum()
	if j.Finished() || !j.Summing() || before != 1 || j.Progress() > .9 {
		t.Errorf("finished %v, summing %v, progress %v and then %v", j.Finished(), j.Summing(), before, j.Progress())
	}
	n := 0
	finishUnits(t, j, 2, func(k *Task) { n++ })
	if j.Stop(); n != 2 || !j.Finished() || j.Summing() || j.Status("is").State != runstate.MethodDone {
		t.Errorf("%d units; stopped: finished %v, is %s", n, j.Finished(), j.Status("is").State)
	}
	if _, ok := sumJob(t, 40, 34, Options{}).SumSeconds(); ok {
		t.Error("2^34 states are offered")
	}
	if _, ok := sumJob(t, 40, 26, Options{MemoryLimit: 2e6, Workers: 2}).SumSeconds(); ok {
		t.Error("a sum that does not fit in memory is offered")
	}
}
