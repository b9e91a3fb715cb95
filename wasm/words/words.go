// Package words holds the languages of the page: its own words by key, translations of the
// sentences of models, methods and reports, and of errors. It must not know the page's state.
package words

import (
	"fmt"
	"strings"
)

// Language is one language. Words of the page are found by key, in strings_en.go and
// strings_de.go; sentences that models, methods and checks bring along are found
// by their English text, errors by their English format.
type Language struct {
	Lang    string
	keys    map[string]string
	phrases map[string]string
	errors  map[string]string
}

// Languages lists what ?lang= and view.lang may name. xx is English in brackets:
// a text without brackets was not translated.
var Languages = []string{"en", "de", "xx"}

// New is a language by name; English where it is not known.
func New(lang string) *Language {
	switch lang {
	case "de":
		return &Language{"de", wordsDE, phrasesDE, errorsDE}
	case "xx":
		return &Language{"xx", wordsEN, nil, nil}
	}
	return &Language{"en", wordsEN, nil, nil}
}

// T is the text of a key with its arguments filled in.
func (w *Language) T(key string, args ...any) string {
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

// Has reports whether a key exists.
func (w *Language) Has(key string) bool { _, ok := wordsEN[key]; return ok }

// Phrase is the translation of an English sentence from a lower layer.
func (w *Language) Phrase(english string) string {
	if s, ok := w.phrases[english]; ok {
		return s
	}
	return w.bracket(english)
}

// Knows reports whether there is a translation of a sentence from a lower layer.
func (w *Language) Knows(english string) bool { _, ok := w.phrases[english]; return ok }

// Measure is the translation of a value and its unit, as in 0.02 nats.
func (w *Language) Measure(s string) string {
	if x, unit, ok := strings.Cut(s, " "); ok && strings.Trim(x, "\u2212-+.0123456789e") == "" {
		return x + " " + w.Phrase(unit)
	}
	return w.Phrase(s)
}

// Explain is the translation of an error from a lower layer: of the formats that
// fit its text the one with the most letters, filled with what stands in its
// places, translated in turn. An error that fits none stays as it is.
func (w *Language) Explain(english string) string {
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
		found[i] = w.Explain(found[i].(string))
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

func (w *Language) bracket(s string) string {
	if w.Lang != "xx" || s == "" {
		return s
	}
	return "⟦" + strings.ReplaceAll(strings.ReplaceAll(s, "⟦", ""), "⟧", "") + "⟧"
}

// abbreviated reports whether a sentence begins with three letters that stand for
// more: gpc file, gpc-Datei, gpc: and so on.
func abbreviated(s string) bool {
	word, rest := s[:min(3, len(s))], s[min(3, len(s)):]
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" &&
		(strings.HasPrefix(rest, " file") || strings.HasPrefix(rest, "-Datei") || strings.HasPrefix(rest, ":"))
}

// Sentence makes an error a sentence: capital and full stop. A key such as
// ais.chains keeps its spelling.
func (w *Language) Sentence(err error) string {
	s := w.Explain(err.Error())
	if s == "" {
		return ""
	}
	word, _, _ := strings.Cut(s, " ")
	switch {
	case abbreviated(s):
		s = strings.ToUpper(s[:3]) + s[3:]
	case !strings.Contains(word, "."):
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// Under lists the words whose keys begin with prefix, without it.
func (w *Language) Under(prefix string) map[string]string {
	out := map[string]string{}
	for key := range wordsEN {
		if short, ok := strings.CutPrefix(key, prefix); ok {
			out[short] = w.T(key)
		}
	}
	return out
}
