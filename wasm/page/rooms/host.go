package rooms

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// open opens a room for the experiment. An own model goes there only if giving says so; else each device needs it.
func (r *Rooms) open(giving bool) {
	if r.loaded.Spec == nil || r.Address.Bad || r.On() || !r.Browser.Rooms {
		return
	}
	if r.loaded.LacksOwn() || r.loaded.LacksRows() {
		r.Page.Run() // which says so
		return
	}

	// The page becomes a host.
	r.Panels.Sheet = ""
	r.Page.Stop()
	r.Phase, r.giving = state.RoomEntering, giving && r.loaded.OwnChosen()
	r.run.State = "loading"
	ctx, link := r.begins(), r.loaded.Spec.Link()
	var files []string
	if r.giving {
		files = slices.Sorted(maps.Keys(r.gifts()))
	}
	t := r.watched(ctx)

	// The room opens, and waits for its class.
	go func() {
		o, err := room.Open(ctx, t, link, files...)
		if err == nil {
			err = o.Say(ctx, emptyBoard())
		}
		r.soon(ctx, func() {
			if err != nil {
				r.shut(state.RoomRefused, err)
				return
			}
			r.Code, r.token, r.Hosting, r.Machine = o.Code, o.Token, true, r.machine(o.Code)
			r.Remote, r.pressed = room.Remote(room.Sum([]byte(o.Token))), make([]float64, room.MaxAnswers)
			r.Phase, r.run.State = state.RoomLobby, "idle"
			r.keep()
			r.Repaint.AtOnce()
			go r.watchClass(ctx, room.NewOwner(t, r.Code, r.token))
		})
	}()
}

// gifts are the files of an own model that the host gives to the devices.
func (r *Rooms) gifts() map[string][]byte {
	files := map[string][]byte{}
	if r.giving && r.loaded.OwnChosen() {
		for _, f := range r.loaded.ModelFiles() {
			files[f.Name] = f.Data
		}
	}
	return files
}

// Start runs the experiment on the devices of the class.
func (r *Rooms) Start() {
	free := r.Phase == state.RoomLobby || r.Phase == state.RoomDone ||
		r.Phase == state.RoomStarting && r.run.State != "loading" && r.run.State != "running" // a start that failed
	if !r.Hosting || !free || r.loaded.Spec == nil || r.Address.Bad || r.needs.Hides() {
		return
	}
	if r.loaded.LacksOwn() || r.loaded.LacksRows() {
		r.Page.Run() // which says so
		return
	}
	r.Page.Stop()
	r.abandon()
	r.Phase, r.Link, r.Awaited = state.RoomStarting, r.loaded.Spec.Link(), r.Here()
	r.Page.Run()
}

// Fits has a run go through the room only if it is the one that was started there.
func (r *Rooms) Fits() {
	if r.Hosting && r.Phase == state.RoomStarting && r.loaded.Spec != nil && r.Link != r.loaded.Spec.Link() {
		r.abandon()
		r.Phase = state.RoomLobby
	}
}

// Stops ends what the page does for a run. One that a host leaves before its end is over for all.
func (r *Rooms) Stops() {
	if r.pause(); !r.Hosting {
		return
	}
	switch r.Phase {
	case state.RoomWorking, state.RoomEnding:
		r.abandon()
		r.Phase = state.RoomLobby
	case state.RoomDone:
		r.Phase = state.RoomLobby
	}
}

// abandon closes the room of a run, if there is one.
func (r *Rooms) abandon() {
	if r.Run != "" {
		o := room.NewOwner(r.Host.Rooms(), r.Run, r.runToken)
		go func() { _ = o.Close(context.Background()) }()
	}
	r.Run, r.runToken = "", ""
	r.Wakes()
}

// keep has the page go on as host when it is loaded again.
func (r *Rooms) keep() {
	now := keptRoom{r.Code, r.token, r.place(), r.Idle, r.giving, r.Run, r.runToken, r.Link}
	if now == r.kept {
		return
	}
	r.kept = now
	text, _ := json.Marshal(r.kept)
	r.Host.Keep(string(text))
}

// remake makes the job of a host, from its beginning.
func (r *Rooms) remake() (*engine.Job, error) {
	j, err := engine.NewJob(r.loaded.Spec, r.loaded.Made, r.needs.Options())
	if err == nil {
		began, rested := r.run.Started, r.run.Resting
		r.run.Begin(j)
		r.run.Started, r.run.Resting = began, rested
		if r.shares = map[string]*machineShare{}; r.Phase == state.RoomEnding {
			j.Stop()
		}
	}
	return j, err
}

