//go:build !js

package page

import (
	"strings"
	"testing"
	"testing/synctest"

	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// A deck is played in a room: phones show its question, tap on answers and change them, and see the counts when the
// answer is shown. The projector shows how many have voted.
func TestVotes(t *testing.T) { synctest.Test(t, testVotes) }

func testVotes(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, smallLink, 2)
	one, two := phones[0], phones[1]
	tap := func(p *fakePage, answer string) { p.controller.Event(state.Event{Name: "vote", Value: answer}) }
	shown := func(p *fakePage, what string) func() bool {
		return func() bool { p.show(); return strings.Contains(string(p.parts["r-head"]), what) }
	}
	host.controller.File("mine.txt", []byte(ownDeck), 1)
	host.press("ArrowRight")
	if host.controller.lecture.Revealed || host.controller.room.Phase != state.RoomLobby {
		t.Fatalf("the deck is at %d, the room is %s", host.controller.Settings.Step, host.controller.room.Phase.Key())
	}
	turns(t, "the question", shown(one, "How many?"), one, two, host)
	turns(t, "the question", shown(two, "How many?"), one, two, host)
	if s := string(one.parts["r-head"]); !strings.Contains(s, ">Two<") || !strings.Contains(s, ">Three<") {
		t.Errorf("the phone shows %s", s)
	}
	tap(one, "0")
	tap(two, "1")
	tap(one, "1")
	tap(one, "7") // is no answer
	counted := func(n string) func() bool {
		return func() bool { host.show(); return strings.Contains(string(host.parts["deck"]), n+" of 2 have voted") }
	}
	turns(t, "two votes", counted("2"), host, one, two)
	if s := host.part("deck"); strings.Contains(s, "<rect") {
		t.Errorf("counts are shown before the answer: %s", s)
	}
	host.press("ArrowRight")
	const both = `width="100.0"></rect></svg><b>2</b>`
	turns(t, "the bars", func() bool { host.show(); return strings.Contains(string(host.parts["deck"]), both) }, host, one)
	turns(t, "the bars on a phone", shown(one, both), one, host)
	if s := string(one.parts["r-head"]); !strings.Contains(s, "yours") {
		t.Errorf("the phone does not show its own vote: %s", s)
	}
	tap(one, "0") // too late
	for range 30 {
		host.turn(200)
		one.turn(200)
	}
	if q := host.controller.Outline().Room.Question; q == nil || q.Counts[1] != 2 {
		t.Errorf("after the answer: %+v", q)
	}

	// Back and forth: what was asked is not asked again. Then a step without a question.
	host.press("ArrowLeft", "ArrowRight")
	if q := host.controller.Outline().Room.Question; q == nil || q.Open {
		t.Errorf("a question that was answered is asked again: %+v", q)
	}
	host.press("ArrowRight", "ArrowRight")
	turns(t, "no question", func() bool { return one.controller.room.Board.Ask == nil }, one, host)

	// Without a room there are hands.
	alone := newPage(t, 1)
	alone.controller.File("mine.txt", []byte(ownDeck), 1)
	alone.press("ArrowRight")
	if s := alone.part("deck"); strings.Contains(s, "voted") || !strings.Contains(s, "How many?") {
		t.Errorf("without a room: %s", s)
	}
}

// The host's phone turns the steps of a lecture, by a link that the class does not see; another phone cannot.
func TestRemote(t *testing.T) { synctest.Test(t, testRemote) }

func testRemote(t *testing.T) {
	at := roomServer(t)
	host, phones := class(t, at, smallLink, 1)
	host.controller.File("mine.txt", []byte(ownDeck), 1)
	host.controller.Event(state.Event{Name: "notes", On: true})
	host.show()
	secret := host.controller.room.Remote
	if notes := host.part("notes"); !strings.Contains(notes, "remote") || strings.Contains(notes, secret) {
		t.Errorf("the presenter's window: %s", notes)
	}
	for name, part := range host.parts {
		if strings.Contains(string(part), secret) || name != "notes" && strings.Contains(string(part), "lend-remote") {
			t.Errorf("the projector shows the remote in %s", name)
		}
	}
	remote := roomPage(t, at, "#"+state.RoomLink+host.controller.room.Code+"&view.lang=en"+state.RemoteKey+secret, "")
	press := func(p *fakePage, to string) { p.controller.Event(state.Event{Name: "remote", Value: to}) }
	shows := func(step string) func() bool {
		return func() bool { remote.show(); return strings.Contains(string(remote.parts["transport"]), step) }
	}
	turns(t, "the remote's buttons", shows("Step 1"), remote, host)
	if l := remote.view.Link; !strings.HasSuffix(l, state.RemoteKey+secret) {
		t.Errorf("a remote that is loaded again is none: %s", l)
	}
	press(remote, "next")
	turns(t, "step 2", func() bool { return host.controller.Settings.Step == 2 }, remote, host)
	turns(t, "step 2 on the remote", shows("Step 2"), remote, host)
	press(remote, "back")
	turns(t, "step 1 again", func() bool { return host.controller.Settings.Step == 1 }, remote, host)

	// A phone of the class has no such buttons, and sends nothing without the token, or with a wrong one.
	phone := phones[0]
	phone.show()
	if s := string(phone.parts["transport"]); strings.Contains(s, "remote") {
		t.Errorf("a phone of the class has %s", s)
	}
	press(phone, "next")
	phone.controller.room.Remote = strings.Repeat("0", 64)
	press(phone, "next")
	turns(t, "a refusal", func() bool { return phone.controller.Problem != nil }, phone, host)
	for range 20 {
		host.turn(200)
	}
	if k := host.controller.Settings.Step; k != 1 {
		t.Errorf("a phone of the class turned to step %d", k)
	}
}

// A run of a step of a lecture goes on when the host's page is loaded again. Shown again after another step, the step
// is run alone.
func TestRoomDeckReloaded(t *testing.T) { synctest.Test(t, testRoomDeckReloaded) }

func testRoomDeckReloaded(t *testing.T) {
	at := roomServer(t)
	first, phones := class(t, at, smallLink, 1)
	link := "#view.deck=trust&view.step=11"
	first.controller.Event(state.Event{Name: "link", Value: link})
	turns(t, "the step", func() bool { return first.controller.State() == runstate.Done }, first, phones[0])
	alone := first.controller.Spec.Link()
	first.controller.Event(state.Event{Name: "start-room"})
	turns(t, "work", func() bool { return first.controller.room.Counts.Got > 0 }, first, phones[0])
	kept := first.StoredText
	first.controller.room.End()
	host := roomPage(t, at, link, kept)
	turns(t, "the end", func() bool { return host.controller.room.Phase == state.RoomDone }, host, phones[0])
	if got, want := host.finish(), native(t, inClass(alone)); got != want || host.controller.room.Run.ID != 1 {
		t.Errorf("run %d of the lecture has the hash %s, alone %s", host.controller.room.Run.ID, got, want)
	}
	host.press("ArrowLeft", "ArrowRight")
	turns(t, "the step again", func() bool { return host.controller.State() == runstate.Done }, host)
	if n := host.controller.Spec.Replicates; n != 1 {
		t.Errorf("the step, shown again after another one, has %d replicates", n)
	}
}
