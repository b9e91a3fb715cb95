package page

import (
	"slices"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// fade keeps the finished results of the run as the previous ones, before the experiment is edited. What was not
// finished is no result of any link, so it is not kept.
func (b *Brain) fade() {
	if b.job == nil {
		return
	}
	done := slices.DeleteFunc(slices.Clone(b.results()), func(r *report.Report) bool {
		return r.State != "done" || !report.IsNumber(r.LogZ)
	})
	if len(done) > 0 {
		b.previous = state.Previous{Spec: b.Draft(), Target: b.TargetOf(b.Spec), Name: b.ModelName(), Reports: done}
	}
}
