package rooms

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
)

// inRoom is the page's place in a room: as its host, who has the token, or as one of the devices. The zero value is in
// none. The room is that of a class; each of its runs has a room of its own, which nobody needs to know of. The place
// must not know of reports or lane workers.
type inRoom struct {
	state.Room
	token    string
	runToken string          // of the room of the run
	giving   bool            // the host gives its own model to the devices
	all      context.Context // of what goes on in the background while the page is in the room
	stop     context.CancelFunc
	work     context.Context // of what goes on for the run, or for being seen between runs
	halt     context.CancelFunc
	rest     context.CancelFunc
	files    []desk.File              // of the own model, which the room brought and nobody has read yet
	shares   map[string]*machineShare // by room.Alias
	polls    map[string]*poll         // the questions of lectures, by place and step
	asked    *poll                    // the one on show
	voting   bool                     // the answer of a device is under way
	pressed  []float64                // how often the remote was, back and on, nil: not known yet
	mustered time.Time                // when the class was called into the room of its run
	left     []string                 // devices of machines that were left out of runs
	kept     keptRoom
	wake     chan struct{} // has who watches the room look at once
}

// Rooms are what the page does in a room, with the parts of the page that this needs.
type Rooms struct {
	*desk.Desk
	inRoom
	loaded *run.Loader
	run    *run.Current
	needs  Needs
}

// Needs are what rooms have the page do, beside what all parts have it do.
type Needs struct {
	Options func() engine.Options // of a run on the lane workers
	Assign  func()                // gives units to idle lanes, and sees when the run is over
	Forget  func()                // drops what the result is compared with
	Draw    func()                // sends the curves to the picture
	File    func(f desk.File)     // takes a model
	Turn    func(to string)       // turns the steps of a lecture
	Hides   func() bool           // a question of a lecture hides its experiment
}

// New is in no room.
func New(d *desk.Desk, loaded *run.Loader, current *run.Current, n Needs) Rooms {
	return Rooms{Desk: d, loaded: loaded, run: current, needs: n}
}

// machineShare is what one machine has computed.
type machineShare struct {
	portion engine.Portion
	news    bool
	logZ    *float64
	units   map[int]int // by replicate
}

