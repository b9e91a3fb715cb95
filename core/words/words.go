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

// Language holds the texts of one language.
type Language struct {
	Lang     string
	keys     map[string]string // texts of the page, by key
	texts    map[string]string // texts of models, methods and checks, by their English
	errors   map[string]string // errors and their arguments, by their codes
	lessons  map[string]string // pages of the lessons, by name
	groupSep string            // separator of thousands, if the language has a decimal comma; "" as in English
}

// Contexts of entries of a translation file other than texts of the page. Texts of lower layers (models, methods,
// checks and scenes) have no context.
const (
	ErrorContext  = "error"
	LessonContext = "lesson"
)

// langPrefix begins the keys of the names of languages; each name is in its own language.
const langPrefix = "lang."

//go:embed en.po
var englishPO string

// english is parsed on first use: lane workers never need it.
var english = sync.OnceValue(func() *Language {
	w, err := Read("en", []byte(englishPO))
	if err != nil {
		panic(err)
	}
	return w
})

// Languages lists the values of ?lang= and view.lang. xx is English in brackets, for tests: a text without brackets did
// not pass through this package.
var Languages = sync.OnceValue(func() (all []string) {
	entries, _ := Entries(englishPO)
	for _, e := range entries {
		if lang, ok := strings.CutPrefix(e.Context, langPrefix); ok {
			all = append(all, lang)
		}
	}
	return append(all, "xx")
})

// Name returns the name of a language in that language.
func Name(lang string) string { return english().keys[langPrefix+lang] }

// Next returns the language that follows lang in Languages, cyclically, leaving out xx.
func Next(lang string) string {
	all := Languages()
	all = all[:len(all)-1] // without xx, which is for tests
	return all[(slices.Index(all, lang)+1)%len(all)]
}

// File returns the name of the site file with the texts of a language.
func File(lang string) string { return "words/" + lang + ".po.gz" }

// New returns a language that is compiled into the program: English or xx.
func New(lang string) *Language {
	if lang == "xx" {
		return &Language{Lang: "xx", keys: english().keys}
	}
	return english()
}

// Read parses a translation file, which may be compressed by gzip.
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

	// The separator of thousands.
	if number, ok := strings.CutSuffix(w.texts[sampleNumber], ",5"); ok {
		w.groupSep = strings.Trim(number, "1234")
	}
	return w, nil
}

// sampleNumber is an entry of the translation files whose translation shows how a language writes numbers: in German 1
// 234,5.
const sampleNumber = "1,234.5"

// T returns the text of a key with its arguments filled in. It panics if the key does not exist.
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

// Phrase returns the translation of an English text from a lower layer, or the English if it has none.
func (w *Language) Phrase(english string) string {
	if s, ok := w.texts[english]; ok {
		return s
	}
	return w.bracket(english)
}

// Plain returns the everyday word for a technical term of a lower layer, or else the translation of the term.
func (w *Language) Plain(term string) string {
	if w.HasPlain(term) {
		return w.T("plain." + term)
	}
	return w.Phrase(term)
}

// HasPlain reports whether a term has an everyday word.
func (w *Language) HasPlain(term string) bool { return w.Has("plain." + term) }

// HasPhrase reports whether an English text from a lower layer has a translation.
func (w *Language) HasPhrase(english string) bool { _, ok := w.texts[english]; return ok }

// Measure returns the translation of a value with its unit, such as 0.02 nats. A no-break space precedes percent signs.
func (w *Language) Measure(s string) string {
	if x, unit, ok := strings.Cut(s, " "); ok && strings.Trim(x, "\u2212-+.,0123456789e") == "" {
		return strings.Replace(w.Number(x)+" "+w.Phrase(unit), " %", "\u00a0%", 1)
	}
	return w.Number(w.Phrase(s))
}

// NarrowSpace separates thousands in German, where a comma or a point would be read as a decimal sign.
const NarrowSpace = "\u202f"

// Number rewrites the numbers in a text, written by package format, as the language does: 1,234.5 becomes 1 234,5 in
// German.
func (w *Language) Number(s string) string {
	if w.Comma() {
		return format.DecimalComma(s, w.groupSep)
	}
	return s
}

// Comma reports whether the decimal sign is a comma.
func (w *Language) Comma() bool { return w.groupSep != "" }

// Lesson returns a page of the lessons, "" if the language does not have it.
func (w *Language) Lesson(name string) string { return w.lessons[name] }

// Explain returns the translation of an error from a lower layer. An error of package problem is translated by its
// code, and its arguments are translated in the same way. An error without a translation stays English, and so do words
// that another error adds around an error of package problem.
func (w *Language) Explain(err error) string {
	english := err.Error()
	var p *problem.Error
	if !errors.As(err, &p) {
		return w.explainText(english)
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
			args[i] = w.explainText(fmt.Sprint(a))
		}
	}
	return strings.Replace(english, p.Error(), fmt.Sprintf(text, args...), 1)
}

// explainText translates a plain text inside an error, if it has a translation.
func (w *Language) explainText(english string) string {
	if s, ok := w.errors[english]; ok {
		return s
	}
	return english
}

// bracket puts brackets around a text if the language is xx.
func (w *Language) bracket(s string) string {
	if w.Lang != "xx" || s == "" {
		return s
	}
	return "⟦" + strings.ReplaceAll(strings.ReplaceAll(s, "⟦", ""), "⟧", "") + "⟧"
}

// startsWithAcronym reports whether a sentence begins with a three-letter file type that is written in capitals: "gpc
// file", "gpc-Datei", "gpc:".
func startsWithAcronym(s string) bool {
	word, rest := s[:min(3, len(s))], s[min(3, len(s)):]
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" &&
		(strings.HasPrefix(rest, " file") || strings.HasPrefix(rest, "-Datei") || strings.HasPrefix(rest, ":"))
}

// Sentence returns the translation of an error as a sentence, with an initial capital and a full stop. A key such as
// ais.chains keeps its spelling.
func (w *Language) Sentence(err error) string {
	s := w.Explain(err)
	if s == "" {
		return ""
	}
	word, _, _ := strings.Cut(s, " ")
	switch {
	case startsWithAcronym(s):
		s = strings.ToUpper(s[:3]) + s[3:]
	case !strings.Contains(word, "."):
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// WithPrefix returns the texts whose keys begin with prefix, by key without the prefix.
func (w *Language) WithPrefix(prefix string) map[string]string {
	out := map[string]string{}
	for key := range english().keys {
		if short, ok := strings.CutPrefix(key, prefix); ok {
			out[short] = w.T(key)
		}
	}
	return out
}
