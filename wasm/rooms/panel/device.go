package panel

import (
	"context"
	"encoding/json"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// watchAsDevice requests the state of the room repeatedly. By these requests the device also counts as present.
func (r *Rooms) watchAsDevice(ctx context.Context, c *room.Client) {
	connected := 0
	for wake := r.wake; ctx.Err() == nil; {
		info, err := c.Info(ctx)
		r.runAndWait(func() {
			if ctx.Err() == nil {
				r.takeInfo(info, err)
				connected = r.Board.Here
			}
		})
		pause(ctx, wake, pollInterval(deviceInterval, connected))
	}
}

// takeInfo handles the answer to a request for the state of the room: the text of the host (the board) and the current
// run, or an error.
func (r *Rooms) takeInfo(info room.Info, err error) {
	entering := r.Phase == state.RoomEntering
	switch {
	case err != nil && entering:
		r.endRoom(state.RoomRefused, err)
		return
	case room.IsOver(err):
		r.endRoom(state.RoomClosed, nil)
		return
	case refusalStatus(err) > 0:
		r.endRoom(state.RoomRefused, err)
		return
	case err != nil: // the request will be repeated
		return
	}

	// The text of the host.
	r.Repaint.NewNumbers = true
	var board state.Board
	if json.Unmarshal([]byte(info.Board), &board) == nil {
		if info.Run != nil && board.Run != info.Run.ID { // it is about the previous run
			board = state.Board{Ask: board.Ask, Step: board.Step, Here: board.Here}
		}
		r.Board = board
	}

	// The run.
	switch run := info.Run; {
	case info.Closed:
		r.Queue(effect.DrawCurves{}) // draw the last text of the host
		r.endRoom(state.RoomClosed, nil)
	case run != nil && !run.Over && run.ID != r.openedRun:
		r.fetchRun(*run)
	case run != nil && !run.Over: // it is already running here
	case r.Computing() && !r.Board.Final() && !r.awaitsLastBoard: // wait for the host's last text
		r.awaitsLastBoard = true
		r.endWork()
	default:
		r.awaitNextRun()
	}
}

// fetchRun downloads the files of a run and opens the run.
func (r *Rooms) fetchRun(run room.Run) {
	ctx := r.stayCtx
	c := r.client(ctx)
	r.openedRun = run.ID
	go func() {
		var files []state.File
		var err error
		for _, name := range []string{engine.OwnFile, engine.OwnRows} { // the model must be read before its rows
			for _, f := range run.Files {
				if f.Name == name && err == nil {
					files = append(files, state.File{Name: name})
					files[len(files)-1].Data, err = c.File(ctx, f)
				}
			}
		}
		r.schedule(ctx, func() {
			switch {
			case r.openedRun != run.ID: // there is a newer run
			case err != nil:
				r.openedRun = 0 // try again
			default:
				r.openRun(run, files)
			}
		})
	}()
}

// openRun opens the experiment of a run on this device.
func (r *Rooms) openRun(run room.Run, files []state.File) {
	s, err := spec.ParseLink(run.Link, r.facts.Experiment().Names())
	switch {
	case run.Build != room.Build:
		r.endRoom(state.RoomRefused, room.BuildMismatch(run.Build, room.Build))
		return
	case err != nil:
		r.endRoom(state.RoomRefused, err)
		return
	}
	r.Run, r.Submitted, r.Computed, r.files, r.awaitsLastBoard, r.Phase = run, 0, nil, files, false, state.RoomStarting
	r.Queue(effect.ClearComparisons{}, effect.RunSpec{Spec: s})
}

// Unpack passes the next downloaded model file to the page, once it has read the previous one.
func (r *Rooms) Unpack() {
	if len(r.files) > 0 && r.Reading == nil {
		f := r.files[0]
		r.files = r.files[1:]
		r.Queue(effect.TakeFile{File: f})
	}
}

// takePartInRun starts a goroutine that computes replicates until the run is over. After an error it tries again.
func (r *Rooms) takePartInRun(ctx context.Context) {
	c, run := r.client(ctx), r.Run
	run.Build = room.Build // a run that a host continues may lack it
	go func() {
		for ctx.Err() == nil {
			err := c.Work(ctx, run, r.computeReplicate, func(int) {
				r.schedule(ctx, func() {
					r.Submitted++
					r.Repaint.NewNumbers = true
				})
			})
			if ctx.Err() != nil || err == nil {
				return
			}
			r.schedule(ctx, func() {
				switch {
				case refusalStatus(err) == 403 && !r.Hosting: // this device is excluded
					r.endRoom(state.RoomRefused, err)
				case !r.Disconnected: // otherwise the panel already shows it
					r.showWarning(err)
				}
			})
			_ = room.Sleep(ctx, retryInterval)
		}
	}()
}

// awaitNextRun makes a device wait for the next run. The page still shows the results of the last run.
func (r *Rooms) awaitNextRun() {
	if r.Phase == state.RoomEntering || r.Computing() {
		r.Queue(effect.DrawCurves{}) // draw the last text of the host
		r.endWork()
		if r.facts.State().Busy() {
			r.Queue(effect.EndRun{})
		}
	}
	phase := state.RoomLobby
	if r.Board.LogZ != nil {
		phase = state.RoomDone
	}
	if r.Phase != phase {
		r.Phase = phase
		r.Repaint.AtOnce()
	}
}
