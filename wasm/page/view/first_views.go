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

// FirstViews is the data with which site/boot.js shows the methods and the scene of a link before the program has
// loaded.
type FirstViews struct {
	Methods map[string][2]string `json:"methods"` // label and short description
	Labels  map[string]string    `json:"labels"`  // of tabs, by scene
	Tabs    map[string]string    `json:"tabs"`    // tab of each scene that is a view of another tab, by current and former names
	Models  map[string]int       `json:"models"`  // indices into Openings
	// Openings lists, for each group of models, the first view for given methods; the last entry, without methods,
	// is for all other methods.
	Openings [][]FirstView `json:"openings"`
}

// FirstView is the first view of an experiment: its scene and the tabs.
type FirstView struct {
	Methods []string `json:"methods,omitempty"`
	Scene   string   `json:"scene"`
	Tabs    string   `json:"tabs"` // names separated by blanks, with a ! before tabs that cannot be shown
}

// NewFirstViews lists all methods, and the first view of each built-in model.
func NewFirstViews(lang string) *FirstViews {
	out := &FirstViews{Methods: map[string][2]string{}, Labels: map[string]string{}, Tabs: map[string]string{},
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
	for old, current := range scene.Former { // old links use these names
		if out.Tabs[old] = current; out.Tabs[current] != "" {
			out.Tabs[old] = out.Tabs[current]
		}
	}
	var seen []string
	for _, m := range catalog.Kinds.Builtin() {
		list := firstViews(w, m.Name)
		key, _ := json.Marshal(list)
		index := slices.Index(seen, string(key))
		if index < 0 {
			index = len(seen)
			seen = append(seen, string(key))
			out.Openings = append(out.Openings, list)
		}
		out.Models[m.Name] = index
	}
	return out
}

// firstViews returns the first views of a model, by method; the view of most methods is the last entry.
func firstViews(w *words.Language, model string) (list []FirstView) {
	for _, method := range (catalog.Names{}).MethodNames() {
		spec, err := spec.ParseLink("v=1&model="+model+"&method="+method, catalog.Names{})
		if err != nil {
			continue // the method does not apply to the model
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
		first := FirstView{Scene: now.Name, Tabs: strings.Join(tabs, " ")}
		same := slices.IndexFunc(list, func(f FirstView) bool { return f.Scene == first.Scene && f.Tabs == first.Tabs })
		if same < 0 {
			same = len(list)
			list = append(list, first)
		}
		list[same].Methods = append(list[same].Methods, method)
	}
	slices.SortStableFunc(list, func(a, b FirstView) int { return len(a.Methods) - len(b.Methods) })
	list[len(list)-1].Methods = nil
	return list
}
