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

// Lecture is the lecture on show. It must not know how experiments run.
type Lecture struct {
	*shared.Context
	state.Lecture
	facts run.Facts

	Own   state.File // the user's own lecture file
	clock string     // the deck to which the clock of the notes belongs
	began float64    // end of its first step, 0 before
	Due   float64    // start time of the step's experiment, 0 when it has started
}

// New returns a Lecture without a deck.
func New(d *shared.Context, f run.Facts) Lecture { return Lecture{Context: d, facts: f} }

// turnPause is how many seconds a step is shown before its experiment starts, so that quickly passed steps start none.
const turnPause = .25

// End closes the lecture.
func (l *Lecture) End() { l.Lecture, l.clock, l.began, l.Due = state.Lecture{}, "", 0, 0 }

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

// Open shows the lecture named in the view settings, at their step. left lists invalid settings of the link. The clock
// continues if the same deck is opened again, as in another language.
func (l *Lecture) Open(left error) {
	at, clock, began := l.Settings, l.clock, l.began
	l.End()
	if l.clock = at.Deck; l.clock == clock {
		l.began = began
	}

	// The deck at the step, or an error that the deck has faults.
	show := func(name string, data []byte) {
		if l.read(name, data) {
			l.addHomeStep()
			l.show(min(max(at.Step, 1), len(l.Deck.Steps)), false)
			if left != nil {
				l.Queue(effect.ShowMessage{Message: &state.Message{Level: "warn",
					Text: l.Words.T("view.left", l.Words.Sentence(left))}})
			}
			return
		}
		l.Settings.Deck, l.Settings.Step = "", 0
		l.Queue(effect.Fail{Err: problem.New("the lecture %s has errors", name)})
	}

	// The user's own deck is loaded; others come from the site.
	if own := l.Own; own.Data != nil && modelfile.ID(own.Data) == at.Deck {
		show(own.Name, own.Data)
		return
	}
	number := l.facts.Number()
	l.fetchDeck(Files(at.Deck, l.RequestedLanguage()), func(name string, data []byte, err error) {
		switch {
		case l.facts.Number() != number: // another link was opened meanwhile
		case err == nil:
			show(name, data)
		default:
			l.Settings.Deck, l.Settings.Step = "", 0
			if spec.IsFile(at.Deck) {
				err = problem.New("this link needs a lecture file of your own: drop it on the page")
			} else {
				err = problem.New("the lecture %s could not be loaded: %w", at.Deck, err)
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

// fetchDeck loads the first of the files that exists.
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

// Take shows the user's own lecture, or lists its faults; then the page stays as it is.
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
	var all []string
	for _, m := range s.Methods {
		params, _ := l.facts.Experiment().Names().MethodParams(m)
		for _, q := range params {
			if key := m + "." + q.Name; view.ControlOf(s, key) == key {
				all = append(all, q.Name)
			}
		}
	}
	return problem.New("%s is nothing that can be changed here; there are %s", control,
		strings.Join(append(slices.Compact(all), view.SeedControl, view.BetaControl, view.ClassControl), ", "))
}

// Turn goes to another step (next, back, first, last), reveals the answer to the question of the current step, or makes
// the screen black (blank). If the screen is black, any value shows the step again.
func (l *Lecture) Turn(to string) {
	if l.Deck == nil {
		return
	}
	k, n := l.Settings.Step, len(l.Deck.Steps)
	switch {
	case l.Blank: // every key ends it
		l.Blank, l.Repaint.Focus, l.Repaint.Dirty = false, "deck-says", true
	case to == "blank":
		l.Blank, l.Repaint.Focus, l.Repaint.Dirty = true, "deck-blank", true
	case to == "next" && !l.Revealed:
		l.show(k, true)
	case to == "next" && k < n:
		if l.began == 0 {
			l.began = l.Host.Now()
		}
		l.show(k+1, false)
	case to == "back" && k > 1: // with its answer
		l.show(k-1, true)
	case to == "first":
		l.show(1, false)
	case to == "last":
		l.show(n, true)
	}
}

// show shows a step. A step with a question starts its experiment when the answer is revealed. An experiment that is on
// show continues.
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
	now, run := l.Snapshots.Outline(), l.facts.State()
	stays := now.IsCurrent(s) && (l.facts.Active() || run == runstate.Done || run == runstate.Loading)
	switch {
	case l.Revealed && !stays:
		l.Due = l.Host.Now() + turnPause
		l.Queue(effect.NextSpec{Spec: s})
	case !l.Revealed && now.Spec == nil: // the deck begins with a question
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
	if seconds := int(now - l.began); l.began > 0 && l.Notes && seconds != l.ElapsedSeconds {
		l.ElapsedSeconds, l.Repaint.Dirty = seconds, true
	}
}

// Leave shows the experiment of the step in the lab.
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
	about := shared.SingleFile{Link: "#" + strings.TrimPrefix(state.Settings{Deck: name, Lang: l.Settings.Lang}.Link(), "&"),
		Lab: l.Browser.Base}
	lost := func(err error) {
		l.Problem = &state.Message{Level: "warn", Text: l.Words.T("deck.unkept", l.Words.Sentence(err))}
		l.Repaint.Dirty = true
	}

	// Load the models of the deck first.
	pack := func(file string, data []byte) {
		d, faults := deck.Parse(data, l.Checker())
		if len(faults) > 0 {
			lost(faults[0].Err)
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
				lost(err)
				return
			}
			for _, file := range Files(name, l.Words.Lang) { // in the current language, whichever is requested
				files[file] = data
			}
			l.SaveSingleFile("logz-"+strings.ReplaceAll(name, ":", "-")+".html", about, files)
		})
	}

	// The user's own deck is loaded; others come from the site.
	if own := l.Own; own.Data != nil && modelfile.ID(own.Data) == name {
		pack(own.Name, own.Data)
		return
	}
	l.fetchDeck(Files(name, l.Words.Lang), func(file string, data []byte, err error) {
		if err != nil {
			lost(err)
			return
		}
		pack(file, data)
	})
}

// gather loads bundled model files, and returns them by their paths on the site.
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
