//go:build !js

package page

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"logzlab/core/files/modelfile"
	"logzlab/core/format"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models/stan"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// The page of a static site has no room controls and sends no requests for rooms.
func TestNoRooms(t *testing.T) {
	p := newPage(t, 1) // its Rooms is nil: a call would panic
	p.controller.Start(state.BrowserPage{Link: "#" + smallLink, Base: "https://example.org/", Language: "en"})
	p.controller.Event(state.Event{Name: "open-room"})
	p.controller.Event(state.Event{Name: "share"})
	p.finish()
	for id, part := range p.parts {
		if strings.Contains(string(part), "oom") {
			t.Errorf("%s speaks of a room: %s", id, part)
		}
	}
}

// A device that cannot join shows the reason in its language.
func TestRoomRefusals(t *testing.T) { synctest.Test(t, testRoomRefusals) }

func testRoomRefusals(t *testing.T) {
	at := roomServer(t)
	o, err := room.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	mine := room.Build
	room.Build = "another"
	other, err := room.Open(t.Context(), at)
	if err == nil {
		_, err = other.Start(t.Context(), inClass(smallLink), 8, nil)
	}
	if room.Build = mine; err != nil {
		t.Fatal(err)
	}
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ code, says string }{
		{o.Code, "Der Raum ist geschlossen"}, {other.Code, "Stand another"}, {"QQQQQQQQ", "keinen Raum QQQQQQQQ"},
		{"<b>", "keinen Raum &lt;B&gt;"},
	} {
		p := roomPage(t, at, "#room="+c.code+"&view.lang=de", "")
		turns(t, c.says, func() bool { return strings.Contains(string(p.parts["r-head"]), c.says) }, p)
		if !strings.Contains(string(p.parts["r-head"]), `id="join"`) {
			t.Errorf("%s: no field for another code beside the refusal", c.code)
		}
		p.controller.Event(state.Event{Name: "leave-room"})
		p.show()
		if p.controller.room.InRoom() || strings.Contains(string(p.parts["r-head"]), c.says) {
			t.Errorf("%s: the room is not left", c.code)
		}
	}
}

// What would change the run is refused while a room is open; closing early gives a result without a hash; the host's
// computer may rest.
func TestRoomHost(t *testing.T) { synctest.Test(t, testRoomHost) }

func testRoomHost(t *testing.T) {
	at := roomServer(t)
	p := opened(t, at, smallLink)
	seed := p.controller.Spec.Seed
	p.controller.Event(state.Event{Name: "new-seed"})
	p.controller.Event(state.Event{Name: "key", Value: "n"})
	if p.controller.Spec.Seed != seed || p.controller.Problem == nil {
		t.Error("the seed of a run in a room was changed")
	}
	p.controller.Event(state.Event{Name: "show", Value: "lend"})
	if !p.controller.room.HostIdle || !p.controller.room.Computing() {
		t.Error("the host's computer does not rest, or its room is over")
	}
	again := roomPage(t, at, "#"+inClass(smallLink), p.StoredText)
	if !again.controller.room.HostIdle {
		t.Error("loaded again, the host's computer computes")
	}
	again.controller.room.End()
	p.controller.Event(state.Event{Name: "show", Value: "lend", On: true})
	turns(t, "a replicate", func() bool { return p.controller.room.Counts.Got > 1 }, p)
	turns(t, "the address of phones", func() bool {
		return strings.Contains(string(p.parts["r-checks"]), "192.168.7.7:8080/<wbr>#room="+p.controller.room.Code)
	}, p)
	p.controller.Event(state.Event{Name: "close-room"})
	m := p.controller.Problem
	if p.controller.room.Phase != state.RoomWorking || m == nil || m.Action == nil {
		t.Fatal("one click ends the run of a class")
	}
	p.controller.Event(state.Event{Name: m.Action.Event, Value: m.Action.Value})
	turns(t, "the end", func() bool { return p.controller.room.Phase == state.RoomDone }, p)
	p.show()
	for _, r := range p.controller.Results() {
		if r.Hash != "" {
			t.Errorf("%s has a hash", r.Method)
		}
	}
	class := &room.Client{Transport: at, Code: p.controller.room.Code}
	info := func() (i room.Info) { i, _ = class.Info(t.Context()); return i }
	turns(t, "the run is over", func() bool { return info().Run.Over }, p)
	if info().Closed {
		t.Error("the room is closed with its run")
	}
	p.controller.Event(state.Event{Name: "leave-room"})
	turns(t, "the room is closed", func() bool { return info().Closed }, p)
}

// away is a server that does not answer for a while.
type away struct {
	room.Transport
	gone *atomic.Bool
}

func (a away) Send(ctx context.Context, r room.Request) (room.Response, error) {
	if a.gone.Load() {
		return room.Response{}, context.DeadlineExceeded
	}
	return a.Transport.Send(ctx, r)
}

