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
	Applies: func(s *state.Snapshot) bool { return s.ScheduleMethod(s.Settings.Focus) != "" },
	Captions: Texts{
		{"How fast β rises. The weights spread fast where the grey area is wide: go slowly there. Drag the knots.",
			func(s *state.Snapshot) bool { return s.PathStats != nil }},
		{"How fast β rises. Drag the knots; a run shows the cost of the curve.",
			func(s *state.Snapshot) bool { return s.MeasuresPath(s.ScheduleMethod(s.Settings.Focus)) }},
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

// SchedulePath returns the schedules for the picture, nil if the scene does not need them.
func SchedulePath(s *state.Snapshot) *frame.Path {
	method := s.ScheduleMethod(s.Settings.Focus)
	if On(s).Name != "schedule" || method == "" {
		return nil
	}
	p := &frame.Path{Method: method, MeasuresG: s.MeasuresPath(method), MeasuredVar: math.NaN()}
	p.Schedule, p.Steps = s.ScheduleOf(method)

	// Statistics of the path, and of paths from other bases.
	path := s.PathStats
	if path != nil {
		p.Beta, p.G, p.Raw, p.Joint = path.Betas, path.Var, path.Raw, path.Joint
	}
	var model struct {
		Start string `param:"start"`
	}
	s.Spec.Values(s.Names().ModelParams(s.Spec.Model), "").Fill(&model)
	p.Starts, p.Start = s.Starts, model.Start

	// The known schedules and the selected one, without duplicates.
	for _, text := range append(slices.Clone(state.Schedules), p.Schedule) {
		shape := state.ScheduleCurve(text, p.Steps, path)
		same := func(l frame.Line) bool { // such as a top speed that the optimum does not reach
			return l.Schedule == text || text != p.Schedule && slices.Equal(l.Beta, shape)
		}
		if shape != nil && !slices.ContainsFunc(p.Lines, same) {
			p.Lines = append(p.Lines, frame.Line{Schedule: text, Beta: shape,
				Var: schedule.Forecast(p.Beta, p.G, shape, p.Steps)})
		}
	}

	// The schedule by hand, and the variance of a complete run.
	p.Knots = schedule.CurveKnots(s.InitialCurve(p.Schedule, p.Steps))
	for _, r := range s.Reports {
		if v, ok := r.Diagnostics[estimators.DiagVarLogWeight]; ok && r.Method == method && r.State == runstate.MethodDone {
			p.MeasuredVar, p.MeasuredSchedule = float64(v), r.Spec.Params[state.ScheduleParam]
		}
	}
	return p
}

// scheduleRows returns the schedules on show.
func scheduleRows(p *state.Snapshot) (rows [][]string) {
	path := SchedulePath(p)
	if path == nil {
		return nil
	}
	for _, l := range path.Lines {
		measured := math.NaN()
		if l.Schedule == path.MeasuredSchedule {
			measured = path.MeasuredVar
		}
		chains := p.NumberOrDash(math.NaN(), 0)
		if n := schedule.ChainRatio(l.Var, path.OptimalVar()); num.Finite(n) {
			chains = p.Num(format.Ratio(n))
		}
		rows = append(rows, []string{state.ScheduleName(&p.Appearance, l.Schedule), p.NumberOrDash(l.Var, 3), chains,
			p.NumberOrDash(measured, 3)})
	}
	return rows
}

// startRows returns F of the paths from other bases: (K - 1) Var(log w) of annealing with perfect moves at K
// temperatures. The values are too small if the lag is far above 1.
func startRows(p *state.Snapshot) (rows [][]string) {
	for _, s := range p.Starts {
		linear, best := schedule.Functionals(s.Beta, s.G)
		jointLinear, jointBest := schedule.Functionals(s.Beta, s.Joint)
		rows = append(rows, []string{s.Name, p.NumberOrDash(linear, 0), p.NumberOrDash(best, 0), p.NumberOrDash(jointLinear, 0),
			p.NumberOrDash(jointBest, 0), p.NumberOrDash(s.VarianceRatio, 1)})
	}
	return rows
}

// pathRows returns √g at the temperatures where it was measured.
func pathRows(p *state.Snapshot) (rows [][]string) {
	if path := p.PathStats; path != nil {
		for k, b := range path.Betas {
			if thinned(k, len(path.Betas), 1) {
				rows = append(rows, []string{p.NumberOrDash(b, 4), p.NumberOrDash(math.Sqrt(path.Var[k]), 3)})
			}
		}
	}
	return rows
}
