package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/state"
)

// Lecture describes a lecture of the site in the list of lectures. Its title is a word of the page.
type Lecture struct {
	Name             string // the name of its file in site/decks
	Steps, Questions int
}

// Minutes returns about how long the lecture takes: two minutes a step, and one more for each question.
func (l Lecture) Minutes() int { return 2*l.Steps + l.Questions }

// Lectures are the lectures of the site in the order of the list.
var Lectures = []Lecture{{"sum", 12, 2}, {"tempering", 10, 4}, {"resample", 11, 3}, {"trust", 11, 3}}

// Controls of a step that are not parameters.
const (
	BetaControl  = "beta"  // the temperature handle of the picture
	SeedControl  = "seed"  // a new seed
	ClassControl = "class" // in a room the class runs the experiment; without a room it runs here
)

// ControlOf returns the key METHOD.PARAMETER of the parameter that control names, with or without the method, or "" if
// the methods of the experiment have no such integer parameter.
func ControlOf(s *spec.Spec, control string) string {
	for _, m := range s.Methods {
		params, _ := catalog.Names{}.MethodParams(m)
		for _, q := range params {
			key := m + "." + q.Name
			if (control == q.Name || control == key) && q.Type == "int" && q.Main {
				return key
			}
		}
	}
	return ""
}

// step returns the current step, or nil.
func (p *page) step() *deck.Step {
	if d := p.Lecture.Deck; d != nil && p.Settings.Step > 0 {
		return &d.Steps[p.Settings.Step-1]
	}
	return nil
}

// nonBreaking keeps a value and its error bar on one line, and likewise "log Z" and "β = 1".
var nonBreaking = strings.NewReplacer(" ± ", "\u00a0±\u00a0", "log Z", "log\u00a0Z", "β = ", "β\u00a0=\u00a0")

// slide returns the markup around the picture of a lecture step: above it the sentence or question, below it the result,
// a control, and the position in the deck. The answers to an open question replace the picture.
func (p *page) slide() html.HTML {
	if !p.Lecturing() {
		return html.Tag(`section id="deck" hidden`)
	}
	s, w := p.step(), p.w
	if s == nil {
		return html.El(`section id="deck"`, html.At("aria-label", w.T("lecture")))
	}

	// The question, or the answer once revealed.
	says := []html.HTML{html.Text(nonBreaking.Replace(s.Say))}
	var answers html.HTML
	if asks := !p.Lecture.Revealed; asks {
		says = []html.HTML{html.Text(nonBreaking.Replace(s.Ask))}
		answers = p.answers(s) + p.voting()
	} else {
		if i := slices.IndexFunc(s.Answers, func(a deck.Answer) bool { return a.Right }); i >= 0 {
			says = []html.HTML{html.Tag(`span class="deck-right"`, html.Icon("v-trust", "i"), html.Text(s.Answers[i].Text+".")),
				html.Text(" " + nonBreaking.Replace(s.Say))}
		}
		answers = p.tally(p.Room.Question, -1)
	}
	if s.Address != "" {
		answers = html.Tag(`div class="deck-home"`, p.drawQR(s.Address, w.T("qr")), breakableAddress(s.Address))
	}

	// Buttons for the previous and the next step.
	n := len(p.Lecture.Deck.Steps)
	share, _, _ := p.progress()
	turn := func(to, off string) html.HTML {
		return html.El(`button type="button" class="quiet" data-event="turn"`, html.At("id", "deck-"+to, "data-value", to,
			"aria-disabled", off, "title", w.T("deck."+to)), html.Icon("i-caret", "i"),
			html.TagText(`span class="vh"`, w.T("deck."+to)))
	}

	// Head, answers, and foot.
	return html.El(`section id="deck"`, html.At("aria-label", p.Lecture.Deck.Title),
		html.Tag(`div class="deck-head"`, html.El(`h1 id="deck-says" tabindex="-1"`, html.At("data-key",
			strconv.Itoa(p.Settings.Step)), says...), p.deckTools()),
		answers,
		html.Tag(`div class="deck-foot"`,
			html.El(`progress max="1"`, html.At("value", spec.Decimal(share), "aria-label", w.T("progress"), "class",
				map[bool]string{true: "over"}[p.State == runstate.Done])),
			html.Tag(`p class="deck-number"`, p.deckNumber()...), p.deckControl(s),
			html.El(`nav class="deck-nav"`, html.At("aria-label", p.Lecture.Deck.Title),
				turn("back", html.Yes(p.Settings.Step == 1)),
				html.TagText("span", fmt.Sprintf("%d / %d", p.Settings.Step, n)),
				turn("next", html.Yes(p.Settings.Step == n && p.Lecture.Revealed)))), p.blankScreen())
}

