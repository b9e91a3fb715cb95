package lecture

import (
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Lecture is the lecture that the page shows. It learns about runs only through run.Facts.
type Lecture struct {
	*shared.Context
	state.Lecture
	facts run.Facts

	Own        state.File // the user's own lecture file
	clockDeck  string     // ID of the deck to which clockStart belongs
	clockStart float64    // time at which the first step ended, in seconds; 0: not yet
	Due        float64    // start time of the step's experiment, 0 when it has started
}

// New returns a Lecture without a deck.
func New(d *shared.Context, f run.Facts) Lecture { return Lecture{Context: d, facts: f} }

// turnPause is how many seconds a step is shown before its experiment starts, so that quickly passed steps start none.
const turnPause = .25

// End closes the lecture.
func (l *Lecture) End() { l.Lecture, l.clockDeck, l.clockStart, l.Due = state.Lecture{}, "", 0, 0 }

// Events are the events of lectures.
func (l *Lecture) Events() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"turn":      func(e state.Event) { l.Turn(e.Value) },
		"deck-end":  func(state.Event) { l.Leave() },
		"notes":     func(e state.Event) { l.Notes = e.On },
		"keep-deck": func(e state.Event) { l.save(e.Value) },
	}
}

// Keys are the keys of a lecture with their actions. Clickers send arrows or Page Up and Page Down.
var Keys = map[string]string{"ArrowRight": "next", "ArrowDown": "next", "PageDown": "next", " ": "next",
	"Enter": "next", "ArrowLeft": "back", "ArrowUp": "back", "PageUp": "back", "Backspace": "back", "Home": "first",
	"End": "last", "b": "blank", "B": "blank", ".": "blank"}

// Open shows the step Settings.Step of the lecture Settings.Deck. invalidSettings lists the settings of the link that
// could not be read, nil if there are none; Open shows them as a warning. The clock of the notes continues if the same
// deck is opened again, for example in another language.
func (l *Lecture) Open(invalidSettings error) {
	settings, oldClockDeck, oldClockStart := l.Settings, l.clockDeck, l.clockStart
	l.End()
	if l.clockDeck = settings.Deck; l.clockDeck == oldClockDeck {
		l.clockStart = oldClockStart
	}

	// show shows the deck in a file, or an error if the deck has faults.
	show := func(name string, data []byte) {
		if l.read(name, data) {
			l.addHomeStep()
			l.show(min(max(settings.Step, 1), len(l.Deck.Steps)), false)
			if invalidSettings != nil {
				l.Queue(effect.ShowMessage{Message: &state.Message{Level: "warn",
					Text: l.Words.T("view.left", l.Words.Sentence(invalidSettings))}})
			}
			return
		}
		l.Settings.Deck, l.Settings.Step = "", 0
		l.Queue(effect.Fail{Err: problem.New("the lecture %s has errors", name)})
	}

	// The user's own deck is loaded; others come from the site.
	if own := l.Own; own.Data != nil && modelfile.ID(own.Data) == settings.Deck {
		show(own.Name, own.Data)
		return
	}
	number := l.facts.Number()
	l.fetchDeck(Files(settings.Deck, l.RequestedLanguage()), func(name string, data []byte, err error) {
		switch {
		case l.facts.Number() != number: // another link was opened meanwhile
		case err == nil:
			show(name, data)
		default:
			l.Settings.Deck, l.Settings.Step = "", 0
			if spec.IsFile(settings.Deck) {
				err = problem.New("this link needs a lecture file of your own: drop it on the page")
			} else {
				err = problem.New("the lecture %s could not be loaded: %w", settings.Deck, err)
			}
			l.Queue(effect.Fail{Err: err,
				Action: &state.Action{Label: l.Words.T("lecture"), Event: "sheet", Value: "lecture"}})
		}
	})
}

// Files returns the possible files of a deck on the site, the one in the reader's language first.
func Files(name, lang string) []string {
	files := []string{"decks/" + name + ".txt"}
	if lang != "en" && lang != "xx" && !spec.IsFile(name) {
		files = append([]string{"decks/" + name + "." + lang + ".txt"}, files...)
	}
	return files
}

// fetchDeck loads the first of the files that exists and calls done with its name and contents. If none exists, done
// gets the error of the last file.
func (l *Lecture) fetchDeck(files []string, done func(name string, data []byte, err error)) {
	l.Host.Fetch(files[0], false, func(data []byte, err error) {
		if err != nil && len(files) > 1 {
			l.fetchDeck(files[1:], done)
			return
		}
		l.Repaint.Dirty = true
		done(files[0][strings.LastIndex(files[0], "/")+1:], data, err)
	})
}

