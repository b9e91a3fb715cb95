package scene

import (
	"slices"
	"sort"

	"logzlab/core/runstate"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// Scene is one way to look at a run: a tab of the picture, or one of the views of a tab. Its descriptor has everything
// the page needs to know about a scene; package render draws the scene of the same name. Texts are English and
// translated as phrases.
type Scene struct {
	Name  string // in links
	Of    string // the scene whose tab it shares as another view, "" for its own tab
	Key   int    // keyboard shortcut; tabs are in this order, and the views of a tab follow it
	Label string // on the tab
	View  string // its name among the views of its tab, "" for Label

	// Applies reports whether there is something to show for the experiment; nil means always. Of scenes with the same
	// key the first one that applies has the tab.
	Applies func(*state.Snapshot) bool
	// Missing explains why the scene does not apply. A scene that does not apply has a tab only if Missing has a text.
	Missing Texts
	// opens reports whether the page shows this scene first for an experiment. If it is true for several scenes, the page
	// shows the one with the lowest key.
	opens func(*state.Snapshot) bool
	// target is true if the scene can show the density of the target before a run.
	target bool
	// Early is true if the scene can be shown before a run.
	Early bool
	// TestsNoise is true if the page measures the noise of likelihood estimates while it shows the scene.
	TestsNoise bool

	Captions Texts
	// Offer returns a button below the caption: its label, a phrase, and the link of the experiment that it runs; nil or
	// "" means no button.
	Offer  func(*state.Snapshot) (label, link string)
	Legend func(*state.Snapshot) []html.HTML // nil if the picture has labels
	Tables []Table                           // the data of the picture
	About  string                            // describes the tables in a sentence
}

// Texts are alternative texts; the first whose condition holds is used.
type Texts []conditionalText

// conditionalText is a text with its condition; nil means always.
type conditionalText struct {
	Text string
	When func(*state.Snapshot) bool
}

// Of returns the first text whose condition holds.
func (s Texts) Of(p *state.Snapshot) string {
	for _, x := range s {
		if x.When == nil || x.When(p) {
			return x.Text
		}
	}
	return ""
}

// Table is a table of the picture's data.
type Table struct {
	Heads []string // keys of words, or phrases
	Rows  func(*state.Snapshot) [][]string
}

// All lists all scenes in the order of their keys.
var All []*Scene

// Register adds a scene.
func Register(s Scene) *Scene {
	All = append(All, &s)
	sort.SliceStable(All, func(i, j int) bool { return All[i].Key < All[j].Key })
	return &s
}

// Tab returns the scene whose tab is selected while s is on show.
func (s *Scene) Tab() *Scene {
	if o := Named(s.Of); o != nil {
		return o
	}
	return s
}

// Views returns the scenes of the tab of s that apply, including s; nil if s is the only one.
func (s *Scene) Views(p *state.Snapshot) (list []*Scene) {
	for _, o := range All {
		if o.Tab() == s.Tab() && o.Shows(p) && (o.Of == "" || s.Tab().Shows(p)) {
			list = append(list, o)
		}
	}
	if len(list) < 2 {
		return nil
	}
	// The scene with the name of the tab is the first.
	sort.SliceStable(list, func(i, j int) bool { return list[i].Of == "" && list[j].Of != "" })
	return list
}

// Former are former names of scenes, with their successors, for old links.
var Former = map[string]string{"overlaps": "travel", "heat": "travel", "trips": "travel", "visits": "travel",
	"rounds": "weights"}

// Named returns the scene of a name, or nil.
func Named(name string) *Scene {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Names lists the scenes that view.scene may name.
func Names() (names []string) {
	for _, s := range All {
		names = append(names, s.Name)
	}
	return names
}

// Shows reports whether the scene has something to show.
func (s *Scene) Shows(p *state.Snapshot) bool { return s.Applies == nil || s.Applies(p) }

// On returns the scene that the page shows: the user's choice if it applies, else the first scene of the experiment.
func On(p *state.Snapshot) *Scene {
	if s := Named(p.Settings.Scene); s != nil && s.Shows(p) {
		return s
	}
	for _, s := range All {
		if s.opens != nil && s.Shows(p) && s.opens(p) {
			return s
		}
	}
	if !unitsScene.Shows(p) { // then the first scene that applies
		for _, s := range All {
			if s.Shows(p) {
				return s
			}
		}
	}
	return unitsScene
}

// OfKey returns the scene of a key, or nil.
func OfKey(p *state.Snapshot, key int) (s *Scene) {
	for _, o := range All {
		if o.Key == key && o.Of == "" && (s == nil || !s.Shows(p) && o.Shows(p)) {
			s = o
		}
	}
	return s
}

// Next returns the scene to show after a key is pressed: the scene of the key or, if its tab is already selected, the
// next view of this tab.
func Next(p *state.Snapshot, key int) *Scene {
	s, now := OfKey(p, key), On(p)
	if s == nil || now.Tab() != s {
		return s
	}
	if views := now.Views(p); views != nil {
		return views[(slices.Index(views, now)+1)%len(views)]
	}
	return s
}

// Tabs returns the scenes to offer in the order of their keys, one for each key.
func Tabs(p *state.Snapshot) (out []*Scene) {
	for _, o := range All {
		s := OfKey(p, o.Key)
		if o.Of == "" && !slices.Contains(out, s) && (s.Shows(p) || len(s.Missing) > 0) {
			out = append(out, s)
		}
	}
	return out
}

// Waits reports whether the picture can show the target density of an edited experiment, faintly, until its next run.
func Waits(s *state.Snapshot) bool { return s.State == runstate.Idle && On(s).target && s.Density }
