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
	code, one, sleeper := host.brain.room.Code, phones[0], phones[1]
	done := func(p *fakePage) func() bool { return func() bool { return p.brain.room.Phase == state.RoomDone } }
	host.brain.Event(state.Event{Name: "start-room"})
	turns(t, "the first run", done(host), append(phones, host)...)
	first := host.finish()
	if want := native(t, inClass(smallLink)); first != want {
		t.Errorf("the first run has the hashes %s, alone %s", first, want)
	}
	turns(t, "its end on a phone", done(one), one, host)
	if s := one.part("r-head"); one.brain.room.Given == 0 || !strings.Contains(s, "Your part: ") ||
		!strings.Contains(s, `class="own"`) {
		t.Errorf("a phone that gave %d replicates says %s", one.brain.room.Given, s)
	}
	if own, index := one.brain.room.Own(); own != *one.brain.room.Board.Points[index-1] {
		t.Errorf("replicate %d of a phone is %v, the board has %v", index, own, *one.brain.room.Board.Points[index-1])
	}
	if s := host.part("r-checks"); !strings.Contains(s, "endcard") || !strings.Contains(s, "3.00") {
		t.Errorf("the host shows %s", s)
	}

	// The teacher chooses another experiment, which runs alone at first.
	host.brain.Event(state.Event{Name: "link", Value: "#" + nextLink})
	turns(t, "a run alone", func() bool { return host.brain.State() == runstate.Done }, host, one)
	if p := host.brain.room.Phase; p != state.RoomLobby || one.brain.Spec.Link() == host.brain.Spec.Link() {
		t.Errorf("a run alone: phase %s, the phone has %s", p.Key(), one.brain.Spec.Link())
	}
	late := roomPage(t, at, "#room="+code, "")
	loaded := newPage(t, 2)
	phones[2].brain.room.End()
	loaded.Server = at
	loaded.brain.Start(state.Page{Link: "#room=" + code, Base: "http://127.0.0.1/", Language: "en", Rooms: true,
		Machine: "a tab"})
	t.Cleanup(loaded.leaves)
	turns(t, "the late one", func() bool { return late.brain.room.Phase == state.RoomDone }, late, host, one, loaded)
	if !strings.Contains(late.part("r-head"), "after this run") {
		t.Errorf("the late phone says %s", late.part("r-head"))
	}
	host.brain.Event(state.Event{Name: "start-room"})
	turns(t, "work of all", func() bool {
		return one.brain.room.Given > 0 && late.brain.room.Given > 0 && loaded.brain.room.Given > 0 ||
			host.brain.room.Phase == state.RoomDone
	}, host, one, late, loaded)
	device := loaded.brain.room.Device
	loaded.brain.room.End()
	loaded.brain.Start(state.Page{Link: "#room=" + code, Base: "http://127.0.0.1/", Language: "en", Rooms: true,
		Machine: "a tab"})
	if loaded.brain.room.Device != device || device == one.brain.room.Device {
		t.Error("a page that is loaded again is another device")
	}
	turns(t, "the second run", done(host), host, one, late, loaded)
	second := host.finish()
	if want := native(t, inClass(nextLink)); second != want {
		t.Errorf("the second run has the hashes %s, alone %s", second, want)
	}

	// Who slept is in the class as before, and takes part in the third run, which is the first one again.
	turns(t, "the one that slept", func() bool { return sleeper.brain.room.Phase == state.RoomDone }, sleeper, host)
	host.brain.Event(state.Event{Name: "link", Value: "#" + smallLink})
	host.brain.Event(state.Event{Name: "show", Value: "lend"})
	turns(t, "the lobby", func() bool { return host.brain.room.Here() > 0 && host.brain.State() == runstate.Done }, host, sleeper)
	host.brain.Event(state.Event{Name: "start-room"})
	turns(t, "the third run", done(host), host, sleeper, one)
	if third := host.finish(); third != native(t, host.brain.Spec.Link()) || sleeper.brain.room.Given+one.brain.room.Given == 0 {
		t.Errorf("the third run has the hashes %s", third)
	}
	if host.brain.room.Code != code {
		t.Error("the code has changed")
	}

	// The teacher closes the room for all.
	host.brain.Event(state.Event{Name: "leave-room"})
	turns(t, "the end", func() bool { return one.brain.room.Phase == state.RoomClosed }, one, host)
}
