package page

import (
	"context"
	"strings"
	"time"

	"logzlab/estimators/report"
	"logzlab/wasm/room"
)

// short is the short link of an experiment, which the page's server keeps where it has rooms.
type short struct {
	of  string // what it leads to, as asked for
	at  string // where it is, "" until the server has answered
	why string // it has none
	qr  qrCode
}

// shortWait bounds how long the server may take.
const shortWait = 20 * time.Second

// shortened is what a short link of this experiment leads to: with the receipt of its digits once there are any.
func (b *Brain) shortened() string {
	view := b.shared()
	if !view.Fresh {
		view.Expect = b.hashes()
	}
	return b.spec.Link() + view.Link()
}

// shorten asks the server for a short link.
func (b *Brain) shorten() {
	if !b.browser.Rooms || b.spec == nil || b.address.bad {
		return
	}
	p := b.pane()
	s := room.Share{Link: b.shortened(), Title: cut(p.cardTitle(), 150), About: cut(p.about(), 300)}
	if r := p.shown(); r != nil && report.IsNumber(r.LogZ) {
		s.About = cut(b.spoken(r), 300)
	}
	b.sharing.short = short{of: s.Link}
	t := b.host.Rooms()
	go func() {
		ctx, stop := context.WithTimeout(context.Background(), shortWait)
		defer stop()
		id, err := room.PutShare(ctx, t, s)
		b.host.Do(func() {
			x := &b.sharing.short
			if x.of != s.Link {
				return
			}
			if x.at = b.siteBase() + "s/" + id; err != nil {
				x.at, x.why = "", b.words.Sentence(err)
			}
			b.views.atOnce()
		})
	}()
}

// cut is text of at most so many letters.
func cut(text string, letters int) string {
	if all := []rune(text); len(all) > letters {
		return string(all[:letters-1]) + "…"
	}
	return text
}

// base is the address of this page that others reach, as far as that is known.
func (b *Brain) base() string {
	if b.sharing.at != "" {
		return b.sharing.at
	}
	return b.browser.Base
}

// siteBase is the folder of the site at that address.
func (b *Brain) siteBase() string { return b.base()[:strings.LastIndex(b.base(), "/")+1] }

// reach asks the server where others reach it, if the page itself was opened where they cannot.
func (b *Brain) reach() {
	if !b.browser.Rooms || !b.local() {
		return
	}
	t := b.host.Rooms()
	go func() {
		m, err := room.ReadMeta(context.Background(), t)
		b.host.Do(func() {
			if err == nil && len(m.At) > 0 {
				b.sharing.at = m.At[0]
				b.views.atOnce()
			}
		})
	}()
}

// shortPart is the short link in the share sheet: a button, then the link with its code.
func (p *pane) shortPart() HTML {
	if !p.browser.Rooms {
		return ""
	}
	w, x := p.w, &p.sharing.short
	switch {
	case x.of != p.shortened():
		return tag(`section class="rooms"`, button("", "shorten", "", text(w.T("share.short"))),
			tagText(`p class="why"`, w.T("share.short.why")))
	case x.at == "":
		says := x.why
		if says == "" {
			says = w.T("share.short.waits")
		}
		return tag(`section class="rooms"`, button("", "shorten", "", text(w.T("share.short"))),
			tagText(`p class="why" role="status"`, says))
	}
	return tag(`section class="rooms"`, tagText(`code class="link" id="short-link"`, x.at),
		tag(`div class="two"`, x.qr.draw(x.at, w.T("qr")), button("", "copy", "short", text(w.T("copy.short")))))
}
