package scene

import (
	"fmt"
	"math"

	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
)

// Visits is the scene of how often rungs are visited, and are to be.
var Visits = Register(Scene{
	Name: "visits", Of: "ladder", Key: 22, Label: "Visits", Early: true,
	Asks:    whereTheyAre,
	Applies: func(s *state.Snapshot) bool { return s.Planner(s.Settings.Focus) != "" },
	Captions: Sayings{
		{"How often each rung is to be visited. Drag the knots; a run shows whether its chains do so.",
			func(s *state.Snapshot) bool { return len(s.Reports) == 0 }},
		{Text: "How often each rung is to be visited: drag the knots. Below, visits against that plan. " +
			"Good: bars near 1."},
	},
	Legend: temperatures,
	About: "The share of visits r that is planned for each rung, and visits against those planned, c / r, thinned to " +
		"200 rows.",
	Tables: []Table{{[]string{"method", "rung", "beta", "Planned share r", "c / r", "Counted"}, visitRows}},
})

// VisitPlan is what the picture is told of how often rungs are to be visited, nil where the scene does not need it.
func VisitPlan(s *state.Snapshot) *frame.Plan {
	method := s.Planner(s.Settings.Focus)
	if On(s) != Visits || method == "" {
		return nil
	}
	p := &frame.Plan{Methods: engine.SameRun(s.Spec, catalog.Names{}, method), Prior: s.Prior(method),
		Beta: s.Ladder(method)}
	if p.Knots, p.Weights = schedule.HandPrior(p.Prior, p.Beta); p.Knots == nil {
		return nil
	}
	return p
}

// visitRows are the rungs of each method with how often they are to be visited, and were.
func visitRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		var beta []float64
		for _, k := range r.Ladder {
			beta = append(beta, float64(k.Beta))
		}
		logs, err := schedule.Prior(r.Spec.Params[state.PriorParam], beta)
		for k, c := range r.Occupancy {
			if k >= len(beta) || !thinned(k, len(r.Occupancy), len(p.Reports)) {
				continue
			}
			counted, share := math.NaN(), math.NaN()
			if r.Travel != nil && len(r.Travel.Visits) == len(r.Occupancy) {
				counted = r.Travel.Visits[k]
			}
			if err == nil {
				share = 1 / float64(len(beta))
			}
			if err == nil && logs != nil {
				share *= math.Exp(logs[k])
			}
			rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(k + 1), p.Known(beta[k], 4), p.Known(share, 4),
				p.Known(c, 3), p.Known(counted, 3)})
		}
	}
	return rows
}
