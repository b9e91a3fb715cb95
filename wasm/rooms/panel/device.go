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

// watchAsDevice asks what goes on in the room, which also shows that this device is there.
func (r *Rooms) watchAsDevice(ctx context.Context, c *room.Client) {
	here := 0
	for look := r.look; ctx.Err() == nil; {
		info, err := c.Info(ctx)
		r.with(func() {
			if ctx.Err() == nil {
				r.takeInfo(info, err)
				here = r.Board.Here
			}
		})
		pause(ctx, look, askEvery(deviceEvery, here))
	}
}

// takeInfo takes what a device heard of its room: what the host says, and which run is under way.
func (r *Rooms) takeInfo(info room.Info, err error) {
	entering := r.Phase == state.RoomEntering
	switch {
	case err != nil && entering:
		r.endRoom(state.RoomRefused, err)
		return
	case room.IsOver(err):
		r.endRoom(state.RoomClosed, nil)
		return
	case refusal(err) > 0:
		r.endRoom(state.RoomRefused, err)
		return
	case err != nil: // is tried again
		return
	}

	// What the host says.
	r.Repaint.NewNumbers = true
	var said state.Board
	if json.Unmarshal([]byte(info.Board), &said) == nil {
		if info.Run != nil && said.Run != info.Run.ID { // the numbers of the run before
			said = state.Board{Ask: said.Ask, Step: said.Step, Here: said.Here}
		}
		r.Board = said
	}

	// The run.
	switch run := info.Run; {
	case info.Closed:
		r.Queue(effect.Draw{}) // what the host said last
		r.endRoom(state.RoomClosed, nil)
	case run != nil && !run.Over && run.ID != r.opens:
		r.fetchRun(*run)
	case run != nil && !run.Over: // it is under way here
	case r.Computing() && !r.Board.Final() && !r.awaitsEnd: // the host's last numbers come soon
		r.awaitsEnd = true
		r.endWork()
	default:
		r.awaitNextRun()
	}
}

// fetchRun gets the files of a run, and opens it.
func (r *Rooms) fetchRun(run room.Run) {
	ctx := r.stay
	c := r.client(ctx)
	r.opens = run.ID
	go func() {
		var files []state.File
		var err error
		for _, name := range []string{engine.OwnFile, engine.OwnRows} { // a model is read before its rows
			for _, f := range run.Files {
				if f.Name == name && err == nil {
					files = append(files, state.File{Name: name})
					files[len(files)-1].Data, err = c.File(ctx, f)
				}
			}
		}
		r.soon(ctx, func() {
			switch {
			case r.opens != run.ID: // there is a newer one
			case err != nil:
				r.opens = 0 // so that it is tried again
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
		r.endRoom(state.RoomRefused, room.OtherBuild(run.Build, room.Build))
		return
	case err != nil:
		r.endRoom(state.RoomRefused, err)
		return
	}
	r.Run, r.Submitted, r.Computed, r.files, r.awaitsEnd, r.Phase = run, 0, nil, files, false, state.RoomStarting
	r.Queue(effect.Forget{}, effect.RunSpec{Spec: s})
}

// Unpack reads the next file that a room brought.
func (r *Rooms) Unpack() {
	if len(r.files) > 0 && r.Reading == nil {
		f := r.files[0]
		r.files = r.files[1:]
		r.Queue(effect.TakeFile{File: f})
	}
}

// takePartInRun has this page compute replicates until the run is over. What goes wrong meanwhile is tried again.
func (r *Rooms) takePartInRun(ctx context.Context) {
	c, run := r.client(ctx), r.Run
	run.Build = room.Build // also of the run that a host takes up again
	go func() {
		for ctx.Err() == nil {
			err := c.Work(ctx, run, r.computeReplicate, func(int) {
				r.soon(ctx, func() {
					r.Submitted++
					r.Repaint.NewNumbers = true
				})
			})
			if ctx.Err() != nil || err == nil {
				return
			}
			r.soon(ctx, func() {
				switch {
				case refusal(err) == 403 && !r.Hosting: // it is left out
					r.endRoom(state.RoomRefused, err)
				case !r.Lost: // else the panel says so
					r.showWarning(err)
				}
			})
			_ = room.Sleep(ctx, tryAgain)
		}
	}()
}

// awaitNextRun has a device wait for the next run. What it saw of the last one stays.
func (r *Rooms) awaitNextRun() {
	if r.Phase == state.RoomEntering || r.Computing() {
		r.Queue(effect.Draw{}) // what the host said last
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
