package rooms

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// device computes units until the room closes; what goes wrong meanwhile is tried again.
func (r *Rooms) device(ctx context.Context, m *room.Member) {
	d := exchange.Device{Member: m, Compute: r.compute, Told: func(*room.Parcel) {
		r.soon(ctx, func() {
			r.Given++
			r.Repaint.News = true
		})
	}}
	for ctx.Err() == nil {
		err := d.Work(ctx)

		// Three ends: the device leaves, the room closes, the device is refused.
		var no *room.Refused
		switch {
		case ctx.Err() != nil:
			return
		case err == nil, errors.As(err, &no) && no.Status == 404: // over; the board has the host's last word
			return
		case errors.As(err, &no) && no.Status == 403:
			r.soon(ctx, func() {
				if !r.Hosting { // whose page waits for the others
					r.shut(state.RoomRefused, err)
				}
			})
			return
		}

		// Other faults: a warning, a pause, and another attempt.
		r.soon(ctx, func() {
			if !r.Lost { // else the panel says so
				r.Problem = &state.Message{Level: "warn", Text: r.Words.Sentence(err)}
				r.Repaint.AtOnce()
			}
		})
		_ = room.Sleep(ctx, tryAgain)
	}
}

// attend has the host see this device between runs.
func (r *Rooms) attend() {
	ctx := r.anew()
	m := r.member(r.watched(ctx), r.Code, 0)
	go func() {
		for ctx.Err() == nil {
			_, wait, _ := m.Take(ctx) // the watch sees what is wrong
			_ = room.Sleep(ctx, max(wait, presentEvery))
		}
	}()
}

// watchRoom asks how the room of the class stands, for a device.
func (r *Rooms) watchRoom(ctx context.Context, c *room.Client) {
	for wake := r.wake; ctx.Err() == nil; {
		info, err := c.Info(ctx)
		r.soon(ctx, func() { r.stands(info, err) })
		pauses(ctx, wake, deviceEvery+time.Duration(info.Devices)*perDevice)
	}
}

// stands takes how the room stands, on a device: what the host says, and which run is under way.
func (r *Rooms) stands(info room.Info, err error) {
	var no *room.Refused
	entering := r.Phase == state.RoomEntering && r.Run == ""

	// Reasons to stay out, to leave, or to wait.
	switch {
	case err != nil && entering:
		r.shut(state.RoomRefused, err)
		return
	case errors.As(err, &no) && no.Status < 429:
		r.shut(state.RoomClosed, nil)
		return
	case err != nil:
		return
	case entering && info.Build != room.Build:
		r.shut(state.RoomRefused, room.OtherBuild(info.Build, room.Build))
		return
	case entering && !info.Closed && info.Devices >= room.MaxDevice:
		r.shut(state.RoomRefused, problem.New("the room is full: it takes %d devices", room.MaxDevice))
		return
	}

	// The host's word.
	r.Info, r.Repaint.News = info, true
	var said state.Board
	if json.Unmarshal([]byte(info.Board), &said) == nil {
		r.Board = said
	}

	// The run to follow, in a room of one run or of a class.
	switch {
	case info.Closed:
		r.needs.Draw() // the host's last word
		r.shut(state.RoomClosed, nil)
	case !said.Class && r.Run == "": // a room of one run
		r.follow(r.Code)
	case said.Class && said.Run != "" && said.Run != r.Run:
		r.follow(said.Run)
	case said.Class && said.Run == "" && (r.Run != "" || entering):
		r.rests(said)
	}
}

// follow joins the run that has a room.
func (r *Rooms) follow(code string) {
	ctx := r.all
	c := &room.Client{Transport: r.watched(ctx), Code: code}
	r.Run = code
	go func() {
		info, err := c.Info(ctx)
		var files []desk.File
		for _, name := range []string{engine.OwnFile, engine.OwnRows} { // a model is read before its rows
			for _, f := range info.Files {
				if f.Name == name && err == nil {
					files = append(files, desk.File{Name: name})
					files[len(files)-1].Data, err = c.File(ctx, f)
				}
			}
		}
		r.soon(ctx, func() {
			var no *room.Refused
			switch {
			case r.Run != code:
			case errors.As(err, &no) && no.Status < 429, err == nil && info.Closed: // it is over, as the board will say
			case err != nil:
				r.Run = "" // until the board is read again
			default:
				r.openRun(info, files)
			}
		})
	}()
}

// rests has a device wait for the next run. What it saw of the last one stays.
func (r *Rooms) rests(said state.Board) {
	r.needs.Draw() // the host's last word
	r.Crew.Abort()
	if r.run.State == "loading" || r.run.State == "running" {
		desk.End(&r.Opening)
		r.run.End()
	}
	if r.Phase = state.RoomLobby; said.LogZ != nil {
		r.Phase = state.RoomDone
	}
	r.Run = ""
	r.Repaint.AtOnce()
	r.attend()
}
