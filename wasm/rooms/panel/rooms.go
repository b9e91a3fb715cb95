package panel

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// inRoom is the page's place in a room: as its host, who has the token, or as one of the devices. The zero value is in
// none. The place must not know of reports or lane workers.
type inRoom struct {
	state.Room
	token     string
	giving    bool            // the host gives its own model to the devices
	stay      context.Context // ends when the page leaves the room
	stop      context.CancelFunc
	work      context.Context // ends with what the page does for a run
	halt      context.CancelFunc
	idle      context.CancelFunc // ends the part of a host's computer in its own run
	opens     int                // the id of the run that a device opens or has opened
	awaitsEnd bool               // the run of a device is over, but not all numbers have come
	files     []state.File       // of the own model, which the room brought and nobody has read yet
	queue     []*replicate       // that other goroutines wait for; the first may be at work
	polls     map[string]*poll   // the questions of lectures, by place and step
	asked     *poll              // the one on show
	voting    bool               // the answer of a device is under way
	pressed   []float64          // how often the remote was, back and on, nil: not known yet
	kept      keptRoom
	look      chan struct{} // has the goroutine that watches the room look at once
}

// Rooms are what the page does in a room.
type Rooms struct {
	*shared.Context
	inRoom
	facts run.Facts

	// Replicate is one of the run that the lane workers compute, in place of the run's own job; nil: none.
	Replicate *engine.Job
}

// New is in no room.
func New(d *shared.Context, f run.Facts) Rooms { return Rooms{Context: d, facts: f} }

// keptRoom is what a host's page keeps to go on when it is loaded again.
type keptRoom struct {
	Code   string `json:"code"`
	Token  string `json:"token"`
	Place  string `json:"place"`
	Idle   bool   `json:"idle,omitempty"`
	Giving bool   `json:"giving,omitempty"`
	Run    int    `json:"run,omitempty"` // the id of the run under way, with its link
	Link   string `json:"link,omitempty"`
}

// Remember takes what the page kept.
func (r *inRoom) Remember(text string) {
	var k keptRoom
	if text != "" && json.Unmarshal([]byte(text), &k) == nil && room.IsCode(k.Code) {
		r.kept = k
	}
}

// End stops what goes on in the background.
func (r *inRoom) End() {
	if r.stop != nil {
		r.stop()
		r.stop = nil
	}
}

// endWork stops what the page does for a run.
func (r *Rooms) endWork() {
	if r.halt != nil {
		r.halt()
		r.halt = nil
	}
	if r.queue = nil; r.Replicate != nil {
		r.Replicate = nil
		r.Workers.Abort()
	}
}

// resetRoom forgets the room, but for what a host keeps.
func (r *Rooms) resetRoom() {
	r.endWork()
	r.End()
	r.inRoom = inRoom{kept: r.kept}
}

// beginStay is the context of what the page does in its room from now on.
func (r *inRoom) beginStay() context.Context {
	r.End()
	r.stay, r.stop = context.WithCancel(context.Background())
	r.halt, r.look = nil, make(chan struct{}, 1)
	return r.stay
}

// beginWork is the context of what the page does for a run from now on.
func (r *Rooms) beginWork() context.Context {
	r.endWork()
	r.work, r.halt = context.WithCancel(r.stay)
	return r.work
}

// deviceID is the random id of the page in a room. A tab that is loaded again has the same one, so that the room knows
// the device again.
func (r *Rooms) deviceID(code string) string {
	if r.Browser.TabID == "" {
		return room.NewSecret()
	}
	return room.ID([]byte(r.Browser.TabID), []byte(code))
}

// Enter makes the page, whose run is about to begin, a device of a room, and the remote of a lecture there if it has the
// token of one.
func (r *Rooms) Enter(code, remote string, view state.Settings) {
	r.resetRoom()
	r.Code, r.Phase, r.Device, r.Remote = code, state.RoomEntering, r.deviceID(code), remote
	r.Settings = view
	r.Settings.Fresh, r.Settings.Expect = false, nil // all compute one run
	r.LoadLanguage()

	// Without rooms, or with a wrong code, nothing is asked.
	switch {
	case !r.Browser.Rooms:
		r.endRoom(state.RoomRefused, problem.New("the server offers no rooms (status %d)", 404))
	case code == "":
		r.endRoom(state.RoomRefused, problem.New("this link has no code of a room: ask for the code, and write it after room="))
	case !room.IsCode(code):
		r.endRoom(state.RoomRefused, problem.New("there is no room %s: look at the code again", code))
	default:
		ctx := r.beginStay()
		go r.watchAsDevice(ctx, r.client(ctx))
	}
}

// place is where the page is, as far as a host that comes back there goes on in its room.
func (r *Rooms) place() string {
	if r.Settings.Deck != "" {
		return "view.deck=" + r.Settings.Deck
	}
	if s := r.facts.Spec(); s != nil {
		return s.Link()
	}
	return ""
}

