package scene

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "formation", Key: 4, Label: "Formation",
	Applies: func(s *state.Snapshot) bool {
		return s.Traits().Look != models.Functions && s.Spec != nil &&
			slices.ContainsFunc(s.Spec.Methods, func(m string) bool { return state.IsSequential(m) && s.Suits(m) })
	},
	opens: func(s *state.Snapshot) bool { return state.IsSequential(s.Spec.Methods[0]) },
	Captions: Texts{
		{"Particles form around your drawing, whose pixels are the same in all of them. Grey: not formed yet.", drawn},
		{Text: "Particles form step by step, related ones side by side. Grey: not formed yet."}},
	About: "One group of particles, stage by stage, thinned to 200 rows: log Z so far, the work, and the exact " +
		"value if it is known.",
	Tables: []Table{stageTable},
})

func drawn(s *state.Snapshot) bool { return s.Drawing() != "" }

// stageTable is the table of the stages.
var stageTable = Table{
	[]string{"stage", "field.logz", "exact", "ess.ratio", "share.vmin", "particles", "of.generated",
		"resampled"}, stageRows}

// stageRows returns the record of the group on show, stage by stage. The share of V_min is that of sqrt(1/gamma - 1)
// ([ARM] eq. 8).
func stageRows(p *state.Snapshot) (rows [][]string) {
	for _, f := range p.Frames {
		if f.Growth == nil {
			continue
		}

		// Stages, thinned to the length of a table.
		rec, sum := f.Growth.Record, 0.0
		for _, r := range rec {
			sum += rootV(r)
		}
		for i, r := range rec {
			if i%max((len(rec)+MaxTable-1)/MaxTable, 1) != 0 && i != len(rec)-1 {
				continue
			}

			// Particles of the stage: all batches, and the first batch alone.
			all, first, resampled := 0, 0, "–"
			for k, n := range r.Batches {
				all += int(n)
				if k == 0 {
					first = all
				}
			}
			if r.Resampled {
				resampled = p.Words.T("yes")
			}
			rows = append(rows, []string{fmt.Sprint(r.N + 1), p.NumberOrDash(r.LogZ, 3), p.NumberOrDash(f.Growth.ExactAt(r.N+1), 3),
				p.NumberOrDash(float64(r.Gamma), 3), p.NumberOrDash(rootV(r)/sum, 3),
				p.Count(float64(all)), p.Count(float64(all - first)), resampled})
		}
		return rows
	}
	return nil
}

// rootV returns the standard deviation of the weights divided by their mean, from their effective sample size.
func rootV(r frame.StageRecord) float64 { return math.Sqrt(max(1/float64(r.Gamma)-1, 0)) }