// blankScreen covers the page in black until a key, a click or the remote control ends it.
func (p *page) blankScreen() html.HTML {
	if !p.Lecture.Blank {
		return ""
	}
	return html.Tag(`button type="button" id="deck-blank" data-event="turn" data-value="blank"`,
		html.Tag(`span class="vh" role="status"`, html.Text(p.w.T("deck.blank"))))
}

// breakableAddress returns an address that is broken across lines only after its separators.
func breakableAddress(address string) html.HTML {
	var kids []html.HTML
	for _, part := range strings.SplitAfter(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/") {
		for _, text := range strings.SplitAfter(part, "#") {
			kids = append(kids, html.Text(text), html.HTML("<wbr>"))
		}
	}
	return html.El("a", html.At("href", address), kids...)
}

// deckTools are the presenter's buttons.
func (p *page) deckTools() html.HTML {
	w := p.w
	return html.Tag(`div class="deck-tools"`, p.deckRoom(),
		html.El(`button type="button" class="quiet" data-event="notes"`, html.At("title", w.T("deck.notes.key")),
			html.Icon("i-menu", "i"), html.TagText(`span class="vh"`, w.T("deck.notes"))),
		html.El(`button type="button" class="quiet" data-event="deck-end"`, html.At("title", w.T("deck.end")),
			html.Icon("i-close", "i"), html.TagText(`span class="vh"`, w.T("deck.end"))))
}

// answers lists the answers to the question of a step.
func (p *page) answers(s *deck.Step) html.HTML {
	var items []html.HTML
	for i, a := range s.Answers {
		items = append(items, html.El("li", html.At("data-key", strconv.Itoa(i)), html.Text(a.Text)))
	}
	return html.Tag(`ol class="deck-answers" type="A"`, items...)
}

// maxResults is the largest number of results shown below a step.
const maxResults = 3

