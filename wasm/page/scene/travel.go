package scene

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
	"logzlab/wasm/page/state"
)

// Travel is the scene of the chains' travel along the ladder; the planned visits can be drawn in it.
var Travel = Register(Scene{
	Name: "travel", Of: "ladder", Key: 21, Label: "Travel", Early: true,
	Applies: func(s *state.Snapshot) bool {
		return s.VisitPlanMethod(s.Settings.Focus) != "" || anyMethod(func(m *estimators.Info) bool { return tempering(m) || m.Overlaps })(s)
	},
	Captions: Texts{
		{"How often each rung should be visited. Drag the knots; a run shows whether its chains follow the plan.",
			func(s *state.Snapshot) bool { return len(s.Reports) == 0 && s.VisitPlanMethod(s.Settings.Focus) != "" }},
		{Text: "Do neighbouring temperatures overlap, and do the chains travel the whole ladder? Good: bars above " +
			"the line, visits near 1, and dots that fall evenly."},
	},
	Legend: temperatures,
	About: "For each rung: its overlap with the next one, the planned share of visits r, the visits relative to " +
		"plan c / r, and the share of visits by chains on their way up, thinned to 200 rows. Below: round trips.",
	Tables: []Table{
		{[]string{"method", "rung", "beta", "Overlap", "Planned share r", "c / r", "Counted", "On the way up"}, travelRows},
		{[]string{"Chain", "Round trips"}, tripRows}},
})

var _ = Register(Scene{
	Name: "weights", Of: "ladder", Key: 26, Label: "Weights",
	Applies: anyMethod(reportsGuesses),
	Captions: Texts{
		{"The weights of the rungs are estimates of log Z that adapt during the run. Each line is an estimate; the " +
			"newest is the darkest.",
			func(s *state.Snapshot) bool { return anyMethod(func(m *estimators.Info) bool { return m.Adapts })(s) }},
		{Text: "Each round improves the estimates of log Z of the rungs. Good: the estimates converge to the exact " +
			"curve."}},
	Legend: temperatures,
	About:  "For each estimate: its cost, its log Z at the target, and how unevenly the rungs were visited.",
	Tables: []Table{{
		[]string{"method", "Guess", "field.sweeps", "field.logz", "Least share", "Largest share"}, guessRows}},
})

// VisitPlan returns the planned visits of rungs for the picture, nil if the scene does not need them.
func VisitPlan(s *state.Snapshot) *frame.Plan {
	method := s.VisitPlanMethod(s.Settings.Focus)
	if On(s) != Travel || method == "" {
		return nil
	}
	p := &frame.Plan{Methods: engine.SameRun(s.Spec, catalog.Names{}, method), Prior: s.Prior(method),
		Beta: s.Ladder(method)}
	if p.Knots, p.Weights = schedule.PriorKnots(p.Prior, p.Beta); p.Knots == nil {
		return nil
	}
	return p
}

// anyMethod returns a condition: some method of the experiment satisfies is.
func anyMethod(is func(*estimators.Info) bool) func(*state.Snapshot) bool {
	return func(s *state.Snapshot) bool {
		return s.Spec != nil && slices.ContainsFunc(s.Spec.Methods, func(name string) bool {
			m, ok := catalog.Method(name)
			return ok && is(m)
		})
	}
}

// tempering reports whether a method uses a tempering run.
func tempering(m *estimators.Info) bool { return m.Run().Name == temper.Run.Name }

// reportsGuesses reports whether a method reports its successive estimates of log Z.
func reportsGuesses(m *estimators.Info) bool { return tempering(m) || m.Adapts }

// travelRows returns, for the rungs of each method, overlaps and planned and actual visits.
func travelRows(p *state.Snapshot) (rows [][]string) {
	at := func(x []float64, k, n int) float64 { // entry k of x, or NaN if x has not n entries
		if len(x) != n || k >= n {
			return math.NaN()
		}
		return x[k]
	}
	for _, r := range p.Reports {
		n := len(r.Ladder)
		if len(r.Overlap)+1 != n && len(r.Occupancy) != n && r.Travel == nil {
			continue
		}
		var beta []float64
		for _, k := range r.Ladder {
			beta = append(beta, float64(k.Beta))
		}
		logs, err := schedule.Prior(r.Spec.Params[state.PriorParam], beta)
		var counted, up []float64
		if r.Travel != nil {
			counted, up = r.Travel.Visits, r.Travel.FractionUp
		}
		for k := range n {
			if !thinned(k, n, len(p.Reports)) {
				continue
			}
			share := math.NaN()
			if err == nil && len(r.Occupancy) == n {
				share = 1 / float64(n)
				if logs != nil {
					share *= math.Exp(logs[k])
				}
			}
			rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(k + 1), p.NumberOrDash(beta[k], 4),
				p.NumberOrDash(at(r.Overlap, k, n-1), 3), p.NumberOrDash(share, 4), p.NumberOrDash(at(r.Occupancy, k, n), 3),
				p.NumberOrDash(at(counted, k, n), 3), p.NumberOrDash(at(up, k, n), 3)})
		}
	}
	return rows
}

// tripRows returns the round trips of the first chains, and of all chains, of the first run that reports them.
func tripRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		if r.Travel == nil {
			continue
		}
		for i, n := range r.Travel.Trips {
			rows = append(rows, []string{fmt.Sprint(i + 1), p.Count(float64(n))})
		}
		return append(rows, []string{p.Words.Phrase("All chains"), p.Count(float64(r.Travel.Total))})
	}
	return nil
}

// guessRows returns the successive estimates of each run.
func guessRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		for i, g := range r.Guesses {
			if len(g.LogZ) == 0 || !thinned(i, len(r.Guesses), len(p.Reports)) {
				continue
			}
			least, most := math.NaN(), math.NaN()
			if len(g.LogC) > 0 {
				least, most = math.Exp(slices.Min(g.LogC)), math.Exp(slices.Max(g.LogC))
			}
			rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(i + 1), p.Count(float64(g.Sweeps)),
				p.NumberOrDash(g.LogZ[len(g.LogZ)-1], 3), p.NumberOrDash(least, 5), p.NumberOrDash(most, 5)})
		}
	}
	return rows
}
