package view

import (
	"cmp"
	"slices"
	"strings"

	"logzlab/core/runstate"
	"logzlab/estimators/catalog"
	"logzlab/render/vocabulary"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// Dressing is a message to the picture about one thing, T: "scene", "theme",
// "method", "focus", "beta", "hide" and "state" have a name, "state" the number of workers in a hurry, "motion" is
// reduced or not, "words" has translations.
type Dressing struct {
	T       string            `json:"t"`
	Name    string            `json:"name"`
	Reduced bool              `json:"reduced"`
	On      bool              `json:"on"`
	Lanes   int               `json:"lanes"`
	Words   map[string]string `json:"words,omitempty"`
}

// slideWord is what a slide says for a word of the canvas or the name of a method, where a class would not know it.
func slideWord(s *state.Snapshot, word string) (plain string, ok bool) {
	key := "slide." + word
	if !s.Lecturing() || !s.Words.Has(key) {
		return "", false
	}
	return s.Words.T(key), true
}

// Dress tells the picture what to show and how, one message of each kind.
func Dress(s *state.Snapshot) []Dressing {
	words := map[string]string{}
	for _, english := range vocabulary.Words {
		plain, ok := slideWord(s, english)
		if !ok {
			plain = s.Words.Plain(english)
		}
		if plain != english {
			words[english] = plain
		}
	}
	for _, m := range catalog.Methods {
		words[m.Name] = methodLabel(s, m.Name)
	}

	// What is under way, whose number is large, and what is left out.
	method := ""
	if s.Settings.Focus != "" || s.State == runstate.Done {
		method = s.OnShow
	}
	focus := ""
	if s.Spec != nil && len(s.Spec.Methods) > 0 {
		focus = cmp.Or(s.Settings.Focus, s.Spec.Methods[0])
	}
	hide := s.Settings.Hide
	if s.Lecturing() { // the picture of a slide is one panel
		hide = append(slices.Clip(hide), "errors")
	}
	return []Dressing{{T: "scene", Name: scene.On(s).Name}, {T: "theme", Name: s.Theme()}, {T: "method", Name: method},
		{T: "focus", Name: focus}, {T: "beta", Name: s.Settings.Beta},
		{T: "hide", Name: strings.Join(hide, " ")}, {T: "drawing", On: s.Drawable(), Name: s.Drawing()},
		{T: "motion", Reduced: s.Browser.Still}, {T: "state", Name: string(s.State), Lanes: hurried(s)},
		{T: "words", Words: words}}
}

// methodLabel is the label of a method; on a slide, what it does.
func methodLabel(s *state.Snapshot, method string) string {
	if plain, ok := slideWord(s, method); ok {
		return plain
	}
	return state.Label(method)
}

// hurried is the number of workers that compute as fast as they can.
func hurried(s *state.Snapshot) int {
	if s.State != runstate.Running || s.Settings.Slow > 0 {
		return 0
	}
	return s.Size
}
