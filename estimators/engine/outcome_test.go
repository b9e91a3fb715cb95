package engine_test

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/estimators/labtest"
	"logzlab/estimators/report"
)

// Jobs that share the replicates of an experiment leave outcomes that another job takes, the failure of a run included.
// A damaged outcome is an error.
func TestShare(t *testing.T) {
	const link = "ais,rts&replicates=5&ais.chains=10&ais.temperatures=10&rts.chains=10&rts.temperatures=5&rts.sweeps=20"
	open := func() *engine.Job {
		s := labtest.Parse(t, link)
		m := labtest.HillsModel(t, 2, 3, 3, 1, 1)
		j, err := engine.NewJob(s, m, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	run := func(j *engine.Job) {
		if err := engine.Run(t.Context(), j, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
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
