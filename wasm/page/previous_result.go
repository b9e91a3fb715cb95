package page

import (
	"cmp"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// fade keeps the finished results of the run as the previous ones, before the experiment is edited. What was not
// finished is no result of any link, so it is not kept.
func (b *Brain) fade() {
	if done := b.finished(); len(done.Reports) > 0 {
		b.previous = done
	}
}

// finished are the results so far of the methods that are done.
func (b *Brain) finished() state.Previous {
	if b.Job == nil {
		return state.Previous{}
	}
	done := slices.DeleteFunc(slices.Clone(b.Results()), func(r *report.Report) bool {
		return r.State != runstate.MethodDone || !report.IsNumber(r.LogZ)
	})
	out := state.Previous{Spec: b.Draft(), Target: b.TargetOf(b.Spec), Name: b.ModelName(), Reports: done}
	if len(done) > 0 && state.IsProgram(done[0]) {
		out.Program = cmp.Or(b.Settings.Program, b.Spec.Model)
	}
	return out
}
