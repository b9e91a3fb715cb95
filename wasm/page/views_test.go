//go:build !js

package page

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// What TestViewsDoNotChangeSnapshot sees no experiment show: hero, lecture, training, program, and a room from both sides.
func TestOtherViewsDoNotChangeSnapshot(t *testing.T) { synctest.Test(t, testOtherViews) }

func testOtherViews(t *testing.T) {
	seen := map[string]bool{}
	look := func(what string, p *fakePage) {
		t.Helper()
		s := p.controller.Snapshot()
		unchanged(t, what, s)
		for id, part := range view.Parts(s) {
			seen[id] = seen[id] || part != ""
		}
	}
	begun := func(link string) *fakePage {
		p := newPage(t, 2)
		t.Cleanup(p.leaves)
		p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/", Rooms: true})
		p.show()
		return p
	}

	// The hero, a lecture with its notes, a training.
	look("hero", begun(""))
	for _, step := range []string{"1", "4", "9"} {
		p := begun("#view.deck=sum&view.step=" + step)
		p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
		p.show()
		look("lecture, step "+step, p)
		p.controller.Event(state.Event{Name: "notes", On: true})
		look("its notes, step "+step, p)
	}
	look("training", trainPage(t, trainLink))

	// A program before and after its run.
	p := begun(smallLink)
	p.finish()
	p.controller.File("coin.stan", []byte(coinProgram), 2)
	p.show()
	look("program", p)

	// A room: the lobby, at work, and its end.
	host, phones := class(t, roomServer(t), smallLink, 1)
	look("lobby, host", host)
	look("lobby, phone", phones[0])
	host.controller.Event(state.Event{Name: "sheet", Value: "room"})
	look("lobby, sheet", host)
	startsRoom(t, host)
	look("at work, host", host)
	turns(t, "the run", func() bool { return phones[0].controller.room.Phase == state.RoomDone }, host, phones[0])
	look("its end, host", host)
	look("its end, phone", phones[0])

	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if !seen[id] && id != "message" && id != "dropping" && id != "tour" && id != "lesson" {
			t.Errorf("nothing shows %s", id)
		}
	}
}
