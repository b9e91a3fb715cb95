package room

import (
	"context"
	"errors"
	"time"
)

// Compute computes a replicate of a run. The bytes of the outcome do not depend on the device.
type Compute func(ctx context.Context, index int) (outcome []byte, err error)

// Status returns the status of a Refused, or 0 for other errors.
func Status(err error) int {
	var refused *Refused
	if errors.As(err, &refused) {
		return refused.Status
	}
	return 0
}

// IsOver reports whether an error means that a run is over, or that a room is closed or does not exist.
func IsOver(err error) bool { s := Status(err); return s == 410 || s == 404 }

// Work computes replicates of a run until the run is over or ctx is done. It calls onAccepted, if not nil, after each
// outcome that the server has accepted.
func (c *Client) Work(ctx context.Context, run Run, compute Compute, onAccepted func(index int)) error {
	if run.Build != Build {
		return BuildMismatch(run.Build, Build)
	}
	for {
		task, err := c.TakeReplicate(ctx, run.ID)
		switch {
		case IsOver(err):
			return nil
		case err != nil:
			return err
		case task.Index == 0:
			if err := Sleep(ctx, time.Duration(task.Wait)*time.Millisecond); err != nil {
				return err
			}
			continue
		}
		outcome, err := compute(ctx, task.Index)
		if err != nil {
			return err
		}
		switch err := c.SendOutcome(ctx, run.ID, task.Index, outcome); {
		case IsOver(err):
			return nil
		case Status(err) == 409: // the server has replaced this device by another one
			continue
		case err != nil:
			return err
		}
		if onAccepted != nil {
			onAccepted(task.Index)
		}
	}
}

// followInterval is the interval at which a device requests the current run and shows that it is alive.
const followInterval = 2 * time.Second

// activeRun is a run that a device computes in a goroutine.
type activeRun struct {
	id    int // 0: none
	stop  context.CancelFunc
	ended chan error
}

// end stops the goroutine and returns its error, unless the error is only that it was stopped.
func (u *activeRun) end() error {
	if u.id == 0 {
		return nil
	}
	u.id = 0
	u.stop()
	if err := <-u.ended; !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Follow calls compute for each run of a room until the room is closed. The context of compute is cancelled when the run
// is over.
func (c *Client) Follow(ctx context.Context, compute func(ctx context.Context, run Run) error) error {
	current, lastID := activeRun{}, 0
	defer current.end()
	for joined := false; ; joined = true {
		info, err := c.Info(ctx)
		switch {
		case err == nil && info.Closed, joined && IsOver(err):
			return current.end()
		case err != nil:
			return err
		}

		// Stop a run that is not the current one.
		r := info.Run
		if r == nil || r.Over || r.ID != current.id {
			if err := current.end(); err != nil {
				return err
			}
		}
		if r != nil && !r.Over && r.ID != lastID {
			runCtx, stop := context.WithCancel(ctx)
			ended := make(chan error, 1)
			current, lastID = activeRun{r.ID, stop, ended}, r.ID
			go func() {
				defer stop()
				ended <- compute(runCtx, *r)
			}()
		}
		timer := time.NewTimer(followInterval)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-current.ended: // nil, and never ready, if there is no run
			current.stop()
			if current = (activeRun{}); err != nil {
				return err
			}
		case <-timer.C:
		}
		timer.Stop()
	}
}
