package scene

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/wasm/page/state"
)

// Schedule is the scene of schedules.
var Schedule = Register(Scene{
	Name: "schedule", Of: "ladder", Key: 20, Label: "Schedule", Early: true,
	Applies: func(s *state.Snapshot) bool { return s.Scheduled(s.Settings.Focus) != "" },
	Captions: Sayings{
		{"How fast β rises. The weights spread fast where the grey area is wide: go slowly there. Drag the knots.",
			func(s *state.Snapshot) bool { return s.PathStats != nil }},
		{"How fast β rises. Drag the knots; a run shows the cost of the curve.",
			func(s *state.Snapshot) bool { return s.Measures(s.Scheduled(s.Settings.Focus)) }},
		{Text: "How fast β rises. Drag the knots. Runs of AIS, and of learned schedules, measure the cost of curves."},
	},
	About: "For each schedule: the variance of log w predicted for annealing with perfect moves, the number of " +
		"chains for the same error bar as a multiple of the optimum's, and the measured variance. Below: the root " +
		"of g by temperature.",
	Tables: []Table{
		{[]string{"Schedule", "Predicted variance of log w", "Chains, against the optimum", "Measured"},
			scheduleRows},
		{[]string{"Start", "F, linear", "F, best", "F of the joint, linear", "F of the joint, best",
			"Lag of chains"}, startRows},
		{[]string{"beta", "√g"}, pathRows}},
})

// SchedulePath is what the picture is told of schedules, nil where the scene does not need it.
func SchedulePath(s *state.Snapshot) *frame.Path {
	method := s.Scheduled(s.Settings.Focus)
	if On(s).Name != "schedule" || method == "" {
		return nil
	}
	p := &frame.Path{Method: method, Measures: s.Measures(method), Measured: math.NaN()}
	p.Schedule, p.Steps = s.Values(method)

	// Probes of the path, and of other starts.
	path := s.PathStats
	if path != nil {
		p.Beta, p.G, p.Raw, p.Joint = path.Betas, path.Var, path.Raw, path.Joint
	}
	var model struct {
		Start string `param:"start"`
	}
	s.Spec.Values(s.Names().ModelParams(s.Spec.Model), "").Fill(&model)
	p.Starts, p.Start = s.Starts, model.Start

	// The known schedules and the chosen schedule, without repeats.
	for _, text := range append(slices.Clone(state.Schedules), p.Schedule) {
		shape := state.ShapeOf(text, p.Steps, path)
		same := func(l frame.Line) bool { // a top speed that the optimum does not reach
			return l.Schedule == text || text != p.Schedule && slices.Equal(l.Beta, shape)
		}
		if shape != nil && !slices.ContainsFunc(p.Lines, same) {
			p.Lines = append(p.Lines, frame.Line{Schedule: text, Beta: shape,
				Var: schedule.Forecast(p.Beta, p.G, shape, p.Steps)})
		}
	}

	// The schedule by hand, and the variance of a complete run.
	p.Knots = schedule.CurveKnots(s.Start(p.Schedule, p.Steps))
	for _, r := range s.Reports {
		if v, ok := r.Diagnostics[estimators.DiagVarLogWeight]; ok && r.Method == method && r.State == runstate.MethodDone {
			p.Measured, p.Of = float64(v), r.Spec.Params[state.ScheduleParam]
		}
	}
	return p
}

// scheduleRows are the schedules on show.
func scheduleRows(p *state.Snapshot) (rows [][]string) {
	path := SchedulePath(p)
	if path == nil {
		return nil
	}
	for _, l := range path.Lines {
		measured := math.NaN()
		if l.Schedule == path.Of {
			measured = path.Measured
		}
		chains := p.Known(math.NaN(), 0)
		if n := schedule.ChainRatio(l.Var, path.Best()); num.Finite(n) {
			chains = p.Num(format.Ratio(n))
		}
		rows = append(rows, []string{state.ScheduleName(&p.Appearance, l.Schedule), p.Known(l.Var, 3), chains,
			p.Known(measured, 3)})
	}
	return rows
}

// startRows are F of the paths from other bases: (K - 1) Var(log w) of annealing with perfect moves at K temperatures.
// Where the lag is far above 1 they are too small.
func startRows(p *state.Snapshot) (rows [][]string) {
	for _, s := range p.Starts {
		linear, best := schedule.Functionals(s.Beta, s.G)
		jointLinear, jointBest := schedule.Functionals(s.Beta, s.Joint)
		rows = append(rows, []string{s.Name, p.Known(linear, 0), p.Known(best, 0), p.Known(jointLinear, 0),
			p.Known(jointBest, 0), p.Known(s.Lag, 1)})
	}
	return rows
}

// pathRows are the root of g at the temperatures where it was measured.
func pathRows(p *state.Snapshot) (rows [][]string) {
	if path := p.PathStats; path != nil {
		for k, b := range path.Betas {
			if thinned(k, len(path.Betas), 1) {
				rows = append(rows, []string{p.Known(b, 4), p.Known(math.Sqrt(path.Var[k]), 3)})
			}
		}
	}
	return rows
}
