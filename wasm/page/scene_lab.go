package page

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/models/latent"
)

var _ = register(scene{
	name: "lab", of: "plane", key: 13, label: "Noise", trials: true,
	applies: (*Brain).estimates,
	captions: sayings{{text: "What noise in the likelihood costs. Lines: theory; marks: estimates made now, at the " +
		"middle of the posterior, as if moves were perfect. Bottom: few draws are cheap but noisy, many expensive."}},
	about: "The variance of log estimates by the draws behind them, the share of the effective sample size that is kept " +
		"with this ladder or in equal steps, and the seconds that an estimate takes here. The last row: the number that a " +
		"run would pick by itself.",
	tables: []sceneTable{{[]string{"Draws", "Estimates", "Variance", "Kept", "Kept in 1 step", "Seconds each"},
		(*pane).noiseRows}},
})

// estimates reports whether the model's likelihood is only estimated; before the model is made, whether it may be.
func (b *Brain) estimates() bool {
	return b.traits().Estimated && (b.job == nil || b.latent() != nil)
}

// noiseRows are the estimates by the draws behind them, with standard errors, and the number that is picked.
func (p *pane) noiseRows() (rows [][]string) {
	f := p.noised(p.reports)
	if f == nil {
		return nil
	}
	kept := func(t *frame.Trial, steps int) string {
		i := slices.Index(f.Steps, steps)
		if i < 0 {
			return p.known(math.NaN(), 3)
		}
		return p.known(t.Kept[i], 3) + " ± " + p.known(t.KeptSE[i], 3)
	}
	for i := range f.Tests {
		t := &f.Tests[i]
		rows = append(rows, []string{fmt.Sprint(t.Draws), fmt.Sprint(t.N), p.known(t.Var, 3), kept(t, 0), kept(t, 1),
			p.num(format.Short(t.Seconds, 2))})
	}
	return append(rows, []string{fmt.Sprint(f.Auto), "", p.known(min(latent.MaxNoise, f.Spread/float64(f.Auto)), 3), "",
		"", ""})
}
