package state

import (
	"slices"
	"strings"

	"logzlab/core/words"
	"logzlab/estimators/engine"
)

// Appearance is how the page shows an experiment: view settings, language and theme. It must not depend on the
// experiment.
type Appearance struct {
	Settings Settings
	Words    *words.Language
	Browser  BrowserPage
}

// RequestedLanguage returns the requested language: that of the link, else the browser's if there is a translation,
// else English.
func (a *Appearance) RequestedLanguage() string {
	if a.Settings.Lang != "" {
		return a.Settings.Lang
	}
	lang, _, _ := strings.Cut(a.Browser.Language, "-")
	if lang == "xx" || !slices.Contains(words.Languages(), lang) {
		return "en"
	}
	return lang
}

// SetTheme sets the theme from the switch in the page header.
func (a *Appearance) SetTheme(theme string) {
	switch theme {
	case "projector":
		a.Settings.Projector = true
	case "leave":
		a.Settings.Projector = false
	case "light", "dark":
		a.Settings.Projector, a.Settings.Theme = false, theme
		if (theme == "dark") == a.Browser.Dark {
			a.Settings.Theme = "" // the default theme needs no key in the link
		}
	}
}

// Theme returns the current theme.
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

// MovesDespiteSetting reports whether a run would be in slow motion although the user prefers reduced motion.
func (a *Appearance) MovesDespiteSetting() bool {
	return a.Browser.ReducedMotion && a.Settings.Slow >= 3
}

// Site returns the address of a page of the site.
func (a *Appearance) Site(page string) string {
	if !a.Browser.SingleFile {
		return page
	}
	return a.Browser.Base[:strings.LastIndex(a.Browser.Base, "/")+1] + page
}

// Panels are the parts of the page that the user has opened.
type Panels struct {
	FirstVisit   bool   // a first visitor's page, with few controls
	Sheet        string // the open sheet, "" for none
	Advanced     bool   // the advanced settings are open
	Adding       bool   // the list of other methods is open
	Find         string // search text for that list
	Sliding      Slide  // a slider that is being moved
	TourStepDone int    // the step of the tour whose request was carried out
	MeanOfLogs   bool   // show the mean of the log weights instead of the log of their mean
}

// Slide is a slider being moved. The experiment keeps its old value until the slider is released.
type Slide struct{ Key, Value string }

// CanvasState is the state of the iframe of the picture.
type CanvasState string

// States of the iframe, as reported by the script.
const (
	CanvasNone    CanvasState = "none"
	CanvasLoading CanvasState = "loading"
	CanvasReady   CanvasState = "ready"
	CanvasFailed  CanvasState = "failed"
)

// Canvas is the state of the picture's iframe.
type Canvas struct {
	State  CanvasState
	Detail string // progress of loading, or the reason of a failure
}

// FrameInterval returns the least time between frames, in milliseconds.
func (c Canvas) FrameInterval() int {
	if c.State == CanvasFailed {
		return engine.UnseenTime
	}
	return engine.PictureTime
}

// Message is a notice with an optional button.
type Message struct {
	Level  string
	Text   string
	Action *Action
}

// Action is a button that sends an event.
type Action struct{ Label, Event, Value string }
