package page

import (
	"strings"

	"logzlab/wasm/words"
)

// appearance is how the page shows things: the settings of its view, its language and its theme. It must not know
// what is shown.
type appearance struct {
	set     Settings
	words   *words.Language
	browser Page
}

// speak chooses the language: the link's, else the browser's, else English.
func (a *appearance) speak() {
	lang := a.set.Lang
	if lang == "" {
		lang, _, _ = strings.Cut(a.browser.Language, "-")
		if lang == "xx" {
			lang = "en"
		}
	}
	if a.words.Lang != lang {
		a.words = words.New(lang)
	}
}

// choose follows the switch of themes in the head.
func (a *appearance) choose(theme string) {
	switch theme {
	case "projector":
		a.set.Projector = true
	case "leave":
		a.set.Projector = false
	case "light", "dark":
		a.set.Projector, a.set.Theme = false, theme
		if (theme == "dark") == a.browser.Dark {
			a.set.Theme = "" // the system's theme needs no key in the link
		}
	}
}

// theme is the one on show.
func (a *appearance) theme() string {
	switch {
	case a.set.Projector:
		return "projector"
	case a.set.Theme != "":
		return a.set.Theme
	case a.browser.Dark:
		return "dark"
	}
	return "light"
}

// restless reports whether a run would be in slow motion though the user prefers reduced motion.
func (a *appearance) restless() bool { return a.browser.Still && a.set.Slow >= 3 }
