package session

import (
	"fmt"
	"strings"
)

// Words is one language. Words of the page are found by key, in strings_en.go and
// strings_de.go; sentences that models, methods and checks bring along are found
// by their English text, errors by their English format.
type Words struct {
	Lang    string
	keys    map[string]string
	phrases map[string]string
	errors  map[string]string
}

// Languages lists what ?lang= and view.lang may name. xx is English in brackets:
// a text without them was never given to a translator.
var Languages = []string{"en", "de", "xx"}

// NewWords is a language by name; English where it is not known.
func NewWords(lang string) *Words {
	switch lang {
	case "de":
		return &Words{"de", wordsDE, phrasesDE, errorsDE}
	case "xx":
		return &Words{"xx", wordsEN, nil, nil}
	}
	return &Words{"en", wordsEN, nil, nil}
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

// measure is the translation of a value and its unit, as in 0.02 nats.
func (w *Words) measure(s string) string {
	if x, unit, ok := strings.Cut(s, " "); ok && strings.Trim(x, "\u2212-+.0123456789e") == "" {
		return x + " " + w.phrase(unit)
	}
	return w.phrase(s)
}

// explain is the translation of an error from a lower layer: of the formats that
// fit its text the one with the most letters, filled with what stands in its
// places, translated in turn. An error that fits none stays as it is.
func (w *Words) explain(english string) string {
	best, most, found := "", 0, []any(nil)
	for format, s := range w.errors {
		if places, letters := fits(format, english); places != nil && (letters > most || letters == most && s < best) {
			best, most, found = s, letters, places
		}
	}
	if best == "" {
		return english
	}
	for i := range found {
		found[i] = w.explain(found[i].(string))
	}
	return fmt.Sprintf(best, found...)
}

// fits lists what stands in the places (%s, %d ...) of a format that made s, nil
// where it cannot have, and counts the other letters.
func fits(format, s string) (places []any, letters int) {
	literal, rest, more := strings.Cut(format, "%")
	if !strings.HasPrefix(s, literal) {
		return nil, 0
	}
	s, letters = s[len(literal):], len(literal)
	places = []any{}
	for more {
		literal, rest, more = strings.Cut(rest[1:], "%") // the verb is one letter
		letters += len(literal)
		at := strings.Index(s, literal)
		if !more { // the last literal ends the text
			if at = len(s) - len(literal); literal == "" {
				at = len(s)
			}
		}
		if at < 0 || s[at:at+len(literal)] != literal {
			return nil, 0
		}
		places, s = append(places, s[:at]), s[at+len(literal):]
	}
	if s != "" {
		return nil, 0
	}
	return places, letters
}

func (w *Words) bracket(s string) string {
	if w.Lang != "xx" || s == "" {
		return s
	}
	return "⟦" + strings.ReplaceAll(strings.ReplaceAll(s, "⟦", ""), "⟧", "") + "⟧"
}
