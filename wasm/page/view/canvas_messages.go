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

// CanvasMessage is a message to the picture. T is its subject: "scene", "theme", "method", "focus", "beta" and "hide"
// carry Name; "state" carries Name and the number of lanes at full speed; "drawing" carries On and Name; "motion"
// carries Reduced; "words" carries translations.
type CanvasMessage struct {
	T       string            `json:"t"`
	Name    string            `json:"name"`
	Reduced bool              `json:"reduced"`
	On      bool              `json:"on"`
	Lanes   int               `json:"lanes"`
	Words   map[string]string `json:"words,omitempty"`
}

// slideWord returns the plain word that a slide of a lecture shows instead of a word of the canvas or the name of a
// method. ok is false outside of lectures, and if there is no plainer word.
func slideWord(s *state.Snapshot, word string) (plain string, ok bool) {
	key := "slide." + word
	if !s.Lecturing() || !s.Words.Has(key) {
		return "", false
	}
	return s.Words.T(key), true
}

// CanvasMessages returns the messages that set the content of the picture, one for each subject.
func CanvasMessages(s *state.Snapshot) []CanvasMessage {
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

	// The method on show, the selected method, and hidden parts.
	method := ""
	if s.Settings.Focus != "" || s.State == runstate.Done {
		method = s.OnShow
	}
	focus := ""
	if s.Spec != nil && len(s.Spec.Methods) > 0 {
		focus = cmp.Or(s.Settings.Focus, s.Spec.Methods[0])
	}
	hide := s.Settings.Hide
	if s.Lecturing() { // the picture of a slide has one panel
		hide = append(slices.Clip(hide), "errors")
	}
	return []CanvasMessage{{T: "scene", Name: scene.On(s).Name}, {T: "theme", Name: s.Theme()}, {T: "method", Name: method},
		{T: "focus", Name: focus}, {T: "beta", Name: s.Settings.Beta},
		{T: "hide", Name: strings.Join(hide, " ")}, {T: "drawing", On: s.Drawable(), Name: s.Drawing()},
		{T: "motion", Reduced: s.Browser.ReducedMotion}, {T: "state", Name: string(s.State), Lanes: fullSpeedLanes(s)},
		{T: "words", Words: words}}
}

// methodLabel returns the label of a method, or on a slide of a lecture a plain description of the method.
func methodLabel(s *state.Snapshot, method string) string {
	if plain, ok := slideWord(s, method); ok {
		return plain
	}
	return state.Label(method)
}

// fullSpeedLanes returns the number of workers that run at full speed.
func fullSpeedLanes(s *state.Snapshot) int {
	if s.State != runstate.Running || s.Settings.Slow > 0 {
		return 0
	}
	return s.Size
}
