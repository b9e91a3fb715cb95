package page

import (
	"fmt"
	"slices"

	"logzlab/models"
)

var _ = register(scene{
	name: "formation", key: 4, label: "Formation",
	applies: func(b *Brain) bool {
		return b.traits().Look != models.Functions && b.spec != nil &&
			slices.ContainsFunc(b.spec.Methods, func(m string) bool { return stepwise(m) && b.suits(m) })
	},
	opens:    func(b *Brain) bool { return stepwise(b.spec.Methods[0]) },
	captions: sayings{{text: "Particles form step by step, related ones side by side. Grey: still to come."}},
	about: "One island, stage by stage, thinned to 200 rows: log Z of the stages so far, what it took, " +
		"and the exact value where it is known.",
	tables: []sceneTable{stageTable},
})

// stageTable is what was known at each stage.
var stageTable = sceneTable{
	[]string{"stage", "field.logz", "exact", "ess.ratio", "particles", "of.generated", "resampled"}, (*pane).stageRows}

// stageRows is the record of the island on show: what was known at each stage n.
func (p *pane) stageRows() (rows [][]string) {
	for _, f := range p.looked.frames {
		if f.Growth == nil {
			continue
		}
		rec := f.Growth.Record
		for i, r := range rec {
			if i%max((len(rec)+maxTable-1)/maxTable, 1) != 0 && i != len(rec)-1 {
				continue
			}
			all, first, again := 0, 0, "–"
			for k, n := range r.Batches {
				all += int(n)
				if k == 0 {
					first = all
				}
			}
			if r.Resampled {
				again = p.w.T("yes")
			}
			rows = append(rows, []string{fmt.Sprint(r.N + 1), p.known(r.LogZ, 3), p.known(f.Growth.ExactAt(r.N+1), 3),
				p.known(float64(r.Gamma), 3),
				p.count(float64(all)), p.count(float64(all - first)), again})
		}
		return rows
	}
	return nil
}
