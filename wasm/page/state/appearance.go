package state

import (
	"slices"
	"strings"

	"logzlab/core/words"
	"logzlab/estimators/engine"
)

// Appearance is how the page shows things: the settings of its view, its language and its theme. It must not know
// what is shown.
type Appearance struct {
	Settings Settings
	Words    *words.Language
	Browser  Page
}

// Wanted is the language that is asked for: the link's, else the browser's if there is one of ours, else English.
func (a *Appearance) Wanted() string {
	if a.Settings.Lang != "" {
		return a.Settings.Lang
	}
	lang, _, _ := strings.Cut(a.Browser.Language, "-")
	if lang == "xx" || !slices.Contains(words.Languages(), lang) {
		return "en"
	}
	return lang
}

// Choose follows the switch of themes in the head.
func (a *Appearance) Choose(theme string) {
	switch theme {
	case "projector":
		a.Settings.Projector = true
	case "leave":
		a.Settings.Projector = false
	case "light", "dark":
		a.Settings.Projector, a.Settings.Theme = false, theme
		if (theme == "dark") == a.Browser.Dark {
			a.Settings.Theme = "" // the system's theme needs no key in the link
		}
	}
}

// Theme is the one on show.
func (a *Appearance) Theme() string {
	switch {
	case a.Settings.Projector:
		return "projector"
	case a.Settings.Theme != "":
		return a.Settings.Theme
	case a.Browser.Dark:
		return "dark"
	}
	return "light"
}

// Restless reports whether a run would be in slow motion though the user prefers reduced motion.
func (a *Appearance) Restless() bool { return a.Browser.Still && a.Settings.Slow >= 3 }

// Site is the address of a page of the site.
func (a *Appearance) Site(page string) string {
	if !a.Browser.Alone {
		return page
	}
	return a.Browser.Base[:strings.LastIndex(a.Browser.Base, "/")+1] + page
}

// Panels are what the user has opened.
type Panels struct {
	Less     bool   // only what a first visitor needs is shown
	Sheet    string // over the page
	Advanced bool   // the drawer
	Adding   bool   // the list of other methods
	Find     string // what is looked for in that list
	Sliding  Slide  // a slider that is being moved
	Toured   int    // the step of the tour whose wish was done
	Logs     bool   // the mean of the log weights, instead of the log of their mean
}

// Slide is a parameter's slider on its way: the experiment has its old value until the slider is let go.
type Slide struct{ Key, Value string }

// CanvasState is the state of the iframe of the picture.
type CanvasState string

// States of the iframe, as the page tells them.
const (
	CanvasNone    CanvasState = "none"
	CanvasLoading CanvasState = "loading"
	CanvasReady   CanvasState = "ready"
	CanvasFailed  CanvasState = "failed"
)

// Canvas is how the iframe of the picture stands.
type Canvas struct {
	State CanvasState
	Why   string // how far it is, or why it failed
}

// Rest is the least time between pictures, in milliseconds.
func (c Canvas) Rest() int {
	if c.State == CanvasFailed {
		return engine.UnseenTime
	}
	return engine.PictureTime
}

// Message is a notice with at most one button.
type Message struct {
	Level  string
	Text   string
	Action *Action
}

// Action is a button that sends an event.
type Action struct{ Label, Event, Value string }
