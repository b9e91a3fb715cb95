package pagetest

import (
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// Lab is a desk with an experiment and its run, at which a test has one part of the page. What the part asks for is
// not done: the test reads it (Asked), and changes the experiment and the run itself.
type Lab struct {
	Host    *Host
	Context shared.Context
	Loader  run.Loader
	Run     run.Current
	Others  state.Snapshot // what the snapshot has of other parts
	t       *testing.T
}

// New is a desk with some lane workers, which are not ready yet, and no experiment.
func New(t *testing.T, workers int) *Lab {
	l := &Lab{Host: NewHost(), t: t}
	known := state.Known{Scenes: []string{"plane", "trace", "training"}, Lessons: 1, Steps: 1, Broken: 1}
	l.Context = shared.New(l.Host, l, workers, known)
	l.Context.Browser = state.Page{Base: "https://lab.example/", Language: "en", Rooms: true}
	l.Loader = run.NewLoader(l.Context.Models)
	l.Run = run.NewCurrent(l.Host.Now)
	l.Run.Idle()
	return l
}

// Facts are what a part may know of the experiment and its run.
func (l *Lab) Facts() run.Facts { return run.NewFacts(&l.Loader, &l.Run) }

// Choose makes the experiment that of a link, which waits.
func (l *Lab) Choose(link string) *spec.Spec {
	l.t.Helper()
	s, err := spec.ParseLink(link, l.Loader.Names())
	if err != nil {
		l.t.Fatal(err)
	}
	l.Loader.Spec = s
	return s
}

// Begin begins the run of the experiment.
func (l *Lab) Begin() {
	l.t.Helper()
	m, err := l.Loader.Model(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	job, err := engine.NewJob(l.Loader.Spec, m, l.Loader.Options(&l.Context.Workers))
	if err != nil {
		l.t.Fatal(err)
	}
	l.Run.Begin(job)
}

// Outline is the snapshot of the part's surroundings.
func (l *Lab) Outline() *state.Snapshot {
	s := l.Others
	s.Experiment, s.Appearance, s.Run.State = l.Loader.Experiment, l.Context.Appearance, l.Run.State()
	s.Problem, s.Panels = l.Context.Problem, l.Context.Panels
	if l.Run.Job != nil {
		s.Model = l.Run.Job.Model
	}
	return &s
}

// Snapshot is the outline with the reports of the run.
func (l *Lab) Snapshot() *state.Snapshot {
	s := l.Outline()
	s.Reports = l.Run.Results()
	l.Run.Tell(&s.Run)
	return s
}

// Asked is what the part has asked for since the last time.
func (l *Lab) Asked() []effect.Effect { return l.Context.Asked() }

// Later does what waits for the controller's goroutine.
func (l *Lab) Later() {
	for len(l.Host.Todo) > 0 {
		(<-l.Host.Todo)()
	}
}
