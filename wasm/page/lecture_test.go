package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// ownDeck has a step that asks, one with the experiment of the step before in another picture, and one with a slider.
const ownDeck = "# Mine\n\nlink: #v=1&model=mixture2&method=is&is.particles=100&view.scene=plane\nsay: One.\n" +
	"notes: Aside.\n\n" +
	"link: #v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=20\nask: How many?\n" +
	"- Two\n- * Three\nsay: Four.\n\n" +
	"link: #v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=20&view.scene=trace\nsay: Five.\n\n" +
	"say: Six.\ncontrol: temperatures\n"

// pressRun sends a key.
func (p *fakePage) press(keys ...string) {
	for _, key := range keys {
		p.controller.Event(state.Event{Name: "key", Value: key})
	}
	p.show()
}

func TestLectureSteps(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#view.deck=sum&view.theme=dark", Base: "https://lab.example/"})
	p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
	p.show()
	if !p.view.Deck || p.view.Link != "#view.deck=sum&view.step=1&view.theme=dark" || p.view.Rest {
		t.Errorf("deck %v at %s, rest %v", p.view.Deck, p.view.Link, p.view.Rest)
	}
	at := func(step string, revealed bool) {
		t.Helper()
		if link := "#view.deck=sum&view.step=" + step + "&view.theme=dark"; p.view.Link != link ||
			p.controller.lecture.Revealed != revealed {
			t.Errorf("at %s, revealed %v; want %s, %v", p.view.Link, p.controller.lecture.Revealed, link, revealed)
		}
	}
	p.press("ArrowLeft")
	at("1", true)
	p.press("PageDown")
	at("2", true)
	p.finish()
	if s := p.part("deck"); !strings.Contains(s, "2 / 13") || p.view.Hide != "numbers details points" {
		t.Errorf("the step, which hides %q, shows %s", p.view.Hide, s)
	}

	// An experiment that is on show goes on.
	number := p.controller.Number
	p.press(" ")
	at("3", true)
	if p.turn(0); p.controller.Number != number || p.controller.State() != runstate.Done {
		t.Errorf("the same experiment began again: %s", p.controller.State())
	}
	if s := p.part("deck"); !strings.Contains(s, "2.3 ± 0.3") {
		t.Errorf("the step shows %s", s)
	}

	// A question comes before its picture and number.
	p.press("ArrowRight", "ArrowRight")
	at("5", false)
	s := p.part("deck")
	if !strings.Contains(s, "points still count") || !strings.Contains(s, "About 500") || strings.Contains(s, "± ") ||
		strings.Contains(s, "shows two of the ten") || strings.Contains(s, "deck-right") {
		t.Errorf("the question shows %s", s)
	}
	p.press("ArrowRight")
	at("5", true)
	if s := p.part("deck"); !strings.Contains(s, "shows two of the ten") || strings.Contains(s, "About 500<") ||
		!strings.Contains(s, "deck-right") {
		t.Errorf("the answer is %s", s)
	}
	p.press("PageUp", "ArrowRight")
	at("5", false)
	p.press("ArrowRight", "ArrowRight", "Backspace") // a step that was left is as it was left
	at("5", true)
	p.press("End", "ArrowRight")
	at("13", true)
	if s := p.part("deck"); !strings.Contains(s, "deck-home") || !strings.Contains(s, `href="https://lab.example/#view.deck=sum"`) ||
		!strings.Contains(s, `class="qr"`) || strings.Contains(s, "deck-z") {
		t.Errorf("the last step shows %s", s)
	}
	if p.press("b"); !strings.Contains(p.part("deck"), "deck-blank") || p.view.Focus != "deck-blank" {
		t.Errorf("B shows %s", p.part("deck"))
	}
	p.press("Escape")
	if at("13", true); strings.Contains(p.part("deck"), "deck-blank") {
		t.Error("the screen stays black")
	}
	p.press("Home")
	at("1", true)
	p.press("3", "N") // keys of the lab
	at("1", true)
	p.press("ArrowRight", "ArrowRight", "ArrowRight")
	if s := p.part("deck"); !strings.Contains(s, "<span>Number of points</span>") {
		t.Errorf("the slider of points has another name: %s", s)
	}

	// A question by its address is at rest until it is answered.
	p.controller.Event(state.Event{Name: "link", Value: "#view.deck=sum&view.step=11&view.theme=dark"})
	p.turn(0)
	p.show()
	if at("11", false); !p.view.Rest || p.controller.Job != nil {
		t.Errorf("a question is %s, at rest: %v", p.controller.State(), p.view.Rest)
	}
	p.press("PageDown")
	at("11", true)
	p.finish()
	if s := p.part("deck"); !strings.Contains(s, "<span>Cooling steps</span>") {
		t.Errorf("the slider of steps is called otherwise: %s", s)
	}

	// The lab goes on with the experiment of the step.
	link := p.controller.Spec.Link()
	p.press("Escape")
	if p.view.Deck || p.view.Link != "#"+link+p.controller.Settings.Link() || p.controller.Settings.Step != 0 {
		t.Errorf("after the lecture: %v, %s", p.view.Deck, p.view.Link)
	}
}

