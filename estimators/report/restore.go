package report

import (
	"fmt"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
)

// Restore gives a job the outcome of a replicate (counted from 1) that another computer has computed (engine.Job.Only).
// Unless isTrusted is set, the outcome is first restored in a new job of the same experiment, and reports are made from
// it. Restore returns an error and leaves the job unchanged if the outcome is damaged, if no report can be made, or if a
// run of the replicate failed.
func Restore(j *engine.Job, replicate int, outcome []byte, isTrusted bool) (err error) {
	if !isTrusted {
		if err := tryRestore(j, replicate, outcome); err != nil {
			return err
		}
	}
	_, err = j.RestoreReplicate(replicate, outcome)
	return err
}

// tryRestore restores the outcome in a new job of the same experiment, and makes reports.
func tryRestore(j *engine.Job, replicate int, outcome []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.New("no report can be made of the outcome of replicate %d: %v", replicate, p)
		}
	}()
	alone, err := j.Fresh()
	if err != nil {
		return err
	}
	failed, err := alone.RestoreReplicate(replicate, outcome)
	if err == nil && failed {
		err = problem.New("replicate %d failed", replicate)
	}
	if err == nil {
		New(alone).All(0)
	}
	return err
}

// MarkUnconfirmed adds a flag and a failed check to the result of a room in which a device returned wrong results.
// unconfirmed of the replicates come from devices whose results were never checked.
func (r *Report) MarkUnconfirmed(unconfirmed, replicates int) {
	r.addFlag(FlagUnconfirmed)
	if r.Verdict != nil {
		r.addCheck(VerdictCheck{Name: "Unchecked devices", Value: Number(unconfirmed), Needs: "0",
			Text: fmt.Sprintf("%d of %d", unconfirmed, replicates), Bad: true,
			Meaning: "A device of the room gave wrong results, and replicates of devices that were never checked count.",
			Advice:  "Run it again alone, or have the host compute every replicate, too."})
	}
}
