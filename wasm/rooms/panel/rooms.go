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

// membership is the state of the page in a room, of which the page is the host (it then has the token) or a device. The
// zero value means that the page is in no room. membership does not depend on reports or lane workers.
type membership struct {
	state.Room
	token           string
	sharesModel     bool            // the host sends its model file to the devices
	stayCtx         context.Context // done when the page leaves the room
	leave           context.CancelFunc
	workCtx         context.Context // done when the page stops to take part in a run
	stopWork        context.CancelFunc
	stopLending     context.CancelFunc // stops the host's computer from computing replicates
	openedRun       int                // id of the run that a device opens or has opened
	awaitsLastBoard bool               // the run is over, but the last text of the host (the board) has not arrived
	files           []state.File       // downloaded model files that are not read yet
	queue           []*replicate       // replicates to compute; the first one may be running
	polls           map[string]*poll   // questions of lectures, by place and step
	shownPoll       *poll              // the question that is shown
	isSendingVote   bool               // an answer of the device is being sent
	remotePresses   []float64          // presses of the remote control, back and forward; nil if unknown
	saved           savedRoom
	wake            chan struct{} // wakes the goroutine that watches the room
}

// Rooms makes the page the host or a device of a room.
type Rooms struct {
	*shared.Context
	membership
	facts run.Facts

	// Replicate is the replicate that the lane workers compute instead of the run's own job, or nil.
	Replicate *engine.Job
}

// New returns a Rooms outside of any room.
func New(d *shared.Context, f run.Facts) Rooms { return Rooms{Context: d, facts: f} }

// savedRoom is the state that the browser stores, from which the page of a host continues after a reload.
type savedRoom struct {
	Code   string `json:"code"`
	Token  string `json:"token"`
	Place  string `json:"place"`
	Idle   bool   `json:"idle,omitempty"`
	Giving bool   `json:"giving,omitempty"`
	Run    int    `json:"run,omitempty"` // id of the current run
	Link   string `json:"link,omitempty"`
}

// Remember restores the saved state.
func (r *membership) Remember(text string) {
	var saved savedRoom
	if text != "" && json.Unmarshal([]byte(text), &saved) == nil && room.IsCode(saved.Code) {
		r.saved = saved
	}
}

// End stops all background work.
func (r *membership) End() {
	if r.leave != nil {
		r.leave()
		r.leave = nil
	}
}

// endWork stops the goroutines and workers of this page that take part in a run.
func (r *Rooms) endWork() {
	if r.stopWork != nil {
		r.stopWork()
		r.stopWork = nil
	}
	if r.queue = nil; r.Replicate != nil {
		r.Replicate = nil
		r.Workers.Abort()
	}
}

// resetRoom clears the state of the room, except for the saved state of a host.
func (r *Rooms) resetRoom() {
	r.endWork()
	r.End()
	r.membership = membership{saved: r.saved}
}

// beginStay returns a context that ends when the page leaves the room.
func (r *membership) beginStay() context.Context {
	r.End()
	r.stayCtx, r.leave = context.WithCancel(context.Background())
	r.stopWork, r.wake = nil, make(chan struct{}, 1)
	return r.stayCtx
}

// beginWork returns a context that ends when the page stops to take part in the run.
func (r *Rooms) beginWork() context.Context {
	r.endWork()
	r.workCtx, r.stopWork = context.WithCancel(r.stayCtx)
	return r.workCtx
}

// deviceID returns the random id of the page in a room. A reloaded tab has the same id, so that the server recognizes
// the device.
func (r *Rooms) deviceID(code string) string {
	if r.Browser.TabID == "" {
		return room.NewSecret()
	}
	return room.ID([]byte(r.Browser.TabID), []byte(code))
}