// TestLectureList checks that the list of lectures says how long each is, and links to its handout, in both languages.
func TestLectureList(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"12 slides, about 26 minutes", `href="decks/tempering.html"`},
		"de": {"12 Folien, etwa 26 Minuten", `href="decks/tempering.de.html"`},
	} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: "#v=1&model=mixture2&method=is&view.lang=" + lang, Base: "https://lab.example/"})
		p.until("the model", func() bool { return p.controller.Spec != nil })
		p.controller.Event(state.Event{Name: "sheet", Value: "lecture"})
		p.show()
		for _, text := range want {
			if s := p.part("sheet"); !strings.Contains(s, text) || strings.Contains(s, "%!") {
				t.Errorf("%s: the list lacks %q: %s", lang, text, s)
			}
		}
	}
}

// A step can show its picture at a temperature and without details, and the next step the same experiment as it cools;
// the lab shows the whole picture.
func TestLecturePictures(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("view.deck=sum&view.step=7")
	p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
	p.finish()
	dressed := func(beta, hide string) {
		t.Helper()
		for _, d := range p.view.Canvas {
			if d.T == "beta" && d.Name != beta || d.T == "hide" && d.Name != hide {
				t.Errorf("%s is %q at %s", d.T, d.Name, p.view.Link)
			}
		}
	}
	dressed("0", "numbers details errors")
	run := p.controller.Number
	if p.press("ArrowRight"); p.controller.Number != run {
		t.Error("the experiment began again")
	}
	dressed("", "details errors")
	p.press("ArrowLeft", "Escape")
	dressed("", "")
	if strings.Contains(p.view.Link, "view.beta") || strings.Contains(p.view.Link, "view.hide") {
		t.Errorf("the lab is at %s", p.view.Link)
	}
}

// Turning quickly through the steps of a deck starts no runs. After the last turn the run of the step on show starts.
func TestLectureStartsRunAfterLastTurn(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("view.deck=sum")
	p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
	units, killed := p.units, len(p.Killed)
	for range 60 {
		p.controller.Event(state.Event{Name: "key", Value: "ArrowRight"})
		p.turn(1)
		p.controller.Event(state.Event{Name: "key", Value: "ArrowLeft"})
		p.turn(1)
	}
	if p.units != units || p.controller.Job != nil {
		t.Errorf("leafing sent %d units", p.units-units)
	}
	p.finish()
	if len(p.Killed) != killed || p.controller.Spec.Methods[0] != "rm" {
		t.Errorf("killed %v, ran %s", p.Killed, p.controller.Spec.Link())
	}
}

