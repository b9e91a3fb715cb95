package page

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// openRoom opens a room for the experiment. An own model goes there only if giving says so; else each device needs it.
func (b *Brain) openRoom(giving bool) {
	r := &b.room
	if b.Spec == nil || b.address.bad || r.On() || !b.Browser.Rooms {
		return
	}
	if b.LacksOwn() || b.LacksRows() {
		b.run() // which says so
		return
	}

	// The page becomes a host.
	b.panels.Sheet = ""
	b.stop()
	r.Phase, r.Machine = state.RoomOpening, room.NewSecret()
	b.state = "loading"
	ctx, link := b.room.begins(), b.Spec.Link()

	// The files of an own model, if the user gives them.
	files := map[string][]byte{}
	if giving && b.OwnChosen() {
		for _, f := range b.modelFiles() {
			files[f.Name] = f.Data
		}
	}
	t := b.room.watched(ctx)

	// The room opens, and waits for its class.
	go func() {
		o, err := room.Open(ctx, t, link, slices.Sorted(maps.Keys(files))...)
		for name, data := range files {
			if err == nil {
				err = o.GiveFile(ctx, name, data)
			}
		}
		b.room.soon(ctx, func() {
			if err != nil {
				b.room.shut(state.RoomRefused, err)
				return
			}
			r.Code, r.token, r.Hosting, r.Link = o.Code, o.Token, true, link
			b.waits()
			b.room.keep()
		})
	}()
}

// startRoom begins the run of a room whose class is there.
func (b *Brain) startRoom() {
	if r := &b.room; r.Hosting && r.Phase == state.RoomLobby {
		r.Phase = state.RoomOpening
		b.room.keep()
		b.run()
	}
}

// keep has the page go on as host when it is loaded again.
func (r *rooms) keep() {
	r.kept = keptRoom{r.Code, r.token, r.Link, r.Idle, r.Phase == state.RoomLobby}
	text, _ := json.Marshal(r.kept)
	r.host.Keep(string(text))
}

