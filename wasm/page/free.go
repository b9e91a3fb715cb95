package page

import (
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// freeRuns find log Z of a machine without a drawing, where no exact value is known: log p of the drawing needs it. The
// same experiment runs once more without the drawing, after the one with it, and its results are kept for the next
// drawing.
type freeRuns struct {
	known   map[string]*report.Report // of methods that are over, by their links
	lacking []string                  // methods that the run which follows is for
	job     *engine.Job               // of that run, nil before it
	since   float64                   // when it began, in seconds of the run
}

// mostFree bounds the results that are kept.
const mostFree = 50

func (f *freeRuns) keep(r *report.Report) {
	if len(f.known) >= mostFree {
		clear(f.known)
	}
	f.known[r.Link] = r
}

// awaited reports whether a run without the drawing follows or is under way.
func (f *freeRuns) awaited() bool { return len(f.lacking) > 0 }

// progress is the share of that run that is done.
func (f *freeRuns) progress() float64 {
	if f.job == nil {
		return 0
	}
	return f.job.Progress()
}

// look finds what is known of the methods of an experiment, and notes what is lacking.
func (f *freeRuns) look(s *spec.Spec, names catalog.Names, m models.Model) (known []*report.Report) {
	f.lacking = nil
	if !report.LacksFree(m) {
		return nil
	}
	for _, method := range s.Methods {
		if r := f.known[report.WithoutDrawing(s.Only(names, method), method).Link()]; r != nil {
			known = append(known, r)
		} else {
			f.lacking = append(f.lacking, method)
		}
	}
	return known
}

// openFree makes the machine without the drawing and its job, in pieces.
func (b *Brain) openFree() {
	x := b.experiment
	x.spec = report.WithoutDrawing(b.spec, b.free.lacking...)
	opt := b.options()
	opt.Cache, opt.Unseen = x.cache(), true
	var job *engine.Job
	var err error
	b.opening = newWork(b.host.Now(), func(w *work) {
		w.stage, w.meter.Copies = "opening.free", b.holders()
		var m models.Model
		if m, err = x.model(&w.meter); err == nil {
			job, err = engine.NewJob(x.spec, m, opt)
		}
	}, func() {
		if err != nil {
			b.problem = &Message{Level: "warn", Text: b.words.T("free.failed", b.words.Sentence(err))}
			b.over()
			return
		}
		b.free.job, b.free.since = job, b.elapsed()
		b.assign()
	})
	b.Work()
}

// freed tells the reports what the run without the drawing found.
func (b *Brain) freed() {
	if b.free.job == nil || b.free.job.Stopped() {
		return
	}
	for _, r := range report.New(b.free.job).All(b.elapsed() - b.free.since) {
		if r.State == "done" {
			b.free.keep(r)
		}
	}
	b.reports.Freed(b.free.look(b.spec, b.names(), b.job.Model))
}
