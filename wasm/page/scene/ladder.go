package scene

import (
	"fmt"
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

const noTemperatures = "These methods use no temperatures."

var _ = Register(Scene{
	Name: "ladder", Key: 2, Label: "Ladder", View: "Chains",
	Applies: (*state.Snapshot).UsesTemperatures,
	Missing: Texts{{Text: noTemperatures}},
	Captions: Texts{
		{"Each line is the weight of a chain relative to the mean, from hot to cold. The wider the fan, the larger " +
			"the error.",
			func(s *state.Snapshot) bool {
				m, ok := catalog.Method(s.OnShow)
				return ok && !reportsGuesses(m) && !autoTempers(s, m)
			}},
		{Text: "Each line is a chain that moves between temperatures. Good: all temperatures are visited equally " +
			"often."},
	},
	Legend: temperatures,
	About:  "Log Z at each rung, thinned to 200 rows.",
	Tables: []Table{{[]string{"method", "rung", "beta", "field.logz", "field.se"}, ladderRows}},
})

// autoTempers reports whether a method is auto and has chosen tempering.
func autoTempers(s *state.Snapshot, m *estimators.Info) bool {
	return m.Target > 0 && slices.ContainsFunc(s.Reports, func(r *report.Report) bool {
		_, hops := r.Diagnostics[estimators.DiagRoundTrips]
		return hops && r.Method == m.Name
	})
}

// ladderRows returns the rungs of each method.
func ladderRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		for k, g := range r.Ladder {
			if thinned(k, len(r.Ladder), len(p.Reports)) {
				rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(k + 1), p.NumberOrDash(float64(g.Beta), 4),
					p.NumberOrDash(float64(g.LogZ), 3), p.NumberOrDash(float64(g.SE), 3)})
			}
		}
	}
	return rows
}

// temperatures is the legend of the colours of inverse temperatures.
func temperatures(p *state.Snapshot) []html.HTML {
	var cells []html.HTML
	for i := range 9 {
		cells = append(cells, html.El(`rect width="7" height="8"`, html.At("x", fmt.Sprint(8*i), "class",
			fmt.Sprintf("b-%d", i))))
	}
	ramp := html.Tag(`svg class="ramp" width="72" height="8" aria-hidden="true"`, cells...)
	return []html.HTML{html.Tag(`li data-key="beta"`, ramp, html.Text(p.Words.T("legend.beta")))}
}
