package panel

import (
	"context"
	"math"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// replicate is one that this page computes with its lane workers.
type replicate struct {
	ctx     context.Context // of the goroutine that waits for it
	index   int             // from 1
	outcome func() []byte   // of its job, when that is finished
	done    chan<- computed
}

// computed is what became of a replicate.
type computed struct {
	outcome []byte
	err     error
}

// computeReplicate has the lane workers compute a replicate of the run, and waits for its outcome. Other goroutines than
// the controller's call it.
func (r *Rooms) computeReplicate(ctx context.Context, index int) ([]byte, error) {
	done := make(chan computed, 1)
	r.soon(ctx, func() {
		r.queue = append(r.queue, &replicate{ctx: ctx, index: index, done: done})
		r.Queue(effect.Assign{})
	})
	select {
	case c := <-done:
		return c.outcome, c.err
	case <-ctx.Done():
		r.Host.Do(func() { r.Queue(effect.Assign{}) }) // which drops it
		return nil, ctx.Err()
	}
}

// AdvanceReplicates gives away the outcome of a replicate that is finished, and puts the next one to work when no worker
// has a unit of another job.
func (r *Rooms) AdvanceReplicates() {
	for len(r.queue) > 0 {
		x, atWork := r.queue[0], r.Replicate
		switch {
		case x.ctx.Err() != nil:
			r.endReplicate(nil)
		case atWork != nil && !atWork.Finished():
			return
		case atWork != nil:
			r.noteOwn(x.index, atWork)
			r.endReplicate(nil)
		case r.Phase != state.RoomWorking || r.facts.Job() == nil || r.Workers.Busy() || r.Hosting && r.facts.Job().Preparing():
			return // a host first finds the base of its model, which all its jobs have from the cache then
		default:
			j, err := engine.NewJob(r.facts.Spec(), r.facts.Made(), r.facts.Options(&r.Workers))
			if err != nil {
				r.endReplicate(err)
				continue
			}
			x.outcome, r.Replicate = j.Only(x.index), j
			return
		}
	}
}

// endReplicate gives the first replicate of the queue to the goroutine that waits for it, with an error if it could not
// be computed.
func (r *Rooms) endReplicate(err error) {
	x := r.queue[0]
	r.queue = r.queue[1:]
	if r.Replicate != nil {
		r.Replicate = nil
		if r.Workers.Busy() { // it was given up, or a run of it failed
			r.Workers.Abort()
		}
	}
	switch {
	case x.ctx.Err() != nil: // nobody waits
	case err != nil:
		x.done <- computed{nil, err}
	default:
		x.done <- computed{x.outcome(), nil}
	}
}

// noteOwn notes the estimate of a replicate that this device computed, to show it at once.
func (r *Rooms) noteOwn(index int, j *engine.Job) {
	if r.Hosting {
		return
	}
	logZ := math.NaN()
	if all := j.Standing(j.Spec.Methods[0]).Results; len(all) > 0 {
		logZ = all[0].LogZ
	}
	r.Computed = append(r.Computed, state.OwnReplicate{Index: index, LogZ: logZ})
	r.Repaint.NewNumbers = true
}

// MayAssign reports whether units of the job at work may go to workers. In a room the own job of a device only names the
// experiment, and that of a host waits while a replicate is to be computed.
func (r *Rooms) MayAssign() bool {
	switch {
	case !r.Computing() || r.Replicate != nil:
		return true
	case !r.Hosting:
		return false
	}
	return len(r.queue) == 0 || r.facts.Job().Preparing()
}

// GiveUp ends what the workers of this page were lost over too often: a replicate, or a host's run.
func (r *Rooms) GiveUp() {
	err := problem.New("this device has too little memory, or is too slow, for a replicate of this run")
	if r.Replicate != nil {
		r.endReplicate(err)
	} else {
		r.failRun(err)
	}
}
