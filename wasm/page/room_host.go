package page

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

// openRoom opens a room for the experiment. An own model goes there only if giving says so; else each device needs it.
func (b *Brain) openRoom(giving bool) {
	r := &b.room
	if b.Spec == nil || b.Address.Bad || r.On() || !b.Browser.Rooms {
		return
	}
	if b.LacksOwn() || b.LacksRows() {
		b.Run() // which says so
		return
	}

	// The page becomes a host.
	b.Panels.Sheet = ""
	b.Stop()
	r.Phase, r.giving = state.RoomOpening, giving && b.OwnChosen()
	b.State = "loading"
	ctx, link := r.begins(), b.Spec.Link()
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
		b.room.soon(ctx, func() {
			if err != nil {
				b.room.shut(state.RoomRefused, err)
				return
			}
			r.Code, r.token, r.Hosting, r.Machine = o.Code, o.Token, true, r.machine(o.Code)
			r.Remote, r.pressed = room.Remote(room.Sum([]byte(o.Token))), make([]float64, room.MaxAnswers)
			r.Phase, b.State = state.RoomLobby, "idle"
			b.room.keep()
			b.Repaint.AtOnce()
			go r.watchClass(ctx, room.NewOwner(t, r.Code, r.token))
		})
	}()
}

// gifts are the files of an own model that the host gives to the devices.
func (r *rooms) gifts() map[string][]byte {
	files := map[string][]byte{}
	if r.giving && r.loaded.OwnChosen() {
		for _, f := range r.loaded.ModelFiles() {
			files[f.Name] = f.Data
		}
	}
	return files
}

// startRoom runs the experiment on the devices of the class.
func (b *Brain) startRoom() {
	r := &b.room
	free := r.Phase == state.RoomLobby || r.Phase == state.RoomDone ||
		r.Phase == state.RoomStarting && b.State != "loading" && b.State != "running" // a start that failed
	if !r.Hosting || !free || b.Spec == nil || b.Address.Bad || b.Settings.Deck != "" && !b.lecture.Revealed {
		return
	}
	if b.LacksOwn() || b.LacksRows() {
		b.Run() // which says so
		return
	}
	b.Stop()
	r.abandon()
	r.Phase, r.Link, r.Awaited, b.lecture.due = state.RoomStarting, b.Spec.Link(), r.Here(), 0
	b.Run()
}

// fits has a run go through the room only if it is the one that was started there.
func (r *rooms) fits() {
	if r.Hosting && r.Phase == state.RoomStarting && r.loaded.Spec != nil && r.Link != r.loaded.Spec.Link() {
		r.abandon()
		r.Phase = state.RoomLobby
	}
}

// stops ends what the page does for a run. One that a host leaves before its end is over for all.
func (r *rooms) stops() {
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
func (r *rooms) abandon() {
	if r.Run != "" {
		o := room.NewOwner(r.Host.Rooms(), r.Run, r.runToken)
		go func() { _ = o.Close(context.Background()) }()
	}
	r.Run, r.runToken = "", ""
	r.wakes()
}

// keep has the page go on as host when it is loaded again.
func (r *rooms) keep() {
	now := keptRoom{r.Code, r.token, r.place(), r.Idle, r.giving, r.Run, r.runToken, r.Link}
	if now == r.kept {
		return
	}
	r.kept = now
	text, _ := json.Marshal(r.kept)
	r.Host.Keep(string(text))
}

// remade is the job of a host, from its beginning.
func (b *Brain) remade() (*engine.Job, error) {
	j, err := engine.NewJob(b.Spec, b.Made, b.options())
	if err == nil {
		began, rested := b.Started, b.Resting
		b.Current.Begin(j)
		b.Started, b.Resting = began, rested
		if b.room.shares = map[string]*machineShare{}; b.room.Phase == state.RoomEnding {
			j.Stop()
		}
	}
	return j, err
}

// A class is busy if each round has so many lanes; of more than mostLanes the messages take longer than the work.
const classLanes, mostLanes = 64, 512

// classLane is how many chains a lane of a room has, 0 where the methods' own lanes are small enough, or do not consist
// of chains.
func classLane(s *spec.Spec) int {
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

// hosted ends the run of a room, and is what the board says then.
func (b *Brain) hosted(c exchange.Counts) string {
	r := &b.room
	r.Counts = c
	if r.Phase = state.RoomDone; b.Job != nil {
		b.assign() // which sees that the run is over
		r.estimates(mostAtEnd)
		r.notes()
	}
	r.Board.Last, r.Away = r.Run, false
	r.Run, r.runToken = "", ""
	r.Board.Done = max(r.Board.Done, c.Units)
	r.Board.Units = r.Board.Done
	told := r.tells()
	r.keep()
	b.Repaint.AtOnce()
	return told
}

// closeRoom ends a run before its end: what is known of it stays, without a hash.
func (r *rooms) closeRoom() {
	if r.Hosting && r.Phase == state.RoomWorking && r.run.Job != nil {
		r.Phase = state.RoomEnding
		r.run.Job.Stop()
	}
}

// lends follows the switch that has the host's own computer compute.
func (r *rooms) lends(on bool) {
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

// settled are the events that a room forbids: they would change what is run.
var settled = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed", "replicates",
	"target", "limit", "draw", "mend", "sum"}

// roomEvents are the events of rooms.
func (b *Brain) roomEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"class": func(state.Event) { // leads to the rooms of the share sheet
			if b.OpenSheet("share"); b.Browser.Rooms && !b.room.On() {
				b.Repaint.Point, b.Repaint.Focus = "room-part", "open-room"
			}
		},
		"open-room":  func(e state.Event) { b.openRoom(e.Value == "give") },
		"start-room": func(state.Event) { b.startRoom() },
		"close-room": func(e state.Event) {
			if e.Value == "all" {
				b.Problem = nil
				b.room.closeRoom()
			} else if b.room.Phase == state.RoomWorking {
				b.Problem = &state.Message{Level: "warn",
					Text:   b.Words.T("room.close.all") + " " + b.Words.T("room.close.why"),
					Action: &state.Action{Label: b.Words.T("room.close.yes"), Event: "close-room", Value: "all"}}
			}
		},
		"join": func(e state.Event) {
			if code := trimCode(e.Value); code != "" {
				b.Panels.Sheet = ""
				b.Open(state.RoomLink + code)
			}
		},
		"card": func(state.Event) { b.room.Away = true },
		"vote": func(e state.Event) {
			if n, err := strconv.Atoi(e.Value); err == nil {
				b.room.votes(n)
			}
		},
		"remote":     func(e state.Event) { b.room.presses(e.Value) },
		"leave-room": func(state.Event) { b.leaveRoom() },
	}
}

// leaveRoom shows the experiment without its room. A host closes it for all.
func (b *Brain) leaveRoom() {
	r := &b.room
	over := r.Phase == state.RoomDone && r.Hosting
	if r.Hosting && r.Phase < state.RoomClosed {
		o := room.NewOwner(b.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Close(context.Background()) }()
		r.abandon()
	}
	r.forget()
	r.leave()
	b.Repaint.AtOnce()
	if over || b.Settings.Deck != "" { // its numbers stay
		return
	}
	b.Stop()
	if b.Spec == nil {
		b.Spec = b.Draft()
	}
	b.Address.Leave()
}

// trimCode is the code in what somebody typed or pasted, perhaps a whole link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, state.RoomLink); i >= 0 {
		text = text[i+len(state.RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
