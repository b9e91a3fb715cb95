package page

var _ = register(scene{
	name: "trace", key: 5, label: "Trace", view: "Curves",
	captions: sayings{
		{"Log Z against work. It comes when the last stage is formed.", (*Brain).unheated},
		{text: "Log Z against work. Bands are one error bar, dashes the sandwich."},
	},
	legend: (*pane).methodMarks,
	about:  "Log Z against work, thinned to 200 rows.",
	tables: []sceneTable{{[]string{"method", "field.sweeps", "field.logz", "field.se", "field.lower", "field.upper"},
		(*pane).traceRows}},
})

// methodMarks are the legend of the marks of methods; of many only the picture names them, beside their lines.
func (p *pane) methodMarks() (items []HTML) {
	if p.spec == nil || len(p.spec.Methods) > 3 {
		return nil
	}
	for i, m := range p.spec.Methods {
		items = append(items, el("li", at("data-key", m), mark(i), text(label(m))))
	}
	return items
}

// traceRows are the history of each method.
func (p *pane) traceRows() (rows [][]string) {
	for _, r := range p.reports {
		h := p.curves.points[r.Method]
		for i, q := range h {
			if thinned(i, len(h), len(p.reports)) {
				rows = append(rows, []string{label(r.Method), p.count(q.Sweeps), p.known(q.LogZ, 3), p.known(q.SE, 3),
					p.known(q.Lower, 3), p.known(q.Upper, 3)})
			}
		}
	}
	return rows
}
