package page

import (
	"slices"
	"strings"

	"logzlab/wasm/words"
)

// appearance is how the page shows things: the settings of its view, its language and its theme. It must not know
// what is shown.
type appearance struct {
	set     Settings
	words   *words.Language
	fetched []byte // the catalogue that words were read from; nil: the program has them
	browser Page
}

// wanted is the language that is asked for: the link's, else the browser's if there is one of ours, else English.
func (a *appearance) wanted() string {
	if a.set.Lang != "" {
		return a.set.Lang
	}
	lang, _, _ := strings.Cut(a.browser.Language, "-")
	if lang == "xx" || !slices.Contains(words.Languages(), lang) {
		return "en"
	}
	return lang
}

// speak takes the language that is asked for. Until its words are here the page is in English, and stays so, and says
// so, if they cannot be had.
func (b *Brain) speak() {
	lang := b.wanted()
	if b.words.Lang == lang {
		return
	}
	b.words, b.fetched = words.New(lang), nil
	if b.words.Lang == lang {
		return
	}
	b.host.Words(lang, func(data []byte) {
		if b.wanted() != lang {
			return // another language was chosen meanwhile
		}
		b.views.dirty = true
		if w, err := words.Read(lang, data); err == nil {
			b.words, b.fetched = w, data
			return
		}
		b.problem = &Message{Level: "warn", Text: b.words.T("words.lost", words.Name(lang)),
			Action: &Action{b.words.T("words.again"), "lang", lang}}
	})
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