// keptRoom is what a host's page keeps to go on when it is loaded again.
type keptRoom struct {
	Code     string `json:"code"`
	Token    string `json:"token"`
	Place    string `json:"place"`
	Idle     bool   `json:"idle,omitempty"`
	Giving   bool   `json:"giving,omitempty"`
	Run      string `json:"run,omitempty"` // the room of the run under way, with its link
	RunToken string `json:"runToken,omitempty"`
	Link     string `json:"link,omitempty"`
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

// pause stops what goes on for a run.
func (r *inRoom) pause() {
	if r.halt != nil {
		r.halt()
		r.halt = nil
	}
}

// leave forgets the room, but for what a host keeps.
func (r *inRoom) leave() {
	r.End()
	*r = inRoom{kept: r.kept}
}

// begins is the context of what the page does in its room from now on.
func (r *inRoom) begins() context.Context {
	r.End()
	r.all, r.stop = context.WithCancel(context.Background())
	r.halt, r.wake = nil, make(chan struct{}, 1)
	return r.all
}

// anew is the context of what goes on for a run from now on.
func (r *inRoom) anew() context.Context {
	r.pause()
	r.work, r.halt = context.WithCancel(r.all)
	return r.work
}

// machine is the random beginning of the ids of the page's devices in a room. A tab that is loaded again has the same
// beginning, so that the room knows the devices again.
func (r *Rooms) machine(code string) string {
	if r.Browser.Machine == "" {
		return room.NewSecret()
	}
	return room.ID([]byte(r.Browser.Machine), []byte(code))
}

// Enter makes the page a device of a room; view settings may follow the code.
func (r *Rooms) Enter(text string) {
	text, remote, _ := strings.Cut(text, state.RemoteKey)
	code, view, _ := strings.Cut(text, "&")
	remote, more, _ := strings.Cut(remote, "&")
	code, view = strings.ToUpper(strings.TrimSpace(code)), view+"&"+more

	// The page becomes a device, without an experiment yet.
	r.Page.Stop()
	r.leave()
	r.Code, r.Phase, r.Machine, r.Remote = code, state.RoomEntering, r.machine(code), remote
	r.Settings, _ = r.Known.Parse(slices.DeleteFunc(strings.Split(view, "&"), func(s string) bool { return s == "" }))
	r.Settings.Fresh, r.Settings.Expect = false, nil // all compute one run
	r.loaded.Spec, r.Address.Bad, r.run.State = r.loaded.Draft(), false, "loading"
	r.Speak()

	// Without rooms, or with a wrong code, nothing is asked.
	switch {
	case !r.Browser.Rooms:
		r.shut(state.RoomRefused, problem.New("the server offers no rooms (status %d)", 404))
	case !room.IsCode(code):
		r.shut(state.RoomRefused, problem.New("there is no room %s: look at the code again", code))
	default:
		ctx := r.begins()
		go r.watchRoom(ctx, &room.Client{Transport: r.watched(ctx), Code: code})
	}
}

// openRun opens the experiment of a room's run on this device.
func (r *Rooms) openRun(info room.Info, files []desk.File) {
	s, err := spec.ParseLink(info.Link, r.loaded.Names())
	switch {
	case err != nil:
		r.shut(state.RoomRefused, err)
		return
	case info.Build != room.Build:
		r.shut(state.RoomRefused, room.OtherBuild(info.Build, room.Build))
		return
	}
	r.Page.Stop()
	r.needs.Forget()
	r.Link, r.Given, r.Ran, r.files, r.Phase = info.Link, 0, r.Run, files, state.RoomStarting
	r.loaded.Spec = s
	r.Page.Run()
}

// Unpack reads the next file that a room brought.
func (r *Rooms) Unpack() {
	if len(r.files) > 0 && r.Reading == nil {
		f := r.files[0]
		r.files = r.files[1:]
		r.needs.File(f)
	}
}

// place is where the page is, as far as a host that comes back there goes on in its room.
func (r *Rooms) place() string {
	if r.Settings.Deck != "" {
		return "view.deck=" + r.Settings.Deck
	}
	if r.loaded.Spec == nil {
		return ""
	}
	return r.loaded.Spec.Link()
}

// Stay keeps the page in its room when it opens another link: a host stays, a device only if the link is that of its
// run. A host that comes back goes on, or is in the lobby again: then it answers true, and nothing is to run.
func (r *Rooms) Stay() (lobby bool) {
	if r.Lent() && (r.loaded.Spec == nil || r.Link != r.loaded.Spec.Link()) {
		r.leave()
		r.Repaint.Dirty = true
	}
	k := r.kept
	if r.On() || !r.Browser.Rooms || k.Code == "" || k.Place != r.place() {
		return false
	}
	r.inRoom = inRoom{token: k.Token, giving: k.Giving, kept: k, Room: state.Room{Code: k.Code, Hosting: true,
		Idle: k.Idle, Machine: r.machine(k.Code), Phase: state.RoomLobby}}
	r.Repaint.AtOnce()
	ctx := r.begins()
	r.Remote = room.Remote(room.Sum([]byte(r.token)))
	go r.watchClass(ctx, room.NewOwner(r.watched(ctx), r.Code, r.token))
	if k.Run == "" {
		r.run.State = "idle"
		return true
	}
	r.Phase, r.Run, r.runToken, r.Link = state.RoomStarting, k.Run, k.RunToken, k.Link
	return false
}

// shut says why there is no room, or no more.
func (r *Rooms) shut(phase state.RoomPhase, why error) {
	r.End()
	r.Crew.Abort()
	r.Phase, r.Why = phase, why
	if r.Repaint.AtOnce(); r.run.State == "loading" || r.run.State == "running" {
		desk.End(&r.Opening)
		r.run.End()
	}
	if phase != state.RoomRefused || r.Hosting {
		r.forget()
	}
}

// forget drops what the page kept of a room that is over.
func (r *Rooms) forget() {
	if r.Hosting {
		r.kept = keptRoom{}
		r.Host.Keep("")
	}
}

// soon has the brain do something, unless it has left the room by then.
func (r *Rooms) soon(ctx context.Context, do func()) {
	r.Host.Do(func() {
		if ctx.Err() == nil {
			do()
		}
	})
}
