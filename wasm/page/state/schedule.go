package state

import (
	"slices"
	"strings"

	"logzlab/core/schedule"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
)

// Parameters that can be drawn in the picture: the spacing of the temperatures, and the planned visits of each.
const (
	ScheduleParam = "schedule"
	PriorParam    = "prior"
)

// ScheduleMethod returns the method whose schedule is on show, or "".
func (x *Experiment) ScheduleMethod(focus string) string {
	return x.methodWithParam(ScheduleParam, focus)
}

// VisitPlanMethod returns the method on show that plans how often each rung is visited, or "".
func (x *Experiment) VisitPlanMethod(focus string) string {
	return x.methodWithParam(PriorParam, focus)
}

// methodWithParam returns the method whose parameter is on show: the method in focus if it has the parameter, else the
// first one that has it; of methods that share a run the first. It returns "" if there is none.
func (x *Experiment) methodWithParam(param, focus string) string {
	if x.Spec == nil {
		return ""
	}
	for _, m := range append([]string{focus}, x.Spec.Methods...) {
		if _, ok := ParamOf(m + "." + param); ok && slices.Contains(x.Spec.Methods, m) &&
			x.Spec.HasEffect(x.Names(), m, param) {
			return engine.SameRun(x.Spec, catalog.Names{}, m)[0]
		}
	}
	return ""
}

// ScheduleOf returns the schedule of a method of the experiment, and its number of steps.
func (x *Experiment) ScheduleOf(method string) (schedule string, steps int) {
	info, _ := catalog.Method(method)
	var p struct {
		Schedule string `param:"schedule"`
		Rungs    int    `param:"temperatures"`
	}
	x.Spec.Values(info.Params, method).Fill(&p)
	return p.Schedule, p.Rungs - 1
}

// MeasuresPath reports whether a run of a method measures how hard its path is.
func (x *Experiment) MeasuresPath(method string) bool {
	info, ok := catalog.Method(method)
	if !ok {
		return false
	}
	text, _ := x.ScheduleOf(method)
	return info.Run().Name == anneal.Run.Name || schedule.NeedsPilot(text)
}

// InitialCurve returns the curve from which a drawing starts: that of a schedule if it is known, else the optimum, else
// a straight line.
func (s *Snapshot) InitialCurve(text string, steps int) []float64 {
	for _, text := range []string{text, "varopt", "linear"} {
		if shape := ScheduleCurve(text, steps, s.PathStats); shape != nil {
			return shape
		}
	}
	return nil
}

// ScheduleCurve returns the curve of a schedule with a number of steps, or nil if only a pilot run can find it.
func ScheduleCurve(text string, steps int, path *schedule.PathStats) []float64 {
	if schedule.NeedsPilot(text) && (path == nil || schedule.CESSFraction(text) > 0 && len(path.Steps) == 0 ||
		text == "friction" && len(path.AutocorrTimes) == 0) {
		return nil
	}
	shape, err := schedule.Curve(text, steps, path)
	if err != nil {
		return nil
	}
	return shape
}

// Schedules are the kinds of schedules in the order of their menu, each with its initial value.
var Schedules = []string{"linear", "power:5", "geometric:0.001", "sigmoid:4", "sm08", "varopt", "varopt:3",
	"varopt-eta:0.01", "friction", "gms13", "gms13-marginal", "adaptive:0.9", ByHand}

// ByHand begins a schedule that was drawn.
const ByHand = "betas:"

// SplitSchedule splits a schedule into the key of its words and its parameter. varopt has two kinds, with and without a
// parameter.
func SplitSchedule(text string) (kind, arg string) {
	kind, arg, hasArg := strings.Cut(text, ":")
	switch {
	case kind == "varopt" && hasArg:
		kind = "varopt:"
	case kind == "adaptive" && !hasArg:
		arg = "0.9"
	}
	return kind, arg
}

// ScheduleName returns a schedule in words.
func ScheduleName(a *Appearance, text string) string {
	kind, arg := SplitSchedule(text)
	name := a.Words.T("schedule." + kind)
	if arg != "" && kind != "betas" {
		name += ", " + a.Num(arg)
	}
	return name
}
