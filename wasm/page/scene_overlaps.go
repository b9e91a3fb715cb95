package page

import (
	"fmt"
	"slices"

	"logzlab/estimators/catalog"
)

var _ = register(scene{
	name: "overlaps", key: 6, label: "Overlaps",
	applies: func(b *Brain) bool {
		return b.spec != nil && slices.ContainsFunc(b.spec.Methods, func(name string) bool {
			m, _ := catalog.Method(name)
			return m.Overlaps
		})
	},
	missing: sayings{
		{noTemperatures, (*Brain).unheated},
		{text: "These methods do not measure how their rungs overlap."},
	},
	captions: sayings{{
		text: "Each bar: how often a move between neighbouring rungs is accepted. Below 0.2, add a rung.",
	}},
	legend: (*pane).temperatures,
	about:  "The overlap of each rung with the next one, thinned to 200 rows.",
	tables: []sceneTable{{[]string{"method", "rung", "beta", "β of the next", "Overlap"}, (*pane).overlapRows}},
})

// overlapRows are the pairs of neighbouring rungs of each method that measured them.
func (p *pane) overlapRows() (rows [][]string) {
	for _, r := range p.reports {
		for k, o := range r.Overlap {
			if k+1 < len(r.Ladder) && thinned(k, len(r.Overlap), len(p.reports)) {
				rows = append(rows, []string{label(r.Method), fmt.Sprint(k + 1), known(float64(r.Ladder[k].Beta), 4),
					known(float64(r.Ladder[k+1].Beta), 4), known(o, 3)})
			}
		}
	}
	return rows
}