// deckNumber shows the results of the first methods, and the exact value if there is space.
func (p *page) deckNumber() (out []html.HTML) {
	if !p.Lecture.Revealed || p.step().Address != "" {
		return nil
	}

	// Estimates, with the verdict when final.
	for _, r := range p.Reports[:min(len(p.Reports), maxResults)] {
		if !report.IsNumber(r.LogZ) {
			continue
		}
		name, value := html.LogZ, p.FormatLogZ(r)
		if r.LogP != nil && report.IsNumber(r.LogP.LogP) {
			name, value = html.LogP, p.FormatEstimate(float64(r.LogP.LogP), float64(r.LogP.SE))
		}
		if len(p.Reports) > 1 {
			name = html.Text(methodLabel(p.Snapshot, r.Method))
		}
		kids := []html.HTML{name, html.Text(" "), html.TagText("b", value)}
		switch {
		case p.Room.Hosting && p.Room.Phase == state.RoomDone && p.Room.Board.Marked():
			kids = append(kids, html.Tag(`span class="deck-verdict caution"`, html.Icon("v-caution", "i"),
				html.Text(p.w.T("room.marked.short"))))
		case !r.Provisional && r.Verdict.Level != "" && len(p.Reports) < maxResults: // no space beside three results
			kids = append(kids, html.El("span", html.At("class", "deck-verdict "+r.Verdict.Level),
				html.Icon("v-"+r.Verdict.Level, "i"), html.Text(p.Verdict(r))))
		}
		out = append(out, html.El(`span class="deck-z"`, html.At("data-key", r.Method), kids...))
	}

	// How many devices helped.
	if b := p.Room.Board; len(out) > 0 && p.Room.Hosting && p.Room.Phase == state.RoomDone && b.Devices > 0 {
		out = append([]html.HTML{html.TagText(`span class="deck-z"`, p.w.T("room.card", b.Devices))}, out...)
	}

	// The exact value, if there is space.
	r := p.Shown()
	startButton := p.Room.Hosting && p.Room.Phase == state.RoomLobby // needs the space
	space := (p.step().Control == "" || p.step().Control == ClassControl) && !startButton
	if len(out) > 0 && r != nil && r.Truth != nil && r.LogP == nil && space {
		out = append(out, html.Tag(`span class="deck-z" data-key="exact"`, html.Text(p.w.T("exact")+" "),
			html.TagText("b", p.NumberOrDash(float64(r.Truth.LogZ), 2))))
	}
	return out
}

// deckControl is the control that the presenter or the class may use.
func (p *page) deckControl(s *deck.Step) html.HTML {
	class := s.Control == ClassControl || s.Control == "" && p.Room.Hosting
	if s.Control == "" && !class || !p.Lecture.Revealed || p.Spec == nil || class && !p.Room.Hosting {
		return html.Tag(`div class="deck-control" hidden`)
	}
	var kids []html.HTML
	switch key := ControlOf(p.Spec, s.Control); {
	case class:
		kids = []html.HTML{p.classRuns()}
	case s.Control == BetaControl:
		kids = []html.HTML{html.TagText("p", p.w.T("deck.handle"))}
	case s.Control == SeedControl:
		kids = []html.HTML{html.Button("", "new-seed", "", html.Icon("i-seed", "i"), html.Text(p.w.T("newseed")))}
	case key != "":
		q, _ := state.ParamOf(key)
		method, _, _ := strings.Cut(key, ".")
		info, _ := catalog.Method(method)
		x, _ := strconv.ParseFloat(p.Spec.Values(info.Params, method)[q.Name], 64)
		kids = []html.HTML{html.Tag("label", html.TagText("span", p.sliderName(key, q.Name)),
			html.El(`input type="range" min="0" max="100"`, html.At("data-slide", key, "value",
				strconv.Itoa(sliderPosition(q, x)), "aria-valuetext", p.Count(x)))), html.TagText("output", p.Count(x))}
	}
	return html.El(`div class="deck-control"`, html.At("data-key", s.Control), kids...)
}

// sliderName returns the label of a parameter on a slide: the one for this method, otherwise the one for all methods,
// otherwise the label of the form.
func (p *page) sliderName(key, name string) string {
	english := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " ")
	for _, word := range []string{key, english} {
		if plain, ok := slideWord(p.Snapshot, word); ok {
			return plain
		}
	}
	return p.w.Plain(english)
}

