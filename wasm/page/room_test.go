//go:build !js

package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"logzlab/core/runstate"
	"logzlab/internal/edgetest"
	"logzlab/internal/tier"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// roomServer is a native server of rooms. Tests of rooms run by testing/synctest: where all wait, its clock goes on at
// once, so that no test is slower, or red, on a busy computer.
func roomServer(t *testing.T) room.Transport {
	t.Helper()
	s, _ := edgetest.Native(t)
	s.Addresses = []string{"http://192.168.7.7:8080/"}
	return room.HTTP{Base: "http://rooms/", Client: &http.Client{Transport: handled{s.Handler()}}}
}

// handled answers requests without a network, for which that clock would not wait.
type handled struct{ http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// roomPage is a page of a server with rooms.
func roomPage(t *testing.T, at room.Transport, link, kept string) *fakePage {
	t.Helper()
	p := newPage(t, 2)
	p.Server = at
	p.controller.Start(state.BrowserPage{Link: link, Base: "http://127.0.0.1/", Language: "en", Rooms: true, StoredRoom: kept})
	t.Cleanup(p.leaves)
	return p
}

// leaves is the page closed: what went on for it ends.
func (p *fakePage) leaves() {
	shared.Cancel(&p.controller.Reading)
	shared.Cancel(&p.controller.Opening)
	p.controller.room.End()
	for synctest.Wait(); len(p.Queue) > 0; synctest.Wait() {
		(<-p.Queue)()
	}
}

// turns turns the clocks of pages until a view of one says so.
func turns(t *testing.T, what string, ok func() bool, pages ...*fakePage) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 5*time.Minute; {
		if ok() {
			return
		}
		for _, p := range pages {
			p.turn(200)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("never came: %s; room %+v, message %+v", what, pages[0].controller.room.Phase, pages[0].controller.Problem)
}

// opened is a host's page whose room is open, and its run under way.
func opened(t *testing.T, at room.Transport, link string) *fakePage {
	t.Helper()
	p, _ := class(t, at, link, 0)
	startsRoom(t, p)
	return p
}

// class is a host's page whose room is open, with some phones in the lobby.
func class(t *testing.T, at room.Transport, link string, n int) (host *fakePage, phones []*fakePage) {
	t.Helper()
	host = roomPage(t, at, "#"+link, "")
	host.controller.Event(state.Event{Name: "open-room"})
	turns(t, "the lobby", func() bool { return host.controller.room.Phase == state.RoomLobby }, host)
	for range n {
		phones = append(phones, roomPage(t, at, "#"+state.RoomLink+host.controller.room.Code, ""))
	}
	turns(t, "the class", func() bool { return len(host.controller.room.Devices) == n }, append(phones, host)...)
	return host, phones
}

// inClass is a link as a room of some devices runs it.
func inClass(link string) string { return link + "&replicates=8" }

// startsRoom lets a host begin once its room is open.
func startsRoom(t *testing.T, p *fakePage) {
	t.Helper()
	turns(t, "the lobby", func() bool { return p.controller.room.Phase == state.RoomLobby }, p)
	p.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the room", func() bool { return p.controller.room.Phase == state.RoomWorking }, p)
}

// TestLobby: a room waits for its class. Phones are counted and told that they are in; nothing is computed before the
// host starts.
func TestLobby(t *testing.T) { synctest.Test(t, testLobby) }

func testLobby(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, smallLink, 2)
	one, two := phones[0], phones[1]
	for range 20 {
		host.turn(200)
		one.turn(200)
		two.turn(200)
	}
	one.show()
	host.show()
	told := false
	for _, part := range one.parts {
		told = told || strings.Contains(string(part), one.controller.Words.T("room.waiting"))
	}
	if !told {
		t.Error("the phone is not told that it is in")
	}
	if one.controller.State() != runstate.Idle {
		t.Errorf("the phone's run is %s", one.controller.State())
	}
	if r := host.controller.room; r.Run.ID != 0 || one.controller.room.Submitted+two.controller.room.Submitted != 0 || host.controller.State() != runstate.Idle {
		t.Errorf("before the start: %+v, %d replicates given, state %s", r.Run, one.controller.room.Submitted, host.controller.State())
	}
	if s := host.part("r-checks"); !strings.Contains(s, "8 replicates, computed whole by the devices") {
		t.Errorf("the lobby does not say how many replicates there will be: %s", s)
	}
	told = false
	for _, part := range host.parts {
		told = told || strings.Contains(string(part), "Devices here: 2<")
		if strings.Contains(string(part), "Press Run") {
			t.Errorf("the lobby, which has no Run, says %s", part)
		}
	}
	if !told {
		t.Error("the lobby does not count two devices")
	}
	host.controller.Event(state.Event{Name: "run"}) // is no way around Start
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "the end", func() bool { return host.controller.room.Phase == state.RoomDone }, host, one, two)
	if one.controller.room.Submitted+two.controller.room.Submitted == 0 {
		t.Error("the phones gave nothing")
	}
}

