package page

import (
	"context"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// inRoom is the page's place in a room: as its host, who has the token, or as one of the devices. The zero value is in
// none. It must not know of lanes or reports.
type inRoom struct {
	state.Room
	token  string
	all    context.Context // of what goes on in the background
	stop   context.CancelFunc
	rest   context.CancelFunc
	files  []arrival                // of the own model, which the room brought and nobody has read yet
	shares map[string]*machineShare // by room.Alias
	kept   keptRoom
}

// rooms are what the page does in a room, with the parts of the page that this needs.
type rooms struct {
	*desk
	inRoom
	loaded *loader
	run    *runState
	remake func() (*engine.Job, error)    // the job of a host, from its beginning
	ended  func(c exchange.Counts) string // ends the run of a host; what its board says then
	draw   func()                         // sends the curves to the picture
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
	Code  string `json:"code"`
	Token string `json:"token"`
	Link  string `json:"link"`
	Idle  bool   `json:"idle,omitempty"`
	Lobby bool   `json:"lobby,omitempty"` // it waits for Start
}

func (k *keptRoom) read(text string) error {
	return room.ReadJSON([]byte(text), room.Fields{"code": &k.Code, "token": &k.Token, "link": &k.Link, "idle": &k.Idle,
		"lobby": &k.Lobby})
}

// remember takes what the page kept.
func (r *inRoom) remember(text string) {
	var k keptRoom
	if text != "" && k.read(text) == nil && room.IsCode(k.Code) {
		r.kept = k
	}
}

// end stops what goes on in the background.
func (r *inRoom) end() {
	if r.stop != nil {
		r.stop()
		r.stop = nil
	}
}

// leave forgets the room, but for what a host keeps.
func (r *inRoom) leave() {
	r.end()
	*r = inRoom{kept: r.kept}
}

// enter makes the page a device of a room; view settings may follow the code.
func (b *Brain) enter(text string) {
	code, view, _ := strings.Cut(text, "&")
	code = strings.ToUpper(strings.TrimSpace(code))

	// The page becomes a device, without an experiment yet.
	b.stop()
	b.room.leave()
	r := &b.room
	r.Code, r.Phase, r.Machine = code, state.RoomOpening, room.NewSecret()
	b.Settings, _ = ParseSettings(slices.DeleteFunc(strings.Split(view, "&"), func(s string) bool { return s == "" }))
	b.Settings.Fresh, b.Settings.Expect = false, nil // all compute one run
	b.Spec, b.address.bad, b.state = b.Draft(), false, "loading"
	b.speak()

	// Without rooms, or with a wrong code, nothing is asked.
	switch {
	case !b.Browser.Rooms:
		b.room.shut(state.RoomRefused, problem.New("the server offers no rooms (status %d)", 404))
		return
	case !room.IsCode(code):
		b.room.shut(state.RoomRefused, problem.New("there is no room %s: look at the code again", code))
		return
	}

	// The room's experiment and its files.
	ctx := b.room.begins()
	go func() {
		c := &room.Client{Transport: b.room.watched(ctx), Code: code}
		info, err := c.Info(ctx)
		var files []arrival
		for _, name := range []string{engine.OwnFile, engine.OwnRows} { // a model is read before its rows
			for _, f := range info.Files {
				if f.Name == name && err == nil {
					files = append(files, arrival{name: name})
					files[len(files)-1].data, err = c.File(ctx, f)
				}
			}
		}
		b.room.soon(ctx, func() { b.entered(info, files, err) })
	}()
}

// entered opens the experiment of a room.
func (b *Brain) entered(info room.Info, files []arrival, err error) {
	r := &b.room
	r.Info = info
	if err == nil {
		_, err = spec.ParseLink(info.Link, b.Names())
	}
	switch {
	case err != nil:
		b.room.shut(state.RoomRefused, err)
	case info.Build != room.Build:
		b.room.shut(state.RoomRefused, room.OtherBuild(info.Build, room.Build))
	case info.Closed:
		b.room.shut(state.RoomClosed, nil)
	case info.Devices >= room.MaxDevice:
		b.room.shut(state.RoomRefused, problem.New("the room is full: it takes %d devices", room.MaxDevice))
	default:
		r.Link = info.Link
		b.repaint.dirty = true
		view := b.Settings.Link()
		b.Open(info.Link + view)
		r.files = files
	}
}

// unpack reads the next file that a room brought.
func (b *Brain) unpack() {
	if r := &b.room; len(r.files) > 0 && b.reading == nil {
		f := r.files[0]
		r.files = r.files[1:]
		b.File(f.name, f.data, 0)
	}
}

// settle keeps the page in its room if the link that it opens is the room's. A host that comes back goes on, or waits
// in the lobby again: then it answers true, and nothing is to run.
func (b *Brain) settle() (lobby bool) {
	r := &b.room
	if link := b.Spec.Link(); r.On() && r.Link != link {
		r.leave()
		b.repaint.dirty = true
	}
	if k := r.kept; !r.On() && b.Browser.Rooms && k.Code != "" && k.Link == b.Spec.Link() {
		r.inRoom = inRoom{token: k.Token, kept: k, Room: state.Room{Code: k.Code, Link: k.Link, Hosting: true,
			Phase: state.RoomOpening, Machine: room.NewSecret(), Idle: k.Idle}}
		if lobby = k.Lobby; lobby {
			b.waits()
		}
	}
	return lobby
}

// waits has a host wait for its class.
func (b *Brain) waits() {
	r := &b.room
	r.Phase, b.state = state.RoomLobby, "idle"
	b.repaint.atOnce()
	ctx := r.begins()
	go r.watchRoom(ctx, room.NewOwner(r.watched(ctx), r.Code, r.token))
}

// shut says why there is no room, or no more.
func (r *rooms) shut(phase state.RoomPhase, why error) {
	r.end()
	r.crew.Abort()
	r.Phase, r.Why = phase, why
	if r.repaint.atOnce(); r.run.state == "loading" || r.run.state == "running" {
		end(&r.opening)
		r.run.end()
	}
	if phase != state.RoomRefused || r.Hosting {
		r.forget()
	}
}

// forget drops what the page kept of a room that is over.
func (r *rooms) forget() {
	if r.Hosting {
		r.kept = keptRoom{}
		r.host.Keep("")
	}
}

// begins is the context of what the page does in its room now.
func (r *rooms) begins() context.Context {
	r.end()
	r.all, r.stop = context.WithCancel(context.Background())
	return r.all
}

// soon has the brain do something, unless it has left the room by then.
func (r *rooms) soon(ctx context.Context, do func()) {
	r.host.Do(func() {
		if ctx.Err() == nil {
			do()
		}
	})
}
