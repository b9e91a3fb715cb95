package session

import (
	"fmt"
	"strings"
)

// Words is one language. Words of the page are found by key, in strings_en.go and
// strings_de.go; sentences that models, methods and checks bring along are found
// by their English text.
type Words struct {
	Lang    string
	keys    map[string]string
	phrases map[string]string
}

// Languages lists what ?lang= and view.lang may name. xx is English in brackets:
// a text without them was never given to a translator.
var Languages = []string{"en", "de", "xx"}

// NewWords is a language by name; English where it is not known.
func NewWords(lang string) *Words {
	switch lang {
	case "de":
		return &Words{"de", wordsDE, phrasesDE}
	case "xx":
		return &Words{"xx", wordsEN, nil}
	}
	return &Words{"en", wordsEN, nil}
}

// t is the text of a key with its arguments filled in.
func (w *Words) t(key string, args ...any) string {
	s, ok := w.keys[key]
	if !ok {
		if s, ok = wordsEN[key]; !ok {
			panic("no words for " + key)
		}
	}
	if len(args) > 0 && strings.Contains(s, "%") {
		s = fmt.Sprintf(s, args...)
	}
	return w.bracket(s)
}

// has reports whether a key exists.
func (w *Words) has(key string) bool { _, ok := wordsEN[key]; return ok }

// phrase is the translation of an English sentence from a lower layer.
func (w *Words) phrase(english string) string {
	if s, ok := w.phrases[english]; ok {
		return s
	}
	return w.bracket(english)
}

func (w *Words) bracket(s string) string {
	if w.Lang != "xx" || s == "" {
		return s
	}
	return "⟦" + strings.ReplaceAll(strings.ReplaceAll(s, "⟦", ""), "⟧", "") + "⟧"
}
