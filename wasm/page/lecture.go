package page

import (
	"slices"
	"strings"

	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// lecture is the deck on show. It must not know how experiments run.
type lecture struct {
	state.Lecture
	own   desk.File // the file of a deck that the user brought
	began float64   // when the first step was left, 0: not yet
	due   float64   // when the experiment of the step starts, 0: it has started
}

// turnPause is how long a step stays before its experiment starts, in seconds: who leafs through a deck starts none.
const turnPause = .25

// end forgets the deck on show.
func (l *lecture) end() { *l = lecture{own: l.own} }

// lectureEvents are about decks.
func (b *Brain) lectureEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"turn":      func(e state.Event) { b.turn(e.Value) },
		"deck-end":  func(state.Event) { b.leaveDeck() },
		"notes":     func(e state.Event) { b.lecture.Notes = e.On },
		"keep-deck": func(e state.Event) { b.keepDeck(e.Value) },
	}
}

// deckKeys are the keys of a deck, and what they do. Clickers send arrows or Page Up and Page Down.
var deckKeys = map[string]string{"ArrowRight": "next", "ArrowDown": "next", "PageDown": "next", " ": "next",
	"Enter": "next", "ArrowLeft": "back", "ArrowUp": "back", "PageUp": "back", "Backspace": "back", "Home": "first",
	"End": "last"}

// deckOf is the view of a link to a deck; Deck is "" in that of any other link.
func deckOf(link string) (state.Settings, error) {
	var view []string
	for _, part := range strings.Split(link, "&") {
		if strings.HasPrefix(part, "view.") {
			view = append(view, part)
		}
	}
	s, err := ParseSettings(view)
	return s.DeckView(), err
}

// openDeck shows a deck of the site, or of the user, at a step. wrong is what could not be read of its link.
func (b *Brain) openDeck(at state.Settings, wrong error) {
	clock := b.lecture.began
	b.Stop()
	if b.previous, b.quiz = (state.Previous{}), (state.Quiz{}); b.Settings.Deck != at.Deck {
		clock = 0
	}
	b.lecture.end()
	b.lecture.began = clock
	b.Settings, b.Spec, b.Address.Bad, b.State = at, nil, false, "loading"
	b.Panels.Sheet = ""
	b.Speak()
	b.room.Settle()
	show := func(name string, data []byte) {
		if b.readDeck(name, data) {
			b.show(min(max(at.Step, 1), len(b.lecture.Deck.Steps)), false)
			if wrong != nil {
				b.Problem = &state.Message{Level: "warn", Text: b.Words.T("view.left", b.Words.Sentence(wrong))}
			}
			return
		}
		b.Settings.Deck, b.Settings.Step = "", 0
		b.Fail(problem.New("the deck %s has mistakes", name))
	}
	if own := b.lecture.own; own.Data != nil && modelfile.ID(own.Data) == at.Deck {
		show(own.Name, own.Data)
		return
	}
	number := b.Number
	b.fetchDeck(deckFiles(at.Deck, b.Wanted()), func(name string, data []byte, err error) {
		switch {
		case b.Number != number: // another link was opened meanwhile
		case err == nil:
			show(name, data)
		default:
			b.Settings.Deck, b.Settings.Step = "", 0
			if spec.IsFile(at.Deck) {
				err = problem.New("this link leads to a deck of your own: drop its file on the page")
			} else {
				err = problem.New("the deck %s did not come: %w", at.Deck, err)
			}
			b.Fail(err)
			b.Problem.Action = &state.Action{Label: b.Words.T("lecture"), Event: "sheet", Value: "lecture"}
		}
	})
}

// deckFiles are the files of a deck on the site, the one in the reader's language first.
func deckFiles(name, lang string) []string {
	files := []string{"decks/" + name + ".txt"}
	if lang != "en" && lang != "xx" && !spec.IsFile(name) {
		files = append([]string{"decks/" + name + "." + lang + ".txt"}, files...)
	}
	return files
}

