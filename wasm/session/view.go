package session

import (
	"fmt"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// View is what the page paints: markup by the id of the element it replaces, and
// the few facts the page itself must act on.
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
	T, Name string
	Reduced bool
	Words   map[string]string
}

// Message is a notice with at most one button.
type Message struct {
	Level  string
	Text   string
	Action *Action
}

// Action is a button that sends an event.
type Action struct{ Label, Event, Value string }

// pane is all that the markup of one view is made from.
type pane struct {
	*Brain
	w       *Words
	reports []*Report // nil while nothing has been run
	focus   int       // index into the methods of the spec
}

// paint makes the view, the curves and the summary and hands them to the host.
func (b *Brain) paint() {
	p := b.pane()
	if b.job != nil {
		b.say(p.reports)
		b.curves(p.reports)
		b.tellParent(p.reports)
	} else {
		b.summary = b.words.t("summary." + b.state)
	}
	v := View{State: b.state, Seen: b.seen, Lang: b.words.Lang, Theme: b.themeNow(), Stage: b.dress(), Sheet: b.sheet,
		Hide: strings.Join(b.set.Hide, " "), Embed: b.set.Embed, Entry: b.entry, Own: b.ownN, Parts: map[string]HTML{}}
	if b.spec != nil && !b.bad {
		v.Link = "#" + b.spec.Link() + b.set.Link()
	}
	for _, r := range p.reports {
		v.Numbers = v.Numbers || isNumber(r.LogZ)
	}
	b.numbers = v.Numbers
	for id, h := range p.parts() {
		if b.sent[id] != h {
			b.sent[id], v.Parts[id] = h, h
		}
	}
	b.host.View(v.JSON())
}

// firstNumber reports whether there is a number where the page shows none yet: people wait for it.
func (b *Brain) firstNumber() bool {
	return !b.numbers && b.job != nil && slices.ContainsFunc(b.job.tracks, func(t *track) bool {
		r := t.estimate()
		return r != nil && r.LogZ == r.LogZ
	})
}

func (b *Brain) pane() *pane {
	p := &pane{Brain: b, w: b.words}
	if b.spec != nil {
		for i, m := range b.spec.Methods {
			if m == b.set.Focus {
				p.focus = i
			}
		}
	}
	if b.job != nil {
		p.reports = b.job.Reports(b.elapsed())
		for _, r := range p.reports {
			b.remember(r)
			if _, ok := b.took[r.Method]; r.State == "done" && !ok {
				b.took[r.Method] = b.elapsed()
			}
		}
	}
	return p
}

// parts is the whole page by the ids of its parts.
func (p *pane) parts() map[string]HTML {
	return map[string]HTML{
		"top": p.top(), "message": p.message(), "setup": p.setup(), "r-head": p.head(), "r-forest": p.forest(), "r-checks": p.checks(),
		"view": p.picture(), "transport": p.transport(), "numbers": p.numbers(), "sheet": p.sheetPart(),
		"summary": el("p", at(` id="summary" class="vh" aria-live="polite"`), text(p.summary)), "dropping": p.dropping(),
	}
}

// Shell is the page before anything has been computed, for index.html.
func Shell(lang string) map[string]HTML {
	b := &Brain{words: NewWords(lang), state: "loading", stage: "none"}
	b.spec, _ = spec.ParseLink(DefaultLink, catalog.Names{})
	return b.pane().parts()
}

