package page

import (
	"cmp"
	"fmt"

	"logzlab/models"
	"logzlab/models/gpc"
)

var _ = register(scene{
	name: "function", key: 4, label: "Function",
	applies: func(b *Brain) bool {
		return b.traits().Look == models.Functions && (b.plottable() || !b.heated())
	},
	opens: func(*Brain) bool { return true },
	captions: sayings{
		{"Random functions that explain the labels, and their mean. Hollow or framed: misfits.",
			func(b *Brain) bool { return b.spec != nil && !stepwise(cmp.Or(b.onShow(), b.spec.Methods[0])) }},
		{"Random functions learn from data, one by one. Those of many inputs have no picture; the numbers are complete.",
			func(b *Brain) bool { return !b.plottable() }},
		{text: "Random functions learn from data, one by one. Hollow or framed: misfits."},
	},
	about:  "Each datum that has come with the probability of its label, and below, stage by stage, what it took.",
	tables: []sceneTable{{[]string{"datum", "data.label", "data.fits"}, (*pane).dataRows}, stageTable},
})

// plottable tells whether the functions of a classifier can be drawn: of one feature, of two, or of pictures. Without
// that the scene has only the strips of forming.
func (x *experiment) plottable() bool {
	f, ok := x.own.file.(gpc.Params)
	return !ok || !x.ownChosen() || f.X != nil && f.D <= 2 || f.W > 0
}

// dataRows are the data that have come to a classifier, and how well they fit.
func (p *pane) dataRows() (rows [][]string) {
	for _, f := range p.looked.frames {
		if f.Latent == nil {
			continue
		}
		for i, at := range f.Latent.At {
			fits := float64(at)
			if f.Latent.Label[i] < 0 {
				fits = 1 - fits
			}
			rows = append(rows, []string{fmt.Sprint(i + 1), p.known(float64(f.Latent.Label[i]), 0), p.known(fits, 3)})
		}
		return rows
	}
	return nil
}