// Stay keeps the page in its room when it opens another link: a host stays, a device only if the link is that of its
// run. A host that comes back goes on, or is in the lobby again: then it answers true, and nothing is to run.
func (r *Rooms) Stay() (lobby bool) {
	if s := r.facts.Spec(); r.IsDevice() && (s == nil || r.Run.Link != s.Link()) {
		r.resetRoom()
		r.Repaint.Dirty = true
	}
	k := r.kept
	if r.InRoom() || !r.Browser.Rooms || k.Code == "" || k.Place != r.place() {
		return false
	}
	r.inRoom = inRoom{token: k.Token, giving: k.Giving, kept: k, Room: state.Room{Code: k.Code, Hosting: true,
		Idle: k.Idle, Device: r.deviceID(k.Code), Phase: state.RoomLobby}}
	r.Remote = room.Remote(room.Sum([]byte(r.token)))
	r.Repaint.AtOnce()
	ctx := r.beginStay()
	go r.watchAsHost(ctx, r.owner(ctx))
	if k.Run == 0 {
		return true
	}
	r.Phase, r.Run = state.RoomStarting, room.Run{ID: k.Run, Link: k.Link}
	return false
}

// endRoom ends the page's part in a room, and says why there is no room, or no more.
func (r *Rooms) endRoom(phase state.RoomPhase, why error) {
	r.endWork()
	r.End()
	r.Workers.Abort()
	r.Phase, r.Why = phase, why
	if r.Repaint.AtOnce(); r.facts.State().Busy() {
		r.Queue(effect.EndRun{})
	}
	if phase != state.RoomRefused || r.Hosting {
		r.forgetKept()
	}
}

// forgetKept drops what the page kept of a room that is over.
func (r *Rooms) forgetKept() {
	if r.Hosting {
		r.kept = keptRoom{}
		r.Host.Keep("")
	}
}

// leaveRoom shows the experiment without its room. A host closes it for all.
func (r *Rooms) leaveRoom() {
	marked := r.Counts.Marked() // a result whose hash would have no mark outside of the room
	stays := r.Settings.Deck != "" || r.Phase == state.RoomDone && r.Hosting && !marked
	if marked {
		r.StopRun() // while there is a room to be told
	}
	if r.Hosting && r.Phase < state.RoomClosed {
		o := room.NewOwner(r.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Close(context.Background()) }()
	}
	r.forgetKept()
	r.resetRoom()
	r.Repaint.AtOnce()
	if marked || !stays {
		r.Queue(effect.Stop{})
	}
	if !stays {
		r.Address.StartEntry()
		if x := r.facts.Experiment(); x.Spec == nil {
			r.Queue(effect.ShowSpec{Spec: x.Draft()})
		}
	}
}

// soon has the controller do something, unless the page has left the room, or ended the run, by then.
func (r *Rooms) soon(ctx context.Context, do func()) {
	r.Host.Do(func() {
		if ctx.Err() == nil {
			do()
		}
	})
}

// with has the controller do something and waits for that.
func (r *Rooms) with(do func()) {
	done := make(chan struct{})
	r.Host.Do(func() {
		defer close(done)
		do()
	})
	<-done
}

// showWarning shows what went wrong and is tried again.
func (r *Rooms) showWarning(err error) {
	r.Problem = &state.Message{Level: "warn", Text: r.Words.Sentence(err)}
	r.Repaint.AtOnce()
}

// Forbidden are the events that a room forbids: they would change what is run.
var Forbidden = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed",
	"replicates", "target", "limit", "draw", "mend", "sum", "narrow"}

// Events are the events of rooms.
func (r *Rooms) Events() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"class": func(state.Event) { // leads to the rooms of the share sheet
			if r.Queue(effect.ShowSheet{Name: "share"}); r.Browser.Rooms && !r.InRoom() {
				r.Repaint.ScrollTo, r.Repaint.Focus = "room-part", "open-room"
			}
		},

		// Hosts open rooms, and start and end runs.
		"open-room":  func(e state.Event) { r.openRoom(e.Value == "give") },
		"start-room": func(state.Event) { r.Start() },
		"close-room": func(e state.Event) {
			if e.Value == "all" {
				r.Problem = nil
				r.endRunEarly()
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
				r.Queue(effect.OpenLink{Link: state.RoomLink + code})
			}
		},
		"card": func(state.Event) { r.CardClosed = true },
		"vote": func(e state.Event) {
			if n, err := strconv.Atoi(e.Value); err == nil {
				r.vote(n)
			}
		},
		"remote":     func(e state.Event) { r.pressRemote(e.Value) },
		"leave-room": func(state.Event) { r.leaveRoom() },
	}
}

// trimCode is the code in what somebody typed or pasted, perhaps a whole link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, state.RoomLink); i >= 0 {
		text = text[i+len(state.RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
