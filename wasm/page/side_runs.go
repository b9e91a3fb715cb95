package page

import (
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/state"
)

// sideRuns are runs beside an experiment, after it. They find log Z of a machine without a drawing, where no exact
// value is known: log p of the drawing needs it; or log Z of the model that this one is compared with. Their results
// are kept for the next experiment that needs them.
type sideRuns struct {
	known   map[string]*report.Report // of methods that are over, by their links
	lacking []string                  // methods that the run which follows is for
	job     *engine.Job               // of that run, nil before it
	since   float64                   // when it began, in seconds of the run
}

// mostFree bounds the results that are kept.
const mostFree = 50

func (f *sideRuns) keep(r *report.Report) {
	if len(f.known) >= mostFree {
		clear(f.known)
	}
	f.known[r.Link] = r
}

// awaited reports whether a run without the drawing follows or is under way.
func (f *sideRuns) awaited() bool { return len(f.lacking) > 0 }

// progress is the share of that run that is done.
func (f *sideRuns) progress() float64 {
	if f.job == nil {
		return 0
	}
	return f.job.Progress()
}

// look finds what is known of the methods of an experiment, and notes what is lacking.
func (f *sideRuns) look(s *spec.Spec, names catalog.Names, against string, m models.Model) (known []*report.Report) {
	f.lacking = nil
	for _, method := range s.Methods {
		other := beside(s.Only(names, method), names, against, m)
		if other == nil {
			return nil
		}
		if r := f.known[other.Link()]; r != nil {
			known = append(known, r)
		} else {
			f.lacking = append(f.lacking, method)
		}
	}
	return known
}

// beside is what else an experiment about m needs, nil for nothing: itself without its drawing, or on the model that it
// is compared with.
func beside(s *spec.Spec, names catalog.Names, against string, m models.Model) *spec.Spec {
	switch {
	case report.LacksFree(m):
		return report.WithoutDrawing(s, s.Methods...)
	case against != "":
		s = s.Only(names, s.Methods...)
		state.Choose(s, against)
		s.Prune(names)
		return s
	}
	return nil
}

// lookBeside finds what is known beside the experiment about m, and tells the reports.
func (b *Brain) lookBeside(m models.Model) {
	if known := b.beside.look(b.Spec, b.Names(), b.Settings.Against, m); report.LacksFree(m) {
		b.reports.Freed(known)
	}
}

// openFree makes the model of the run beside the experiment and its job, in pieces.
func (b *Brain) openFree() {
	x := b.loader
	x.Spec = beside(b.Spec.Only(b.Names(), b.beside.lacking...), b.Names(), b.Settings.Against, b.job.Model)
	drawing := report.LacksFree(b.job.Model)
	opt := b.options()
	opt.Cache, opt.Unseen = x.cache(), true
	var job *engine.Job
	var err error
	b.Opening = desk.NewWork(b.Host.Now(), func(w *desk.Work) {
		w.Stage, w.Meter.Copies = "opening.free", b.Crew.Holders()
		var m models.Model
		if m, err = x.model(&w.Meter); err == nil && !drawing {
			w.Stage, err = "opening.model", report.SameData(b.job.Model.Info(), m.Info())
		}
		if err == nil {
			job, err = engine.NewJob(x.Spec, m, opt)
		}
	}, func() {
		if err != nil {
			key := "bayes.failed"
			if drawing {
				key = "free.failed"
			}
			b.Problem = &state.Message{Level: "warn", Text: b.Words.T(key, b.Words.Sentence(err))}
			b.over()
			return
		}
		b.beside.job, b.beside.since = job, b.elapsed()
		b.assign()
	})
	b.Work()
}

// freed keeps what the run beside the experiment found, and tells the reports.
func (b *Brain) freed() {
	if b.beside.job == nil || b.beside.job.Stopped() {
		return
	}
	for _, r := range report.New(b.beside.job).All(b.elapsed() - b.beside.since) {
		if r.State == "done" {
			b.beside.keep(r)
		}
	}
	b.lookBeside(b.job.Model)
}
