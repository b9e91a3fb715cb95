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

// Lab is a context with an experiment and its run, for a test of one package of the page. Effects are not applied: the
// test reads them with Effects, and changes the experiment and the run itself.
type Lab struct {
	Host    *Host
	Context shared.Context
	Loader  run.Loader
	Run     run.Current
	Others  state.Snapshot // fields of the snapshot that belong to other packages
	t       *testing.T
}

// New returns a Lab with some lane workers, which are not ready yet, and no experiment.
func New(t *testing.T, workers int) *Lab {
	l := &Lab{Host: NewHost(), t: t}
	known := state.Known{Scenes: []string{"plane", "trace", "training"}, Lessons: 1, Steps: 1, Broken: 1}
	l.Context = shared.New(l.Host, l, workers, known)
	l.Context.Browser = state.BrowserPage{Base: "https://lab.example/", Language: "en", Rooms: true}
	l.Loader = run.NewLoader(l.Context.Models)
	l.Run = run.NewCurrent(l.Host.Now)
	l.Run.Idle()
	return l
}

// Facts returns the facts of the experiment and its run.
func (l *Lab) Facts() run.Facts { return run.NewFacts(&l.Loader, &l.Run) }

// Choose sets the experiment of a link, without running it.
func (l *Lab) Choose(link string) *spec.Spec {
	l.t.Helper()
	s, err := spec.ParseLink(link, l.Loader.Names())
	if err != nil {
		l.t.Fatal(err)
	}
	l.Loader.Spec = s
	return s
}

// Begin starts the run of the experiment.
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

// Outline returns the snapshot without reports.
func (l *Lab) Outline() *state.Snapshot {
	s := l.Others
	s.Experiment, s.Appearance, s.Run.State = l.Loader.Experiment, l.Context.Appearance, l.Run.State()
	s.Problem, s.Panels = l.Context.Problem, l.Context.Panels
	if l.Run.Job != nil {
		s.Model = l.Run.Job.Model
	}
	return &s
}

// Snapshot returns the snapshot with the reports of the run.
func (l *Lab) Snapshot() *state.Snapshot {
	s := l.Outline()
	s.Reports = l.Run.Results()
	l.Run.FillIn(&s.Run)
	return s
}

// Effects returns the effects that were queued since the last call.
func (l *Lab) Effects() []effect.Effect { return l.Context.TakeEffects() }

// RunQueued runs the functions that wait for the controller's goroutine.
func (l *Lab) RunQueued() {
	for len(l.Host.Queue) > 0 {
		(<-l.Host.Queue)()
	}
}
