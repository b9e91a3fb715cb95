package page

import (
	"cmp"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// storePrevious stores the finished results of the run as the previous ones, before the experiment is edited. Results
// of unfinished methods are not stored, since no link reproduces them.
func (c *Controller) storePrevious() {
	if finished := c.finishedResults(); len(finished.Reports) > 0 {
		c.previous = finished
	}
}

// finishedResults returns the results of the methods that are done.
func (c *Controller) finishedResults() state.Previous {
	if c.Job == nil {
		return state.Previous{}
	}
	reports := slices.DeleteFunc(slices.Clone(c.Results()), func(r *report.Report) bool {
		return r.State != runstate.MethodDone || !report.IsNumber(r.LogZ)
	})
	out := state.Previous{Spec: c.Draft(), Target: c.TargetOf(c.Spec), Name: c.ModelName(), Reports: reports}
	if len(reports) > 0 && state.IsProgram(reports[0]) {
		out.Program = cmp.Or(c.Settings.Program, c.Spec.Model)
	}
	return out
}