// shown is the report whose number is large, nil while there is none.
func (p *pane) shown() *Report {
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

// say updates the polite summary, at most every few seconds.
func (b *Brain) say(reports []*Report) {
	now := b.host.Now()
	if b.lastSum != 0 && now-b.lastSum < summaryEvery {
		return
	}
	b.lastSum = now
	var parts []string
	for _, r := range reports {
		if !isNumber(r.LogZ) {
			continue
		}
		d := format.Decimals(float64(r.SE))
		s := b.words.t("say.logz", label(r.Method), format.Fixed(float64(r.LogZ), d))
		if isNumber(r.SE) {
			s = b.words.t("say.bar", label(r.Method), format.Fixed(float64(r.LogZ), d), format.Fixed(float64(r.SE), d))
		}
		verdict := b.words.t("verdict." + r.Verdict.Level)
		if r.Provisional {
			verdict = b.words.t("sofar", verdict)
		}
		parts = append(parts, s+" "+verdict+".")
	}
	if len(parts) == 0 {
		parts = append(parts, b.words.t("say.running"))
	}
	b.summary = strings.Join(parts, " ")
}

// caption splits a text after its first sentence, which stands out.
func caption(s string) []HTML {
	if first, rest, ok := strings.Cut(s, ". "); ok {
		return []HTML{tag("b", text(first+".")), text(" " + rest)}
	}
	return []HTML{tag("b", text(s))}
}

func (p *pane) message() HTML {
	m := p.problem
	if m == nil {
		return el("div", at(` id="message" role="alert" hidden`))
	}
	kids := []HTML{icon("v-"+m.Level, "i"), tag("p", text(m.Text))}
	if a := m.Action; a != nil {
		kids = append(kids, button("", a.Event, a.Value, text(a.Label)))
	}
	kids = append(kids, button("quiet", "dismiss", "", icon("i-close", "i"), el("span", at(` class="vh"`), text(p.w.t("close")))))
	return el("div", at(` id="message" role="alert"`, "data-level", m.Level), kids...)
}

func (p *pane) dropping() HTML {
	return el("div", at(` id="dropping" hidden data-keep=""`), tag("b", text(p.w.t("drop.now"))), tag("p", text(p.w.t("drop.note"))))
}

// top is the head line.
func (p *pane) top() HTML {
	w := p.w
	home := at(` class="mark" href="./"`)
	kids := []HTML{el("a", home, logZ, text(" Lab"))}
	if k := p.set.Lesson; k > 0 {
		kids = append(kids, el("a", at(` class="lesson"`, "href", lessons[k-1].Page),
			el("span", at(` class="lesson-n"`), text(w.t("lesson.of", k, len(lessons)))), el("span", at(` class="lesson-t"`), text(w.phrase(lessons[k-1].Title)))))
	} else {
		kids = append(kids, el("p", at(` class="tagline"`), text(w.t("tagline"))))
	}
	var seg []HTML
	now := p.themeNow()
	for _, name := range []string{"light", "dark", "projector"} {
		seg = append(seg, el("button", at(` type="button" data-event="theme"`, "data-value", name, "aria-pressed", yes(name == now)), text(w.t("theme."+name))))
	}
	nav := []HTML{
		el("span", at(` id="copied" role="status" data-keep=""`), text(p.copied)),
		el("a", at(` class="quiet wide" href="lessons/index.html"`), text(w.t("lessons"))),
		el("a", at(` class="quiet wide" href="experiments/index.html"`), text(w.t("experiments"))),
		el("button", at(` type="button" id="share" class="quiet" aria-haspopup="dialog"`, "aria-label", w.t("share"), "disabled", when(p.spec == nil)), icon("i-share", "i narrow"), el("span", at(` class="word"`), text(w.t("share")))),
		button("quiet wide", "sheet", "export", text(w.t("export"))),
		el("div", at(` class="seg wide" role="group"`, "aria-label", w.t("display")), seg...),
		el("button", at(` type="button" class="quiet wide" data-event="sheet" data-value="help"`, "aria-label", w.t("help.title")), text("?")),
		el("button", at(` type="button" id="leave" data-event="theme" data-value="leave"`), text(w.t("leave")), tag("kbd", text("Esc"))),
		el("button", at(` type="button" class="quiet narrow" data-event="sheet" data-value="menu"`, "aria-label", w.t("menu")), icon("i-menu", "i")),
	}
	return el("header", at(` id="top" class="top"`), append(kids, el("nav", at(` class="top-nav"`, "aria-label", w.t("page")), nav...))...)
}

// transport is what runs and stops the experiment.
func (p *pane) transport() HTML {
	w := p.w
	running, paused := p.state == "running", p.state == "paused"
	run := w.t("run")
	if paused {
		run = w.t("resume")
	}
	none := p.spec == nil
	control := func(id, image, word, key, class string, disabled, hidden bool) HTML {
		return el("button", at(` type="button"`, "id", id, "class", class, "title", key, "disabled", when(disabled), "hidden", when(hidden)),
			icon(image, "i"), el("span", at(` class="word"`), text(word)))
	}
	share, now, rest := p.progress()
	speed := slowest - p.set.Slow
	return el("section", at(` id="transport" class="transport"`, "aria-label", w.t("run")),
		el("progress", at(` id="progress" max="1"`, "value", spec.Decimal(share), "aria-label", w.t("progress"))),
		control("run", "i-play", run, w.t("key.space"), "primary", none, running), // a click while the model loads asks for what comes anyway
		control("pause", "i-pause", w.t("pause"), w.t("key.space"), "primary", !running, !running),
		control("step", "i-step", w.t("step"), w.t("key.right"), "", !running && !paused, false),
		control("restart", "i-restart", w.t("restart"), "R", "", none, false),
		control("new-seed", "i-seed", w.t("newseed"), "N", "", none, false),
		el("label", at(` class="speed"`), tag("span", text(w.t("speed"))),
			el("input", at(` type="range" id="speed" min="0"`, "max", fmt.Sprint(slowest), "value", fmt.Sprint(speed), "aria-valuetext", w.t(fmt.Sprintf("speed.%d", p.set.Slow))))),
		el("p", at(` id="eta" class="eta"`), tag("b", text(now)), text(" "), tag("span", text(rest))),
		el("button", at(` type="button" class="to-setup" data-event="sheet" data-value="setup"`), icon("i-setup", "i"), tag("span", text(w.t("setup")))),
	)
}

// progress is the share done, what to call it, and what is left.
func (p *pane) progress() (share float64, now, rest string) {
	w := p.w
	switch {
	case p.job == nil && p.state == "loading" && p.host != nil:
		return 0, w.t("state.model"), ""
	case p.job == nil:
		return 0, w.t("state." + p.state), ""
	}
	if p.state == "done" || p.state == "failed" {
		return 1, w.t("state." + p.state), w.t("seconds", p.elapsed())
	}
	share, _ = p.job.Progress()
	switch {
	case p.job.base != nil:
		return share, w.t("state.rates"), ""
	case p.state == "paused":
		return share, fmt.Sprintf("%.0f %%", 100*share), w.t("state.paused")
	}
	if left := p.elapsed() * (1 - share) / max(share, 1e-9); share > .02 && p.elapsed() > .3 {
		rest = w.t("left", timeText(left))
	}
	return share, fmt.Sprintf("%.0f %%", 100*share), rest
}

// timeText is 3 s, 2 min or 1.5 h.
func timeText(s float64) string {
	switch {
	case s < 90:
		return fmt.Sprintf("%.0f s", max(s, 1))
	case s < 5400:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.1f h", s/3600)
}
