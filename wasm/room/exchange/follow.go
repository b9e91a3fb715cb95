package exchange

import (
	"context"
	"errors"
	"time"

	"logzlab/wasm/room"
)

// askEvery is how often who waits for a run asks for it, at most.
const askEvery = 2 * time.Second

// Follow takes part in the runs of a class, one after another, until its room is closed: do computes in the room of a
// run until that room is closed. Between runs the device is seen in the room of the class. A room without a class has
// one run, and is both rooms.
func Follow(ctx context.Context, m *room.Member, do func(context.Context, room.Info) error) error {
	var no *room.Refused
	for last := ""; ; {
		info, err := m.Info(ctx)
		told := room.ReadTold(info.Board)
		switch {
		case err == nil && info.Closed, last != "" && errors.As(err, &no) && no.Status == 404:
			return nil
		case err != nil:
			return err
		case !told.Class:
			return do(ctx, info)
		case told.Run != "" && told.Run != last:
			last = told.Run
			run := room.Client{Transport: m.Transport, Code: told.Run}
			if info, err = run.Info(ctx); err == nil && !info.Closed {
				err = do(ctx, info)
			} else if errors.As(err, &no) && no.Status == 404 { // it is over
				err = nil
			}
			if err != nil {
				return err
			}
			continue
		}

		// A sign of life to the class, between runs.
		_, wait, err := m.Take(ctx)
		if errors.As(err, &no) && no.Status == 410 {
			return nil
		}
		if err == nil {
			err = room.Sleep(ctx, max(wait, askEvery))
		}
		if err != nil {
			return err
		}
	}
}
