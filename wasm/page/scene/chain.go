package scene

import (
	"fmt"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "chain", Of: "plane", Key: 27, Label: "One chain",
	Applies: func(s *state.Snapshot) bool {
		return s.Traits().Look == models.Points && anyMethod(func(m *estimators.Info) bool { return tempering(m) || m.Adapts })(s)
	},
	Captions: Texts{{Text: "One chain: its path in the plane, and the temperature at which it moves. Hollow: rejected " +
		"proposals. Where it is hot, the hills melt and it can cross."}},
	Legend: temperatures,
	About:  "The last moves of the first chain, the newest one last.",
	Tables: []Table{{[]string{"field.sweeps", "rung", "beta", "place", "Accepted"}, moveRows}},
})

// moveRows returns the last moves of the first chain of the newest frame that has them.
func moveRows(p *state.Snapshot) (rows [][]string) {
	var chain *frame.Chain
	for _, f := range p.Frames {
		if f.Chain != nil {
			chain = f.Chain
		}
	}
	if chain == nil {
		return nil
	}
	const shown = 12
	for _, m := range chain.Moves[max(len(chain.Moves)-shown, 0):] {
		accepted := "no"
		if m.Accepted {
			accepted = "yes"
		}
		rows = append(rows, []string{fmt.Sprint(m.Step), fmt.Sprint(m.Rung + 1), p.NumberOrDash(float64(m.Beta), 4),
			p.NumberOrDash(float64(m.X), 2) + "; " + p.NumberOrDash(float64(m.Y), 2), p.Words.Phrase(accepted)})
	}
	return rows
}
