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
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// openRoom opens a room for the experiment. An own model goes there only if giving says so; else each device needs it.
func (b *Brain) openRoom(giving bool) {
	r := &b.room
	if b.spec == nil || b.address.bad || r.on() || !b.browser.Rooms {
		return
	}
	if b.lacksOwn() || b.lacksRows() {
		b.run() // which says so
		return
	}
	b.panels.sheet = ""
	b.stop()
	r.phase, r.machine = roomOpening, room.NewSecret()
	b.state = "loading"
	ctx, link := b.begins(), b.spec.Link()
	files := map[string][]byte{}
	if giving && b.ownChosen() {
		for _, f := range b.modelFiles() {
			files[f.name] = f.data
		}
	}
	t := b.watched(ctx)
	go func() {
		o, err := room.Open(ctx, t, link)
		for name, data := range files {
			if err == nil {
				err = o.GiveFile(ctx, name, data)
			}
		}
		b.soon(ctx, func() {
			if err != nil {
				b.shut(roomRefused, err)
				return
			}
			r.code, r.token, r.link = o.Code, o.Token, link
			b.keep()
			b.run()
		})
	}()
}

// keep has the page go on as host when it is loaded again.
func (b *Brain) keep() {
	r := &b.room
	r.kept = kept{r.code, r.token, r.link, r.idle}
	text, _ := json.Marshal(r.kept)
	b.host.Keep(string(text))
}

// roomLink is the link that everybody may open.
func (b *Brain) roomLink() string {
	return b.base() + "#" + RoomLink + b.room.code
}

