package engine

import (
	"fmt"
	"slices"
	"strings"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// Several computers can share the replicates of an experiment: each computes some replicates (Share, Only), and one job
// receives the outcomes of all (Restore, RestoreReplicate). The outcome of a run is the encoded results of its methods,
// or its error.

// RunID identifies a run of an experiment.
type RunID struct {
	Methods   string `json:"methods"`   // methods that share the run, separated by commas
	Replicate int    `json:"replicate"` // from 1
}

func (t *track) id() RunID { return RunID{strings.Join(t.methods, ","), t.replicate + 1} }

// Share restricts the job to replicates k, k+n, k+2n, ... (counted from 1), without bounds and exact value, which other
// jobs compute. onOutcome is called with the outcome of each run when it ends.
func (j *Job) Share(k, n int, onOutcome func(RunID, []byte)) {
	j.tracks = slices.DeleteFunc(j.tracks, func(t *track) bool { return len(t.methods) > 0 && t.replicate%n != k-1 })
	j.floor().finished, j.sum().finished = true, true
	j.onOutcome = onOutcome
}

// shareOutcome passes the outcome of a finished run to onOutcome.
func (j *Job) shareOutcome(t *track) {
	if j.onOutcome == nil || len(t.methods) == 0 {
		return
	}
	var w wire.Writer
	if w.Bool(t.err != nil); t.err != nil {
		w.Problem(t.err)
	} else {
		bare := make([]*estimators.Result, len(t.final))
		for i, r := range t.final {
			bare[i] = r.Compact()
		}
		w.Value(bare)
	}
	j.onOutcome(t.id(), w.B)
}

// Restore marks runs as finished with the given outcomes; the function outcome returns nil for a run that has to be
// carried out. Restore returns an error if an outcome is damaged.
func (j *Job) Restore(outcome func(RunID) []byte) error {
	for i := 1; i < len(j.tracks)-2; i++ { // a restored run may add replicates
		t := j.tracks[i]
		b := outcome(t.id())
		if b == nil || t.finished {
			continue
		}
		r, final := wire.Reader{B: b}, []*estimators.Result(nil)
		if r.Bool() {
			if err := r.Problem(); r.Err == nil {
				t.fail(err)
				continue
			}
		}
		if r.Value(&final); r.Err != nil || len(final) != len(t.methods) || slices.Contains(final, nil) {
			return fmt.Errorf("the outcome of replicate %d of %s: %w", t.replicate+1, t.name(), wire.ErrDamaged)
		}
		t.finished, t.final, t.method = true, final, nil
		j.addReplicates(t)
	}
	return nil
}

// Missing returns the unfinished runs.
func (j *Job) Missing() (all []RunID) {
	for _, t := range j.methods() {
		if !t.finished {
			all = append(all, t.id())
		}
	}
	return all
}

// Only restricts the job to one replicate (counted from 1). When the job is finished, the returned function encodes the
// outcomes of the replicate's runs.
func (j *Job) Only(replicate int) (outcome func() []byte) {
	var runs []string
	var bodies [][]byte
	j.Share(replicate, j.Spec.Replicates, func(id RunID, b []byte) {
		runs, bodies = append(runs, id.Methods), append(bodies, b)
	})
	return func() []byte {
		var w wire.Writer
		for _, methods := range j.groups { // in the order of the groups, as runs may end in any order
			if i := slices.Index(runs, strings.Join(methods, ",")); i >= 0 {
				w.Bytes(bodies[i])
			}
		}
		return w.B
	}
}

// Fresh returns a new job of the same experiment.
func (j *Job) Fresh() (*Job, error) { return NewJob(j.Spec, j.Model, j.opt) }

// Gather makes the job carry out no replicates: other jobs do, and RestoreReplicate receives their outcomes. The job still
// computes the bounds and the exact value.
func (j *Job) Gather() { j.gathersOnly = true }

// RestoreReplicate marks the runs of a replicate (counted from 1) as finished with the outcomes b that the function
// returned by Only has encoded. failed reports whether a run of the replicate failed. It returns an error if b is damaged.
func (j *Job) RestoreReplicate(replicate int, b []byte) (failed bool, err error) {
	r := wire.Reader{B: b}
	outcomes := map[string][]byte{}
	for _, methods := range j.groups {
		x := r.Bytes()
		if len(x) == 0 {
			r.Fail()
			break
		}
		outcomes[strings.Join(methods, ",")] = x
		failed = failed || x[0] != 0
	}
	if r.Err != nil || len(r.B) > 0 {
		return false, fmt.Errorf("the outcome of replicate %d: %w", replicate, wire.ErrDamaged)
	}
	return failed, j.Restore(func(id RunID) []byte {
		if id.Replicate != replicate {
			return nil
		}
		return outcomes[id.Methods]
	})
}
