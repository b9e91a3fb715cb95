package page

import (
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// Comparison with another model for the same data: a built-in one (view.against), which is run with the same methods
// after the experiment, or the last result before the model was changed, or another program.

// compareWith sets the built-in model to compare with, "" for none. Its run follows the current one.
func (c *Controller) compareWith(name string) {
	if c.Spec == nil || name != "" && !slices.Contains(c.Rivals(), name) {
		return
	}
	c.Settings.Against = name
	switch {
	case c.Job == nil:
	case c.State() == runstate.Done:
		c.Continue()
		c.findAuxiliaryResults(c.Job.Model)
		c.assign()
	case c.Auxiliary.Job != nil: // of another model
		c.run()
	default:
		c.findAuxiliaryResults(c.Job.Model)
	}
}

// rivalOf returns the result that r is compared with.
func (c *Controller) rivalOf(r *report.Report) state.Rival {
	if name := c.Settings.Against; name != "" {
		s := run.AuxiliarySpec(c.Spec.Only(c.Names(), r.Method), c.Names(), name, c.Job.Model)
		return state.Rival{Report: c.Auxiliary.Results[s.Link()], Name: name}
	}
	target := c.TargetOf(c.Spec)
	for _, previous := range []*state.Previous{&c.previous, &c.programs.LastResults, &c.programs.OlderResults} {
		if rival := previous.RivalOf(r, target); rival.Report != nil {
			return rival
		}
	}
	return state.Rival{}
}

// findAuxiliaryResults finds the stored results of auxiliary runs (package run) for the model m, and adds them to the
// reports.
func (c *Controller) findAuxiliaryResults(m models.Model) {
	if results := c.Auxiliary.Find(c.Spec, c.Names(), c.Settings.Against, m); report.LacksFree(m) {
		c.Reports.SetFree(results)
	}
}

// openAuxiliaryRun opens the model of the auxiliary run and makes its job, in steps.
func (c *Controller) openAuxiliaryRun() {
	loader := c.Loader
	loader.Spec = run.AuxiliarySpec(c.Spec.Only(c.Names(), c.Auxiliary.Missing...), c.Names(), c.Settings.Against, c.Job.Model)
	hasDrawing := report.LacksFree(c.Job.Model)
	opt := c.Options(&c.Workers)
	opt.Cache, opt.NoPictures = loader.Cache(), true

	// The model and the job, on the same data as the experiment.
	var job *engine.Job
	var err error
	c.Opening = shared.NewWork(c.Host.Now(), func(w *shared.Work) {
		w.Description, w.Meter.Copies = "opening.free", c.Workers.ModelCopies()
		var m models.Model
		if m, err = loader.Model(&w.Meter); err == nil && !hasDrawing {
			w.Description, err = "opening.model", report.SameData(c.Job.Model.Info(), m.Info())
		}
		if err == nil {
			job, err = engine.NewJob(loader.Spec, m, opt)
		}
	}, func() {
		if err != nil {
			key := "bayes.failed"
			if hasDrawing {
				key = "free.failed"
			}
			c.Problem = &state.Message{Level: "warn", Text: c.Words.T(key, c.Words.Sentence(err))}
			c.finishRun()
			return
		}

		// The auxiliary run goes to the workers.
		c.Auxiliary.Job, c.Auxiliary.StartTime = job, c.Elapsed()
		c.assign()
	})
	c.Work()
}

// storeAuxiliaryResults stores the results of the auxiliary run, and adds them to the reports.
func (c *Controller) storeAuxiliaryResults() {
	if c.Auxiliary.Job == nil || c.Auxiliary.Job.Stopped() {
		return
	}
	for _, r := range report.New(c.Auxiliary.Job).All(c.Elapsed() - c.Auxiliary.StartTime) {
		if r.State == runstate.MethodDone {
			c.Auxiliary.Keep(r)
		}
	}
	c.findAuxiliaryResults(c.Job.Model)
}

// addRivalToLink adds the compared program to the link.
func (c *Controller) addRivalToLink() {
	if reports := c.Results(); len(reports) > 0 && state.IsProgram(reports[0]) {
		if rivalProgram := c.rivalOf(reports[0]).Program; rivalProgram != "" {
			c.Settings.Rival = rivalProgram
		}
	}
}
