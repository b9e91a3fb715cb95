package page

import (
	"cmp"
	"slices"
)

// scene is one way to look at a run: a tab of the picture, or one of the views of a tab. Its
// descriptor holds everything that the page needs of a scene, in a file of its own; render draws
// the scene of the same name. Texts are English and translated as phrases.
type scene struct {
	name  string // in links
	of    string // the scene whose tab it shares as another view; "": it has a tab of its own
	key   int    // on the keyboard; tabs stand in this order, and the views of a tab after it
	label string // on the tab
	view  string // what a scene with views is called among them; "": label

	// applies reports whether there is something to show for the experiment; nil: always.
	// Of scenes with the same key the first one that applies has the tab.
	applies func(*Brain) bool
	// missing explains why it does not apply. Without a text the scene then has no tab.
	missing sayings
	// opens reports whether an experiment opens with it; the lowest key wins.
	opens func(*Brain) bool
	// target: the density of the target can be shown in it before a run.
	target bool
	// early: there is something to show, and to do, before a run.
	early bool
	// trials: estimates of likelihoods are made while it is on show (noise.go).
	trials bool

	captions sayings
	legend   func(*pane) []HTML // nil: the picture names what it shows
	tables   []sceneTable       // what is behind the picture
	about    string             // the tables, in a sentence
}

// sayings are alternative texts; the first that fits is used.
type sayings []saying

// saying is a text and when it fits; nil: always.
type saying struct {
	text string
	when func(*Brain) bool
}

func (s sayings) of(b *Brain) string {
	for _, x := range s {
		if x.when == nil || x.when(b) {
			return x.text
		}
	}
	return ""
}

// sceneTable is a table behind a picture.
type sceneTable struct {
	heads []string // keys of words, or phrases
	rows  func(*pane) [][]string
}

// scenes lists all scenes in the order of their keys.
var scenes []*scene

func register(s scene) *scene {
	scenes = append(scenes, &s)
	slices.SortStableFunc(scenes, func(a, b *scene) int { return cmp.Compare(a.key, b.key) })
	return &s
}

// tab is the scene whose tab is selected while s is on show.
func (s *scene) tab() *scene {
	if o := sceneNamed(s.of); o != nil {
		return o
	}
	return s
}

// views are those of the tab of s that apply, itself among them; nil where there is one only.
func (s *scene) views(b *Brain) (list []*scene) {
	for _, o := range scenes {
		if o.tab() == s.tab() && o.shows(b) && (o.of == "" || s.tab().shows(b)) {
			list = append(list, o)
		}
	}
	if len(list) < 2 {
		return nil
	}
	// The one that gives the tab its name is the first.
	slices.SortStableFunc(list, func(a, b *scene) int { return cmp.Compare(min(len(a.of), 1), min(len(b.of), 1)) })
	return list
}

// sceneNamed is nil for a name that is not known.
func sceneNamed(name string) *scene {
	for _, s := range scenes {
		if s.name == name {
			return s
		}
	}
	return nil
}

// SceneNames lists the scenes that view.scene may name.
func SceneNames() (names []string) {
	for _, s := range scenes {
		names = append(names, s.name)
	}
	return names
}

func (s *scene) shows(b *Brain) bool { return s.applies == nil || s.applies(b) }

// scene is the one on show: the user's choice if it applies, else the one that the
// experiment opens with.
func (b *Brain) scene() *scene {
	if s := sceneNamed(b.set.Scene); s != nil && s.shows(b) {
		return s
	}
	for _, s := range scenes {
		if s.opens != nil && s.shows(b) && s.opens(b) {
			return s
		}
	}
	if !unitsScene.shows(b) { // then the first that does
		for _, s := range scenes {
			if s.shows(b) {
				return s
			}
		}
	}
	return unitsScene
}

// sceneOf is the scene of a key, nil if there is none.
func (b *Brain) sceneOf(key int) (s *scene) {
	for _, o := range scenes {
		if o.key == key && o.of == "" && (s == nil || !s.shows(b) && o.shows(b)) {
			s = o
		}
	}
	return s
}

// next is what a key shows: its scene, or, pressed again, the next view of its tab.
func (b *Brain) next(key int) *scene {
	s, now := b.sceneOf(key), b.scene()
	if s == nil || now.tab() != s {
		return s
	}
	if views := now.views(b); views != nil {
		return views[(slices.Index(views, now)+1)%len(views)]
	}
	return s
}

// tabs are the scenes to offer, in the order of their keys: one for each key.
func (b *Brain) tabs() (out []*scene) {
	for _, o := range scenes {
		s := b.sceneOf(o.key)
		if o.of == "" && !slices.Contains(out, s) && (s.shows(b) || len(s.missing) > 0) {
			out = append(out, s)
		}
	}
	return out
}
