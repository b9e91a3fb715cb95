//go:build !js

package page

import (
	"context"
	"strings"
	"testing"

	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
)

// The share sheet of a server with rooms makes a short link of a finished run, with the receipt of its digits, at an
// address that others reach; a refusal is told. The long link has that address, too.
func TestShortLink(t *testing.T) {
	p := roomPage(t, roomServer(t), "#v=1&model=mixture2&method=is&is.particles=50", "")
	p.finish()
	p.brain.Event(state.Event{Name: "share"})
	says := func(s string) func() bool {
		return func() bool { return strings.Contains(string(p.parts["sheet"]), s) }
	}
	turns(t, "the address of others", says(">http://192.168.7.7:8080/#v=1&amp;model=mixture2&"), p)
	if says("only on this computer")() || !says(`data-event="shorten"`)() {
		t.Errorf("the share sheet: %s", p.parts["sheet"])
	}
	p.brain.Event(state.Event{Name: "shorten"})
	turns(t, "the short link", says(">http://192.168.7.7:8080/s/"), p)
	if link := p.brain.sharing.ShortLink.Of; !strings.HasSuffix(link, "&view.expect="+p.row("is").Cells["hash"].Value) {
		t.Errorf("it leads to %s", link)
	}
	p.brain.Event(state.Event{Name: "copy", Value: "short"})
	if got := p.copied; got != p.brain.sharing.ShortLink.At {
		t.Errorf("copied %q", got)
	}
	p.brain.Event(state.Event{Name: "show", Value: "seed"}) // another link
	p.show()
	if !says(`data-event="shorten"`)() {
		t.Error("the short link of another view stays")
	}
	p.rooms = refusing{}
	p.brain.Event(state.Event{Name: "shorten"})
	turns(t, "the refusal", says("offers no rooms"), p)
}

// refusing is a server without rooms.
type refusing struct{}

func (refusing) Send(context.Context, room.Request) (room.Answer, error) {
	return room.Answer{Status: 404}, nil
}
