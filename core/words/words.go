package words

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"logzlab/core/format"
	"logzlab/core/problem"
)

// Language is one language.
type Language struct {
	Lang    string
	keys    map[string]string // words of the page, by key
	texts   map[string]string // sentences that models, methods and checks bring along, by their English
	errors  map[string]string // errors and what stands in their places, by their codes
	lessons map[string]string // pages of lessons, by their names
	apart   string            // between thousands, where a comma is the decimal sign; "": as in English
}

// Contexts of entries that are no words of the page. Texts of lower layers have none.
const (
	ErrorContext  = "error"
	LessonContext = "lesson"
)

// named begins the keys of the names of languages, each in its own language.
const named = "lang."

//go:embed en.po
var englishPO string

// english is parsed when it is first needed, which it is not in lanes.
var english = sync.OnceValue(func() *Language {
	w, err := Read("en", []byte(englishPO))
	if err != nil {
		panic(err)
	}
	return w
})

// Languages lists what ?lang= and view.lang may name. xx is English in brackets:
// a text without brackets was not translated.
var Languages = sync.OnceValue(func() (all []string) {
	entries, _ := Entries(englishPO)
	for _, e := range entries {
		if lang, ok := strings.CutPrefix(e.Context, named); ok {
			all = append(all, lang)
		}
	}
	return append(all, "xx")
})

// Name is the name of a language in that language.
func Name(lang string) string { return english().keys[named+lang] }

// After is the language that follows one in the list, English after the last.
func After(lang string) string {
	all := Languages()
	all = all[:len(all)-1] // xx is no language
	return all[(slices.Index(all, lang)+1)%len(all)]
}

// File is the file of the site that has the words of a language.
func File(lang string) string { return "words/" + lang + ".po.gz" }

// New is a language that the program carries: xx or English.
func New(lang string) *Language {
	if lang == "xx" {
		return &Language{Lang: "xx", keys: english().keys}
	}
	return english()
}

// Read makes a language of a file of translations, packed or not.
func Read(lang string, data []byte) (*Language, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(z); err != nil {
			return nil, err
		}
	}
	entries, err := Entries(string(data))
	if err != nil {
		return nil, err
	}

	// Entries by their kind.
	w := &Language{Lang: lang, keys: map[string]string{}, texts: map[string]string{}, errors: map[string]string{},
		lessons: map[string]string{}}
	for _, e := range entries {
		if e.Text == "" {
			e.Text = e.English
		}
		switch e.Context {
		case "":
			w.texts[e.English] = e.Text
		case ErrorContext:
			w.errors[e.English] = e.Text
		case LessonContext:
			w.lessons[e.English] = e.Text
		default:
			w.keys[e.Context] = e.Text
		}
	}

	// What the language puts between thousands.
	if number, ok := strings.CutSuffix(w.texts[sample], ",5"); ok {
		w.apart = strings.Trim(number, "1234")
	}
	return w, nil
}

// sample is a number in English, as a language writes it: in German 1 234,5.
const sample = "1,234.5"

// T is the text of a key with its arguments filled in.
func (w *Language) T(key string, args ...any) string {
	s, ok := w.keys[key]
	if !ok {
		if s, ok = english().keys[key]; !ok {
			panic("no words for " + key)
		}
	}
	if len(args) > 0 && strings.Contains(s, "%") {
		s = fmt.Sprintf(s, args...)
	}
	return w.bracket(s)
}

// Has reports whether a key exists.
func (w *Language) Has(key string) bool { _, ok := english().keys[key]; return ok }

// Phrase is the translation of an English sentence from a lower layer.
func (w *Language) Phrase(english string) string {
	if s, ok := w.texts[english]; ok {
		return s
	}
	return w.bracket(english)
}

// Plain is a plain word for a term of a lower layer, else the term as Phrase has it.
func (w *Language) Plain(term string) string {
	if w.HasPlain(term) {
		return w.T("plain." + term)
	}
	return w.Phrase(term)
}

// HasPlain reports whether there is a plain word for a term.
func (w *Language) HasPlain(term string) bool { return w.Has("plain." + term) }

// Knows reports whether there is a translation of a sentence from a lower layer.
func (w *Language) Knows(english string) bool { _, ok := w.texts[english]; return ok }

// Measure is the translation of a value and its unit, as in 0.02 nats. No line ends before a percent sign.
func (w *Language) Measure(s string) string {
	if x, unit, ok := strings.Cut(s, " "); ok && strings.Trim(x, "\u2212-+.,0123456789e") == "" {
		return strings.Replace(w.Number(x)+" "+w.Phrase(unit), " %", "\u00a0%", 1)
	}
	return w.Number(w.Phrase(s))
}

// Narrow is the space between thousands in German, where a comma or a point would be read as the decimal sign.
const Narrow = "\u202f"

// Number writes the English numbers of a text, as of package format, the way the language does: 1,234.5 is 1 234,5 in
// German.
func (w *Language) Number(s string) string {
	if w.Comma() {
		return format.Comma(s, w.apart)
	}
	return s
}

// Comma reports whether a comma is the decimal sign.
func (w *Language) Comma() bool { return w.apart != "" }

// Lesson is a page of the lessons, "" where the language has none.
func (w *Language) Lesson(name string) string { return w.lessons[name] }

// Explain is the text of an error from a lower layer. A problem is translated by its code,
// filled with what stands in its places, in turn translated where it has a translation.
// An error without a translation stays as it is, and so do words that other errors add to
// a problem.
func (w *Language) Explain(err error) string {
	english := err.Error()
	var p *problem.Error
	if !errors.As(err, &p) {
		return w.reason(english)
	}
	text, ok := w.errors[p.Code]
	if !ok {
		return english
	}
	args := make([]any, len(p.Args))
	for i, a := range p.Args {
		if inner, ok := a.(error); ok {
			args[i] = w.Explain(inner)
		} else {
			args[i] = w.reason(fmt.Sprint(a))
		}
	}
	return strings.Replace(english, p.Error(), fmt.Sprintf(text, args...), 1)
}

// reason is the translation of a text that stands in an error, if there is one.
func (w *Language) reason(english string) string {
	if s, ok := w.errors[english]; ok {
		return s
	}
	return english
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
	s := w.Explain(err)
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
	for key := range english().keys {
		if short, ok := strings.CutPrefix(key, prefix); ok {
			out[short] = w.T(key)
		}
	}
	return out
}
