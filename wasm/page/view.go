package page

import (
	"slices"
	"strings"

	"logzlab/core/frame"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/words"
)

// View is what the page paints: markup by the id of the element that it replaces, and the few
// values that the page itself acts on.
type View struct {
	Link    string          `json:"link"`
	State   string          `json:"state"`
	Seen    int             `json:"seen"`
	Lang    string          `json:"lang"`
	Theme   string          `json:"theme"` // light, dark or projector
	Stage   []Dressing      `json:"stage"` // messages to the picture, one of each kind
	Sheet   string          `json:"sheet"` // what is open over the page
	Hide    string          `json:"hide"`
	Embed   bool            `json:"embed"`
	Numbers bool            `json:"numbers"` // there is one, so the picture may load
	Rest    bool            `json:"rest"`    // nothing that was asked for is on its way
	Entry   int             `json:"entry"`   // counts the entries of the history that the brain asks for
	Own     int             `json:"own"`     // the event that brought the own model in use, 0 none
	Rows    int             `json:"rows"`    // the one that brought its data rows
	Filed   int             `json:"filed"`   // the last event whose file was taken or refused
	Point   string          `json:"point"`   // id of an element that is brought into view
	Focus   string          `json:"focus"`   // ids of elements: the one that is shown takes the focus
	Parts   map[string]HTML `json:"parts"`   // those that changed
}

// Dressing is a message to the picture about one thing, T: "scene", "theme",
// "method", "focus" and "state" have a name, "state" the number of workers in a hurry, "motion" is reduced or not,
// "words" has translations.
type Dressing struct {
	T       string            `json:"t"`
	Name    string            `json:"name"`
	Reduced bool              `json:"reduced"`
	On      bool              `json:"on"`
	Lanes   int               `json:"lanes"`
	Words   map[string]string `json:"words,omitempty"`
}

// Message is a notice with at most one button.
type Message struct {
	Level  string
	Text   string
	Action *Action
}

// Action is a button that sends an event.
type Action struct{ Label, Event, Value string }

// pane is everything that the markup of one view is made from.
type pane struct {
	*Brain
	w       *words.Language
	reports []*report.Report // nil while nothing has been run
	focus   int              // index into the methods of the spec
}

// paint makes the view, the curves and the summary and hands them to the host.
func (b *Brain) paint() {
	p := b.pane()
	if b.room.on() && b.room.phase != roomDone {
		b.summary.text = "" // the room's panel says how it stands
		b.draw(p.reports)
	} else if b.job != nil {
		b.say(p.reports)
		b.draw(p.reports)
		b.tellParent(p.reports)
	} else {
		b.summary.text = b.words.T("summary." + b.state)
		b.draw(nil)
	}
	v := View{State: b.state, Seen: b.views.seen, Lang: b.words.Lang, Theme: b.theme(), Stage: b.dress(),
		Sheet: b.panels.sheet, Hide: strings.Join(b.hides(), " "), Embed: b.set.Embed,
		Rest: b.rests(), Entry: b.address.entry, Own: b.own.event, Rows: b.own.rows.event, Filed: b.filed,
		Focus: b.views.focus, Point: b.views.point, Parts: b.views.changed(p.parts())}
	if b.spec != nil && !b.address.bad {
		v.Link = "#" + b.spec.Link() + b.set.Link()
		if b.room.lent() {
			v.Link = "#" + RoomLink + b.room.code + b.set.Link()
		}
	}
	for _, r := range p.reports {
		v.Numbers = v.Numbers || report.IsNumber(r.LogZ)
	}
	b.views.numbers, b.views.rest, b.views.focus, b.views.point = v.Numbers, v.Rest, "", ""
	b.host.View(report.Encode(v))
}

func (b *Brain) pane() *pane {
	p := &pane{Brain: b, w: b.words, reports: b.results()}
	if b.spec != nil {
		p.focus = max(slices.Index(b.spec.Methods, b.set.Focus), 0)
	}
	if b.room.lent() && len(p.reports) > 0 {
		p.follow(p.reports[0])
	}
	for _, r := range p.reports {
		b.curves.remember(r)
	}
	return p
}

// draw sends the curves of every method to the picture.
func (b *Brain) draw(reports []*report.Report) {
	for _, r := range reports {
		b.curves.climb(r, b.target.along(r))
	}
	if b.stage.state == "failed" {
		return // no picture shows them; one that is loaded later gets the next
	}
	if b.spec == nil {
		return
	}
	b.learn(reports)
	f := frame.Frame{Model: b.spec.Model, Path: b.path(reports), Noise: b.noised(reports)}
	if reports == nil && f.Path == nil {
		return // nothing is known before a run
	}
	if data := b.curves.frame(f, reports, b.runsOf(reports)); data != nil {
		b.host.Frame(data)
	}
}

// runsOf numbers the runs that reports were read from: methods that share a run have its number.
func (b *Brain) runsOf(reports []*report.Report) []int {
	runs := make([]int, len(reports))
	for i, r := range reports {
		runs[i] = slices.IndexFunc(reports, func(o *report.Report) bool { return b.job.SameRun(o.Method, r.Method) })
	}
	return runs
}

// parts is the whole page by the ids of its parts.
func (p *pane) parts() map[string]HTML {
	return map[string]HTML{
		"top": p.top(), "message": p.message(), "dropping": p.dropping(), "tour": p.tour(), "lesson": p.lesson(),
		"setup":  p.setup(),
		"r-head": p.number(), "r-forest": p.forest(), "r-checks": p.checks(), "numbers": p.numbers(),
		"view": p.picture(), "transport": p.transport(), "sheet": p.sheetPart(),
		"summary": tagText(`p id="summary" class="vh" aria-live="polite"`, p.summary.text),
	}
}

// Shell is the page before anything has been computed, for index.html.
func Shell(lang string) map[string]HTML {
	b := &Brain{appearance: appearance{words: words.New(lang)}, runState: runState{state: "loading"},
		stage: stage{state: "none"}}
	b.spec = b.draft()
	return b.pane().parts()
}

// shown is the report whose number is large, nil while there is none.
func (p *pane) shown() *report.Report {
	if p.focus < len(p.reports) {
		return p.reports[p.focus]
	}
	return nil
}

// label is the short name of a method.
func label(method string) string {
	if info, ok := catalog.Method(method); ok {
		return info.Label
	}
	return method
}
