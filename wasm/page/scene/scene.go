package scene

import (
	"slices"
	"sort"

	"logzlab/core/runstate"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// Scene is one way to look at a run: a tab of the picture, or one of the views of a tab. Its
// descriptor holds everything that the page needs of a scene, in a file of its own; render draws
// the scene of the same name. Texts are English and translated as phrases.
type Scene struct {
	Name  string // in links
	Of    string // the scene whose tab this scene shares as another view; "": a tab of its own
	Key   int    // on the keyboard; tabs stand in this order, and the views of a tab after it
	Label string // on the tab
	View  string // what a scene with views is called among them; "": label

	// Applies reports whether there is something to show for the experiment; nil: always.
	// Of scenes with the same key the first one that applies has the tab.
	Applies func(*state.Snapshot) bool
	// Missing explains why it does not apply. Without a text the scene then has no tab.
	Missing Sayings
	// opens reports whether an experiment opens with it; the lowest key wins.
	opens func(*state.Snapshot) bool
	// target: the density of the target can be shown in it before a run.
	target bool
	// Early: there is something to show, and to do, before a run.
	Early bool
	// TestsNoise: estimates of likelihoods are made while it is on show (noise.go).
	TestsNoise bool

	Captions Sayings
	Legend   func(*state.Snapshot) []html.HTML // nil: the picture names what it shows
	Tables   []Table                           // what is behind the picture
	About    string                            // the tables, in a sentence
}

// Sayings are alternative texts; the first that fits is used.
type Sayings []saying

// saying is a text and when it fits; nil: always.
type saying struct {
	Text string
	When func(*state.Snapshot) bool
}

// Of is the text that fits.
func (s Sayings) Of(p *state.Snapshot) string {
	for _, x := range s {
		if x.When == nil || x.When(p) {
			return x.Text
		}
	}
	return ""
}

// Table is a table behind a picture.
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

// Tab is the scene whose tab is selected while s is on show.
func (s *Scene) Tab() *Scene {
	if o := Named(s.Of); o != nil {
		return o
	}
	return s
}

// Views lists the scenes of the tab of s that apply, with s; nil where s is alone.
func (s *Scene) Views(p *state.Snapshot) (list []*Scene) {
	for _, o := range All {
		if o.Tab() == s.Tab() && o.Shows(p) && (o.Of == "" || s.Tab().Shows(p)) {
			list = append(list, o)
		}
	}
	if len(list) < 2 {
		return nil
	}
	// The one that gives the tab its name is the first.
	sort.SliceStable(list, func(i, j int) bool { return list[i].Of == "" && list[j].Of != "" })
	return list
}

// Former are scenes that others have taken over, with their successors, for old links.
var Former = map[string]string{"overlaps": "travel", "heat": "travel", "trips": "travel", "visits": "travel",
	"rounds": "weights"}

// Named is nil for a name that is not known.
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

// Shows reports whether there is something to show.
func (s *Scene) Shows(p *state.Snapshot) bool { return s.Applies == nil || s.Applies(p) }

// On is the one on show: the user's choice if it applies, else the one that the
// experiment opens with.
func On(p *state.Snapshot) *Scene {
	if s := Named(p.Settings.Scene); s != nil && s.Shows(p) {
		return s
	}
	for _, s := range All {
		if s.opens != nil && s.Shows(p) && s.opens(p) {
			return s
		}
	}
	if !unitsScene.Shows(p) { // then the first that does
		for _, s := range All {
			if s.Shows(p) {
				return s
			}
		}
	}
	return unitsScene
}

// OfKey is the scene of a key, nil if there is none.
func OfKey(p *state.Snapshot, key int) (s *Scene) {
	for _, o := range All {
		if o.Key == key && o.Of == "" && (s == nil || !s.Shows(p) && o.Shows(p)) {
			s = o
		}
	}
	return s
}

// Next is what a key shows: its scene, or, pressed again, the next view of its tab.
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

// Tabs are the scenes to offer, in the order of their keys: one for each key.
func Tabs(p *state.Snapshot) (out []*Scene) {
	for _, o := range All {
		s := OfKey(p, o.Key)
		if o.Of == "" && !slices.Contains(out, s) && (s.Shows(p) || len(s.Missing) > 0) {
			out = append(out, s)
		}
	}
	return out
}

// Waits reports whether the target of an edited experiment can stand in the picture, faint, until Run.
func Waits(s *state.Snapshot) bool { return s.State == runstate.Idle && On(s).target && s.Density }