// Take shows the user's own lecture. If the file has faults, Take lists them and the page keeps showing what it showed.
func (l *Lecture) Take(f state.File) {
	l.Repaint.AtOnce()
	if now := l.Snapshots.Outline(); now.Room.Computing() {
		l.Problem = &state.Message{Level: "info", Text: l.Words.T("room.fixed")}
		return
	}
	if !l.read(f.Name, f.Data) {
		return
	}
	l.Own = f
	at := l.Settings.DeckView()
	at.Deck, at.Step = modelfile.ID(f.Data), 1
	l.Address.StartEntry()
	l.Queue(effect.OpenLink{Link: strings.TrimPrefix(at.Link(), "&")})
}

// read parses the file of a deck; it returns false if the file has faults, which the page lists.
func (l *Lecture) read(name string, data []byte) bool {
	d, faults := deck.Parse(data, l.Checker())
	l.Faults, l.FaultyFile = faults, name
	if len(faults) > 0 {
		l.Panels.Sheet = "lecture"
		return false
	}
	l.Deck = d
	return true
}

// addHomeStep adds a last step that shows the address of the lecture as a QR code. Other devices cannot open the user's
// own lectures by their address, so these have no such step.
func (l *Lecture) addHomeStep() {
	if name := l.Settings.Deck; !spec.IsFile(name) {
		steps := &l.Deck.Steps
		*steps = append(*steps, deck.Step{Link: (*steps)[len(*steps)-1].Link, Say: l.Words.T("deck.home"),
			Address: l.Snapshots.Outline().DeckURL(name)})
	}
}

// Checker returns the checks of links and controls in a deck.
func (l *Lecture) Checker() deck.Checker {
	return deck.Checker{Link: l.checkLink, Control: l.checkControl}
}

// checkLink checks the link of a step.
func (l *Lecture) checkLink(link string) error {
	s, err := spec.ParseLink(link, l.facts.Experiment().Names())
	if err == nil {
		_, err = l.Known.Parse(s.View)
	}
	return err
}

// checkControl checks a control of a step.
func (l *Lecture) checkControl(link, control string) error {
	s, err := spec.ParseLink(link, l.facts.Experiment().Names())
	if err != nil || slices.Contains([]string{view.BetaControl, view.SeedControl, view.ClassControl}, control) {
		return err
	}
	if view.ControlOf(s, control) != "" {
		return nil
	}
	var paramNames []string
	for _, m := range s.Methods {
		params, _ := l.facts.Experiment().Names().MethodParams(m)
		for _, q := range params {
			if key := m + "." + q.Name; view.ControlOf(s, key) == key {
				paramNames = append(paramNames, q.Name)
			}
		}
	}
	return problem.New("%s is nothing that can be changed here; there are %s", control,
		strings.Join(append(slices.Compact(paramNames), view.SeedControl, view.BetaControl, view.ClassControl), ", "))
}

// Turn handles an action of Keys: next, back, first and last go to another step, where next first reveals the answer to
// the question of the current step; blank makes the screen black. If the screen is black, any action shows the step
// again.
func (l *Lecture) Turn(action string) {
	if l.Deck == nil {
		return
	}
	k, n := l.Settings.Step, len(l.Deck.Steps)
	switch {
	case l.Blank: // every action ends the black screen
		l.Blank, l.Repaint.Focus, l.Repaint.Dirty = false, "deck-says", true
	case action == "blank":
		l.Blank, l.Repaint.Focus, l.Repaint.Dirty = true, "deck-blank", true
	case action == "next" && !l.Revealed:
		l.show(k, true)
	case action == "next" && k < n:
		if l.clockStart == 0 {
			l.clockStart = l.Host.Now()
		}
		l.show(k+1, false)
	case action == "back" && k > 1: // the previous step with its answer
		l.show(k-1, true)
	case action == "first":
		l.show(1, false)
	case action == "last":
		l.show(n, true)
	}
}