// fetchDeck brings the first of some files that there is.
func (b *Brain) fetchDeck(files []string, done func(name string, data []byte, err error)) {
	b.Host.Fetch(files[0], false, func(data []byte, err error) {
		if err != nil && len(files) > 1 {
			b.fetchDeck(files[1:], done)
			return
		}
		b.Repaint.Dirty = true
		done(files[0][strings.LastIndex(files[0], "/")+1:], data, err)
	})
}

// takeDeck shows a deck that the user brought, or says what is wrong in it; then whatever was on show stays.
func (b *Brain) takeDeck(f desk.File) {
	if b.Repaint.AtOnce(); b.room.Open() {
		b.Problem = &state.Message{Level: "info", Text: b.Words.T("room.fixed")}
		return
	}
	if !b.readDeck(f.Name, f.Data) {
		return
	}
	b.Address.Leave()
	read := b.lecture.Lecture
	at := b.Settings.DeckView()
	at.Deck, at.Step = modelfile.ID(f.Data), 1
	b.Stop()
	b.previous, b.quiz, b.Panels.Sheet, b.Address.Bad, b.Settings = state.Previous{}, state.Quiz{}, "", false, at
	b.lecture = lecture{own: f, Lecture: read}
	b.show(1, false)
}

// readDeck reads the file of a deck; false: it has mistakes, and the page lists them.
func (b *Brain) readDeck(name string, data []byte) bool {
	d, faults := deck.Parse(data, deck.Judge{Link: b.judgeLink, Control: b.judgeControl})
	b.lecture.Faults, b.lecture.File = faults, name
	if len(faults) > 0 {
		b.Panels.Sheet = "lecture"
		return false
	}
	b.lecture.Deck = d
	return true
}

// judgeLink says what is wrong with the link of a step.
func (b *Brain) judgeLink(link string) error {
	s, err := spec.ParseLink(link, b.Names())
	if err == nil {
		_, err = ParseSettings(s.View)
	}
	return err
}

// judgeControl says what is wrong with a control of a step.
func (b *Brain) judgeControl(link, control string) error {
	s, err := spec.ParseLink(link, b.Names())
	if err != nil || slices.Contains([]string{view.BetaControl, view.SeedControl, view.ClassControl}, control) {
		return err
	}
	if view.ControlOf(s, control) != "" {
		return nil
	}
	var all []string
	for _, m := range s.Methods {
		params, _ := b.Names().MethodParams(m)
		for _, q := range params {
			if key := m + "." + q.Name; view.ControlOf(s, key) == key {
				all = append(all, q.Name)
			}
		}
	}
	return problem.New("%s is nothing that can be changed here; there are %s", control,
		strings.Join(append(slices.Compact(all), view.SeedControl, view.BetaControl, view.ClassControl), ", "))
}

// turn goes to another step, or answers the question of this one.
func (b *Brain) turn(to string) {
	l := &b.lecture
	if l.Deck == nil {
		return
	}
	k, n := b.Settings.Step, len(l.Deck.Steps)
	switch {
	case to == "next" && !l.Revealed:
		b.show(k, true)
	case to == "next" && k < n:
		if l.began == 0 {
			l.began = b.Host.Now()
		}
		b.show(k+1, false)
	case to == "back" && k > 1: // as it was left
		b.show(k-1, true)
	case to == "first":
		b.show(1, false)
	case to == "last":
		b.show(n, true)
	}
}

// show shows a step. One that asks waits with its experiment until it is revealed. An experiment that is on show
// already goes on.
func (b *Brain) show(k int, revealed bool) {
	step := b.lecture.Deck.Steps[k-1]
	at := b.Settings.DeckView()
	at.Step = k
	s, _ := spec.ParseLink(step.Link, b.Names()) // the deck was read with it
	own, _ := ParseSettings(s.View)
	at.Scene, at.Focus, at.Against, at.Slow, at.Pool = own.Scene, own.Focus, own.Against, own.Slow, own.Pool
	b.Settings, b.Panels.Sheet, b.Repaint.Focus = at, "", "deck-says"
	b.lecture.Revealed = revealed || step.Ask == ""
	if own.Fresh {
		s.Seed = b.Host.Random()
	}
	if b.Spec == nil && !b.lecture.Revealed { // the deck begins with a question
		b.Spec, b.State = s, "idle"
	}
	stays := b.Spec != nil && b.Spec.Link() == s.Link() && (b.Active() || b.State == "done" || b.State == "loading")
	if b.lecture.Revealed && !stays {
		b.Stop()
		b.Spec, b.previous = s, state.Previous{}
		b.soon()
	}
	b.room.Asks(k, step, b.lecture.Revealed)
	b.pace()
	b.Repaint.Dirty = true
}

