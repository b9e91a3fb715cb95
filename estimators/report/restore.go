package report

import (
	"fmt"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
)

// Restore gives a job the outcome of a replicate, from 1, that another machine computed (engine.Job.Only), and makes the
// reports once, to see that they can be made. The outcome is not trusted: an error says that it is damaged, that it does
// not go with the others, or that a run of the replicate failed. After an error the job must be made again. With right
// set the outcome is known to be right, and the failure of a run is a result like any other.
func Restore(j *engine.Job, replicate int, outcome []byte, right bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.New("the outcome of replicate %d does not go with the others: %v", replicate, p)
		}
	}()
	failed, err := j.RestoreReplicate(replicate, outcome)
	switch {
	case err != nil:
		return err
	case failed && !right:
		return problem.New("replicate %d failed", replicate)
	}
	New(j).All(0)
	return nil
}

// MarkUnconfirmed marks a result of a room in which a device was found wrong: so many of its replicates came from
// devices that were never checked.
func (r *Report) MarkUnconfirmed(unconfirmed, replicates int) {
	r.addFlag(FlagUnconfirmed)
	if r.Verdict != nil {
		r.judge(VerdictCheck{Name: "Unchecked devices", Value: Number(unconfirmed), Needs: "0",
			Text: fmt.Sprintf("%d of %d", unconfirmed, replicates), Bad: true,
			Means: "A device of the room gave wrong results, and replicates of devices that were never checked count.",
			Do:    "Run it again alone, or have the host compute every replicate, too."})
	}
}
