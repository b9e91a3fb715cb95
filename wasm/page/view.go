package page

import (
	"fmt"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/spec"
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
	Entry   int             `json:"entry"`   // counts the entries of the history that the brain asks for
	Own     int             `json:"own"`     // the event that brought the own model in use, 0 none
	Parts   map[string]HTML `json:"parts"`   // those that changed
}

// Dressing is a message to the picture about one thing, T: "scene", "theme",
// "method" and "state" have a name, "motion" is reduced or not, "words" has translations.
type Dressing struct {
	T       string            `json:"t"`
	Name    string            `json:"name"`
	Reduced bool              `json:"reduced"`
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
	if b.job != nil {
		b.say(p.reports)
		b.draw(p.reports)
		b.tellParent(p.reports)
	} else {
		b.summary.text = b.words.T("summary." + b.state)
	}
	v := View{State: b.state, Seen: b.views.seen, Lang: b.words.Lang, Theme: b.theme(), Stage: b.dress(),
		Sheet: b.panels.sheet, Hide: strings.Join(b.set.Hide, " "), Embed: b.set.Embed,
		Entry: b.address.entry, Own: b.own.event, Parts: b.views.changed(p.parts())}
	if b.spec != nil && !b.address.bad {
		v.Link = "#" + b.spec.Link() + b.set.Link()
	}
	for _, r := range p.reports {
		v.Numbers = v.Numbers || report.IsNumber(r.LogZ)
	}
	b.views.numbers = v.Numbers
	b.host.View(report.Encode(v))
}