// show shows step k, counted from 1. A step with a question starts its experiment when the answer is revealed. If the
// page already shows the experiment of the step, the experiment continues.
func (l *Lecture) show(k int, revealed bool) {
	step := l.Deck.Steps[k-1]
	at := l.Settings.DeckView()
	at.Step = k
	s, _ := spec.ParseLink(step.Link, l.facts.Experiment().Names()) // the link was checked when the deck was read
	own, _ := l.Known.Parse(s.View)
	at.Scene, at.Focus, at.Against, at.Slow, at.Pool = own.Scene, own.Focus, own.Against, own.Slow, own.Pool
	at.Beta, at.Hide = own.Beta, own.Hide
	l.Settings, l.Panels.Sheet, l.Repaint.Focus = at, "", "deck-says"
	l.Revealed = revealed || step.Ask == ""
	if own.Fresh {
		s.Seed = l.Host.Random()
	}
	outline, runState := l.Snapshots.Outline(), l.facts.State()
	continues := outline.IsCurrent(s) && (l.facts.Active() || runState == runstate.Done || runState == runstate.Loading)
	switch {
	case l.Revealed && !continues:
		l.Due = l.Host.Now() + turnPause
		l.Queue(effect.NextSpec{Spec: s})
	case !l.Revealed && outline.Spec == nil: // the deck begins with a question
		l.Queue(effect.ShowSpec{Spec: s})
	}
	l.Queue(effect.AskQuestion{Number: k, Step: step, Revealed: l.Revealed}, effect.SendPace{})
	l.Repaint.Dirty = true
}

// StartSoon starts the experiment after a pause.
func (l *Lecture) StartSoon() {
	l.Due, l.Repaint.Dirty = l.Host.Now()+turnPause, true
	l.Queue(effect.Load{})
}

// Tick starts the experiment when it is due, and advances the clock of the notes.
func (l *Lecture) Tick(now float64) {
	if l.Due > 0 && now >= l.Due {
		l.Due = 0
		if l.Deck.Steps[l.Settings.Step-1].Control == view.ClassControl {
			l.Queue(effect.RunInClass{})
		} else {
			l.Queue(effect.Run{})
		}
	}
	if seconds := int(now - l.clockStart); l.clockStart > 0 && l.Notes && seconds != l.ElapsedSeconds {
		l.ElapsedSeconds, l.Repaint.Dirty = seconds, true
	}
}

// Leave ends the lecture and shows the experiment of its current step on the normal page.
func (l *Lecture) Leave() {
	l.Address.StartEntry()
	due := l.Due > 0
	l.End()
	l.Settings.Deck, l.Settings.Step = "", 0
	l.Settings.Beta, l.Settings.Hide = "", nil
	switch {
	case l.facts.Spec() == nil:
		l.Queue(effect.OpenLink{Link: state.DefaultLink + l.Settings.Link()})
	case due:
		l.Queue(effect.Run{})
	}
}

// save lets the user save a lecture as a single file: the page, the deck, and the models of its experiments.
func (l *Lecture) save(name string) {
	singleFile := shared.SingleFile{Link: "#" + strings.TrimPrefix(state.Settings{Deck: name, Lang: l.Settings.Lang}.Link(), "&"),
		Lab: l.Browser.Base}
	fail := func(err error) {
		l.Problem = &state.Message{Level: "warn", Text: l.Words.T("deck.unkept", l.Words.Sentence(err))}
		l.Repaint.Dirty = true
	}

	// Load the models of the deck first.
	pack := func(file string, data []byte) {
		d, faults := deck.Parse(data, l.Checker())
		if len(faults) > 0 {
			fail(faults[0].Err)
			return
		}
		var models []string
		for _, step := range d.Steps {
			s, _ := spec.ParseLink(step.Link, l.facts.Experiment().Names())
			models = append(models, catalog.Kinds.Files(s.Model)...)
		}
		slices.Sort(models)
		l.gather(slices.Compact(models), func(files map[string][]byte, err error) {
			if err != nil {
				fail(err)
				return
			}
			for _, file := range Files(name, l.Words.Lang) { // in the current language, whichever is requested
				files[file] = data
			}
			l.SaveSingleFile("logz-"+strings.ReplaceAll(name, ":", "-")+".html", singleFile, files)
		})
	}

	// The user's own deck is loaded; others come from the site.
	if own := l.Own; own.Data != nil && modelfile.ID(own.Data) == name {
		pack(own.Name, own.Data)
		return
	}
	l.fetchDeck(Files(name, l.Words.Lang), func(file string, data []byte, err error) {
		if err != nil {
			fail(err)
			return
		}
		pack(file, data)
	})
}

// gather loads bundled model files and calls done with their contents, with paths on the site as keys, or with the
// first error.
func (l *Lecture) gather(models []string, done func(files map[string][]byte, err error)) {
	files := map[string][]byte{}
	var next func(i int)
	next = func(i int) {
		switch {
		case i == len(models):
			done(files, nil)
		case l.Models[models[i]] != nil:
			files["models/"+models[i]] = l.Models[models[i]]
			next(i + 1)
		default:
			l.FetchModel(models[i], func(err error) {
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
