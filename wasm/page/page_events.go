package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// pageEvents concern the page and not the experiment.
func (b *Brain) pageEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"scene": func(e state.Event) {
			if b.Panels.Sheet == "setup" { // which covers the picture
				b.Panels.Sheet = ""
			}
			b.chooseScene(scene.Named(e.Value))
		},
		"focus": func(e state.Event) { b.enlarge(e.Value) },
		"theme": func(e state.Event) { b.ChooseTheme(e.Value) },

		// Language, the system's settings, and speed.
		"lang": func(e state.Event) {
			if slices.Contains(words.Languages(), e.Value) {
				b.Settings.Lang = e.Value
				b.Speak()
				if b.lecture.Deck != nil {
					b.openDeck(b.Settings.DeckView(), nil)
				}
			}
		},
		"system": func(e state.Event) {
			switch e.Key {
			case "dark":
				b.Browser.Dark = e.On
			case "still":
				b.Browser.Still = e.On
				b.calm()
			}
		},
		"speed": func(e state.Event) {
			if n, err := strconv.Atoi(e.Value); err == nil && n >= 0 && n <= state.Slowest {
				b.Settings.Slow = state.Slowest - n
				b.pace()
			}
		},

		// Lessons, panels, sheets, and messages.
		"lesson":      func(e state.Event) { b.openLesson(e.Value) },
		"tour":        func(e state.Event) { b.tour.open(e.Value) },
		"fold":        func(state.Event) { b.booklet.Folded = !b.booklet.Folded },
		"pool":        func(state.Event) { b.Settings.Pool = !b.Settings.Pool },
		"skip":        func(state.Event) { b.Repaint.Focus = "run pause" }, // whichever is shown
		"sheet":       func(e state.Event) { b.openSheet(e.Value) },
		"advanced":    func(state.Event) { b.Panels.Advanced = !b.Panels.Advanced },
		"more":        func(state.Event) { b.Panels.Less, b.Repaint.Focus = false, "adding" },
		"adding":      func(state.Event) { b.Panels.Adding, b.Panels.Find = !b.Panels.Adding, "" },
		"find-method": func(e state.Event) { b.Panels.Find = e.Value },
		"weights":     func(e state.Event) { b.Panels.Logs = e.Value == "logs" },
		"check":       func(state.Event) { b.startCheck(b.Settings.Link()) },
		"dismiss":     func(state.Event) { b.Problem = nil },
		"picture":     b.pictured,
		"notice":      b.Notice,
		"key":         func(e state.Event) { b.key(e.Value) },
	}
}

// pictured takes how the picture stands, for which the lanes may have to rest.
func (b *Brain) pictured(e state.Event) {
	b.canvas = state.Canvas{State: state.CanvasState(e.Value), Why: e.Key}
	if b.canvas.Rest() != b.Crew.Rest {
		b.Crew.Pace(b.Crew.Slow, b.canvas.Rest())
	}
}

// enlarge makes the number of a method large; that of the first needs no key in the link.
func (b *Brain) enlarge(method string) {
	if b.Settings.Focus = method; b.Spec != nil && len(b.Spec.Methods) > 0 && b.Spec.Methods[0] == method {
		b.Settings.Focus = ""
	}
}

// chooseScene shows a scene, or says why it cannot be shown.
func (b *Brain) chooseScene(s *scene.Scene) {
	now := b.Snapshot()
	switch {
	case s == nil:
	case s.Shows(now):
		if b.Settings.Scene = ""; scene.On(b.Outline()) != s {
			b.Settings.Scene = s.Name // the model's own scene needs no key in the link
		}
		if b.Panels.Sheet == "table" {
			b.look()
		}
	case len(s.Missing) > 0 && (b.Problem == nil || b.Problem.Level == "info"):
		b.Problem = &state.Message{Level: "info", Text: b.Words.Phrase(s.Missing.Of(now))}
	}
}

// openSheet shows a sheet, or closes the one that is open.
func (b *Brain) openSheet(name string) {
	b.sharing.Copied = ""
	if b.Panels.Sheet == "samples" {
		b.Settings.Samples = ""
	}
	if b.Panels.Sheet = ""; slices.Contains(view.Sheets, name) {
		b.Panels.Sheet = name
	}
	if b.Panels.Sheet == "table" {
		b.look()
	}
	if b.Panels.Sheet == "share" {
		b.sharing.Begin()
	}
}

// slide takes a slider's position for the parameter's value: as long as the slider is held only its number follows, so
// that picture and numbers stay. Let go, it changes the experiment, which runs at once if the last run was quick.
func (b *Brain) slide(e state.Event) {
	pos, err := strconv.Atoi(e.Value)
	if b.Spec == nil || err != nil {
		return
	}
	q, ok := state.ParamOf(e.Key)
	if method, _, _ := strings.Cut(e.Key, "."); !ok || !slices.Contains(b.Spec.Methods, method) {
		return
	}
	b.Panels.Sliding = state.Slide{Key: e.Key, Value: spec.Decimal(view.Slid(q, pos))}
	if !e.Enter {
		return
	}
	old, moved := b.Spec.Link(), b.Panels.Sliding
	b.Panels.Sliding = state.Slide{}
	if b.change(state.Event{Name: "param", Key: moved.Key, Value: moved.Value}) && b.Spec.Link() != old {
		switch {
		case b.lecture.Deck != nil && b.State() == runstate.Idle:
			b.lecture.Soon()
		case b.Quick:
			b.run()
		}
	}
}

// key does what a key stands for.
func (b *Brain) key(name string) {
	if b.hero.On || !b.Outline().Keyed(name) {
		return
	}

	// In a lecture most keys turn steps.
	if b.lecture.Deck != nil && !slices.Contains([]string{"?", "r", "R", "Escape"}, name) {
		b.lecture.Turn(lecture.Keys[name])
		return
	}

	// The run.
	switch name {
	case " ":
		if b.State() == runstate.Running || b.Working() {
			b.event(state.Event{Name: "pause", N: b.Repaint.Seen})
		} else {
			b.event(state.Event{Name: "run", N: b.Repaint.Seen})
		}
	case "ArrowRight":
		b.step()
	case "r", "R":
		b.event(state.Event{Name: "restart", N: b.Repaint.Seen})
	case "n", "N":
		b.event(state.Event{Name: "new-seed", N: b.Repaint.Seen})

	// Help, and the way out of whatever is open.
	case "?":
		b.openSheet("help")
	case "Escape":
		if b.Panels.Sheet != "" {
			b.openSheet("")
		} else if b.Panels.Adding {
			b.Panels.Adding, b.Repaint.Focus = false, "adding"
		} else if b.Settings.Deck != "" {
			b.lecture.Leave()
		} else if b.Settings.Projector {
			b.ChooseTheme("leave")
		} else if b.Settings.Tour > 0 {
			b.tour.open("")
		}

	// Digits choose a scene.
	default:
		if key, err := strconv.Atoi(name); err == nil {
			if s := scene.Next(b.Outline(), key); s != nil {
				b.event(state.Event{Name: "scene", Value: s.Name, N: b.Repaint.Seen})
			}
		}
	}
}
