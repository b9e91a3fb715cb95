//go:build !js

package page

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"logzlab/core/labtest/tier"
	"logzlab/core/modelfile"
	"logzlab/core/stan"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
)

// A page of a static site shows no room and asks for none.
func TestNoRooms(t *testing.T) {
	p := newPage(t, 1) // its Rooms is nil: a call would panic
	p.brain.Start(state.Page{Link: "#" + smallLink, Base: "https://example.org/", Language: "en"})
	p.brain.Event(state.Event{Name: "open-room"})
	p.brain.Event(state.Event{Name: "share"})
	p.finish()
	for id, part := range p.parts {
		if strings.Contains(string(part), "oom") {
			t.Errorf("%s speaks of a room: %s", id, part)
		}
	}
}

// A device is told plainly why it cannot join, in its language.
func TestRoomRefusals(t *testing.T) { synctest.Test(t, testRoomRefusals) }

func testRoomRefusals(t *testing.T) {
	at := roomServer(t)
	o, err := room.Open(t.Context(), at, smallLink)
	if err != nil {
		t.Fatal(err)
	}
	mine := room.Build
	room.Build = "another"
	other, err := room.Open(t.Context(), at, smallLink)
	if room.Build = mine; err != nil {
		t.Fatal(err)
	}
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ code, says string }{
		{o.Code, "Der Raum ist geschlossen"}, {other.Code, "Stand another"}, {"QQQQQQ", "keinen Raum QQQQQQ"},
		{"<b>", "keinen Raum &lt;B&gt;"},
	} {
		p := roomPage(t, at, "#room="+c.code+"&view.lang=de", "")
		turns(t, c.says, func() bool { return strings.Contains(string(p.parts["r-head"]), c.says) }, p)
		if !strings.Contains(string(p.parts["r-head"]), `id="join"`) {
			t.Errorf("%s: no field for another code beside the refusal", c.code)
		}
		p.brain.Event(state.Event{Name: "leave-room"})
		p.show()
		if p.brain.room.On() || strings.Contains(string(p.parts["r-head"]), c.says) {
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
	p.brain.room.Info = room.Info{Units: 1249, Done: 1249}
	if s := p.part("r-checks"); !strings.Contains(s, `class="open" d=""`) {
		t.Errorf("all units are done, cells are open: %s", s)
	}
	seed := p.brain.Spec.Seed
	p.brain.Event(state.Event{Name: "new-seed"})
	p.brain.Event(state.Event{Name: "key", Value: "n"})
	if p.brain.Spec.Seed != seed || p.brain.Problem == nil {
		t.Error("the seed of a run in a room was changed")
	}
	p.brain.Event(state.Event{Name: "show", Value: "lend"})
	if !p.brain.room.Idle || !p.brain.room.Open() {
		t.Error("the host's computer does not rest, or its room is over")
	}
	again := roomPage(t, at, "#"+smallLink, p.kept)
	if !again.brain.room.Idle {
		t.Error("loaded again, the host's computer computes")
	}
	again.brain.room.End()
	p.brain.Event(state.Event{Name: "show", Value: "lend", On: true})
	turns(t, "a unit", func() bool { return p.brain.room.Counts.Units > 1 }, p)
	turns(t, "the address of phones", func() bool {
		return strings.Contains(string(p.parts["r-checks"]), "192.168.7.7:8080/<wbr>#room="+p.brain.room.Code)
	}, p)
	p.brain.Event(state.Event{Name: "close-room"})
	m := p.brain.Problem
	if p.brain.room.Phase != state.RoomWorking || m == nil || m.Action == nil {
		t.Fatal("one click ends the run of a class")
	}
	run := &room.Client{Transport: at, Code: p.brain.room.Run}
	p.brain.Event(state.Event{Name: m.Action.Event, Value: m.Action.Value})
	turns(t, "the end", func() bool { return p.brain.room.Phase == state.RoomDone }, p)
	p.show()
	for _, r := range p.brain.Results() {
		if r.Hash != "" {
			t.Errorf("%s has a hash", r.Method)
		}
	}
	closed := func(c *room.Client) func() bool {
		return func() bool { i, err := c.Info(t.Context()); return err == nil && i.Closed }
	}
	turns(t, "the run's room is closed", closed(run), p)
	class := &room.Client{Transport: at, Code: p.brain.room.Code}
	if closed(class)() {
		t.Error("the room of the class is closed with its run")
	}
	p.brain.Event(state.Event{Name: "leave-room"})
	turns(t, "the room is closed", closed(class), p)
}

// away is a server that does not answer for a while.
type away struct {
	room.Transport
	gone *atomic.Bool
}

func (a away) Send(ctx context.Context, r room.Request) (room.Answer, error) {
	if a.gone.Load() {
		return room.Answer{}, context.DeadlineExceeded
	}
	return a.Transport.Send(ctx, r)
}

// A device whose connection is lost says so, and goes on by itself.
func TestRoomLost(t *testing.T) { synctest.Test(t, testRoomLost) }

func testRoomLost(t *testing.T) {
	at, gone := roomServer(t), new(atomic.Bool)
	host := opened(t, at, smallLink)
	host.brain.Event(state.Event{Name: "show", Value: "lend"}) // the device does it all
	p := roomPage(t, away{at, gone}, "#room="+host.brain.room.Code, "")
	turns(t, "work", func() bool { return p.brain.room.Given > 0 }, host, p)
	gone.Store(true)
	says := func(s string) func() bool {
		return func() bool { return strings.Contains(string(p.parts["r-checks"]), s) }
	}
	turns(t, "no connection", says("No connection"), host, p)
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
	link := "v=1&model=" + modelfile.ID(data) + "&method=ais&ais.chains=20&ais.temperatures=30"
	alone := newPage(t, 2)
	alone.brain.Open("#" + link)
	alone.brain.File("mine.json", data, 1)
	want := alone.finish()
	for _, give := range []string{"", "give"} {
		host := roomPage(t, at, "#"+link, "")
		host.brain.File("mine.json", data, 1)
		turns(t, "the model", func() bool { return host.brain.Job != nil }, host)
		host.brain.Event(state.Event{Name: "open-room", Value: give})
		startsRoom(t, host)
		host.brain.Event(state.Event{Name: "show", Value: "lend"}) // the device does it all
		code := host.brain.room.Code
		info, err := (&room.Client{Transport: at, Code: host.brain.room.Run}).Info(t.Context())
		if err != nil || (len(info.Files) > 0) != (give != "") || (len(code) == room.LongCode) != (give != "") {
			t.Fatalf("%q: files %v, %v", give, info.Files, err)
		}
		p := roomPage(t, at, "#room="+code, "")
		if give == "" {
			turns(t, "the question for the file", func() bool { return p.brain.Problem != nil }, host, p)
			p.brain.File("mine.json", data, 1)
		}
		turns(t, "work", func() bool { return p.brain.room.Given > 0 }, host, p)
		turns(t, "the end", func() bool { return host.brain.State == "done" }, host, p)
		if got := host.brain.Results()[0].Hash; got != want {
			t.Errorf("%q: the room has the hash %s, a page alone %s", give, got, want)
		}
	}
}

// A device's own estimate is from its own chains, also once the way back has begun; its picture follows that of all.
func TestRoomOwnPart(t *testing.T) { synctest.Test(t, testRoomOwnPart) }

func testRoomOwnPart(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, "v=1&model=mixture2&method=ais&ais.chains=200&ais.temperatures=60", 1)
	one := phones[0]
	host.brain.Event(state.Event{Name: "start-room"})
	turns(t, "the end", func() bool { return host.brain.State == "done" }, host, one)
	turns(t, "the device hears of it", func() bool { return one.brain.room.Phase == state.RoomDone }, host, one)
	b := one.brain.room.Board
	if len(b.Points) != 2 || b.LogZ == nil {
		t.Fatalf("board %+v", b)
	}
	for i, z := range b.Points {
		if z == *b.LogZ {
			t.Errorf("estimate %d is that of all", i)
		}
	}
	if c := one.brain.curves.Points["ais"]; len(c) == 0 || c[len(c)-1].LogZ != *b.LogZ {
		t.Errorf("the picture has %v, all %v", c, *b.LogZ)
	}
}
