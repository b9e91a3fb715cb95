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

// View is sent to the page: markup by the id of the element it replaces, and the few values that the script itself
// needs.
type View struct {
	Link    string               `json:"link"`
	State   runstate.Run         `json:"state"`
	Seen    int                  `json:"seen"`
	Lang    string               `json:"lang"`
	Theme   string               `json:"theme"` // light, dark or projector
	Canvas  []view.CanvasMessage `json:"stage"` // messages to the picture
	Sheet   string               `json:"sheet"` // the open sheet
	Hide    string               `json:"hide"`
	Embed   bool                 `json:"embed"`
	Deck    bool                 `json:"deck"`    // a lecture is on show
	Hero    bool                 `json:"hero"`    // the hero is on show
	Numbers bool                 `json:"numbers"` // there is a result, so the picture may load
	Rest    bool                 `json:"rest"`    // the page is idle
	Entry   int                  `json:"entry"`   // number of the history entry
	Own     int                  `json:"own"`     // event that delivered the own model in use, 0 for none
	Rows    int                  `json:"rows"`    // event that delivered its data rows
	Slides  int                  `json:"slides"`  // event that delivered the lecture file
	Filed   int                  `json:"filed"`   // last event whose file was answered
	Point   string               `json:"point"`   // id of an element to scroll into view
	Focus   string               `json:"focus"`   // ids of elements: the visible one gets the focus
	Parts   map[string]html.HTML `json:"parts"`   // changed parts
}

// paint sends the view, the curves and the summary to the browser.
func (c *Controller) paint() {
	c.imports.FollowLanguage()
	s := c.Snapshot()

	// The summary, by what is on show.
	switch {
	case c.hero.Shown:
		c.summary.text = view.Odds(s)
	case c.room.IsDevice() || c.room.Computing():
		c.summary.text = "" // the room's panel has its own status
	case c.Job != nil:
		c.summary.update(&c.Appearance, s.Reports, c.Host.Now())
		c.sharing.TellParent(s.Reports)
	default:
		c.summary.text = c.Words.T("summary." + string(c.State()))
	}
	s.Summary = c.summary.text
	c.draw(s)

	// The view for the host.
	v := View{State: c.State(), Seen: c.Repaint.LastEvent, Lang: c.Words.Lang, Theme: c.Theme(), Canvas: view.CanvasMessages(s),
		Sheet: c.Panels.Sheet, Hide: strings.Join(s.HiddenParts(), " "), Embed: c.Settings.Embed,
		Deck: c.Settings.Deck != "", Slides: c.lecture.Own.N, Rest: c.isIdle(),
		Entry: c.Address.Entry, Own: c.Own.Event, Rows: c.Own.Rows.Event, Filed: c.LastFileAnswered,
		Focus: c.Repaint.Focus, Point: c.Repaint.ScrollTo, Parts: c.Repaint.Changed(view.Parts(s))}

	// The link in the address.
	if v.Hero = c.hero.Shown; v.Hero {
		v.Theme = "dark"
	} else if c.Settings.Deck != "" {
		v.Link = "#" + strings.TrimPrefix(c.Settings.DeckView().Link(), "&")
	} else if c.Spec != nil && !c.Address.Rejected {
		v.Link = "#" + c.Spec.Link() + c.Settings.Link()
		if c.room.IsDevice() {
			v.Link = "#" + state.RoomLink + c.room.Code + c.Settings.Link()
			if c.room.Remote != "" {
				v.Link += state.RemoteKey + c.room.Remote
			}
		}
	}

	// State for the next repaint.
	for _, r := range s.Reports {
		v.Numbers = v.Numbers || report.IsNumber(r.LogZ)
	}
	c.Repaint.NumberShown, c.Repaint.IdleSent, c.Repaint.Focus, c.Repaint.ScrollTo = v.Numbers, v.Rest, "", ""
	c.Host.View(report.Encode(v))
}

// draw sends the curves of every method to the picture.
func (c *Controller) draw(s *state.Snapshot) {
	if c.canvas.State == state.CanvasFailed || c.Spec == nil {
		return // there is no picture
	}
	f := frame.Frame{Model: c.Spec.Model, Path: scene.SchedulePath(s), Plan: scene.VisitPlan(s), Noise: s.Noise,
		Means: scene.UnitMeans(s), Graph: scene.GraphOf(s), Unresampled: scene.UnresampledOf(s)}
	if s.Reports == nil && f.Path == nil && f.Plan == nil && f.Graph == nil {
		return // nothing is known before a run
	}
	if data := c.curves.Frame(f, s.Reports, s.RunOwners()); data != nil {
		c.Host.Frame(data)
	}
}
