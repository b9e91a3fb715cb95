package route

import (
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// Kind is the kind of page that a link opens.
type Kind int

// Kinds of pages.
const (
	Hero       Kind = iota // the empty link, or one with a stroke
	Experiment             // also the default experiment of the lab, and a link with view settings only
	Deck                   // a lecture, which brings its experiments along
	Room
	Training
	Check // the browser check with the reference links
)

// Route is a parsed link.
type Route struct {
	Kind       Kind
	FirstVisit bool           // the link is state.Lab: a first visitor's page
	View       state.Settings // view settings; for a lecture the part that stays from step to step
	ViewErrors error          // errors of view settings, which View leaves out, or nil

	Stroke string // of the hero: the text of a drawing, "" without one

	Spec *spec.Spec // of an experiment

	// For an experiment with a bad link: its valid part, described by Spec and View, or the default experiment.
	Mended  string
	Default bool

	Code, Remote string        // of a room, with the token if this device is a remote control
	Training     training.Link // without View
	Suffix       string        // of a check: view settings that its links end with
}

// checkLink begins the link of the browser check.
const checkLink = "check"

// Parse parses a link; names contains the own model, known the names of view settings. On an error of the link itself,
// the route has its valid part.
func Parse(link string, names catalog.Names, known state.Known) (r Route, err error) {
	if link = strings.TrimPrefix(link, "#"); link == "" {
		return Route{Kind: Hero}, nil
	}
	if stroke, ok := strings.CutPrefix(link, state.StrokeLink); ok {
		r.Kind = Hero
		r.Stroke, _, _ = strings.Cut(stroke, "&")
		r.View, r.ViewErrors = known.Parse(viewOf(link))
		return r, nil
	}
	if view, ok := strings.CutPrefix(link+"&", state.Lab+"&"); ok {
		link, r.FirstVisit = strings.TrimSuffix(state.DefaultLink+"&"+view, "&"), true
	}

	// Links to a check, a room and a training.
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
		r.View, r.ViewErrors = known.Parse(r.Training.View)
		r.Training.View = nil
		return r, err
	}

	// A lecture.
	if view, viewErrs := known.Parse(viewOf(link)); view.Deck != "" {
		r.Kind, r.View, r.ViewErrors = Deck, view.DeckView(), viewErrs
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
	r.View, r.ViewErrors = known.Parse(r.Spec.View)
	return r, err
}

// readRoom parses the part after RoomLink: a code, and view settings before and after the token of a remote control.
func (r *Route) readRoom(text string, known state.Known) {
	text, remote, _ := strings.Cut(text, state.RemoteKey)
	code, view, _ := strings.Cut(text, "&")
	remote, more, _ := strings.Cut(remote, "&")
	r.Code, r.Remote = strings.ToUpper(strings.TrimSpace(code)), remote
	parts := strings.Split(view+"&"+more, "&")
	r.View, r.ViewErrors = known.Parse(slices.DeleteFunc(parts, func(s string) bool { return s == "" }))
}

// viewOf returns the view settings of a link.
func viewOf(link string) (view []string) {
	for _, part := range strings.Split(link, "&") {
		if strings.HasPrefix(part, "view.") {
			view = append(view, part)
		}
	}
	return view
}

// onlyView reports whether a link has view settings but no experiment.
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
