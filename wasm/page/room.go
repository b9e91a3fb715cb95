package page

import (
	"context"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// RoomLink begins the link of a room, whose code follows.
const RoomLink = "room="

// roomPhase is how far a page is in its room.
type roomPhase byte

// Phases. Units go through the room from roomOpening to roomEnding.
const (
	roomNone    roomPhase = iota
	roomOpening           // the host waits for its code, a device for the experiment
	roomWorking
	roomEnding // closed early, what is under way comes in
	roomDone
	roomClosed
	roomRefused
)

// key is the end of the phase's keys of words.
func (x roomPhase) key() string {
	return [...]string{"", "opening", "working", "ending", "done", "closed", "refused"}[x]
}

// inRoom is the page's place in a room: as its host, who has the token, or as one of the devices. The zero value is in
// none. It must not know of lanes or reports.
type inRoom struct {
	code, token string
	link        string // of its experiment
	phase       roomPhase
	why         error
	lost        bool            // the server does not answer
	all         context.Context // of what goes on in the background
	stop        context.CancelFunc
	info        room.Info
	board       board
	machine     string // random, the beginning of the ids of this page's devices
	given       int    // units that this page gave back
	idle        bool   // the host's computer computes nothing itself
	rest        context.CancelFunc
	qr          qrCode
	files       []arrival // of the own model, which the room brought and nobody has read yet

	devices []room.Device
	counts  exchange.Counts
	shares  map[string]*share // by machine
	course  []roomPoint
	kept    kept
}

// share is what one machine has computed.
type share struct {
	portion engine.Portion
	news    bool
	logZ    *float64
	units   map[int]int // by replicate
}

// kept is what a host's page keeps to go on when it is loaded again.
type kept struct {
	Code  string `json:"code"`
	Token string `json:"token"`
	Link  string `json:"link"`
	Idle  bool   `json:"idle,omitempty"`
}

func (k *kept) read(text string) error {
	return room.ReadJSON([]byte(text), room.Fields{"code": &k.Code, "token": &k.Token, "link": &k.Link, "idle": &k.Idle})
}

// board is what the host tells all devices.
type board struct {
	LogZ   *float64       `json:"z,omitempty"`
	SE     *float64       `json:"se,omitempty"`
	Exact  *float64       `json:"exact,omitempty"`
	Share  float64        `json:"share"`           // of the work
	Points []float64      `json:"points"`          // estimates of replicates, or of machines
	Own    map[string]int `json:"own"`             // the place of a machine's among them
	Hash   []string       `json:"hash,omitempty"`  // at the end
	Agreed int            `json:"agreed"`          // second looks
	Early  bool           `json:"early,omitempty"` // closed before the end
}

// read takes what a host said.
func (x *board) read(text string) error {
	return room.ReadJSON([]byte(text), room.Fields{"z": &x.LogZ, "se": &x.SE, "exact": &x.Exact, "share": &x.Share,
		"points": &x.Points, "own": &x.Own, "hash": &x.Hash, "agreed": &x.Agreed, "early": &x.Early})
}

// remember takes what the page kept.
func (r *inRoom) remember(text string) {
	var k kept
	if text != "" && k.read(text) == nil && room.IsCode(k.Code) {
		r.kept = k
	}
}

// on reports whether the page is about a room.
func (r *inRoom) on() bool { return r.phase != roomNone }

// open reports whether the units of the run go through a room.
func (r *inRoom) open() bool {
	return r.link != "" && r.phase >= roomOpening && r.phase <= roomEnding
}

// hosts reports whether this page is the host.
func (r *inRoom) hosts() bool { return r.token != "" }

// lent reports whether this page is one of the devices.
func (r *inRoom) lent() bool { return r.on() && !r.hosts() && r.code != "" }

// keptOut reports whether this device never got into its room.
func (r *inRoom) keptOut() bool { return r.link == "" && !r.hosts() && r.phase >= roomClosed }

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
	b.stop()
	b.room.leave()
	r := &b.room
	r.code, r.phase, r.machine = code, roomOpening, room.NewSecret()
	b.set, _ = ParseSettings(slices.DeleteFunc(strings.Split(view, "&"), func(s string) bool { return s == "" }))
	b.set.Fresh, b.set.Expect = false, nil // all compute one run
	b.spec, b.address.bad, b.state = b.draft(), false, "loading"
	b.speak()
	switch {
	case !b.browser.Rooms:
		b.shut(roomRefused, problem.New("the server offers no rooms (status %d)", 404))
		return
	case !room.IsCode(code):
		b.shut(roomRefused, problem.New("there is no room %s: look at the code again", code))
		return
	}
	ctx := b.begins()
	go func() {
		c := &room.Client{Transport: b.watched(ctx), Code: code}
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
		b.soon(ctx, func() { b.entered(info, files, err) })
	}()
}

// entered opens the experiment of a room.
func (b *Brain) entered(info room.Info, files []arrival, err error) {
	r := &b.room
	r.info = info
	if err == nil {
		_, err = spec.ParseLink(info.Link, b.names())
	}
	switch {
	case err != nil:
		b.shut(roomRefused, err)
	case info.Build != room.Build:
		b.shut(roomRefused, room.OtherBuild(info.Build, room.Build))
	case info.Closed:
		b.shut(roomClosed, nil)
	case info.Devices >= room.MaxDevice:
		b.shut(roomRefused, problem.New("the room is full: it takes %d devices", room.MaxDevice))
	default:
		r.link = info.Link
		b.views.dirty = true
		view := b.set.Link()
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

// settle keeps the page in its room if the link that it opens is the room's. A host that comes back goes on.
func (b *Brain) settle() {
	r := &b.room
	if link := b.spec.Link(); r.on() && r.link != link {
		r.leave()
		b.views.dirty = true
	}
	if k := r.kept; !r.on() && b.browser.Rooms && k.Code != "" && k.Link == b.spec.Link() {
		*r = inRoom{code: k.Code, token: k.Token, link: k.Link, phase: roomOpening, kept: k, machine: room.NewSecret(),
			idle: k.Idle}
	}
}

// shut says why there is no room, or no more.
func (b *Brain) shut(phase roomPhase, why error) {
	r := &b.room
	r.end()
	b.crew.abort()
	r.phase, r.why = phase, why
	if b.views.atOnce(); b.state == "loading" || b.state == "running" {
		end(&b.opening)
		b.runState.end()
	}
	if phase != roomRefused || r.hosts() {
		b.forget()
	}
}

// forget drops what the page kept of a room that is over.
func (b *Brain) forget() {
	if b.room.hosts() {
		b.room.kept = kept{}
		b.host.Keep("")
	}
}

// begins is the context of what the page does in its room now.
func (b *Brain) begins() context.Context {
	b.room.end()
	b.room.all, b.room.stop = context.WithCancel(context.Background())
	return b.room.all
}

// soon has the brain do something, unless it has left the room by then.
func (b *Brain) soon(ctx context.Context, do func()) {
	b.host.Do(func() {
		if ctx.Err() == nil {
			do()
		}
	})
}
