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

// shorten requests a short link to the experiment from the server. It does nothing if the site has no server.
func (x *Sharing) shorten() {
	if !x.Browser.Rooms || x.facts.Spec() == nil || x.Address.Rejected {
		return
	}

	// The text of the preview.
	snapshot := x.Snapshots.Snapshot()
	s := room.Share{Link: snapshot.ShortLinkTarget(), Title: cut(view.Title(snapshot), 150), About: cut(view.About(snapshot), 300)}
	if r := snapshot.Shown(); r != nil && report.IsNumber(r.LogZ) {
		s.About = cut(x.ResultSentence(r), 300)
	}
	x.ShortLink = state.ShortLink{Target: s.Link}
	complete := snapshot.Canvas.State == state.CanvasReady && x.facts.State() == runstate.Done
	x.storeLink(s, complete, func(url string, err error) {
		short := &x.ShortLink
		if short.Target != s.Link { // another link is wanted by now
			return
		}
		if short.URL = url; err != nil {
			short.Reason = x.Words.Sentence(err)
		}
		x.Repaint.AtOnce()
	})
}

// storeLink stores a link on the server and calls done with its short address or an error. If withPicture is true, it
// first waits for a preview picture of the run, for at most shortWait.
func (x *Sharing) storeLink(s room.Share, withPicture bool, done func(at string, err error)) {
	transport := x.Host.Rooms()
	var card chan []byte
	if withPicture {
		card = make(chan []byte, 1)
		x.Host.SaveFilm("", "card")
	}
	x.card = card
	go func() {
		if card != nil { // without a picture the preview shows the model
			select {
			case s.Picture = <-card:
			case <-time.After(shortWait):
			}
		}
		ctx, stop := context.WithTimeout(context.Background(), shortWait)
		defer stop()
		id, err := room.PutShare(ctx, transport, s)
		x.Host.Do(func() {
			if err != nil {
				done("", err)
				return
			}
			done(x.Snapshots.Outline().SiteBase()+"s/"+id, nil)
		})
	}()
}

// SendStroke copies a link that opens the first page with a drawing. If the site has a server, it is a short link,
// whose preview shows the drawing.
func (x *Sharing) SendStroke(link, title, about string) {
	fullURL := x.Snapshots.Outline().SiteBase() + "#" + link
	if !x.Browser.Rooms {
		x.Host.Copy(fullURL)
		return
	}
	x.storeLink(room.Share{Link: link, Title: cut(title, 150), About: cut(about, 300)}, true, func(url string, err error) {
		if err != nil {
			url = fullURL
		}
		x.Host.Copy(url)
	})
}

// TakePicture passes the preview picture of the run to the short link that waits for it. An empty picture means that
// there is none.
func (x *Sharing) TakePicture(picture []byte) {
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
	if runes := []rune(text); len(runes) > letters {
		return string(runes[:letters-1]) + "…"
	}
	return text
}

// FindPublicURL asks the server for its public address if the page was opened as localhost.
func (x *Sharing) FindPublicURL() {
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
