package page

import (
	"slices"

	"logzlab/estimators/report"
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
	case b.job == nil:
	case b.state == "done":
		b.again()
		b.lookBeside(b.job.Model)
		b.assign()
	case b.beside.job != nil: // about another model
		b.run()
	default:
		b.lookBeside(b.job.Model)
	}
}

// rivalOf is the result that r, of the run, is compared with.
func (b *Brain) rivalOf(r *report.Report) state.Rival {
	if name := b.Settings.Against; name != "" {
		s := beside(b.Spec.Only(b.Names(), r.Method), b.Names(), name, b.job.Model)
		return state.Rival{Report: b.beside.known[s.Link()], Name: name}
	}
	target := b.TargetOf(b.Spec)
	for _, g := range []*state.Previous{&b.previous, &b.programs.last, &b.programs.other} {
		if rival := g.RivalOf(r, target); rival.Report != nil {
			return rival
		}
	}
	return state.Rival{}
}
