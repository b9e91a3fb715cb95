package view

import (
	"encoding/json"
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// Firsts is what site/boot.js needs to show the methods and the scene of a link before any program is there.
type Firsts struct {
	Methods map[string][2]string `json:"methods"` // label, and what a method does in two words
	Labels  map[string]string    `json:"labels"`  // of tabs, by scene
	Tabs    map[string]string    `json:"tabs"`    // of scenes that are views of another one's tab, by names of now and of old
	Models  map[string]int       `json:"models"`  // places in Openings
	// Openings lists what a group of models opens with; the last entry, without methods, is for all others.
	Openings [][]First `json:"openings"`
}

// First is what an experiment opens with.
type First struct {
	Methods []string `json:"methods,omitempty"`
	Scene   string   `json:"scene"`
	Tabs    string   `json:"tabs"` // names apart by blanks, with a ! before those that cannot be shown
}

// NewFirsts lists all methods and what each built-in model opens with.
func NewFirsts(lang string) *Firsts {
	out := &Firsts{Methods: map[string][2]string{}, Labels: map[string]string{}, Tabs: map[string]string{},
		Models: map[string]int{}}
	w := words.New(lang)
	for _, g := range catalog.Groups {
		for _, m := range g.Methods {
			out.Methods[m.Name] = [2]string{m.Label, w.Phrase(m.Short)}
		}
	}
	for _, s := range scene.All {
		if s.Of == "" {
			out.Labels[s.Name] = w.Phrase(s.Label)
		} else {
			out.Tabs[s.Name] = s.Of
		}
	}
	for old, now := range scene.Former { // links of old name them
		if out.Tabs[old] = now; out.Tabs[now] != "" {
			out.Tabs[old] = out.Tabs[now]
		}
	}
	var seen []string
	for _, m := range catalog.Kinds.Builtin() {
		list := openings(w, m.Name)
		key, _ := json.Marshal(list)
		at := slices.Index(seen, string(key))
		if at < 0 {
			at = len(seen)
			seen = append(seen, string(key))
			out.Openings = append(out.Openings, list)
		}
		out.Models[m.Name] = at
	}
	return out
}

// openings lists what a model opens with, for methods apart and for most of them.
func openings(w *words.Language, model string) (list []First) {
	for _, method := range (catalog.Names{}).MethodNames() {
		spec, err := spec.ParseLink("v=1&model="+model+"&method="+method, catalog.Names{})
		if err != nil {
			continue // they do not go together
		}
		s := &state.Snapshot{Appearance: state.Appearance{Words: w}, Run: state.Run{State: "loading"},
			Canvas: state.Canvas{State: "none"}, Shell: true}
		s.Spec = spec
		now := scene.On(s)
		var tabs []string
		for _, tab := range scene.Tabs(s) {
			if tab.Shows(s) {
				tabs = append(tabs, tab.Name)
			} else {
				tabs = append(tabs, "!"+tab.Name)
			}
		}
		first := First{Scene: now.Name, Tabs: strings.Join(tabs, " ")}
		same := slices.IndexFunc(list, func(f First) bool { return f.Scene == first.Scene && f.Tabs == first.Tabs })
		if same < 0 {
			same = len(list)
			list = append(list, first)
		}
		list[same].Methods = append(list[same].Methods, method)
	}
	slices.SortStableFunc(list, func(a, b First) int { return len(a.Methods) - len(b.Methods) })
	list[len(list)-1].Methods = nil
	return list
}
