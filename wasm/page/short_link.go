package page

import (
	"context"
	"time"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
	"logzlab/wasm/room"
)

// shortWait bounds how long the server may take, and cardWait the picture of the run.
const shortWait, cardWait = 20 * time.Second, 4 * time.Second

// shorten asks the server for a short link.
func (b *Brain) shorten() {
	if !b.Browser.Rooms || b.Spec == nil || b.Address.Bad {
		return
	}
	p := b.Snapshot()
	s := room.Share{Link: p.Shortened(), Title: cut(view.Title(p), 150), About: cut(view.About(p), 300)}
	if r := p.Shown(); r != nil && report.IsNumber(r.LogZ) {
		s.About = cut(b.Spoken(r), 300)
	}
	b.sharing.ShortLink = state.ShortLink{Of: s.Link}
	t := b.Host.Rooms()
	var card chan []byte
	if p.Stage.State == "ready" && b.State == "done" {
		card = make(chan []byte, 1)
		b.Host.Film("", "card")
	}
	b.sharing.card = card
	go func() {
		if card != nil { // else the preview shows the model
			select {
			case s.Picture = <-card:
			case <-time.After(cardWait):
			}
		}
		ctx, stop := context.WithTimeout(context.Background(), shortWait)
		defer stop()
		id, err := room.PutShare(ctx, t, s)
		b.Host.Do(func() {
			x := &b.sharing.ShortLink
			if x.Of != s.Link {
				return
			}
			if x.At = b.Outline().SiteBase() + "s/" + id; err != nil {
				x.At, x.Why = "", b.Words.Sentence(err)
			}
			b.Repaint.AtOnce()
		})
	}()
}

// Card takes the picture of the run, for the short link that waits for it.
func (b *Brain) Card(picture []byte) {
	if b.sharing.card != nil && len(picture) <= room.MaxPicture {
		b.sharing.card <- picture
		b.sharing.card = nil
	}
}

// cut is text of at most so many letters.
func cut(text string, letters int) string {
	if all := []rune(text); len(all) > letters {
		return string(all[:letters-1]) + "…"
	}
	return text
}

// reach asks the server for its public address when the page was opened as localhost.
func (b *Brain) reach() {
	if !b.Browser.Rooms || !b.Outline().Local() {
		return
	}
	t := b.Host.Rooms()
	go func() {
		m, err := room.ReadMeta(context.Background(), t)
		b.Host.Do(func() {
			if err == nil && len(m.At) > 0 {
				b.sharing.At = m.At[0]
				b.Repaint.AtOnce()
			}
		})
	}()
}
