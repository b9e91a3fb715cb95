package page

import (
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/state"
)

// Comparing the model with another one of the same data: with a built-in one (view.against), which runs by the same
// methods beside the experiment, or else with the last result before the model was changed, or of another program.

// against compares with another model, "" with none. Its run follows the one under way, or that is over.
func (b *Brain) against(name string) {
	if b.Spec == nil || name != "" && !slices.Contains(b.Rivals(), name) {
		return
	}
	b.Settings.Against = name
	switch {
	case b.Job == nil:
	case b.State() == runstate.Done:
		b.Again()
		b.lookBeside(b.Job.Model)
		b.assign()
	case b.Beside.Job != nil: // about another model
		b.run()
	default:
		b.lookBeside(b.Job.Model)
	}
}

// rivalOf is the result that r, of the run, is compared with.
func (b *Brain) rivalOf(r *report.Report) state.Rival {
	if name := b.Settings.Against; name != "" {
		s := run.Beside(b.Spec.Only(b.Names(), r.Method), b.Names(), name, b.Job.Model)
		return state.Rival{Report: b.Beside.Known[s.Link()], Name: name}
	}
	target := b.TargetOf(b.Spec)
	for _, g := range []*state.Previous{&b.previous, &b.programs.Last, &b.programs.Older} {
		if rival := g.RivalOf(r, target); rival.Report != nil {
			return rival
		}
	}
	return state.Rival{}
}

// lookBeside finds what is known beside the experiment about m, and tells the reports.
func (b *Brain) lookBeside(m models.Model) {
	if known := b.Beside.Look(b.Spec, b.Names(), b.Settings.Against, m); report.LacksFree(m) {
		b.Reports.Freed(known)
	}
}

// openFree makes the model of the run beside the experiment and its job, in pieces.
func (b *Brain) openFree() {
	x := b.Loader
	x.Spec = run.Beside(b.Spec.Only(b.Names(), b.Beside.Lacking...), b.Names(), b.Settings.Against, b.Job.Model)
	drawing := report.LacksFree(b.Job.Model)
	opt := b.Options(&b.Crew)
	opt.Cache, opt.Unseen = x.Cache(), true

	// The model and the job, on the same data as the experiment.
	var job *engine.Job
	var err error
	b.Opening = desk.NewWork(b.Host.Now(), func(w *desk.Work) {
		w.Doing, w.Meter.Copies = "opening.free", b.Crew.Holders()
		var m models.Model
		if m, err = x.Model(&w.Meter); err == nil && !drawing {
			w.Doing, err = "opening.model", report.SameData(b.Job.Model.Info(), m.Info())
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

		// The run beside the experiment goes to the workers.
		b.Beside.Job, b.Beside.Since = job, b.Elapsed()
		b.assign()
	})
	b.Work()
}

// freed keeps what the run beside the experiment found, and tells the reports.
func (b *Brain) freed() {
	if b.Beside.Job == nil || b.Beside.Job.Stopped() {
		return
	}
	for _, r := range report.New(b.Beside.Job).All(b.Elapsed() - b.Beside.Since) {
		if r.State == runstate.MethodDone {
			b.Beside.Keep(r)
		}
	}
	b.lookBeside(b.Job.Model)
}

// keepRival has the link say what the result is compared with, where that is a program.
func (b *Brain) keepRival() {
	if all := b.Results(); len(all) > 0 && state.IsProgram(all[0]) {
		if with := b.rivalOf(all[0]).Program; with != "" {
			b.Settings.Rival = with
		}
	}
}