// A host that reloads its page in the lobby is in the lobby again with its devices, and starts a run when Start is
// pressed.
func TestLobbyReloaded(t *testing.T) {
	tier.Test(t)
	synctest.Test(t, testLobbyReloaded)
}

func testLobbyReloaded(t *testing.T) {
	at := roomServer(t)
	first, _ := class(t, at, smallLink, 0)
	code, kept := first.controller.room.Code, first.StoredText
	first.controller.room.End()
	host := roomPage(t, at, "#"+smallLink, kept)
	phone := roomPage(t, at, "#room="+code, "")
	turns(t, "the phone in the lobby", func() bool { return len(host.controller.room.Devices) > 0 }, host, phone)
	for range 20 {
		host.turn(200)
		phone.turn(200)
	}
	r := &host.controller.room
	if r.Phase != state.RoomLobby || r.Code != code || host.controller.State() != runstate.Idle || r.Run.ID > 0 {
		t.Errorf("after the reload: phase %v, state %s, run %d", r.Phase, host.controller.State(), r.Run.ID)
	}
	host.controller.Event(state.Event{Name: "start-room"})
	turns(t, "work", func() bool { return host.controller.room.Counts.Got > 0 }, host, phone)
	again := host.StoredText
	host.controller.room.End()
	host = roomPage(t, at, "#"+inClass(smallLink), again) // a run that had begun goes on
	turns(t, "the end", func() bool { return host.controller.State() == runstate.Done }, host, phone)
}

// A run in a room has the same result as on one computer, although a device is killed half-way and the host's page is
// reloaded.
func TestRoomDigits(t *testing.T) {
	tier.Test(t)
	synctest.Test(t, testRoomDigits)
}

func testRoomDigits(t *testing.T) {
	at := roomServer(t)
	for _, link := range []string{smallLink + "&replicates=30",
		"v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=600&replicates=13"} {
		first, phones := class(t, at, link, 2)
		code, one, two := first.controller.room.Code, phones[0], phones[1]
		first.controller.Event(state.Event{Name: "start-room"})
		turns(t, "work of all", func() bool {
			return one.controller.room.Submitted > 0 && two.controller.room.Submitted > 0 && first.controller.room.Counts.Got > 2
		}, first, one, two)
		two.controller.room.End()
		kept := first.StoredText
		first.controller.room.End()
		host := roomPage(t, at, "#"+link, kept)
		turns(t, "the end", func() bool { return host.controller.State() == runstate.Done }, host, one)
		if got, want := host.finish(), native(t, link); got != want {
			t.Errorf("%s: the room's hashes are %s, alone %s", link, got, want)
		}
		turns(t, "the device hears of it", func() bool { return one.controller.room.Phase == state.RoomDone }, host, one)
		if b := one.controller.room.Board; len(b.Hash) == 0 || b.Hash[0] != strings.Fields(native(t, link))[0] {
			t.Errorf("the board has %q", b.Hash)
		}
		if !strings.Contains(host.StoredText, code) || strings.Contains(host.StoredText, `"run"`) || one.controller.room.Submitted == 0 {
			t.Errorf("kept %q, given %d", host.StoredText, one.controller.room.Submitted)
		}
		if !strings.Contains(string(first.parts["r-checks"]), code) {
			t.Error("the panel does not show the code")
		}
	}
}
