package engine_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/internal/testmodels"
)

// jobs opens and runs jobs of a link on hills in the plane.
func jobs(t *testing.T, link string) (open func() *engine.Job, run func(*engine.Job)) {
	open = func() *engine.Job {
		j, err := engine.NewJob(testmodels.Parse(t, link), testmodels.HillsModel(t, 2, 3, 3, 1, 1), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	return open, func(j *engine.Job) {
		if err := engine.Run(t.Context(), j, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Jobs that share the replicates of an experiment have outcomes that another job takes, including the failure of a run.
// A damaged outcome is an error.
func TestShare(t *testing.T) {
	const link = "ais,rts&replicates=5&ais.chains=10&ais.temperatures=10&rts.chains=10&rts.temperatures=5&rts.sweeps=20"
	open, run := jobs(t, link)
	whole, joined := open(), open()
	run(whole)
	left := map[engine.RunID][]byte{}
	for k := range 2 {
		j := open()
		j.Share(k+1, 2, func(id engine.RunID, outcome []byte) {
			if id.Replicate%2 != 1-k || left[id] != nil {
				t.Errorf("part %d computes %v", k+1, id)
			}
			left[id] = outcome
		})
		if k == 0 {
			j.Fail(j.Take(), problem.New("no luck with %s", "ais")) // of the first replicate
		}
		run(j)
	}
	some := engine.RunID{Methods: "rts", Replicate: 4}
	if err := joined.Restore(func(id engine.RunID) []byte {
		if id == some {
			return nil
		}
		return left[id]
	}); err != nil || !slices.Equal(joined.Missing(), []engine.RunID{some}) || len(left) != 10 {
		t.Fatalf("missing %v of %d, %v", joined.Missing(), len(left), err)
	}
	run(joined)
	a, b := report.New(whole).All(0), report.New(joined).All(0)
	failed := slices.IndexFunc(b, func(r *report.Report) bool { return r.Err != nil })
	if failed < 0 || b[failed].Err.Error() != "no luck with ais" || a[1-failed].Hash != b[1-failed].Hash {
		t.Errorf("run has %v and %v, the parts %v and %v", a[0].Hash, a[1].Hash, b[0], b[1])
	}
	for i, damaged := range [][]byte{{}, {0}, {1}, {0, 9, 9}, left[some][:len(left[some])/2], {2}} {
		if err := open().Restore(func(id engine.RunID) []byte { return damaged }); err == nil ||
			!strings.Contains(err.Error(), "the outcome of replicate 1 of ") {
			t.Errorf("damage %d: %v", i, err)
		}
	}
}

// A job that gathers takes the outcomes of replicates that other jobs computed one by one, including the failure of a
// run, and has the hashes of a job that computes all. Damaged outcomes are errors.
func TestGather(t *testing.T) {
	const link = "ais,rts&replicates=3&ais.chains=10&ais.temperatures=10&rts.chains=10&rts.temperatures=5&rts.sweeps=20"
	open, run := jobs(t, link)
	whole, gathered := open(), open()
	run(whole)
	gathered.Gather()
	if k := gathered.Take(); k != nil { // of the floor
		if gathered.Return(k); k.Track >= 3 {
			t.Errorf("a job that gathers hands out a unit of round %s", k.Unit.Round)
		}
	}
	var last []byte
	for k := 1; k <= 3; k++ {
		j := open()
		outcome := j.Only(k)
		run(j)
		last = outcome()
		if failed, err := gathered.RestoreReplicate(k, last); failed || err != nil {
			t.Fatalf("replicate %d: failed %v, %v", k, failed, err)
		}
	}
	run(gathered)
	a, b := report.New(whole).All(0), report.New(gathered).All(0)
	if a[0].Hash != b[0].Hash || a[1].Hash != b[1].Hash || a[0].Hash == "" {
		t.Errorf("run has %s and %s, the outcomes %s and %s", a[0].Hash, a[1].Hash, b[0].Hash, b[1].Hash)
	}

	// A replicate with a failed run.
	j := open()
	outcome := j.Only(2)
	j.Fail(j.Take(), problem.New("no luck"))
	run(j)
	if failed, err := open().RestoreReplicate(2, outcome()); !failed || err != nil {
		t.Errorf("a failed run: failed %v, %v", failed, err)
	}
	if err := report.Restore(open(), 2, outcome(), false); err == nil {
		t.Error("the failure of a device's run was accepted without a check")
	}
	if err := report.Restore(open(), 2, outcome(), true); err != nil {
		t.Error(err)
	}

	// Damage, and results that do not match the others.
	for n := range last {
		if _, err := open().RestoreReplicate(3, last[:n]); err == nil {
			t.Errorf("an outcome cut after %d of %d bytes was accepted", n, len(last))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		j := open()
		_ = report.Restore(j, 1+r.IntN(3), testmodels.Damage(r, last), false) // no panic
	}
}
