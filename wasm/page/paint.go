package page

import (
	"strings"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// View is what the page paints: markup by the id of the element that it replaces, and the few
// values that the page itself acts on.
type View struct {
	Link    string               `json:"link"`
	State   runstate.Run         `json:"state"`
	Seen    int                  `json:"seen"`
	Lang    string               `json:"lang"`
	Theme   string               `json:"theme"` // light, dark or projector
	Canvas  []view.Dressing      `json:"stage"` // messages to the picture, one of each kind
	Sheet   string               `json:"sheet"` // what is open over the page
	Hide    string               `json:"hide"`
	Embed   bool                 `json:"embed"`
	Deck    bool                 `json:"deck"`    // a lecture is on show
	Hero    bool                 `json:"hero"`    // the hero is
	Numbers bool                 `json:"numbers"` // there is one, so the picture may load
	Rest    bool                 `json:"rest"`    // nothing that was asked for is on its way
	Entry   int                  `json:"entry"`   // counts the entries of the history that the brain asks for
	Own     int                  `json:"own"`     // the event that brought the own model in use, 0 none
	Rows    int                  `json:"rows"`    // the one that brought its data rows
	Slides  int                  `json:"slides"`  // the one that brought the deck
	Filed   int                  `json:"filed"`   // the last event whose file was taken or refused
	Point   string               `json:"point"`   // id of an element that is brought into view
	Focus   string               `json:"focus"`   // ids of elements: the one that is shown takes the focus
	Parts   map[string]html.HTML `json:"parts"`   // those that changed
}

// paint makes the view, the curves and the summary and hands them to the host.
func (b *Brain) paint() {
	b.readings.Follow()
	s := b.Snapshot()

	// The summary, by what is on show.
	switch {
	case b.hero.On:
		b.summary.text = view.Odds(s)
	case b.room.Lent() || b.room.Open():
		b.summary.text = "" // the room's panel says how it stands
	case b.Job != nil:
		b.summary.say(&b.Appearance, s.Reports, b.Host.Now())
		b.sharing.TellParent(s.Reports)
	default:
		b.summary.text = b.Words.T("summary." + string(b.State()))
	}
	s.Summary = b.summary.text
	b.draw(s)

	// The view for the host.
	v := View{State: b.State(), Seen: b.Repaint.Seen, Lang: b.Words.Lang, Theme: b.Theme(), Canvas: view.Dress(s),
		Sheet: b.Panels.Sheet, Hide: strings.Join(s.Hides(), " "), Embed: b.Settings.Embed,
		Deck: b.Settings.Deck != "", Slides: b.lecture.Own.N, Rest: b.rests(),
		Entry: b.Address.Entry, Own: b.Own.Event, Rows: b.Own.Rows.Event, Filed: b.LastFileAnswered,
		Focus: b.Repaint.Focus, Point: b.Repaint.Point, Parts: b.Repaint.Changed(view.Parts(s))}

	// The link in the address.
	if v.Hero = b.hero.On; v.Hero {
		v.Theme = "dark"
	} else if b.Settings.Deck != "" {
		v.Link = "#" + strings.TrimPrefix(b.Settings.DeckView().Link(), "&")
	} else if b.Spec != nil && !b.Address.Bad {
		v.Link = "#" + b.Spec.Link() + b.Settings.Link()
		if b.room.Lent() {
			v.Link = "#" + state.RoomLink + b.room.Code + b.Settings.Link()
			if b.room.Remote != "" {
				v.Link += state.RemoteKey + b.room.Remote
			}
		}
	}

	// What the next repaint has to know.
	for _, r := range s.Reports {
		v.Numbers = v.Numbers || report.IsNumber(r.LogZ)
	}
	b.Repaint.Numbers, b.Repaint.Rest, b.Repaint.Focus, b.Repaint.Point = v.Numbers, v.Rest, "", ""
	b.Host.View(report.Encode(v))
}

// draw sends the curves of every method to the picture.
func (b *Brain) draw(s *state.Snapshot) {
	if b.canvas.State == state.CanvasFailed || b.Spec == nil {
		return // no picture shows them; one that is loaded later gets the next
	}
	f := frame.Frame{Model: b.Spec.Model, Path: scene.SchedulePath(s), Plan: scene.VisitPlan(s), Noise: s.Noise,
		Means: scene.UnitMeans(s), Graph: scene.GraphOf(s), Unresampled: scene.UnresampledOf(s)}
	if s.Reports == nil && f.Path == nil && f.Plan == nil && f.Graph == nil {
		return // nothing is known before a run
	}
	if data := b.curves.Frame(f, s.Reports, s.Readers()); data != nil {
		b.Host.Frame(data)
	}
}
