package scene

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/models/latent"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "lab", Of: "plane", Key: 13, Label: "Noise", TestsNoise: true,
	Applies: mayEstimateLikelihood,
	Captions: Texts{{Text: "The cost of noise in the likelihood. Few draws are cheap but noisy, many are " +
		"expensive. Lines: theory. Marks: measured on this computer."}},
	About: "By number of draws: the variance of the log estimates, the share of the effective sample size that is " +
		"kept with this ladder or in equal steps, and the seconds for one estimate on this computer. Last row: the " +
		"number of draws that a run would choose.",
	Tables: []Table{{[]string{"Draws", "Estimates", "Variance", "Kept", "Kept in 1 step", "Seconds each"},
		noiseRows}},
})

// mayEstimateLikelihood reports whether the model's likelihood is estimated; before the model is made, whether it may be.
func mayEstimateLikelihood(s *state.Snapshot) bool {
	return s.Traits().EstimatesLikelihood && (!s.Begun() || s.Latent() != nil)
}

// noiseRows returns the estimates by number of draws, with standard errors, and the number that a run chooses.
func noiseRows(p *state.Snapshot) (rows [][]string) {
	f := p.Noise
	if f == nil {
		return nil
	}
	kept := func(t *frame.NoiseTest, steps int) string {
		i := slices.Index(f.Steps, steps)
		if i < 0 {
			return p.NumberOrDash(math.NaN(), 3)
		}
		return p.NumberOrDash(t.ESSRatio[i], 3) + " ± " + p.NumberOrDash(t.ESSRatioSE[i], 3)
	}
	for i := range f.Tests {
		t := &f.Tests[i]
		rows = append(rows, []string{fmt.Sprint(t.Draws), fmt.Sprint(t.N), p.NumberOrDash(t.Var, 3), kept(t, 0), kept(t, 1),
			p.Num(format.SI(t.Seconds, 2))})
	}
	return append(rows, []string{fmt.Sprint(f.Auto), "", p.NumberOrDash(min(latent.MaxVariance, f.VarPerDraw/float64(f.Auto)), 3), "",
		"", ""})
}