// deckNotes is the presenter's window: the text on the screen, the notes, the next step, and the time.
func (p *page) deckNotes() html.HTML {
	s, w := p.step(), p.w
	if s == nil {
		return html.Tag(`main id="notes"`)
	}

	// The text on the screen now and next.
	k, all := p.Settings.Step, p.Lecture.Deck.Steps
	says, next := s.Say, w.T("deck.over")
	if k < len(all) {
		if next = all[k].Say; all[k].Ask != "" {
			next = all[k].Ask
		}
	}
	if !p.Lecture.Revealed {
		says, next = s.Ask, s.Say
	}

	// For the presenter only: notes, and the right answers.
	var notes []html.HTML
	for _, text := range s.Notes {
		notes = append(notes, html.TagText("p", text))
	}
	var answers []html.HTML
	for _, a := range s.Answers {
		kind := ""
		if a.Right {
			kind = "right"
		}
		answers = append(answers, html.El("li", html.At("class", kind), html.Text(a.Text)))
	}

	// The window, from the clock to the buttons.
	clock := fmt.Sprintf("%d:%02d", p.Lecture.ElapsedSeconds/60, p.Lecture.ElapsedSeconds%60)
	return html.El(`main id="notes"`, html.At("lang", w.Lang),
		html.Tag(`div class="notes-head"`, html.TagText("span", p.Lecture.Deck.Title),
			html.TagText("b", fmt.Sprintf("%d / %d", k, len(all))),
			html.El("time", html.At("title", w.T("deck.clock")), html.Text(clock))),
		html.TagText("h1", says), html.El(`ol type="A"`, html.At("hidden", html.When(len(answers) == 0)), answers...),
		html.Tag(`div class="notes-text"`, notes...),
		html.Tag(`p class="notes-next"`, html.TagText("b", w.T("deck.then")), html.Text(" "+next)),
		html.Tag(`div class="pair"`, html.Button("", "turn", "back", html.Text(w.T("deck.back"))),
			html.Button("primary", "turn", "next", html.Text(w.T("deck.next")))), p.remoteInvitation())
}

// handoutPath returns the path of the handout of a lecture of the site, which exists in English and German.
func handoutPath(name, lang string) string {
	if lang == "de" {
		name += ".de"
	}
	return "decks/" + name + ".html"
}

// mostFaults is how many errors of a deck are listed.
const mostFaults = 12

// lectureSheet lists the lectures, and the errors in a dropped lecture file.
func (p *page) lectureSheet() (out []html.HTML) {
	w, l := p.w, p.Lecture
	if n := len(l.Faults); n > 0 {
		var faults []html.HTML
		for _, f := range l.Faults[:min(n, mostFaults)] {
			faults = append(faults, html.Tag("li", html.TagText("b", w.T("deck.line", strconv.Itoa(f.Line))),
				html.Text(" "+w.Sentence(f.Err))))
		}
		if n > mostFaults {
			faults = append(faults, html.TagText("li", w.T("deck.more", strconv.Itoa(n-mostFaults))))
		}
		out = append(out, html.El(`div class="faults" role="alert"`, nil, html.Icon("v-caution", "i"),
			html.TagText("p", w.T("deck.faults", l.FaultyFile))), html.Tag(`ul class="fault-list"`, faults...))
	}
	var items []html.HTML
	look := state.Settings{Theme: p.Settings.Theme, Lang: p.Settings.Lang, Projector: p.Settings.Projector}.Link()
	for _, lecture := range Lectures {
		name := lecture.Name
		items = append(items, html.El("li", html.At("data-key", name),
			html.El(`button type="button" data-event="link"`, html.At("data-value", "#view.deck="+name+look),
				html.Text(w.T("deck."+name))),
			html.TagText(`span class="why"`, w.T("deck."+name+".why")+" "+
				w.T("deck.length", strconv.Itoa(lecture.Steps), strconv.Itoa(lecture.Minutes()))+"."),
			html.Tag(`span class="keep-deck"`, html.El(`a target="_blank"`, html.At("href", p.Site(handoutPath(name, w.Lang))),
				html.Text(w.T("deck.handout"))), html.Button("quiet keep", "keep-deck", name, html.Text(w.T("deck.keep"))))))
	}
	return append(out, html.Tag(`ul class="choices decks"`, items...),
		html.Tag(`p class="why"`, html.Text(w.T("deck.own")+" "), html.El("a", html.At("href", p.Site("docs/decks.html")),
			html.Text(w.T("deck.docs")))),
		html.TagText(`p class="why"`, w.T("deck.keys")))
}
