package route

import (
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// Kind is the kind of page that a link leads to.
type Kind int

// Kinds of pages.
const (
	Hero       Kind = iota // the empty link, or one with a stroke
	Experiment             // also the lab's own, and a link that only says how to show one
	Deck                   // a lecture, which brings its experiments along
	Room
	Training
	Check // of the browser, by the golden links
)

// Route is where a link leads.
type Route struct {
	Kind Kind
	Less bool           // the link is the lab's: only what a first visitor needs is shown
	View state.Settings // how the page is to look; of a deck, the part that stays from step to step
	Left error          // what is wrong with settings of the view, which View leaves out; nil: nothing

	Stroke string // of the hero: the text of a drawing, "" without one

	Spec *spec.Spec // of an experiment

	// Of an experiment whose link is bad: the link of what is right of it, with Spec and View, or else the default
	// experiment.
	Mended  string
	Default bool

	Code, Remote string        // of a room, with the token of its remote if this device is one
	Training     training.Link // without View
	Suffix       string        // of a check: what its links end with, so that all look as wanted
}

// checkLink begins the link that checks the browser.
const checkLink = "check"

// Parse reads a link, of which names has the own model and known the names of view settings. The error says what is
// wrong with the link itself; the route then has what can be shown of it.
func Parse(link string, names catalog.Names, known state.Known) (r Route, err error) {
	if link = strings.TrimPrefix(link, "#"); link == "" {
		return Route{Kind: Hero}, nil
	}
	if stroke, ok := strings.CutPrefix(link, state.StrokeLink); ok {
		r.Kind = Hero
		r.Stroke, _, _ = strings.Cut(stroke, "&")
		r.View, r.Left = known.Parse(viewOf(link))
		return r, nil
	}
	if view, ok := strings.CutPrefix(link+"&", state.Lab+"&"); ok {
		link, r.Less = strings.TrimSuffix(state.DefaultLink+"&"+view, "&"), true
	}

	// Links of a check, of a room and of a training.
	if view, ok := strings.CutPrefix(link, checkLink); ok && (view == "" || view[0] == '&') {
		r.Kind, r.Suffix = Check, view
		return r, nil
	}
	if text, ok := strings.CutPrefix(link, state.RoomLink); ok {
		r.Kind = Room
		r.readRoom(text, known)
		return r, nil
	}
	if training.IsLink(link) {
		r.Kind = Training
		r.Training, err = training.ParseLink(link)
		r.View, r.Left = known.Parse(r.Training.View)
		r.Training.View = nil
		return r, err
	}

	// A lecture.
	if view, left := known.Parse(viewOf(link)); view.Deck != "" {
		r.Kind, r.View, r.Left = Deck, view.DeckView(), left
		return r, nil
	}

	// An experiment.
	r.Kind = Experiment
	if onlyView(link) {
		link = state.DefaultLink + strings.ReplaceAll("&"+link, "&v=1", "")
	}
	if r.Spec, err = spec.ParseLink(link, names); err != nil {
		r.Mended, r.Default = mend(link, names, known)
		r.Spec, _ = spec.ParseLink(r.Mended, names)
	}
	r.View, r.Left = known.Parse(r.Spec.View)
	return r, err
}

// readRoom reads what follows RoomLink: a code, and view settings before and after the token of a remote.
func (r *Route) readRoom(text string, known state.Known) {
	text, remote, _ := strings.Cut(text, state.RemoteKey)
	code, view, _ := strings.Cut(text, "&")
	remote, more, _ := strings.Cut(remote, "&")
	r.Code, r.Remote = strings.ToUpper(strings.TrimSpace(code)), remote
	parts := strings.Split(view+"&"+more, "&")
	r.View, r.Left = known.Parse(slices.DeleteFunc(parts, func(s string) bool { return s == "" }))
}

// viewOf are the view settings of a link.
func viewOf(link string) (view []string) {
	for _, part := range strings.Split(link, "&") {
		if strings.HasPrefix(part, "view.") {
			view = append(view, part)
		}
	}
	return view
}

// onlyView reports whether a link says how to show an experiment and names none.
func onlyView(link string) bool {
	views := false
	for _, part := range strings.Split(link, "&") {
		if part != "v=1" && !strings.HasPrefix(part, "view.") {
			return false
		}
		views = views || part != "v=1"
	}
	return views
}