// A class is busy if each round has so many lanes; of more than mostLanes the messages take longer than the work.
const classLanes, mostLanes = 64, 512

// ClassLane is how many chains a lane of a room has, 0 where the methods' own lanes are small enough, or do not consist
// of chains.
func ClassLane(s *spec.Spec) int {
	least, most := math.MaxInt, 0
	for _, m := range s.Methods {
		info, _ := catalog.Method(m)
		n := s.Values(info.Params, m).Int("chains")
		least, most = min(least, n), max(most, n)
	}
	size := max((least+classLanes-1)/classLanes, (most+mostLanes-1)/mostLanes)
	if least == 0 || size >= usualLane {
		return 0
	}
	return size
}

// usualLane is how many chains the lanes of most methods have.
const usualLane = 10

// ended ends the run of a room, and is what the board says then.
func (r *Rooms) ended(c exchange.Counts) string {
	r.Counts = c
	if r.Phase = state.RoomDone; r.run.Job != nil {
		r.needs.Assign() // which sees that the run is over
		r.estimates(mostAtEnd)
		r.notes()
	}
	r.Board.Last, r.Away = r.Run, false
	r.Run, r.runToken = "", ""
	r.Board.Done = max(r.Board.Done, c.Units)
	r.Board.Units = r.Board.Done
	told := r.tells()
	r.keep()
	r.Repaint.AtOnce()
	return told
}

// closeRoom ends a run before its end: what is known of it stays, without a hash.
func (r *Rooms) closeRoom() {
	if r.Hosting && r.Phase == state.RoomWorking && r.run.Job != nil {
		r.Phase = state.RoomEnding
		r.run.Job.Stop()
	}
}

// Lends follows the switch that has the host's own computer compute.
func (r *Rooms) Lends(on bool) {
	if !r.Hosting || r.Idle == !on || r.rest == nil {
		return
	}
	if r.Idle = !on; r.Phase != state.RoomWorking {
		return
	}
	r.keep()
	r.rest()
	if on {
		r.lend(r.work)
	}
}

// Forbidden are the events that a room forbids: they would change what is run.
var Forbidden = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed",
	"replicates", "target", "limit", "draw", "mend", "sum", "narrow"}

// Events are the events of rooms.
func (r *Rooms) Events() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"class": func(state.Event) { // leads to the rooms of the share sheet
			if r.Page.OpenSheet("share"); r.Browser.Rooms && !r.On() {
				r.Repaint.Point, r.Repaint.Focus = "room-part", "open-room"
			}
		},

		// Hosts open, start and close rooms.
		"open-room":  func(e state.Event) { r.open(e.Value == "give") },
		"start-room": func(state.Event) { r.Start() },
		"close-room": func(e state.Event) {
			if e.Value == "all" {
				r.Problem = nil
				r.closeRoom()
			} else if r.Phase == state.RoomWorking {
				r.Problem = &state.Message{Level: "warn",
					Text:   r.Words.T("room.close.all") + " " + r.Words.T("room.close.why"),
					Action: &state.Action{Label: r.Words.T("room.close.yes"), Event: "close-room", Value: "all"}}
			}
		},

		// Guests and remotes, the card of the end, and the way out.
		"join": func(e state.Event) {
			if code := trimCode(e.Value); code != "" {
				r.Panels.Sheet = ""
				r.Page.Open(state.RoomLink + code)
			}
		},
		"card": func(state.Event) { r.Away = true },
		"vote": func(e state.Event) {
			if n, err := strconv.Atoi(e.Value); err == nil {
				r.votes(n)
			}
		},
		"remote":     func(e state.Event) { r.presses(e.Value) },
		"leave-room": func(state.Event) { r.quit() },
	}
}

// quit shows the experiment without its room. A host closes it for all.
func (r *Rooms) quit() {
	over := r.Phase == state.RoomDone && r.Hosting
	if r.Hosting && r.Phase < state.RoomClosed {
		o := room.NewOwner(r.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Close(context.Background()) }()
		r.abandon()
	}
	r.forget()
	r.leave()
	r.Repaint.AtOnce()
	if over || r.Settings.Deck != "" { // its numbers stay
		return
	}
	r.Page.Stop()
	if r.loaded.Spec == nil {
		r.loaded.Spec = r.loaded.Draft()
	}
	r.Address.Leave()
}

// trimCode is the code in what somebody typed or pasted, perhaps a whole link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, state.RoomLink); i >= 0 {
		text = text[i+len(state.RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