// Enter joins the room with this code as a device, before a run begins. If remote, a token, is not empty, the device is
// the remote control of a lecture. view has the view settings of the link.
func (r *Rooms) Enter(code, remote string, view state.Settings) {
	r.resetRoom()
	r.Code, r.Phase, r.Device, r.Remote = code, state.RoomEntering, r.deviceID(code), remote
	r.Settings = view
	r.Settings.Fresh, r.Settings.Expect = false, nil // all devices compute the same run
	r.LoadLanguage()

	// Without rooms, or with a wrong code, send no requests.
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

// place identifies the page, so that a host that returns to it continues in its room.
func (r *Rooms) place() string {
	if r.Settings.Deck != "" {
		return "view.deck=" + r.Settings.Deck
	}
	if s := r.facts.Spec(); s != nil {
		return s.Link()
	}
	return ""
}

// Stay is called when the page opens a link, and keeps it in its room or leaves the room: a host stays, a device stays
// only if the link is the link of its run. If the page is the host of a saved room (a reload), it returns to that room
// and continues the run of the room; without a run it waits in the lobby. Stay then returns true, and the caller runs
// nothing.
func (r *Rooms) Stay() (lobby bool) {
	if s := r.facts.Spec(); r.IsDevice() && (s == nil || r.Run.Link != s.Link()) {
		r.resetRoom()
		r.Repaint.Dirty = true
	}
	saved := r.saved
	if r.InRoom() || !r.Browser.Rooms || saved.Code == "" || saved.Place != r.place() {
		return false
	}
	r.membership = membership{token: saved.Token, sharesModel: saved.Giving, saved: saved, Room: state.Room{Code: saved.Code, Hosting: true,
		HostIdle: saved.Idle, Device: r.deviceID(saved.Code), Phase: state.RoomLobby}}
	r.Remote = room.Remote(room.Sum([]byte(r.token)))
	r.Repaint.AtOnce()
	ctx := r.beginStay()
	go r.watchAsHost(ctx, r.owner(ctx))
	if saved.Run == 0 {
		return true
	}
	r.Phase, r.Run = state.RoomStarting, room.Run{ID: saved.Run, Link: saved.Link}
	return false
}

// endRoom ends all work of the page in its room, and shows the phase and the reason why.
func (r *Rooms) endRoom(phase state.RoomPhase, why error) {
	r.endWork()
	r.End()
	r.Workers.Abort()
	r.Phase, r.Reason = phase, why
	if r.Repaint.AtOnce(); r.facts.State().Busy() {
		r.Queue(effect.EndRun{})
	}
	if phase != state.RoomRefused || r.Hosting {
		r.deleteSaved()
	}
}

// deleteSaved deletes the saved state of a room that is over.
func (r *Rooms) deleteSaved() {
	if r.Hosting {
		r.saved = savedRoom{}
		r.Host.StoreText("")
	}
}

// leaveRoom shows the experiment without its room. A host closes the room for all.
func (r *Rooms) leaveRoom() {
	isUnconfirmed := r.Counts.Marked() // outside of the room the page could not mark the hash as unconfirmed
	stays := r.Settings.Deck != "" || r.Phase == state.RoomDone && r.Hosting && !isUnconfirmed
	if isUnconfirmed {
		r.StopRun() // while the room still exists
	}
	if r.Hosting && r.Phase < state.RoomClosed {
		o := room.NewOwner(r.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Close(context.Background()) }()
	}
	r.deleteSaved()
	r.resetRoom()
	r.Repaint.AtOnce()
	if isUnconfirmed || !stays {
		r.Queue(effect.Stop{})
	}
	if !stays {
		r.Address.StartEntry()
		if x := r.facts.Experiment(); x.Spec == nil {
			r.Queue(effect.ShowSpec{Spec: x.Draft()})
		}
	}
}

// schedule calls action on the goroutine of the controller, unless ctx is done by then. It does not wait.
func (r *Rooms) schedule(ctx context.Context, action func()) {
	r.Host.Do(func() {
		if ctx.Err() == nil {
			action()
		}
	})
}

// runAndWait calls action on the goroutine of the controller, and waits until it returns.
func (r *Rooms) runAndWait(action func()) {
	done := make(chan struct{})
	r.Host.Do(func() {
		defer close(done)
		action()
	})
	<-done
}

// showWarning shows an error after which the page repeats its request.
func (r *Rooms) showWarning(err error) {
	r.Problem = &state.Message{Level: "warn", Text: r.Words.Sentence(err)}
	r.Repaint.AtOnce()
}

// Forbidden are the events that are forbidden in a room, because they would change the experiment.
var Forbidden = []string{"run", "pause", "step", "restart", "new-seed", "model", "method", "param", "seed",
	"replicates", "target", "limit", "draw", "mend", "sum", "narrow"}

// Events returns the handlers of events about rooms.
func (r *Rooms) Events() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"class": func(state.Event) { // opens the share sheet at its section about rooms
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

		// Devices and remote controls, the card at the end, and leaving.
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

// trimCode returns the code in a typed or pasted text, which may be a complete link.
func trimCode(text string) string {
	if i := strings.LastIndex(text, state.RoomLink); i >= 0 {
		text = text[i+len(state.RoomLink):]
	}
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
}
