package exchange

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Computer runs a unit and returns the result; an error means no result.
type Computer func(ctx context.Context, common, own []byte) (result []byte, err error)

// In runs units in a worker of this process.
func In(w *engine.Worker) Computer {
	return func(ctx context.Context, common, own []byte) ([]byte, error) { return compute(ctx, w, common, own) }
}

func compute(ctx context.Context, w *engine.Worker, common, own []byte) (result []byte, err error) {
	name := "a unit"
	defer func() {
		if p := recover(); p != nil {
			result, err = failure(problem.New("internal error in %s: %v", name, p)), nil
		}
	}()
	if _, err := w.Control(engine.UnitMessage(1, false, common, own)); err != nil {
		return nil, err
	}
	r, err := w.Start(nil)
	if err != nil {
		return failure(err), nil
	}
	name = r.Unit.Round
	r.Unit.Note = nil // nobody draws its history
	for range r.Frames {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return append([]byte{room.KindDone}, engine.Result(r.Unit)...), nil
}

// failure is the result of a unit that failed.
func failure(err error) []byte {
	w := wire.Writer{B: []byte{room.KindError}}
	w.Problem(err)
	return w.B
}

// Finish gives a result to the job; an error says that it is damaged, and the unit stays open.
func Finish(j *engine.Job, k *engine.Task, result []byte) error {
	if err := room.CheckResult(result); err != nil {
		return err
	}
	r := wire.Reader{B: result[1:]}
	if result[0] == room.KindError {
		why := r.Problem()
		if r.Err != nil {
			return r.Err
		}
		j.Fail(k, why)
		return nil
	}
	if err := k.ReadDone(&r); err != nil {
		return err
	}
	j.Done(k)
	return nil
}

// Device is one member of a room.
type Device struct {
	Member  *room.Member
	Compute Computer
	Told    func(p *room.Parcel) // after each unit; may be nil
}

// Work computes units until the room closes or ctx ends. Errors that others may have too are not its end.
func (d *Device) Work(ctx context.Context) error {
	for {
		p, wait, err := d.Member.Take(ctx)
		var no *room.Refused
		switch {
		case errors.As(err, &no) && no.Status == 410: // closed
			return nil
		case err != nil:
			return err
		case p == nil:
			if err := room.Sleep(ctx, wait); err != nil {
				return err
			}
			continue
		}

		// The unit is computed and given.
		result, err := d.run(ctx, p)
		if err != nil {
			return err
		}
		switch err := d.Member.Give(ctx, p, result); {
		case errors.As(err, &no) && no.Status == 410:
			return nil
		case errors.As(err, &no) && (no.Status == 409 || no.Status == 429):
			continue // another device has the unit now, or the room is full for the moment
		case err != nil:
			return err
		}
		if d.Told != nil {
			d.Told(p)
		}
	}
}

// run computes a unit, and renews its lease meanwhile.
func (d *Device) run(ctx context.Context, p *room.Parcel) ([]byte, error) {
	beat, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for room.Sleep(beat, max(p.Lease/3, time.Second)) == nil {
			_ = d.Member.Renew(beat, p) // if it fails, the unit goes to another device as well
		}
	}()
	return d.Compute(ctx, p.Common, p.Own)
}

// Files gives a worker the files of an own model, by the room or by who starts it.
func Files(w *engine.Worker, files map[string][]byte) error {
	for name, data := range files {
		m := wire.Writer{B: []byte{engine.MsgFile}}
		m.String(name)
		m.Bytes(data)
		if _, err := w.Control(m.B); err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
	}
	return nil
}

// WorkAll computes with several devices of this process until the room closes or ctx ends. Devices that a full room
// does not take are left out while another works.
func WorkAll(ctx context.Context, devices []*Device) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	left := atomic.Int32{}
	left.Store(int32(len(devices)))
	for _, d := range devices {
		wg.Go(func() {
			err := d.Work(ctx)
			var no *room.Refused
			if last := left.Add(-1) == 0; err != nil && (last || !errors.As(err, &no) || no.Status != 429) {
				stop(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