// A deck file of the user is recognised by its content. Its slider runs the experiment of the step again.
func TestLectureOwnDeck(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.turn(5)
	p.controller.File("mine.txt", []byte(strings.Replace(ownDeck, "say: Six.", "sya: Six.", 1)), 7)
	p.show()
	if s := p.part("sheet"); !strings.Contains(s, "mine.txt cannot be shown") || !strings.Contains(s, "Line 16:") ||
		!strings.Contains(s, "sya: Six.") || p.controller.State() != runstate.Running || p.view.Filed != 7 || p.view.Deck {
		t.Errorf("state %s, the page says %s", p.controller.State(), s)
	}
	p.controller.File("mine.txt", []byte(ownDeck), 8)
	p.show()
	if !p.view.Deck || p.view.Slides != 8 || !strings.HasPrefix(p.view.Link, "#view.deck=file:") || p.view.Sheet != "" {
		t.Errorf("deck %v, %d, at %s, sheet %q", p.view.Deck, p.view.Slides, p.view.Link, p.view.Sheet)
	}
	p.finish()
	p.press("End")
	if s := p.part("deck"); !strings.Contains(s, `data-slide="ais.temperatures"`) || p.controller.Settings.Scene != "trace" {
		t.Errorf("scene %s, the last step shows %s", p.controller.Settings.Scene, s)
	}
	p.finish()
	before := p.controller.Spec.Link()
	for pos := range 5 { // as a slider that is drawn
		p.controller.Event(state.Event{Name: "slide", Key: "ais.temperatures", Value: string(rune('3' + pos)), Enter: true})
		p.turn(0)
	}
	if p.controller.Job != nil || p.controller.State() != runstate.Loading {
		t.Errorf("the slider is at rest in state %s", p.controller.State())
	}
	if p.finish(); p.controller.Spec.Link() == before || !strings.Contains(p.view.Link, "view.deck=file:") {
		t.Errorf("ran %s at %s", p.controller.Spec.Link(), p.view.Link)
	}

	// The same address again; and with another page, which lacks the file.
	link := p.view.Link
	p.controller.Event(state.Event{Name: "link", Value: link})
	p.show()
	if p.controller.lecture.Deck == nil || p.controller.Settings.Step != 4 {
		t.Errorf("the deck's address leads to step %d", p.controller.Settings.Step)
	}
	p = newPage(t, 1)
	p.lost["decks/"+strings.TrimSuffix(strings.TrimPrefix(link, "#view.deck="), "&view.step=4")+".txt"] = true
	p.controller.Open(link)
	p.turn(0)
	p.show()
	if m := p.controller.Problem; m == nil || !strings.Contains(m.Text, "drop it on the page") {
		t.Errorf("without the file the page says %+v", m)
	}
	p.controller.File("mine.txt", []byte(ownDeck), 3)
	if p.show(); !p.view.Deck || p.controller.Problem != nil {
		t.Errorf("with its file: %v, %+v", p.view.Deck, p.controller.Problem)
	}
}

// The page reports a deck that cannot be fetched, and shows the German version of a deck.
func TestLectureFiles(t *testing.T) {
	p := newPage(t, 1)
	p.lost["decks/nosuch.txt"] = true
	p.controller.Open("view.deck=nosuch")
	p.turn(0)
	p.show()
	if m := p.controller.Problem; p.view.Deck || m == nil || !strings.Contains(m.Text, "nosuch") || m.Action == nil {
		t.Errorf("deck %v, message %+v", p.view.Deck, m)
	}
	p.controller.Open("view.deck=sum&view.step=99&view.lang=de")
	p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
	if d := p.controller.lecture.Deck; d.Title != "Von der Summe zur Temperatur" || p.controller.Settings.Step != 1 {
		t.Errorf("%s, step %d", d.Title, p.controller.Settings.Step)
	}
	p.controller.Event(state.Event{Name: "turn", Value: "next"})
	p.controller.Event(state.Event{Name: "lang", Value: "en"})
	p.turn(0)
	if d := p.controller.lecture.Deck; d == nil || d.Title != "From a sum to a temperature" || p.controller.Settings.Step != 2 {
		t.Errorf("in English: %+v, step %d", d, p.controller.Settings.Step)
	}
	p.lost["decks/sum.de.txt"] = true // a deck in one language only
	p.controller.Event(state.Event{Name: "lang", Value: "de"})
	p.turn(0)
	p.turn(0)
	if d := p.controller.lecture.Deck; d == nil || d.Title != "From a sum to a temperature" {
		t.Errorf("without German: %+v", d)
	}
}

