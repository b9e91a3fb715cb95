package state

import (
	"slices"
	"strings"

	"logzlab/core/schedule"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
)

// Parameters that can be drawn: how the temperatures of a method are spaced, and how often each is to be visited.
const (
	ScheduleParam = "schedule"
	PriorParam    = "prior"
)

// Scheduled is the method whose schedule is on show, "" if none has one.
func (x *Experiment) Scheduled(focus string) string { return x.with(ScheduleParam, focus) }

// Planner is the method on show that plans how often each rung is visited, "" if none does.
func (x *Experiment) Planner(focus string) string { return x.with(PriorParam, focus) }

// with is the method whose parameter is on show, the first of those that share its run: the one in focus, else the
// first where it acts; "" if there is none.
func (x *Experiment) with(param, focus string) string {
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

// Values are the parameters of a method of the experiment.
func (x *Experiment) Values(method string) (schedule string, steps int) {
	info, _ := catalog.Method(method)
	var p struct {
		Schedule string `param:"schedule"`
		Rungs    int    `param:"temperatures"`
	}
	x.Spec.Values(info.Params, method).Fill(&p)
	return p.Schedule, p.Rungs - 1
}

// Measures tells whether a run of a method finds how hard its path is.
func (x *Experiment) Measures(method string) bool {
	info, ok := catalog.Method(method)
	if !ok {
		return false
	}
	text, _ := x.Values(method)
	return info.Run().Name == anneal.Run.Name || schedule.Learned(text)
}

// Start is the curve from which a drawing by hand starts: that of a schedule, else the optimum, else a straight line.
func (s *Snapshot) Start(text string, steps int) []float64 {
	for _, text := range []string{text, "varopt", "linear"} {
		if shape := ShapeOf(text, steps, s.PathStats); shape != nil {
			return shape
		}
	}
	return nil
}

// ShapeOf is the curve of a schedule of so many steps, nil where it is not known without a pilot.
func ShapeOf(text string, steps int, path *schedule.PathStats) []float64 {
	if schedule.Learned(text) && (path == nil || schedule.CESSFraction(text) > 0 && len(path.Steps) == 0 ||
		text == "friction" && len(path.AutocorrTimes) == 0) {
		return nil
	}
	shape, err := schedule.Curve(text, steps, path)
	if err != nil {
		return nil
	}
	return shape
}

// Schedules are the kinds of schedules in the order of their menu, each with the value that it begins with.
var Schedules = []string{"linear", "power:5", "geometric:0.001", "sigmoid:4", "sm08", "varopt", "varopt:3",
	"varopt-eta:0.01", "friction", "gms13", "gms13-marginal", "adaptive:0.9", ByHand}

// ByHand begins a schedule that was drawn.
const ByHand = "betas:"

// KindOf is the key of a schedule's words, and its number or list: varopt has two kinds, without a number and with one.
func KindOf(text string) (kind, arg string) {
	kind, arg, has := strings.Cut(text, ":")
	switch {
	case kind == "varopt" && has:
		kind = "varopt:"
	case kind == "adaptive" && !has:
		arg = "0.9"
	}
	return kind, arg
}

// ScheduleName is a schedule in words.
func ScheduleName(a *Appearance, text string) string {
	kind, arg := KindOf(text)
	name := a.Words.T("schedule." + kind)
	if arg != "" && kind != "betas" {
		name += ", " + a.Num(arg)
	}
	return name
}
