package page

import (
	"fmt"
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

const noTemperatures = "These methods use no temperatures."

var _ = register(scene{
	name: "ladder", key: 2, label: "Ladder", view: "Chains",
	applies: (*Brain).heated,
	missing: sayings{{text: noTemperatures}},
	captions: sayings{
		{"Each line is a chain on its way from hot (β = 0) to cold. It goes up once and carries a weight.",
			func(b *Brain) bool {
				m, ok := catalog.Method(b.onShow())
				return ok && !guesses(m) && !b.autoTempers(m)
			}},
		{text: "Each line is a chain hopping between temperatures. Good: even visits."},
	},
	legend: (*pane).temperatures,
	about:  "Log Z at each rung, thinned to 200 rows.",
	tables: []sceneTable{{[]string{"method", "rung", "beta", "field.logz", "field.se"}, (*pane).ladderRows}},
})

// autoTempers reports whether a method is auto and has chosen tempering.
func (b *Brain) autoTempers(m *estimators.Info) bool {
	return m.Target > 0 && slices.ContainsFunc(b.results(), func(r *report.Report) bool {
		_, hops := r.Diagnostics[estimators.DiagRoundTrips]
		return hops && r.Method == m.Name
	})
}

// ladderRows are the rungs of each method.
func (p *pane) ladderRows() (rows [][]string) {
	for _, r := range p.reports {
		for k, g := range r.Ladder {
			if thinned(k, len(r.Ladder), len(p.reports)) {
				rows = append(rows, []string{label(r.Method), fmt.Sprint(k + 1), p.known(float64(g.Beta), 4),
					p.known(float64(g.LogZ), 3), p.known(float64(g.SE), 3)})
			}
		}
	}
	return rows
}

// temperatures are the legend of the colours of inverse temperatures.
func (p *pane) temperatures() []HTML {
	var cells []HTML
	for i := range 9 {
		cells = append(cells, el(`rect width="7" height="8"`, at("x", fmt.Sprint(8*i), "class", fmt.Sprintf("b-%d", i))))
	}
	ramp := tag(`svg class="ramp" width="72" height="8" aria-hidden="true"`, cells...)
	return []HTML{tag(`li data-key="beta"`, ramp, text(p.w.T("legend.beta")))}
}
