package sharing

import (
	"context"
	"time"

	"logzlab/core/runstate"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
	"logzlab/wasm/rooms/room"
)

// shortWait is the longest wait for the server's answer and for the preview picture.
const shortWait = 20 * time.Second

// shorten requests a short link from the server.
func (x *Sharing) shorten() {
	if !x.Browser.Rooms || x.facts.Spec() == nil || x.Address.Bad {
		return
	}

	// The text of the preview.
	p := x.Snapshots.Snapshot()
	s := room.Share{Link: p.ShortLinkTarget(), Title: cut(view.Title(p), 150), About: cut(view.About(p), 300)}
	if r := p.Shown(); r != nil && report.IsNumber(r.LogZ) {
		s.About = cut(x.ResultSentence(r), 300)
	}
	x.ShortLink = state.ShortLink{Target: s.Link}

	// The picture of the preview, only after a complete run.
	t := x.Host.Rooms()
	var card chan []byte
	if p.Canvas.State == state.CanvasReady && x.facts.State() == runstate.Done {
		card = make(chan []byte, 1)
		x.Host.Film("", "card")
	}
	x.card = card

	// When the answer arrives, another link may be current.
	go func() {
		if card != nil { // without a picture the preview shows the model
			select {
			case s.Picture = <-card:
			case <-time.After(shortWait):
			}
		}
		ctx, stop := context.WithTimeout(context.Background(), shortWait)
		defer stop()
		id, err := room.PutShare(ctx, t, s)
		x.Host.Do(func() {
			short := &x.ShortLink
			if short.Target != s.Link {
				return
			}
			if short.URL = x.Snapshots.Outline().SiteBase() + "s/" + id; err != nil {
				short.URL, short.Why = "", x.Words.Sentence(err)
			}
			x.Repaint.AtOnce()
		})
	}()
}

// Pictured receives the preview picture for a short link; an empty one means that there is none.
func (x *Sharing) Pictured(picture []byte) {
	if len(picture) > room.MaxPicture {
		picture = nil
	}
	if x.card != nil {
		x.card <- picture
		x.card = nil
	}
}

// cut shortens text to a number of letters.
func cut(text string, letters int) string {
	if all := []rune(text); len(all) > letters {
		return string(all[:letters-1]) + "…"
	}
	return text
}

// Reach asks the server for its public address if the page was opened as localhost.
func (x *Sharing) Reach() {
	if !x.Browser.Rooms || !x.Snapshots.Outline().Local() {
		return
	}
	t := x.Host.Rooms()
	go func() {
		m, err := room.ReadMeta(context.Background(), t)
		x.Host.Do(func() {
			if err == nil && len(m.At) > 0 {
				x.PublicURL = m.At[0]
				x.Repaint.AtOnce()
			}
		})
	}()
}
