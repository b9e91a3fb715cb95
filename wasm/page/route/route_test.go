package route

import (
	"reflect"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/training"
	"logzlab/internal/bound"
	"logzlab/wasm/page/state"
)

// known are some names, as the page has them.
var known = state.Known{Scenes: []string{"plane", "schedule", "formation"}, Lessons: 16, Steps: 5, Broken: 6}

const ais = "v=1&model=mixture2&method=ais"

func parsed(t *testing.T, link string) *spec.Spec {
	t.Helper()
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each kind of link, with what it says; err and left are parts of what is wrong with it.
func TestParse(t *testing.T) {
	rows := training.NewLink(training.Stripes)
	rows.Seed = 2
	settings := func(s string) (view state.Settings) {
		view, err := known.Parse(strings.FieldsFunc(s, func(r rune) bool { return r == '&' }))
		if err != nil {
			t.Fatal(err)
		}
		return view
	}
	for link, want := range map[string]struct {
		Route
		experiment, err, left string
	}{
		"":  {Route: Route{Kind: Hero}},
		"#": {Route: Route{Kind: Hero}},

		// Experiments. A link that only says how to look shows the default one.
		ais:             {Route: Route{Kind: Experiment}, experiment: ais},
		"#" + ais:       {Route: Route{Kind: Experiment}, experiment: ais},
		ais + "&seed=7": {Route: Route{Kind: Experiment}, experiment: ais + "&seed=7"},
		ais + "&view.scene=plane&view.slow=2": {Route: Route{Kind: Experiment,
			View: state.Settings{Scene: "plane", Slow: 2}}, experiment: ais},
		"https://lab.example/#" + ais: {Route: Route{Kind: Experiment}, experiment: ais},
		ais + "&view.scene=attic&view.lang=de": {Route: Route{Kind: Experiment, View: state.Settings{Lang: "de"}},
			experiment: ais, left: "attic"},
		"view.theme=dark&view.lang=de": {Route: Route{Kind: Experiment,
			View: state.Settings{Theme: "dark", Lang: "de"}}, experiment: state.DefaultLink},
		"v=1&view.theme=projector": {Route: Route{Kind: Experiment, View: state.Settings{Projector: true}},
			experiment: state.DefaultLink},
		"view.samples=own": {Route: Route{Kind: Experiment, View: state.Settings{Samples: "own"}},
			experiment: state.DefaultLink},
		"v=1&model=file:0123456789ab&method=ais": {Route: Route{Kind: Experiment},
			experiment: "v=1&model=file:0123456789ab&method=ais"},

		// The lab's own.
		"lab": {Route: Route{Kind: Experiment, FirstVisit: true}, experiment: state.DefaultLink},
		"#lab&view.theme=dark": {Route: Route{Kind: Experiment, FirstVisit: true, View: state.Settings{Theme: "dark"}},
			experiment: state.DefaultLink},
		"lab&view.deck=sum": {Route: Route{Kind: Deck, FirstVisit: true, View: state.Settings{Deck: "sum"}}},
		"labour": {Route: Route{Kind: Experiment, Default: true, Mended: state.DefaultLink},
			experiment: state.DefaultLink, err: "labour"},

		// Bad links, with what is right of them.
		"v=1": {Route: Route{Kind: Experiment, Default: true, Mended: state.DefaultLink},
			experiment: state.DefaultLink, err: "model is missing"},
		"v=2": {Route: Route{Kind: Experiment, Default: true, Mended: state.DefaultLink},
			experiment: state.DefaultLink, err: "v=2"},
		"v=1&seed=3&view.theme=dark": {Route: Route{Kind: Experiment, View: state.Settings{Theme: "dark"}, Default: true,
			Mended: state.DefaultLink + "&view.theme=dark"}, experiment: state.DefaultLink, err: "model is missing"},
		ais + "&ais.chains=many&view.lang=de": {Route: Route{Kind: Experiment, View: state.Settings{Lang: "de"},
			Mended: ais + "&view.lang=de"}, experiment: ais, err: "ais.chains"},
		"checked": {Route: Route{Kind: Experiment, Default: true, Mended: state.DefaultLink},
			experiment: state.DefaultLink, err: "checked"},

		// Lectures: of the view only what stays from step to step.
		"view.deck=sum&view.step=5&view.lang=de": {Route: Route{Kind: Deck,
			View: state.Settings{Deck: "sum", Step: 5, Lang: "de"}}},
		"v=1&view.deck=file:0123456789ab": {Route: Route{Kind: Deck, View: state.Settings{Deck: "file:0123456789ab"}}},
		"view.deck=sum&view.scene=plane":  {Route: Route{Kind: Deck, View: state.Settings{Deck: "sum"}}},
		"view.deck=sum&view.step=0":       {Route: Route{Kind: Deck, View: state.Settings{Deck: "sum"}}, left: "view.step"},
		"view.deck=No":                    {Route: Route{Kind: Experiment}, experiment: state.DefaultLink, left: "view.deck"},

		// Rooms.
		"room=abcdef":    {Route: Route{Kind: Room, Code: "ABCDEF"}},
		"#room= ABCDEF ": {Route: Route{Kind: Room, Code: "ABCDEF"}},
		"room=":          {Route: Route{Kind: Room}},
		"room=ABCDEF&view.lang=de&remote=xyz": {Route: Route{Kind: Room, Code: "ABCDEF", Remote: "xyz",
			View: state.Settings{Lang: "de"}}},
		"room=ABCDEF&remote=xyz&view.theme=dark": {Route: Route{Kind: Room, Code: "ABCDEF", Remote: "xyz",
			View: state.Settings{Theme: "dark"}}},
		"room=ABCDEF&view.lang=zz": {Route: Route{Kind: Room, Code: "ABCDEF"}, left: "view.lang"},

		// Trainings.
		"v=1&train=bars&seed=2&view.embed=1": {Route: Route{Kind: Training, Training: rows, View: settings("view.embed=1")}},
		"v=1&train=nothing":                  {Route: Route{Kind: Training}, err: "train=nothing"},

		// Checks.
		"check":                {Route: Route{Kind: Check}},
		"check&view.lang=de":   {Route: Route{Kind: Check, Suffix: "&view.lang=de"}},
		"#check&view.deck=sum": {Route: Route{Kind: Check, Suffix: "&view.deck=sum"}},
	} {
		got, err := Parse(link, catalog.Names{}, known)
		if want.experiment != "" {
			want.Spec = parsed(t, want.experiment)
			if got.Spec == nil || got.Spec.Link() != want.Spec.Link() {
				t.Errorf("%q: the experiment is %+v", link, got.Spec)
			}
		} else if got.Spec != nil {
			t.Errorf("%q has the experiment %+v", link, got.Spec)
		}
		for _, e := range []struct {
			got  error
			want string
		}{{err, want.err}, {got.ViewErrors, want.left}} {
			if (e.got == nil) != (e.want == "") || e.got != nil && !strings.Contains(e.got.Error(), e.want) {
				t.Errorf("%q: error %v, want %q", link, e.got, e.want)
			}
		}
		if want.Kind == Training && err == nil && got.Training.String() != want.Training.String() {
			t.Errorf("%q: the training is %s", link, &got.Training)
		}
		got.ViewErrors, got.Spec, want.Spec = nil, nil, nil
		got.Training, want.Training = training.Link{}, training.Link{}
		if !reflect.DeepEqual(got, want.Route) {
			t.Errorf("%q: %+v, want %+v", link, got, want.Route)
		}
	}
}

// An own model that is here has parameters of its kind in links.
func TestParseOwn(t *testing.T) {
	e, _ := catalog.Kinds.Find("rbm-pcd-20")
	link := "v=1&model=file:0123456789ab&method=ais&start=uniform"
	if _, err := Parse(link, catalog.Names{File: "file:0123456789ab", Kind: e.Kind}, known); err != nil {
		t.Errorf("the own file: %v", err)
	}
}

// What an address opens: without an experiment or a view the hero. The language of the query holds for every link, its
// settings of the view for the first; those of the link go first.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		link, query string
		alone       bool
		want, lang  string
	}{
		{"", "", false, "", ""},
		{"#", "?workers=1&lang=de", false, "", "de"},
		{"", "?lang=zz", false, "", ""},
		{"", "", true, state.Lab, ""},
		{"", "?view.projector", false, "lab&view.projector=1", ""},
		{"#lab", "?lang=de", false, "lab&view.lang=de", ""},
		{"#view.lang=de", "?lang=en", false, "view.lang=de", ""},
		{"#" + ais, "?workers=1&lang=de&view.projector&view.theme=dark", false,
			ais + "&view.lang=de&view.projector=1&view.theme=dark", ""},
		{"#" + ais + "&view.theme=light", "?view.theme=dark", false, ais + "&view.theme=light", ""},
	} {
		link, lang := Start(state.BrowserPage{Link: c.link, Query: c.query, SingleFile: c.alone}, known)
		if link != c.want || lang != c.lang {
			t.Errorf("%s%s opens %q in %q, want %q in %q", c.query, c.link, link, lang, c.want, c.lang)
		}
	}
	for link, want := range map[string]string{"#": "", "#" + ais: ais + "&view.lang=de",
		ais + "&view.lang=en": ais + "&view.lang=en"} {
		if got := Next(link, "?lang=de&view.projector"); got != want {
			t.Errorf("%q opens %q, want %q", link, got, want)
		}
	}
}

