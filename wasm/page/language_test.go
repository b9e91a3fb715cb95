package page

import (
	"strings"
	"sync"
	"testing"

	"logzlab/core/words"
	"logzlab/wasm/page/state"
	"logzlab/wasm/tool/translations"
)

// fetchedWords are the catalogues of the site, as tool dist makes them, by language.
var fetchedWords = sync.OnceValue(func() map[string][]byte {
	all, err := translations.All("../..")
	if err != nil {
		panic(err)
	}
	data := map[string][]byte{}
	for _, c := range all {
		data[c.Lang] = c.Data
	}
	return data
})

// wordsOf is a language, whether the program carries it or the page fetches it.
func wordsOf(lang string) *words.Language {
	if data := fetchedWords()[lang]; data != nil {
		w, err := words.Read(lang, data)
		if err != nil {
			panic(err)
		}
		return w
	}
	return words.New(lang)
}

// A page whose catalogue cannot be had is in English and says so; the language stays in its link, and one click asks
// again.
func TestMissingTranslations(t *testing.T) {
	p := newPage(t, 1)
	p.lost[words.File("de")] = true
	p.controller.Start(state.BrowserPage{Link: smallLink, Language: "de-CH"})
	p.finish()
	m := p.view.Message
	if p.view.Lang != "en" || m == nil || m.Text != "Deutsch could not be loaded, so the page stays in English." {
		t.Fatalf("language %s, message %+v", p.view.Lang, m)
	}
	p.controller.Event(state.Event{Name: "lang", Value: "de"})
	p.turn(1)
	if p.show(); p.view.Lang != "en" || !strings.Contains(p.view.Link, "&view.lang=de") {
		t.Errorf("language %s, link %s", p.view.Lang, p.view.Link)
	}
	delete(p.lost, words.File("de"))
	p.controller.Event(state.Event{Name: m.Action.Event, Value: m.Action.Value})
	if p.show(); p.view.Lang != "de" || !strings.Contains(string(p.parts["top"]), "Lektionen") {
		t.Errorf("after a click the language is %s", p.view.Lang)
	}
	// A catalogue that comes when another language was chosen changes nothing.
	p.controller.Event(state.Event{Name: "lang", Value: "en"})
	var late func()
	p.words = func(lang string, done func([]byte)) { late = func() { done(fetchedWords()[lang]) } }
	p.controller.Event(state.Event{Name: "lang", Value: "de"})
	p.controller.Event(state.Event{Name: "lang", Value: "en"})
	late()
	if p.show(); p.view.Lang != "en" {
		t.Errorf("a late catalogue made the page %s", p.view.Lang)
	}
	p.controller.Event(state.Event{Name: "lang", Value: "de"})
	late()
	if p.show(); p.view.Lang != "de" {
		t.Errorf("with its words the page is %s", p.view.Lang)
	}
}