// The presenter's window has the notes, what comes next and the time since the first step; its keys and buttons turn.
func TestLectureNotes(t *testing.T) {
	p := newPage(t, 1)
	p.controller.File("mine.txt", []byte(ownDeck), 1)
	if p.show(); p.parts["notes"] != "" {
		t.Error("there are notes without a window")
	}
	p.controller.Event(state.Event{Name: "notes", On: true})
	p.show()
	says := func(all ...string) {
		t.Helper()
		for _, s := range all {
			if !strings.Contains(string(p.parts["notes"]), s) {
				t.Errorf("the notes lack %q: %s", s, p.parts["notes"])
			}
		}
	}
	says("Mine", "1 / 4", "Aside.", "How many?", ">0:00<")
	for range 100 {
		p.turn(0)
	}
	says(">0:00<") // the audience comes in
	p.controller.Event(state.Event{Name: "turn", Value: "next"})
	for range 1300 {
		p.turn(0)
	}
	says("2 / 4", "How many?", `class="right">Three`, "Four.", ">1:0")
	p.press("End")
	says("4 / 4", "Six.", "That was the last step.")
}

// A lecture as one file has the deck and the models of all its experiments.
func TestLectureAsSingleFile(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: smallLink + "&view.lang=de", Base: "https://lab.example/"})
	p.controller.Event(state.Event{Name: "keep-deck", Value: "trust"})
	p.until("the file", func() bool { return p.Files != nil })
	if !strings.Contains(p.Downloads[len(p.Downloads)-1], `"link":"#view.deck=trust`) ||
		p.Files["models/rbm-cd25-20.npz"] == nil || p.Files["models/rbm-pcd-20.npz"] == nil ||
		!strings.HasPrefix(string(p.Files["decks/trust.txt"]), "# Wann man") {
		t.Errorf("%s with %d files", p.Downloads[len(p.Downloads)-1], len(p.Files))
	}
}

// A slide has no word that a class does not know: the sign of a verdict has its word beside it, methods are called by
// what they do, and nats are left out. The lab has the words of the field.
func TestSlidesUsePlainWords(t *testing.T) {
	said := func(p *fakePage) map[string]string {
		for _, d := range p.view.Canvas {
			if d.T == "words" {
				return d.Words
			}
		}
		return nil
	}
	for lang, want := range map[string][4]string{"en": {"annealing", "log Z", "effective sample size", "Trust"},
		"de": {"Annealing", "log Z", "effektive Stichprobengröße", "Vertrauen"}} {
		p := newPage(t, 1)
		p.controller.Open("view.deck=sum&view.step=4&view.lang=" + lang)
		p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
		p.finish()
		if w := said(p); w["ais"] != want[0] || w["log Z, nats"] != want[1] || w["ESS"] != want[2] {
			t.Errorf("on a slide: %q, %q, %q", w["ais"], w["log Z, nats"], w["ESS"])
		}
		if s := p.part("deck"); !strings.Contains(s, "</svg>"+want[3]+"</span>") {
			t.Errorf("the sign has no words: %s", s)
		}
		p.press("Escape")
		if w := said(p); w["ais"] != "AIS" || w["log Z, nats"] == want[1] || w["ESS"] == want[2] {
			t.Errorf("in the lab: %q, %q, %q", w["ais"], w["log Z, nats"], w["ESS"])
		}
	}
	p := newPage(t, 1)
	p.controller.Open("view.deck=resample&view.step=11&view.lang=de")
	p.until("the deck", func() bool { return p.controller.lecture.Deck != nil })
	if p.show(); !strings.Contains(p.part("deck"), "<span>Zahl der Zeichnungen</span>") {
		t.Errorf("the slider of drawings has another name: %s", p.part("deck"))
	}
	p = newPage(t, 1)
	p.controller.File("mine.txt", []byte("# M\n\nlink: #v=1&model=mixture2&method=is,ais,ts&is.particles=50\nsay: S.\n"), 1)
	p.finish()
	if s := p.part("deck"); !strings.Contains(s, ">random points ") || !strings.Contains(s, ">annealing ") ||
		!strings.Contains(s, `data-key="ts"`) {
		t.Errorf("methods are %s", s)
	}
}
