//go:build !js

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"strings"
	"testing"
	"testing/synctest"

	"logzlab/render/picture"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// TestShortLink checks that the share sheet makes a short link of a finished run, with the checksums of its result, at an
// address that other computers can reach, and that it says so if the server refuses. The long link has the same address.
func TestShortLink(t *testing.T) { synctest.Test(t, testShortLink) }

func testShortLink(t *testing.T) {
	p := roomPage(t, roomServer(t), "#v=1&model=mixture2&method=is&is.particles=50", "")
	p.finish()
	p.controller.Event(state.Event{Name: "share"})
	says := func(s string) func() bool {
		return func() bool { return strings.Contains(string(p.parts["sheet"]), s) }
	}
	turns(t, "the address of others", says(">http://192.168.7.7:8080/#v=1&amp;model=mixture2&"), p)
	if says("only on this computer")() || !says(`data-event="shorten"`)() {
		t.Errorf("the share sheet: %s", p.parts["sheet"])
	}
	p.controller.Event(state.Event{Name: "shorten"})
	turns(t, "the short link", says(">http://192.168.7.7:8080/s/"), p)
	if link := p.controller.sharing.ShortLink.Target; !strings.HasSuffix(link, "&view.expect="+p.row("is").Cells["hash"].Value) {
		t.Errorf("it leads to %s", link)
	}
	p.controller.Event(state.Event{Name: "copy", Value: "short"})
	if got := p.Copied; got != p.controller.sharing.ShortLink.URL {
		t.Errorf("copied %q", got)
	}
	p.controller.Event(state.Event{Name: "show", Value: "seed"}) // another link
	p.show()
	if !says(`data-event="shorten"`)() {
		t.Error("the old short link is still shown after the view changed")
	}
	p.Server = refusing{}
	p.controller.Event(state.Event{Name: "shorten"})
	turns(t, "the refusal", says("offers no rooms"), p)
}

// refusing is a server without rooms.
type refusing struct{}

func (refusing) Send(context.Context, room.Request) (room.Response, error) {
	return room.Response{Status: 404}, nil
}

// recorder records the requests for short links.
type recorder struct {
	room.Transport
	share chan []byte
}

func (x recorder) Send(ctx context.Context, r room.Request) (room.Response, error) {
	if r.Path == "share" {
		x.share <- r.Body
	}
	return x.Transport.Send(ctx, r)
}

// TestShortLinkPicture checks that the request for a short link includes the picture of the run once it is drawn, and
// that a picture that is too large is not sent.
func TestShortLinkPicture(t *testing.T) { synctest.Test(t, testShortLinkPicture) }

func testShortLinkPicture(t *testing.T) {
	at := recorder{roomServer(t), make(chan []byte, 9)}
	p := roomPage(t, at, "#v=1&model=mixture2&method=is&is.particles=50", "")
	p.finish()
	p.controller.Event(state.Event{Name: "picture", Value: "ready"})
	card, err := picture.Still(image.NewRGBA(image.Rect(0, 0, room.PictureWide, room.PictureHigh)), room.MaxPicture)
	if err != nil {
		t.Fatal(err)
	}
	shared := func(picture []byte) (s room.Share) {
		p.controller.Event(state.Event{Name: "shorten"})
		if last := p.Downloads[len(p.Downloads)-1]; last != "\ncard" {
			t.Errorf("the stage is asked for %q", last)
		}
		p.controller.Card(picture)
		turns(t, "the short link", func() bool { return p.controller.sharing.ShortLink.URL != "" }, p)
		if err := json.Unmarshal(<-at.share, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := shared(card); !bytes.Equal(s.Picture, card) {
		t.Errorf("a picture of %d bytes is sent", len(s.Picture))
	}
	p.controller.Card(card) // nobody waits for it
	p.controller.Event(state.Event{Name: "show", Value: "seed"})
	if s := shared(make([]byte, room.MaxPicture+1)); s.Picture != nil {
		t.Errorf("a picture of %d bytes is sent", len(s.Picture))
	}
}