// FuzzParse reads any link. What it leads to is whole: an experiment is one that the engine takes, a mended link is
// right, and the link of the view is read as the same view.
func FuzzParse(f *testing.F) {
	for _, l := range []string{"", "lab", "check&view.lang=de", "room=ABCDEF&remote=x&view.theme=dark",
		"v=1&train=bars&seed=2", "view.deck=sum&view.step=5", "v=1&view.deck=file:0123456789ab",
		ais + "&view.scene=plane&view.hide=run,numbers&view.expect=0123456789abcdef",
		"v=1&model=ising16&method=ais,rts&beta=0.3", "v=1&model=file:0123456789ab&method=smc&smc.adaptive=yes",
		"v=1&model=gpc-1d&method=rm&rm.absent=rates&sampler=ess", "v=2", "v=1&model=&method=", "%zz", "#a#b"} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, link string) {
		defer bound.Check(t)()
		r, err := Parse(link, catalog.Names{}, known)
		if r.Kind == Experiment {
			again, wrong := spec.ParseLink(r.Spec.Link(), catalog.Names{})
			if wrong != nil || again.Link() != r.Spec.Link() {
				t.Errorf("%q: the experiment %s is read as %v, %v", link, r.Spec.Link(), again, wrong)
			}
			if (err != nil) != (r.Mended != "") {
				t.Errorf("%q: error %v, mended %q", link, err, r.Mended)
			}
		}
		if r.Mended != "" {
			if m, wrong := Parse(r.Mended, catalog.Names{}, known); wrong != nil || m.ViewErrors != nil {
				t.Errorf("%q is mended as %q: %v, %v", link, r.Mended, wrong, m.ViewErrors)
			}
		}
		view, wrong := known.Parse(viewOf(r.View.Link()))
		if wrong != nil || view.Link() != r.View.Link() {
			t.Errorf("%q: the view %s is read as %s, %v", link, r.View.Link(), view.Link(), wrong)
		}
	})
}