// remade is the job of a host, from its beginning.
func (b *Brain) remade() (*engine.Job, error) {
	j, err := engine.NewJob(b.spec, b.made, b.options())
	if err == nil {
		began, rested := b.started, b.resting
		b.runState.begin(j)
		b.started, b.resting = began, rested
		if b.room.shares = map[string]*share{}; b.room.phase == roomEnding {
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
func (b *Brain) folded(k *engine.Task, device string) {
	id := room.Machine(device)
	s := b.room.shares[id]
	if s == nil {
		s = &share{units: map[int]int{}}
		b.room.shares[id] = s
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
func (b *Brain) progressed(c exchange.Counts) {
	r := &b.room
	r.counts = c
	b.views.news = true
	method := b.spec.Methods[0]
	done, all := 0, math.NaN()
	if now := b.job.Standing(method).Results; len(now) > 0 && b.spec.Replicates < 2 {
		all = now[0].LogZ
	}
	for _, s := range r.shares {
		if done == mostShares || b.spec.Replicates > 1 {
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
func (b *Brain) points() (z []float64, own map[string]int) {
	r := &b.room
	z, own = []float64{}, map[string]int{}
	if b.spec.Replicates < 2 {
		for _, id := range slices.Sorted(maps.Keys(r.shares)) {
			if x := r.shares[id].logZ; x != nil {
				own[id] = len(z)
				z = append(z, *x)
			}
		}
		return z, own
	}
	place := map[int]int{}
	for i, x := range b.job.Replicates(b.spec.Methods[0]) {
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
func (b *Brain) stood() board {
	x := board{Points: []float64{}, Own: map[string]int{}, Agreed: b.room.counts.Agreed}
	if b.job == nil {
		return x
	}
	all := b.results()
	first := all[0]
	number := func(x report.Number) *float64 {
		if y := float64(x); report.IsNumber(x) {
			return &y
		}
		return nil
	}
	x.LogZ, x.SE, x.Share = number(first.LogZ), number(first.SE), b.share()
	if first.Truth != nil {
		x.Exact = number(first.Truth.LogZ)
	}
	if x.Points, x.Own = b.points(); len(x.Points) > mostPoints { // the board is small
		x.Points = x.Points[:mostPoints]
		maps.DeleteFunc(x.Own, func(_ string, at int) bool { return at >= mostPoints })
	}
	if x.Early = b.job.Stopped(); b.state == "done" {
		x.Hash = b.hashes()
	}
	return x
}

// mostPoints are those that a board has room for, with as many machines: 20 letters and 24 each.
const mostPoints = 1000

// tells makes the board, and a point of the course.
func (b *Brain) tells() string {
	if b.job == nil {
		return ""
	}
	x := b.stood()
	b.room.board = x
	if n := float64(b.room.counts.Units); x.LogZ != nil && x.SE != nil && n > 0 {
		b.room.pass(roomPoint{n, *x.LogZ, *x.SE})
	}
	text, _ := json.Marshal(x) // finite numbers
	return string(text)
}

// roomPoint is how the pooled estimate stood after so many units.
type roomPoint struct{ units, logZ, se float64 }

// pass adds a point to the course of the estimate, of which some hundred stay.
func (r *inRoom) pass(x roomPoint) {
	if n := len(r.course); n > 0 && r.course[n-1].units >= x.units {
		r.course[n-1] = x
		return
	}
	if r.course = append(r.course, x); len(r.course) > 200 {
		var half []roomPoint
		for i, x := range r.course {
			if i%2 == 1 {
				half = append(half, x)
			}
		}
		r.course = half
	}
}

// hosted ends the run of a room, and is what the board says at the end.
func (b *Brain) hosted(c exchange.Counts) string {
	r := &b.room
	r.counts = c
	if r.phase = roomDone; b.job != nil {
		b.assign() // which sees that the run is over
	}
	told := b.tells()
	b.forget()
	b.views.atOnce()
	return told
}

// closeRoom ends a run before its end: what is known of it stays, without a hash.
func (b *Brain) closeRoom() {
	if r := &b.room; r.hosts() && r.phase == roomWorking && b.job != nil {
		r.phase = roomEnding
		b.job.Stop()
	}
}

// lends follows the switch that has the host's own computer compute.
func (b *Brain) lends(on bool) {
	r := &b.room
	if !r.hosts() || r.idle == !on || r.rest == nil {
		return
	}
	if r.idle = !on; r.phase != roomWorking {
		return
	}
	b.keep()
	r.rest()
	if on {
		b.lend(r.all, b.watched(r.all))
	}
}

// settled are the events that a room forbids: they would change what is run.
var settled = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed", "replicates",
	"target", "limit", "draw", "mend", "sum"}

// roomEvent takes the events of rooms, and keeps others from an experiment that many devices run.
func (b *Brain) roomEvent(e Event) bool {
	switch e.Name {
	case "shorten":
		b.shorten()
	case "class": // leads to the rooms of the share sheet
		if b.open("share"); b.browser.Rooms && !b.room.on() {
			b.views.point, b.views.focus = "room-part", "open-room"
		}
	case "open-room":
		b.openRoom(e.Value == "give")
	case "close-room":
		if e.Value == "all" {
			b.problem = nil
			b.closeRoom()
		} else if b.room.phase == roomWorking {
			b.problem = &Message{Level: "warn", Text: b.words.T("room.close.all") + " " + b.words.T("room.close.why"),
				Action: &Action{b.words.T("room.close.yes"), "close-room", "all"}}
		}
	case "join":
		if code := trimCode(e.Value); code != "" {
			b.panels.sheet = ""
			b.Open(RoomLink + code)
		}
	case "leave-room":
		b.leaveRoom()
	case "show":
		if e.Value != "lend" {
			return false
		}
		b.lends(e.On)
	default:
		if !b.room.open() || !slices.Contains(settled, e.Name) {
			return false
		}
		b.problem = &Message{Level: "info", Text: b.words.T("room.fixed")}
	}
	return true
}

// leaveRoom shows the experiment without its room.
func (b *Brain) leaveRoom() {
	over := b.room.phase == roomDone
	if r := &b.room; r.hosts() && r.phase < roomDone {
		o := room.NewOwner(b.host.Rooms(), r.code, r.token)
		go func() { _ = o.Close(context.Background()) }()
	}
	b.forget()
	b.room.leave()
	b.views.atOnce()
	if over { // its numbers stay
		return
	}
	b.stop()
	b.room.leave()
	if b.spec == nil {
		b.spec = b.draft()
	}
	b.address.leave()
}

// trimCode is the code in what somebody typed or pasted, perhaps a whole link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, RoomLink); i >= 0 {
		text = text[i+len(RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
