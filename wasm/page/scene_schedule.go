package page

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

var scheduleScene = register(scene{
	name: "schedule", of: "ladder", key: 20, label: "Schedule", early: true,
	applies: func(b *Brain) bool { return b.scheduled(b.set.Focus) != "" },
	captions: sayings{
		{"How fast β rises. Where the hill is wide, log f varies much: go slowly there. Drag the knots.",
			func(b *Brain) bool { return b.pilot() != nil }},
		{"How fast β rises. Drag the knots; a run shows what the curve costs.",
			func(b *Brain) bool { return b.measures(b.scheduled(b.set.Focus)) }},
		{text: "How fast β rises. Drag the knots. What curves cost is measured by AIS and by learned schedules."},
	},
	about: "The variance of log w that each schedule predicts for annealing with perfect moves, how many times the " +
		"optimum's chains it takes for the same error bar, and what was measured. Below: the root of g by temperature.",
	tables: []sceneTable{
		{[]string{"Schedule", "Predicted variance of log w", "Chains, against the optimum", "Measured"},
			(*pane).scheduleRows},
		{[]string{"beta", "√g"}, (*pane).pathRows}},
})

// scheduleParam is the parameter of methods that says how their temperatures are spaced.
const scheduleParam = "schedule"

// scheduled is the method whose schedule is on show, the first of those that share its run: the one in focus, else the
// first that has a schedule; "" if none has.
func (x *experiment) scheduled(focus string) string {
	if x.spec == nil {
		return ""
	}
	for _, m := range append([]string{focus}, x.spec.Methods...) {
		if _, ok := paramOf(m + "." + scheduleParam); ok && slices.Contains(x.spec.Methods, m) &&
			x.spec.Acts(x.names(), m, scheduleParam) {
			return engine.Company(x.spec, m)[0]
		}
	}
	return ""
}

// values are the parameters of a method of the experiment.
func (x *experiment) values(method string) (schedule string, steps int) {
	info, _ := catalog.Method(method)
	v := x.spec.Values(info.Params, method)
	return v[scheduleParam], v.Int("temperatures") - 1
}

// measures tells whether a run of a method finds how hard its path is.
func (x *experiment) measures(method string) bool {
	info, ok := catalog.Method(method)
	if !ok {
		return false
	}
	text, _ := x.values(method)
	return info.Run().Name == anneal.Run.Name || schedule.Learned(text)
}

// pilot is what runs so far have found of the model's path from base to target, nil if nothing.
func (b *Brain) pilot() *schedule.Pilot {
	if b.spec == nil {
		return nil
	}
	return b.learned[engine.ModelKey(b.spec)]
}

// learn keeps what the reports found of the model's own path; of several methods the one whose schedule is on show goes
// first.
func (b *Brain) learn(reports []*report.Report) {
	key, own := engine.ModelKey(b.spec), b.scheduled(b.set.Focus)
	var found *schedule.Pilot
	for _, r := range reports {
		if r.Learned != nil && !r.Learned.Fitted && (found == nil || r.Method == own) {
			found = r.Learned
		}
	}
	if found != nil && slices.Max(found.Var) > 0 {
		b.learned[key] = found
	}
}

// path is what the picture is told of schedules, nil where the scene does not need it.
func (b *Brain) path(reports []*report.Report) *frame.Path {
	method := b.scheduled(b.set.Focus)
	if !b.scene().early || method == "" {
		return nil
	}
	p := &frame.Path{Method: method, Measures: b.measures(method), Measured: math.NaN()}
	p.Schedule, p.Steps = b.values(method)
	pilot := b.pilot()
	if pilot != nil {
		p.Beta, p.G, p.Raw = pilot.Betas, pilot.Var, pilot.Raw
	}
	for _, text := range append(slices.Clone(schedules), p.Schedule) {
		shape := shapeOf(text, pilot)
		same := func(l frame.Line) bool { // a top speed that the optimum does not reach
			return l.Schedule == text || text != p.Schedule && slices.Equal(l.Beta, shape)
		}
		if shape != nil && !slices.ContainsFunc(p.Lines, same) {
			p.Lines = append(p.Lines, frame.Line{Schedule: text, Beta: shape,
				Var: schedule.Forecast(p.Beta, p.G, shape, p.Steps)})
		}
	}
	p.Knots = schedule.Hand(b.start(p.Schedule))
	for _, r := range reports {
		if v, ok := r.Diagnostics[estimators.DiagVarLogWeight]; ok && r.Method == method && r.State == "done" {
			p.Measured, p.Of = float64(v), r.Spec.Params[scheduleParam]
		}
	}
	return p
}

// start is the curve from which a drawing by hand starts: that of a schedule, else the optimum, else a straight line.
func (b *Brain) start(text string) []float64 {
	for _, text := range []string{text, "varopt", "linear"} {
		if shape := shapeOf(text, b.pilot()); shape != nil {
			return shape
		}
	}
	return nil
}

// shapeOf is the curve of a schedule, nil where it is not known without a pilot.
func shapeOf(text string, pilot *schedule.Pilot) []float64 {
	if schedule.Learned(text) && (pilot == nil || schedule.Kept(text) > 0 && len(pilot.Steps) == 0 ||
		text == "friction" && len(pilot.Lags) == 0) {
		return nil
	}
	shape, err := schedule.Shape(text, pilot)
	if err != nil {
		return nil
	}
	return shape
}

// scheduleRows are the schedules on show.
func (p *pane) scheduleRows() (rows [][]string) {
	path := p.path(p.reports)
	if path == nil {
		return nil
	}
	for _, l := range path.Lines {
		measured := math.NaN()
		if l.Schedule == path.Of {
			measured = path.Measured
		}
		chains := p.known(math.NaN(), 0)
		if n := schedule.Chains(l.Var, path.Best()); num.Finite(n) {
			chains = p.num(format.Ratio(n))
		}
		rows = append(rows, []string{p.scheduleName(l.Schedule), p.known(l.Var, 3), chains, p.known(measured, 3)})
	}
	return rows
}

// pathRows are the root of g at the temperatures where it was measured.
func (p *pane) pathRows() (rows [][]string) {
	if pilot := p.pilot(); pilot != nil {
		for k, b := range pilot.Betas {
			if thinned(k, len(pilot.Betas), 1) {
				rows = append(rows, []string{p.known(b, 4), p.known(math.Sqrt(pilot.Var[k]), 3)})
			}
		}
	}
	return rows
}
