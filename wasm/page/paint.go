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
	Canvas  []view.CanvasMessage `json:"stage"` // messages to the picture, one of each kind
	Sheet   string               `json:"sheet"` // what is open over the page
	Hide    string               `json:"hide"`
	Embed   bool                 `json:"embed"`
	Deck    bool                 `json:"deck"`    // a lecture is on show
	Hero    bool                 `json:"hero"`    // the hero is
	Numbers bool                 `json:"numbers"` // there is one, so the picture may load
	Rest    bool                 `json:"rest"`    // nothing that was asked for is on its way
	Entry   int                  `json:"entry"`   // counts the entries of the history that the controller asks for
	Own     int                  `json:"own"`     // the event that brought the own model in use, 0 none
	Rows    int                  `json:"rows"`    // the one that brought its data rows
	Slides  int                  `json:"slides"`  // the one that brought the deck
	Filed   int                  `json:"filed"`   // the last event whose file was taken or refused
	Point   string               `json:"point"`   // id of an element that is brought into view
	Focus   string               `json:"focus"`   // ids of elements: the one that is shown takes the focus
	Parts   map[string]html.HTML `json:"parts"`   // those that changed
}

// paint makes the view, the curves and the summary and hands them to the host.
func (c *Controller) paint() {
	c.imports.Follow()
	s := c.Snapshot()

	// The summary, by what is on show.
	switch {
	case c.hero.On:
		c.summary.text = view.Odds(s)
	case c.room.Lent() || c.room.Open():
		c.summary.text = "" // the room's panel says how it stands
	case c.Job != nil:
		c.summary.say(&c.Appearance, s.Reports, c.Host.Now())
		c.sharing.TellParent(s.Reports)
	default:
		c.summary.text = c.Words.T("summary." + string(c.State()))
	}
	s.Summary = c.summary.text
	c.draw(s)

	// The view for the host.
	v := View{State: c.State(), Seen: c.Repaint.Seen, Lang: c.Words.Lang, Theme: c.Theme(), Canvas: view.CanvasMessages(s),
		Sheet: c.Panels.Sheet, Hide: strings.Join(s.Hides(), " "), Embed: c.Settings.Embed,
		Deck: c.Settings.Deck != "", Slides: c.lecture.Own.N, Rest: c.rests(),
		Entry: c.Address.Entry, Own: c.Own.Event, Rows: c.Own.Rows.Event, Filed: c.LastFileAnswered,
		Focus: c.Repaint.Focus, Point: c.Repaint.Point, Parts: c.Repaint.Changed(view.Parts(s))}

	// The link in the address.
	if v.Hero = c.hero.On; v.Hero {
		v.Theme = "dark"
	} else if c.Settings.Deck != "" {
		v.Link = "#" + strings.TrimPrefix(c.Settings.DeckView().Link(), "&")
	} else if c.Spec != nil && !c.Address.Bad {
		v.Link = "#" + c.Spec.Link() + c.Settings.Link()
		if c.room.Lent() {
			v.Link = "#" + state.RoomLink + c.room.Code + c.Settings.Link()
			if c.room.Remote != "" {
				v.Link += state.RemoteKey + c.room.Remote
			}
		}
	}

	// What the next repaint has to know.
	for _, r := range s.Reports {
		v.Numbers = v.Numbers || report.IsNumber(r.LogZ)
	}
	c.Repaint.Numbers, c.Repaint.Rest, c.Repaint.Focus, c.Repaint.Point = v.Numbers, v.Rest, "", ""
	c.Host.View(report.Encode(v))
}

// draw sends the curves of every method to the picture.
func (c *Controller) draw(s *state.Snapshot) {
	if c.canvas.State == state.CanvasFailed || c.Spec == nil {
		return // no picture shows them; one that is loaded later gets the next
	}
	f := frame.Frame{Model: c.Spec.Model, Path: scene.SchedulePath(s), Plan: scene.VisitPlan(s), Noise: s.Noise,
		Means: scene.UnitMeans(s), Graph: scene.GraphOf(s), Unresampled: scene.UnresampledOf(s)}
	if s.Reports == nil && f.Path == nil && f.Plan == nil && f.Graph == nil {
		return // nothing is known before a run
	}
	if data := c.curves.Frame(f, s.Reports, s.Readers()); data != nil {
		c.Host.Frame(data)
	}
}
