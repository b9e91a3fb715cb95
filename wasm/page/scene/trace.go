package scene

import (
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "trace", Key: 5, Label: "Trace", View: "Curves",
	Captions: Texts{
		{"Log Z against work. It appears when the last stage is complete.", (*state.Snapshot).AllSequential},
		{Text: "Log Z against work. Bands: one error bar. Dashed: the sandwich."},
	},
	Legend: methodMarks,
	About:  "Log Z against work, thinned to 200 rows.",
	Tables: []Table{{[]string{"method", "field.sweeps", "field.logz", "field.se", "field.lower", "field.upper"},
		traceRows}},
})

// methodMarks is the legend of the marks of methods; with more than three methods only the picture has labels.
func methodMarks(p *state.Snapshot) (items []html.HTML) {
	if p.Spec == nil || len(p.Spec.Methods) > 3 {
		return nil
	}
	for i, m := range p.Spec.Methods {
		items = append(items, html.El("li", html.At("data-key", m), html.Mark(i), html.Text(state.Label(m))))
	}
	return items
}

// traceRows returns the history of each method.
func traceRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		h := p.Points[r.Method]
		for i, q := range h {
			if thinned(i, len(h), len(p.Reports)) {
				rows = append(rows, []string{state.Label(r.Method), p.Count(q.Sweeps), p.NumberOrDash(q.LogZ, 3), p.NumberOrDash(q.SE, 3),
					p.NumberOrDash(q.Lower, 3), p.NumberOrDash(q.Upper, 3)})
			}
		}
	}
	return rows
}
