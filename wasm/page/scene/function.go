package scene

import (
	"cmp"
	"fmt"

	"logzlab/models"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "function", Key: 4, Label: "Function",
	Applies: func(s *state.Snapshot) bool {
		return s.Traits().Look == models.Functions && (s.Plottable() || !s.UsesTemperatures())
	},
	opens: func(*state.Snapshot) bool { return true },
	Captions: Texts{
		{"Random functions that explain the labels, and their mean. Hollow or framed: data that do not fit.",
			func(s *state.Snapshot) bool {
				return s.Spec != nil && !state.IsSequential(cmp.Or(s.OnShow, s.Spec.Methods[0]))
			}},
		{"Random functions learn from the data one by one. Functions of many inputs have no picture; the results " +
			"are complete.",
			func(s *state.Snapshot) bool { return !s.Plottable() }},
		{Text: "Random functions learn from the data one by one. Hollow or framed: data that do not fit."},
	},
	About: "Each datum so far with the probability of its label. Below: the work of one group of particles, stage " +
		"by stage.",
	Tables: []Table{{[]string{"datum", "data.label", "data.fits"}, dataRows}, stageTable},
})

// dataRows returns the data that a classifier has so far, and how well they fit.
func dataRows(p *state.Snapshot) (rows [][]string) {
	for _, f := range p.Frames {
		if f.Latent == nil {
			continue
		}
		for i, probability := range f.Latent.ProbAtData {
			fits := float64(probability)
			if f.Latent.Label[i] < 0 {
				fits = 1 - fits
			}
			rows = append(rows, []string{fmt.Sprint(i + 1), p.NumberOrDash(float64(f.Latent.Label[i]), 0), p.NumberOrDash(fits, 3)})
		}
		return rows
	}
	return nil
}