func (b *Brain) pane() *pane {
	p := &pane{Brain: b, w: b.words, reports: b.results()}
	if b.spec != nil {
		p.focus = max(slices.Index(b.spec.Methods, b.set.Focus), 0)
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
	if data := b.curves.frame(b.spec.Model, reports); data != nil {
		b.host.Frame(data)
	}
}

// parts is the whole page by the ids of its parts.
func (p *pane) parts() map[string]HTML {
	return map[string]HTML{
		"top": p.top(), "message": p.message(), "setup": p.setup(), "r-head": p.head(), "r-forest": p.forest(), "r-checks": p.checks(),
		"view": p.picture(), "transport": p.transport(), "numbers": p.numbers(), "sheet": p.sheetPart(),
		"summary": tagText(`p id="summary" class="vh" aria-live="polite"`, p.summary.text), "dropping": p.dropping(),
	}
}

// Shell is the page before anything has been computed, for index.html.
func Shell(lang string) map[string]HTML {
	b := &Brain{appearance: appearance{words: words.New(lang)}, runState: runState{state: "loading"}, stage: stage{state: "none"}}
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

// summary is what screen readers say of the run.
type summary struct {
	text string
	at   float64 // when it was made, 0: make it again
}

const summaryEvery = 3.0 // seconds

// say updates the polite summary, at most every few seconds.
func (b *Brain) say(reports []*report.Report) {
	now := b.host.Now()
	if b.summary.at != 0 && now-b.summary.at < summaryEvery {
		return
	}
	b.summary.at = now
	var parts []string
	for _, r := range reports {
		if !report.IsNumber(r.LogZ) {
			continue
		}
		d := format.Decimals(float64(r.SE))
		s := b.words.T("say.logz", label(r.Method), format.Fixed(float64(r.LogZ), d))
		if report.IsNumber(r.SE) {
			s = b.words.T("say.bar", label(r.Method), format.Fixed(float64(r.LogZ), d), format.Fixed(float64(r.SE), d))
		}
		verdict := b.words.T("verdict." + r.Verdict.Level)
		if r.Provisional {
			verdict = b.words.T("sofar", verdict)
		}
		parts = append(parts, s+" "+verdict+".")
	}
	if len(parts) == 0 {
		parts = append(parts, b.words.T("say.running"))
	}
	b.summary.text = strings.Join(parts, " ")
}

// caption splits a text after its first sentence, which stands out.
func caption(s string) []HTML {
	if first, rest, ok := strings.Cut(s, ". "); ok {
		return []HTML{tagText("b", first+"."), text(" " + rest)}
	}
	return []HTML{tagText("b", s)}
}

func (p *pane) message() HTML {
	m := p.problem
	if m == nil {
		return tag(`div id="message" role="alert" hidden`)
	}
	kids := []HTML{icon("v-"+m.Level, "i"), tagText("p", m.Text)}
	if a := m.Action; a != nil {
		kids = append(kids, button("", a.Event, a.Value, text(a.Label)))
	}
	kids = append(kids, p.closeButton("quiet", "dismiss"))
	return el(`div id="message" role="alert"`, at("data-level", m.Level), kids...)
}

// closeButton closes what an event is about.
func (p *pane) closeButton(class, event string) HTML {
	return button(class, event, "", icon("i-close", "i"), tagText(`span class="vh"`, p.w.T("close")))
}

func (p *pane) dropping() HTML {
	return tag(`div id="dropping" hidden data-keep=""`, tagText("b", p.w.T("drop.now")), tagText("p", p.w.T("drop.note")))
}

// top is the head line.
func (p *pane) top() HTML {
	w := p.w
	kids := []HTML{tag(`a class="mark" href="./"`, logZ, text(" Lab"))}
	if k := p.set.Lesson; k > 0 {
		kids = append(kids, el(`a class="lesson"`, at("href", lessons[k-1].Page),
			tagText(`span class="lesson-n"`, w.T("lesson.of", k, len(lessons))), tagText(`span class="lesson-t"`, w.Phrase(lessons[k-1].Title))))
	} else {
		kids = append(kids, tagText(`p class="tagline"`, w.T("tagline")))
	}
	var seg []HTML
	now := p.theme()
	for _, name := range []string{"light", "dark", "projector"} {
		seg = append(seg, el(`button type="button" data-event="theme"`, at("data-value", name, "aria-pressed", yes(name == now)), text(w.T("theme."+name))))
	}
	nav := []HTML{
		tagText(`span id="copied" role="status" data-keep=""`, p.sharing.copied),
		tagText(`a class="quiet wide" href="lessons/index.html"`, w.T("lessons")),
		tagText(`a class="quiet wide" href="experiments/index.html"`, w.T("experiments")),
		el(`button type="button" id="share" class="quiet" aria-haspopup="dialog"`, at("aria-label", w.T("share"), "disabled", when(p.spec == nil)), icon("i-share", "i narrow"), tagText(`span class="word"`, w.T("share"))),
		button("quiet wide", "sheet", "export", text(w.T("export"))),
		el(`div class="seg wide" role="group"`, at("aria-label", w.T("display")), seg...),
		el(`button type="button" class="quiet wide" data-event="sheet" data-value="help"`, at("aria-label", w.T("help.title")), text("?")),
		tag(`button type="button" id="leave" data-event="theme" data-value="leave"`, text(w.T("leave")), tagText("kbd", "Esc")),
		el(`button type="button" class="quiet narrow" data-event="sheet" data-value="menu"`, at("aria-label", w.T("menu")), icon("i-menu", "i")),
	}
	return tag(`header id="top" class="top"`, append(kids, el(`nav class="top-nav"`, at("aria-label", w.T("page")), nav...))...)
}

// transport is what runs and stops the experiment.
func (p *pane) transport() HTML {
	w := p.w
	running, paused := p.state == "running", p.state == "paused"
	run := w.T("run")
	if paused {
		run = w.T("resume")
	}
	none := p.spec == nil
	control := func(id, image, word, key, class string, disabled, hidden bool) HTML {
		return el(`button type="button"`, at("id", id, "class", class, "title", key, "disabled", when(disabled), "hidden", when(hidden)),
			icon(image, "i"), tagText(`span class="word"`, word))
	}
	share, now, rest := p.progress()
	speed := slowest - p.set.Slow
	return el(`section id="transport" class="transport"`, at("aria-label", w.T("run")),
		el(`progress id="progress" max="1"`, at("value", spec.Decimal(share), "aria-label", w.T("progress"))),
		control("run", "i-play", run, w.T("key.space"), "primary", none, running), // a click while the model loads asks for what comes anyway
		control("pause", "i-pause", w.T("pause"), w.T("key.space"), "primary", !running, !running),
		control("step", "i-step", w.T("step"), w.T("key.right"), "", !running && !paused, false),
		control("restart", "i-restart", w.T("restart"), "R", "", none, false),
		control("new-seed", "i-seed", w.T("newseed"), "N", "", none, false),
		tag(`label class="speed"`, tagText("span", w.T("speed")),
			el(`input type="range" id="speed" min="0"`, at("max", fmt.Sprint(slowest), "value", fmt.Sprint(speed), "aria-valuetext", w.T(fmt.Sprintf("speed.%d", p.set.Slow))))),
		tag(`p id="eta" class="eta"`, tagText("b", now), text(" "), tagText("span", rest)),
		tag(`button type="button" class="to-setup" data-event="sheet" data-value="setup"`, icon("i-setup", "i"), tagText("span", w.T("setup"))),
	)
}

// percentOf writes a share from 0 to 1.
func percentOf(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// progress is the share done, what to call it, and what is left.
func (p *pane) progress() (share float64, now, rest string) {
	w := p.w
	switch {
	case p.job == nil && p.state == "loading" && p.host != nil:
		return 0, w.T("state.model"), ""
	case p.job == nil:
		return 0, w.T("state." + p.state), ""
	}
	if p.state == "done" || p.state == "failed" {
		return 1, w.T("state." + p.state), w.T("seconds", p.elapsed())
	}
	share = p.share()
	switch {
	case p.job.Preparing():
		return share, w.T("state.rates"), ""
	case p.state == "paused":
		return share, percentOf(share), w.T("state.paused")
	}
	if left := p.elapsed() * (1 - share) / max(share, 1e-9); share > .02 && p.elapsed() > .3 {
		rest = w.T("left", format.Seconds(left))
	}
	return share, percentOf(share), rest
}
