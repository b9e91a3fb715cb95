//go:build !js

package page

import (
	"strings"
	"testing"
	"testing/synctest"

	"logzlab/core/runstate"
	"logzlab/internal/tier"
	"logzlab/wasm/page/state"
)

// nextLink is the second experiment of a class.
const nextLink = "v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=60&seed=7"

// A room outlives its runs: the next experiment runs on the same devices with the same code. A phone that slept through
// the end of a run comes back into the next one, a late one joins it, and one that is loaded again is the same device.
func TestRuns(t *testing.T) {
	tier.Test(t)
	synctest.Test(t, testRuns)
}

func testRuns(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, smallLink, 3)
	code, one, sleeper := host.controller.room.Code, phones[0], phones[1]
	done := func(p *fakePage) func() bool { return func() bool { return p.controller.room.Phase == state.RoomDone } }
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the first run", done(host), append(phones, host)...)
	first := host.finish()
	if want := native(t, inClass(smallLink)); first != want {
		t.Errorf("the first run has the hashes %s, alone %s", first, want)
	}
	turns(t, "its end on a phone", done(one), one, host)
	if s := one.part("r-head"); one.controller.room.Submitted == 0 || !strings.Contains(s, "Your part: ") ||
		!strings.Contains(s, `class="own"`) {
		t.Errorf("a phone that gave %d replicates says %s", one.controller.room.Submitted, s)
	}
	if own, index := one.controller.room.OwnEstimate(); own != *one.controller.room.Board.Points[index-1] {
		t.Errorf("replicate %d of a phone is %v, the board has %v", index, own, *one.controller.room.Board.Points[index-1])
	}
	if s := host.part("r-checks"); !strings.Contains(s, "endcard") || !strings.Contains(s, "3.00") {
		t.Errorf("the host shows %s", s)
	}

	// The teacher chooses another experiment, which runs alone at first.
	host.controller.Event(state.Event{Name: "link", Value: "#" + nextLink})
	turns(t, "a run alone", func() bool { return host.controller.State() == runstate.Done }, host, one)
	if p := host.controller.room.Phase; p != state.RoomLobby || one.controller.Spec.Link() == host.controller.Spec.Link() {
		t.Errorf("a run alone: phase %s, the phone has %s", p.Key(), one.controller.Spec.Link())
	}
	late := roomPage(t, at, "#room="+code, "")
	loaded := newPage(t, 2)
	phones[2].controller.room.End()
	loaded.Server = at
	loaded.controller.Start(state.BrowserPage{Link: "#room=" + code, Base: "http://127.0.0.1/", Language: "en", Rooms: true,
		TabID: "a tab"})
	t.Cleanup(loaded.leaves)
	turns(t, "the late one", func() bool { return late.controller.room.Phase == state.RoomDone }, late, host, one, loaded)
	if !strings.Contains(late.part("r-head"), "after this run") {
		t.Errorf("the late phone says %s", late.part("r-head"))
	}
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "work of all", func() bool {
		return one.controller.room.Submitted > 0 && late.controller.room.Submitted > 0 && loaded.controller.room.Submitted > 0 ||
			host.controller.room.Phase == state.RoomDone
	}, host, one, late, loaded)
	device := loaded.controller.room.Device
	loaded.controller.room.End()
	loaded.controller.Start(state.BrowserPage{Link: "#room=" + code, Base: "http://127.0.0.1/", Language: "en", Rooms: true,
		TabID: "a tab"})
	if loaded.controller.room.Device != device || device == one.controller.room.Device {
		t.Error("a page that is loaded again is another device")
	}
	turns(t, "the second run", done(host), host, one, late, loaded)
	second := host.finish()
	if want := native(t, inClass(nextLink)); second != want {
		t.Errorf("the second run has the hashes %s, alone %s", second, want)
	}

	// Who slept is in the class as before, and takes part in the third run, which is the first one again.
	turns(t, "the one that slept", func() bool { return sleeper.controller.room.Phase == state.RoomDone }, sleeper, host)
	host.controller.Event(state.Event{Name: "link", Value: "#" + smallLink})
	host.controller.Event(state.Event{Name: "show", Value: "lend"})
	turns(t, "the lobby", func() bool { return host.controller.room.Connected() > 0 && host.controller.State() == runstate.Done }, host, sleeper)
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the third run", done(host), host, sleeper, one)
	if third := host.finish(); third != native(t, host.controller.Spec.Link()) || sleeper.controller.room.Submitted+one.controller.room.Submitted == 0 {
		t.Errorf("the third run has the hashes %s", third)
	}
	if host.controller.room.Code != code {
		t.Error("the code has changed")
	}

	// The teacher closes the room for all.
	host.controller.Event(state.Event{Name: "leave-room"})
	turns(t, "the end", func() bool { return one.controller.room.Phase == state.RoomClosed }, one, host)
}