// A device or a host without a connection shows this, and continues when the connection returns.
func TestRoomDisconnected(t *testing.T) { synctest.Test(t, testRoomLost) }

func testRoomLost(t *testing.T) {
	gone := new(atomic.Bool)
	at := away{roomServer(t), gone}
	host := opened(t, at, smallLink+"&replicates=30")
	host.controller.Event(state.Event{Name: "show", Value: "lend"}) // the device does it all
	p := roomPage(t, at, "#room="+host.controller.room.Code, "")
	turns(t, "work", func() bool { return p.controller.room.Submitted > 0 }, host, p)
	gone.Store(true)
	says := func(s string) func() bool {
		return func() bool { return strings.Contains(string(p.parts["r-checks"]), s) }
	}
	turns(t, "no connection", says("No connection"), host, p)
	turns(t, "no connection of the host", func() bool { return host.controller.room.Disconnected }, host, p)
	gone.Store(false)
	turns(t, "connected", says("The run is"), host, p)
	turns(t, "the end", says("This run is over"), host, p)
}

// An own model, also the tape of a program, goes into the room only when the host says so; else each device is asked
// for the file.
func TestRoomOwnModel(t *testing.T) {
	tier.Test(t)
	synctest.Test(t, testRoomOwnModel)
}

func testRoomOwnModel(t *testing.T) {
	c, err := stan.Compile(coinProgram, []byte(`{"n": 10, "k": 3}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{[]byte(`{"kind":"gpc","y":[1,-1,1],"X":[[0],[1],[2]]}`), c.Tape.Bytes()} {
		roomOfOwn(t, data)
	}
}

func roomOfOwn(t *testing.T, data []byte) {
	at := roomServer(t)
	link := "v=1&model=" + modelfile.ID(data) + "&method=ais&ais.chains=20&ais.temperatures=30&replicates=3"
	alone := newPage(t, 2)
	alone.controller.Open("#" + link)
	alone.controller.File("mine.json", data, 1)
	want := alone.finish()
	for _, give := range []string{"", "give"} {
		host := roomPage(t, at, "#"+link, "")
		host.controller.File("mine.json", data, 1)
		turns(t, "the model", func() bool { return host.controller.Job != nil }, host)
		host.controller.Event(state.Event{Name: "open-room", Value: give})
		startsRoom(t, host)
		host.controller.Event(state.Event{Name: "show", Value: "lend"}) // the device does it all
		code := host.controller.room.Code
		info, err := (&room.Client{Transport: at, Code: code}).Info(t.Context())
		if err != nil || (len(info.Run.Files) > 0) != (give != "") {
			t.Fatalf("%q: files %v, %v", give, info.Run.Files, err)
		}
		p := roomPage(t, at, "#room="+code, "")
		if give == "" {
			turns(t, "the question for the file", func() bool { return p.controller.Problem != nil }, host, p)
			p.controller.File("mine.json", data, 1)
		}
		turns(t, "work", func() bool { return p.controller.room.Submitted > 0 }, host, p)
		turns(t, "the end", func() bool { return host.controller.State() == runstate.Done }, host, p)
		if got := host.controller.Results()[0].Hash; got != want {
			t.Errorf("%q: the room has the hash %s, a page alone %s", give, got, want)
		}
	}
}

// liar is a device that computes replicates of a run and gives other numbers.
func liar(ctx context.Context, t *testing.T, at room.Transport, code, link string, replicates int) (device string) {
	t.Helper()
	wrong := make([][]byte, replicates+1)
	for i := range replicates {
		wrong[i+1] = altered(t, link, i+1)
	}
	c := &room.Client{Transport: at, Code: code, Device: room.NewSecret()}
	go func() {
		_ = c.Follow(ctx, func(ctx context.Context, run room.Run) error {
			return c.Work(ctx, run, func(_ context.Context, index int) ([]byte, error) { return wrong[index], nil }, nil)
		})
	}()
	return c.Device
}

// altered is the outcome of a replicate with another log Z.
func altered(t *testing.T, link string, index int) []byte {
	t.Helper()
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Source{Load: testmodels.LoadSite}.Open(s, &meter.Meter{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := engine.NewJob(s, m, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	outcome := j.Only(index)
	if err = engine.Run(t.Context(), j, 1, nil); err != nil {
		t.Fatal(err)
	}

	// Another number in it.
	r := wire.Reader{B: outcome()}
	r = wire.Reader{B: r.Bytes()}
	var results []*estimators.Result
	failed := r.Bool()
	if r.Value(&results); failed || r.Err != nil {
		t.Fatal(failed, r.Err)
	}
	results[0].LogZ += .5
	var one, all wire.Writer
	one.Bool(false)
	one.Value(results)
	all.Bytes(one.B)
	return all.B
}

// A device that gives wrong results is excluded, and the result is that of a run on one computer. While results may be
// wrong, the page shows no hash.
func TestRoomWrongReplicate(t *testing.T) { synctest.Test(t, testRoomLiar) }

func testRoomLiar(t *testing.T) {
	at := roomServer(t)
	const link = nextLink + "&replicates=30"
	host, phones := class(t, at, link, 2)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	device := liar(ctx, t, at, host.controller.room.Code, link, 30)
	turns(t, "the liar", func() bool { return host.controller.room.Connected() == 3 }, append(phones, host)...)
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the end", func() bool {
		if host.controller.room.Computing() && len(host.controller.Found) > 0 && host.controller.Found[0].Hash != "" {
			t.Error("a hash is shown before all is confirmed")
		}
		return host.controller.room.Phase == state.RoomDone
	}, append(phones, host)...)
	if got, want := host.finish(), native(t, link); got != want {
		t.Errorf("the room's hash is %s, alone %s", got, want)
	}
	out := false
	turns(t, "the devices", func() bool {
		for _, d := range host.controller.room.Devices {
			out = out || d.ID == device && d.Excluded
		}
		return out
	}, host)
	if s := host.part("r-checks"); !strings.Contains(s, "left out for wrong results: 1") {
		t.Errorf("the host is not told: %s", s)
	}
}

// While outcomes of devices that were never checked count in a run with a liar, the result has a mark wherever its hash
// is shown.
func TestRoomUnconfirmedResult(t *testing.T) { synctest.Test(t, testRoomMarked) }

func testRoomMarked(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, nextLink+"&replicates=30", 1)
	host.controller.Event(state.Event{Name: "show", Value: "lend"}) // the phone does it all
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the end", func() bool { return phones[0].controller.room.Phase == state.RoomDone }, phones[0], host)
	turns(t, "the numbers", func() bool { return host.controller.State() == runstate.Done }, host)
	if c := phones[0].controller.curves.Points["ais"]; len(c) == 0 || c[len(c)-1].LogZ != *phones[0].controller.room.Board.LogZ {
		t.Errorf("the picture of a phone has %v, the class %v", c, *phones[0].controller.room.Board.LogZ)
	}
	hash := host.controller.Found[0].Hash
	host.controller.room.Counts.Excluded, host.controller.room.Counts.Unconfirmed = 1, 3
	host.controller.room.LookAtOnce()
	const says = "Unconfirmed: a device gave wrong results, and 3 of 30 replicates"
	turns(t, "the mark on a phone", func() bool { return strings.Contains(phones[0].part("r-checks"), says) }, phones[0],
		host)
	if s := host.part("r-checks"); !strings.Contains(s, says) || !strings.Contains(s, "> Unconfirmed<") || !strings.Contains(s, format.Spaced(hash)) {
		t.Errorf("the host's panel lacks a mark beside the hash, or on the card: %s", s)
	}
	if s := host.part("numbers"); strings.Contains(s, format.Spaced(hash)) {
		t.Errorf("the table shows the hash without a mark: %s", s)
	}
}

// toldOff is a server that refuses some requests.
type toldOff struct {
	room.Transport
	path   string // of those, after the code
	status int
	err    error
}

func (x toldOff) Send(ctx context.Context, r room.Request) (room.Response, error) {
	if x.err != nil && strings.Contains(r.Path, x.path) {
		body, _ := json.Marshal(room.NewFailure(x.err))
		return room.Response{Status: x.status, JSON: true, Body: body}, nil
	}
	return x.Transport.Send(ctx, r)
}

// Errors that the server sends are shown at once, also while the page repeats its request. A page of an older version
// asks the user to reload it.
func TestRoomServerNotices(t *testing.T) { synctest.Test(t, testRoomTold) }

func testRoomTold(t *testing.T) {
	at := roomServer(t)
	host := opened(t, at, nextLink)
	host.controller.Event(state.Event{Name: "show", Value: "lend"})
	full := problem.New("the server's disk is full")
	p := roomPage(t, toldOff{at, "/result?", 507, full}, "#room="+host.controller.room.Code, "")
	began := time.Now()
	turns(t, "the full disk", func() bool { return p.controller.Problem != nil }, p, host)
	if !strings.Contains(p.controller.Problem.Text, "disk is full") || time.Since(began) > time.Minute {
		t.Errorf("after %v the phone says %v", time.Since(began), p.controller.Problem)
	}
	old := roomPage(t, toldOff{at, "rooms/", 426, problem.New("this page is of an older version of the lab: load it again")},
		"#room="+host.controller.room.Code, "")
	turns(t, "the old page", func() bool { return strings.Contains(old.part("r-head"), "load it again") }, old)
}