// soon starts the experiment after a pause.
func (b *Brain) soon() {
	b.State, b.lecture.due, b.Repaint.Dirty = "loading", b.Host.Now()+turnPause, true
}

// lectureTicks starts the experiment that is due, and moves the clock of the notes.
func (b *Brain) lectureTicks(now float64) {
	l := &b.lecture
	if l.due > 0 && now >= l.due {
		l.due = 0
		if l.Deck.Steps[b.Settings.Step-1].Control == view.ClassControl && b.room.Hosting {
			b.room.Start()
		} else {
			b.Run()
		}
	}
	if seconds := int(now - l.began); l.began > 0 && l.Notes && seconds != l.Seconds {
		l.Seconds, b.Repaint.Dirty = seconds, true
	}
}

// leaveDeck shows the experiment of the step in the lab.
func (b *Brain) leaveDeck() {
	b.Address.Leave()
	due := b.lecture.due > 0
	b.lecture.end()
	b.Settings.Deck, b.Settings.Step = "", 0
	switch {
	case b.Spec == nil:
		b.Open(state.DefaultLink + b.Settings.Link())
	case due:
		b.Run()
	}
}

// keepDeck lets the user keep a lecture as one file: the page, the deck, and the models of its experiments.
func (b *Brain) keepDeck(name string) {
	about := standalone{Link: "#" + strings.TrimPrefix(state.Settings{Deck: name, Lang: b.Settings.Lang}.Link(), "&"),
		Lab: b.Browser.Base}
	lost := func(err error) {
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("deck.unkept", b.Words.Sentence(err))}
		b.Repaint.Dirty = true
	}
	pack := func(file string, data []byte) {
		d, faults := deck.Parse(data, deck.Judge{Link: b.judgeLink, Control: b.judgeControl})
		if len(faults) > 0 {
			lost(faults[0].Err)
			return
		}
		var models []string
		for _, step := range d.Steps {
			s, _ := spec.ParseLink(step.Link, b.Names())
			models = append(models, catalog.Kinds.Files(s.Model)...)
		}
		slices.Sort(models)
		b.gather(slices.Compact(models), func(files map[string][]byte, err error) {
			if err != nil {
				lost(err)
				return
			}
			for _, file := range deckFiles(name, b.Words.Lang) { // in the language on show, whatever is asked for
				files[file] = data
			}
			b.saveAlone("logz-"+strings.ReplaceAll(name, ":", "-")+".html", about, files)
		})
	}
	if own := b.lecture.own; own.Data != nil && modelfile.ID(own.Data) == name {
		pack(own.Name, own.Data)
		return
	}
	b.fetchDeck(deckFiles(name, b.Words.Lang), func(file string, data []byte, err error) {
		if err != nil {
			lost(err)
			return
		}
		pack(file, data)
	})
}

// gather brings bundled files, by their paths on the site.
func (b *Brain) gather(models []string, done func(files map[string][]byte, err error)) {
	files := map[string][]byte{}
	var next func(i int)
	next = func(i int) {
		switch {
		case i == len(models):
			done(files, nil)
		case b.Came[models[i]] != nil:
			files["models/"+models[i]] = b.Came[models[i]]
			next(i + 1)
		default:
			b.Fetch(models[i], false, func(err error) {
				if err != nil {
					done(nil, err)
					return
				}
				next(i)
			})
		}
	}
	next(0)
}