// remade is the job of a host, from its beginning.
func (b *Brain) remade() (*engine.Job, error) {
	j, err := engine.NewJob(b.Spec, b.made, b.options())
	if err == nil {
		began, rested := b.started, b.resting
		b.runState.begin(j)
		b.started, b.resting = began, rested
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

// folded notes which machine has computed a unit.
func (r *rooms) folded(k *engine.Task, device string) {
	id := room.Alias(device)
	s := r.shares[id]
	if s == nil {
		s = &machineShare{units: map[int]int{}}
		r.shares[id] = s
	}
	s.portion.Add(k)
	s.news = true
	if n := k.Replicate(); n >= 0 {
		s.units[n]++
	}
}

// mostShares bounds the estimates of single machines that are made at a time: each takes as long as that of all.
const mostShares = 2

// progressed takes what the room has brought.
func (r *rooms) progressed(c exchange.Counts) {
	r.Counts = c
	r.repaint.news = true
	method := r.loaded.Spec.Methods[0]
	done, all := 0, math.NaN()
	if now := r.run.job.Standing(method).Results; len(now) > 0 && r.loaded.Spec.Replicates < 2 {
		all = now[0].LogZ
	}
	for _, s := range r.shares {
		if done == mostShares || r.loaded.Spec.Replicates > 1 {
			break
		}
		if !s.news {
			continue
		}
		s.news = false
		done++
		x := s.portion.Result(method)
		if x == nil || !report.IsNumber(report.Number(x.LogZ)) || len(r.shares) > 1 && x.LogZ == all {
			continue // a round that adds nothing to log Z, as one of the way back: it is that of all
		}
		z := x.LogZ
		s.logZ = &z
	}
}

// points are the estimates on the strip, and the place of each machine's among them: of the finished replicates, the
// one for which it did most; else of the machines.
func (r *rooms) points() (z []float64, own map[string]int) {
	z, own = []float64{}, map[string]int{}
	if r.loaded.Spec.Replicates < 2 {
		for _, id := range slices.Sorted(maps.Keys(r.shares)) {
			if x := r.shares[id].logZ; x != nil {
				own[id] = len(z)
				z = append(z, *x)
			}
		}
		return z, own
	}
	place := map[int]int{}
	for i, x := range r.run.job.Replicates(r.loaded.Spec.Methods[0]) {
		if x != nil && report.IsNumber(report.Number(x.LogZ)) {
			place[i] = len(z)
			z = append(z, x.LogZ)
		}
	}
	for id, s := range r.shares {
		most := 0
		for i, n := range s.units {
			if at, done := place[i]; done && (n > most || n == most && at < own[id]) {
				own[id], most = at, n
			}
		}
	}
	return z, own
}

// stood is how the run stands, as its host tells it.
func (r *rooms) stood() state.Board {
	x := state.Board{Points: []float64{}, Own: map[string]int{}, Agreed: r.Counts.Agreed}
	if r.run.job == nil {
		return x
	}
	all := r.run.results()
	first := all[0]
	number := func(x report.Number) *float64 {
		if y := float64(x); report.IsNumber(x) {
			return &y
		}
		return nil
	}
	x.LogZ, x.SE, x.Share = number(first.LogZ), number(first.SE), r.run.share()
	if first.Truth != nil {
		x.Exact = number(first.Truth.LogZ)
	}
	if x.Points, x.Own = r.points(); len(x.Points) > mostPoints { // the board is small
		x.Points = x.Points[:mostPoints]
		maps.DeleteFunc(x.Own, func(_ string, at int) bool { return at >= mostPoints })
	}
	if x.Early = r.run.job.Stopped(); r.run.state == "done" {
		for _, r := range all {
			x.Hash = append(x.Hash, r.Hash)
		}
	}
	return x
}

// mostPoints are those that a board has room for, with as many machines: 20 letters and 24 each.
const mostPoints = 1000

// tells makes the board, and a point of the course.
func (r *rooms) tells() string {
	if r.run.job == nil || r.Phase == state.RoomLobby { // a job may be left of a run before
		return ""
	}
	x := r.stood()
	r.Board = x
	if n := float64(r.Counts.Units); x.LogZ != nil && x.SE != nil && n > 0 {
		r.pass(state.RoomPoint{Units: n, LogZ: *x.LogZ, SE: *x.SE})
	}
	text, _ := json.Marshal(x) // finite numbers
	return string(text)
}

// pass adds a point to the course of the estimate, of which some hundred stay.
func (r *inRoom) pass(x state.RoomPoint) {
	if n := len(r.Course); n > 0 && r.Course[n-1].Units >= x.Units {
		r.Course[n-1] = x
		return
	}
	if r.Course = append(r.Course, x); len(r.Course) > 200 {
		var half []state.RoomPoint
		for i, x := range r.Course {
			if i%2 == 1 {
				half = append(half, x)
			}
		}
		r.Course = half
	}
}

// hosted ends the run of a room, and is what the board says at the end.
func (b *Brain) hosted(c exchange.Counts) string {
	r := &b.room
	r.Counts = c
	if r.Phase = state.RoomDone; b.job != nil {
		b.assign() // which sees that the run is over
	}
	told := b.room.tells()
	b.room.forget()
	b.repaint.atOnce()
	return told
}

// closeRoom ends a run before its end: what is known of it stays, without a hash.
func (r *rooms) closeRoom() {
	if r.Hosting && r.Phase == state.RoomWorking && r.run.job != nil {
		r.Phase = state.RoomEnding
		r.run.job.Stop()
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
		r.lend(r.all, r.watched(r.all))
	}
}

// settled are the events that a room forbids: they would change what is run.
var settled = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed", "replicates",
	"target", "limit", "draw", "mend", "sum"}

// roomEvents are the events of rooms.
func (b *Brain) roomEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"class": func(state.Event) { // leads to the rooms of the share sheet
			if b.open("share"); b.Browser.Rooms && !b.room.On() {
				b.repaint.point, b.repaint.focus = "room-part", "open-room"
			}
		},
		"open-room":  func(e state.Event) { b.openRoom(e.Value == "give") },
		"start-room": func(state.Event) { b.startRoom() },
		"close-room": func(e state.Event) {
			if e.Value == "all" {
				b.problem = nil
				b.room.closeRoom()
			} else if b.room.Phase == state.RoomWorking {
				b.problem = &state.Message{Level: "warn",
					Text:   b.Words.T("room.close.all") + " " + b.Words.T("room.close.why"),
					Action: &state.Action{Label: b.Words.T("room.close.yes"), Event: "close-room", Value: "all"}}
			}
		},
		"join": func(e state.Event) {
			if code := trimCode(e.Value); code != "" {
				b.panels.Sheet = ""
				b.Open(state.RoomLink + code)
			}
		},
		"leave-room": func(state.Event) { b.leaveRoom() },
	}
}

// leaveRoom shows the experiment without its room.
func (b *Brain) leaveRoom() {
	over := b.room.Phase == state.RoomDone
	if r := &b.room; r.Hosting && r.Phase < state.RoomDone {
		o := room.NewOwner(b.host.Rooms(), r.Code, r.token)
		go func() { _ = o.Close(context.Background()) }()
	}
	b.room.forget()
	b.room.leave()
	b.repaint.atOnce()
	if over { // its numbers stay
		return
	}
	b.stop()
	b.room.leave()
	if b.Spec == nil {
		b.Spec = b.Draft()
	}
	b.address.leave()
}

// trimCode is the code in what somebody typed or pasted, perhaps a whole link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, state.RoomLink); i >= 0 {
		text = text[i+len(state.RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
