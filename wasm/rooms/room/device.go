package room

import (
	"context"
	"errors"
	"time"
)

// Compute is how a device or a host computes a replicate of a run: the outcome is the same bytes wherever it is made.
type Compute func(ctx context.Context, index int) (outcome []byte, err error)

// Status is the status of a refusal (Refused), 0 of other errors.
func Status(err error) int {
	var no *Refused
	if errors.As(err, &no) {
		return no.Status
	}
	return 0
}

// IsOver reports whether an error says that a run or a room is over, or that there is no such room any more.
func IsOver(err error) bool { s := Status(err); return s == 410 || s == 404 }

// Work computes replicates of a run, one after another, until the run is over or ctx ends. After each replicate that
// was given, given is called, unless it is nil.
func (c *Client) Work(ctx context.Context, run Run, compute Compute, given func(index int)) error {
	if run.Build != Build {
		return BuildMismatch(run.Build, Build)
	}
	for {
		task, err := c.Take(ctx, run.ID)
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
		switch err := c.Give(ctx, run.ID, task.Index, outcome); {
		case IsOver(err):
			return nil
		case Status(err) == 409: // the server has given this device's place to another one
			continue
		case err != nil:
			return err
		}
		if given != nil {
			given(task.Index)
		}
	}
}

// followEvery is how often a device looks which run is under way, and shows that it is there.
const followEvery = 2 * time.Second

// underWay is a run that a device computes in a goroutine of its own.
type underWay struct {
	id    int // 0: none
	stop  context.CancelFunc
	ended chan error
}

// end ends the goroutine and returns its error, unless that only says that it was ended.
func (u *underWay) end() error {
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

// Follow takes part in the runs of a room, one after another, until the room is closed. do computes in a run; its context
// ends when the run is over.
func (c *Client) Follow(ctx context.Context, do func(ctx context.Context, run Run) error) error {
	now, last := underWay{}, 0
	defer now.end()
	for seen := false; ; seen = true {
		info, err := c.Info(ctx)
		switch {
		case err == nil && info.Closed, seen && IsOver(err):
			return now.end()
		case err != nil:
			return err
		}

		// The run that is computed is that of the room.
		r := info.Run
		if r == nil || r.Over || r.ID != now.id {
			if err := now.end(); err != nil {
				return err
			}
		}
		if r != nil && !r.Over && r.ID != last {
			runs, stop := context.WithCancel(ctx)
			ended := make(chan error, 1)
			now, last = underWay{r.ID, stop, ended}, r.ID
			go func() {
				defer stop()
				ended <- do(runs, *r)
			}()
		}
		timer := time.NewTimer(followEvery)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-now.ended: // never ready while there is none
			now.stop()
			if now = (underWay{}); err != nil {
				return err
			}
		case <-timer.C:
		}
		timer.Stop()
	}
}
