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

// pageEvents are the events that concern the page, not the experiment.
func (c *Controller) pageEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"scene": func(e state.Event) {
			if c.Panels.Sheet == "setup" { // it covers the picture
				c.Panels.Sheet = ""
			}
			c.chooseScene(scene.Named(e.Value))
		},
		"focus": func(e state.Event) { c.selectMethod(e.Value) },
		"theme": func(e state.Event) { c.ChooseTheme(e.Value) },

		// Language, the system's settings, and speed.
		"lang": func(e state.Event) {
			if slices.Contains(words.Languages(), e.Value) {
				c.Settings.Lang = e.Value
				c.LoadLanguage()
				if c.lecture.Deck != nil {
					c.openDeck(c.Settings.DeckView(), nil)
				}
			}
		},
		"system": func(e state.Event) {
			switch e.Key {
			case "dark":
				c.Browser.Dark = e.On
			case "still":
				c.Browser.ReducedMotion = e.On
				c.pauseForReducedMotion()
			}
		},
		"speed": func(e state.Event) {
			if n, err := strconv.Atoi(e.Value); err == nil && n >= 0 && n <= state.Slowest {
				c.Settings.Slow = state.Slowest - n
				c.sendPace()
			}
		},

		// Lessons, panels, sheets, and messages.
		"lesson":      func(e state.Event) { c.openLesson(e.Value) },
		"tour":        func(e state.Event) { c.tour.open(e.Value) },
		"fold":        func(state.Event) { c.lesson.Folded = !c.lesson.Folded },
		"pool":        func(state.Event) { c.Settings.Pool = !c.Settings.Pool },
		"skip":        func(state.Event) { c.Repaint.Focus = "run pause" }, // whichever is visible
		"sheet":       func(e state.Event) { c.openSheet(e.Value) },
		"advanced":    func(state.Event) { c.Panels.Advanced = !c.Panels.Advanced },
		"more":        func(state.Event) { c.Panels.FirstVisit, c.Repaint.Focus = false, "adding" },
		"adding":      func(state.Event) { c.Panels.Adding, c.Panels.Find = !c.Panels.Adding, "" },
		"find-method": func(e state.Event) { c.Panels.Find = e.Value },
		"weights":     func(e state.Event) { c.Panels.MeanOfLogs = e.Value == "logs" },
		"check":       func(state.Event) { c.startCheck(c.Settings.Link()) },
		"dismiss":     func(state.Event) { c.Problem = nil },
		"picture":     c.pictureChanged,
		"notice":      c.Notice,
		"key":         func(e state.Event) { c.key(e.Value) },
	}
}

// pictureChanged records the state of the picture, which determines the frame interval of the lanes.
func (c *Controller) pictureChanged(e state.Event) {
	c.canvas = state.Canvas{State: state.CanvasState(e.Value), Detail: e.Key}
	if c.canvas.FrameInterval() != c.Workers.MinFrameInterval {
		c.Workers.SetPace(c.Workers.MinDescentTime, c.canvas.FrameInterval())
	}
}

// selectMethod selects a method; the first needs no key in the link.
func (c *Controller) selectMethod(method string) {
	if c.Settings.Focus = method; c.Spec != nil && len(c.Spec.Methods) > 0 && c.Spec.Methods[0] == method {
		c.Settings.Focus = ""
	}
}

// chooseScene shows a scene, or a message if it cannot be shown.
func (c *Controller) chooseScene(s *scene.Scene) {
	snapshot := c.Snapshot()
	switch {
	case s == nil:
	case s.Shows(snapshot):
		if c.Settings.Scene = ""; scene.On(c.Outline()) != s {
			c.Settings.Scene = s.Name // the default scene needs no key in the link
		}
		if c.Panels.Sheet == "table" {
			c.requestFrames()
		}
	case len(s.Missing) > 0 && (c.Problem == nil || c.Problem.Level == "info"):
		c.Problem = &state.Message{Level: "info", Text: c.Words.Phrase(s.Missing.Of(snapshot))}
	}
}

// openSheet shows a sheet, or closes the open one.
func (c *Controller) openSheet(name string) {
	c.sharing.Copied = ""
	if c.Panels.Sheet == "samples" {
		c.Settings.Samples = ""
	}
	if c.Panels.Sheet = ""; slices.Contains(view.Sheets, name) {
		c.Panels.Sheet = name
	}
	if c.Panels.Sheet == "table" {
		c.requestFrames()
	}
	if c.Panels.Sheet == "share" {
		c.sharing.Begin()
	}
}

// slide handles a slider. While it is held only its number changes; when it is released the experiment changes, and
// runs at once if the last run was quick.
func (c *Controller) slide(e state.Event) {
	pos, err := strconv.Atoi(e.Value)
	if c.Spec == nil || err != nil {
		return
	}
	q, ok := state.ParamOf(e.Key)
	if method, _, _ := strings.Cut(e.Key, "."); !ok || !slices.Contains(c.Spec.Methods, method) {
		return
	}
	c.Panels.Sliding = state.Slide{Key: e.Key, Value: spec.Decimal(view.SliderValue(q, pos))}
	if !e.Enter {
		return
	}
	oldLink, slider := c.Spec.Link(), c.Panels.Sliding
	c.Panels.Sliding = state.Slide{}
	if c.edit(state.Event{Name: "param", Key: slider.Key, Value: slider.Value}) && c.Spec.Link() != oldLink {
		switch {
		case c.lecture.Deck != nil && c.State() == runstate.Idle:
			c.lecture.StartSoon()
		case c.Quick:
			c.run()
		}
	}
}

// key handles a keyboard shortcut.
func (c *Controller) key(name string) {
	if c.hero.Shown || !c.Outline().KeyEnabled(name) {
		return
	}

	// In a lecture most keys change steps.
	if c.lecture.Deck != nil && (c.lecture.Blank || !slices.Contains([]string{"?", "r", "R", "Escape"}, name)) {
		c.lecture.Turn(lecture.Keys[name])
		return
	}

	// The run.
	switch name {
	case " ":
		if c.State() == runstate.Running || c.Working() {
			c.event(state.Event{Name: "pause", N: c.Repaint.LastEvent})
		} else {
			c.event(state.Event{Name: "run", N: c.Repaint.LastEvent})
		}
	case "ArrowRight":
		c.step()
	case "r", "R":
		c.event(state.Event{Name: "restart", N: c.Repaint.LastEvent})
	case "n", "N":
		c.event(state.Event{Name: "new-seed", N: c.Repaint.LastEvent})

	// Help, and closing whatever is open.
	case "?":
		c.openSheet("help")
	case "Escape":
		if c.Panels.Sheet != "" {
			c.openSheet("")
		} else if c.Panels.Adding {
			c.Panels.Adding, c.Repaint.Focus = false, "adding"
		} else if c.Settings.Deck != "" {
			c.lecture.Leave()
		} else if c.Settings.Projector {
			c.ChooseTheme("leave")
		} else if c.Settings.Tour > 0 {
			c.tour.open("")
		}

	// Numbers choose a scene.
	default:
		if key, err := strconv.Atoi(name); err == nil {
			if s := scene.Next(c.Outline(), key); s != nil {
				c.event(state.Event{Name: "scene", Value: s.Name, N: c.Repaint.LastEvent})
			}
		}
	}
}
