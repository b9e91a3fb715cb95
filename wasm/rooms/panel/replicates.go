package panel

import (
	"context"
	"math"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// replicate is a replicate that this page computes with its lane workers.
type replicate struct {
	ctx     context.Context // context of the goroutine that waits for the outcome
	index   int             // from 1
	outcome func() []byte   // returns the outcome of the finished job
	done    chan<- computed
}

// computed is the result of a replicate.
type computed struct {
	outcome []byte
	err     error
}

// computeReplicate computes a replicate of the run with the lane workers and waits for its outcome. It must not be
// called on the controller's goroutine.
func (r *Rooms) computeReplicate(ctx context.Context, index int) ([]byte, error) {
	done := make(chan computed, 1)
	r.schedule(ctx, func() {
		r.queue = append(r.queue, &replicate{ctx: ctx, index: index, done: done})
		r.Queue(effect.Assign{})
	})
	select {
	case c := <-done:
		return c.outcome, c.err
	case <-ctx.Done():
		r.Host.Do(func() { r.Queue(effect.Assign{}) }) // removes it from the queue
		return nil, ctx.Err()
	}
}

// AdvanceReplicates sends the outcome of a finished replicate to the goroutine that waits for it, and starts the next
// replicate when no worker has a unit of another job.
func (r *Rooms) AdvanceReplicates() {
	for len(r.queue) > 0 {
		x, job := r.queue[0], r.Replicate
		switch {
		case x.ctx.Err() != nil:
			r.endReplicate(nil)
		case job != nil && !job.Finished():
			return
		case job != nil:
			r.addOwnEstimate(x.index, job)
			r.endReplicate(nil)
		case r.Phase != state.RoomWorking || r.facts.Job() == nil || r.Workers.Busy() || r.Hosting && r.facts.Job().Preparing():
			return // a host first finds the base of its model, which is then cached for all its jobs
		default:
			j, err := engine.NewJob(r.facts.Spec(), r.facts.LastModel(), r.facts.Options(&r.Workers))
			if err != nil {
				r.endReplicate(err)
				continue
			}
			x.outcome, r.Replicate = j.Only(x.index), j
			return
		}
	}
}

// endReplicate removes the first replicate of the queue, and sends its outcome, or an error, to the goroutine that
// waits for it.
func (r *Rooms) endReplicate(err error) {
	x := r.queue[0]
	r.queue = r.queue[1:]
	if r.Replicate != nil {
		r.Replicate = nil
		if r.Workers.Busy() { // it was cancelled or has failed
			r.Workers.Abort()
		}
	}
	switch {
	case x.ctx.Err() != nil: // no goroutine waits
	case err != nil:
		x.done <- computed{nil, err}
	default:
		x.done <- computed{x.outcome(), nil}
	}
}

// addOwnEstimate stores the estimate of a replicate that this device has computed, so that the device shows it at once.
func (r *Rooms) addOwnEstimate(index int, j *engine.Job) {
	if r.Hosting {
		return
	}
	logZ := math.NaN()
	if results := j.Status(j.Spec.Methods[0]).Results; len(results) > 0 {
		logZ = results[0].LogZ
	}
	r.Computed = append(r.Computed, state.OwnReplicate{Index: index, LogZ: logZ})
	r.Repaint.NewNumbers = true
}

// MayAssign reports whether units of the current job may be assigned to workers. In a room, the job of a device only
// describes the experiment, and the job of a host waits while a replicate is to be computed.
func (r *Rooms) MayAssign() bool {
	switch {
	case !r.Computing() || r.Replicate != nil:
		return true
	case !r.Hosting:
		return false
	}
	return len(r.queue) == 0 || r.facts.Job().Preparing()
}

// GiveUp ends the current replicate, or otherwise the host's run, after the workers of this page were lost too often.
func (r *Rooms) GiveUp() {
	err := problem.New("this device has too little memory, or is too slow, for a replicate of this run")
	if r.Replicate != nil {
		r.endReplicate(err)
	} else {
		r.failRun(err)
	}
}
