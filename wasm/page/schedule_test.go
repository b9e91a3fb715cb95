package page

import (
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/wasm/page/state"
)

// shownPath is what the picture was told of schedules last.
func (p *fakePage) shownPath() *frame.Path {
	f, err := frame.Decode(p.controller.curves.Sent)
	if err != nil {
		return nil
	}
	return f.Path
}

// TestScheduleScene: curves stand before a run, costs after it; a drawing is an edit that waits for Run, is in link and
// form, and comes back from the link with the same knots.
func TestScheduleScene(t *testing.T) {
	const link = "v=1&model=mixture2&method=ais&ais.chains=50&ais.temperatures=40"
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: link + "&view.scene=schedule", Base: "https://lab.example/"})
	p.controller.Event(state.Event{Name: "picture", Value: "ready"})
	p.finish()
	p.show()
	path := p.shownPath()
	if path == nil || path.Method != "ais" || path.Schedule != "linear" || path.Steps != 39 || len(path.G) == 0 ||
		len(path.Raw) != len(path.G) || !(path.MeasuredVar > 0) || path.MeasuredSchedule != "linear" || len(path.Knots) != schedule.KnotCount {
		t.Fatalf("after the run the picture knows %+v", path)
	}
	cost := map[string]float64{}
	for _, l := range path.Lines {
		cost[l.Schedule] = l.Var
	}
	report := p.controller.Results()[0]
	if d := float64(report.Diagnostics["var_predicted"]); !(cost["linear"] > .97*d && cost["linear"] < 1.03*d) ||
		!(cost["varopt"] > 0 && cost["varopt"] < cost["linear"]) {
		t.Errorf("predicted %v, the report %g", cost, d)
	}
	p.controller.Event(state.Event{Name: "sheet", Value: "table"})
	p.show()
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "optimal (varopt)") || !strings.Contains(sheet, "√g") {
		t.Errorf("the table is %s", sheet)
	}
	p.controller.Event(state.Event{Name: "sheet"})

	const drawn = "betas:0.02_0.1_0.2_0.3_0.4_0.5_0.6_0.75_0.995"
	full := strings.Replace(link, "&ais.temperatures", "&ais.schedule="+drawn+"&ais.temperatures", 1)
	p.controller.Event(state.Event{Name: "draw", Value: "ais.schedule=" + drawn})
	p.show()
	if p.controller.State() != runstate.Idle || p.view.Link != "#"+full+"&view.scene=schedule" {
		t.Errorf("the page is %s, its link %s", p.controller.State(), p.view.Link)
	}
	if path := p.shownPath(); path == nil || path.Schedule != drawn || schedule.BetasText(path.Knots) != drawn ||
		len(path.G) == 0 || num.NotNaN(path.MeasuredVar) {
		t.Errorf("after the drawing the picture knows %+v", path)
	}
	if view := string(p.parts["view"]); !strings.Contains(view, `id="veil" hidden`) {
		t.Error("the picture is covered before the run")
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, p.controller.Spec.Link()); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	p.show()
	if path := p.shownPath(); path.MeasuredSchedule != drawn || !(path.MeasuredVar > 0) || len(p.view.Link) > 200 {
		t.Errorf("after its run the picture knows %+v; the link is %s", path, p.view.Link)
	}

	again := newPage(t, 1)
	again.controller.Start(state.BrowserPage{Link: p.view.Link, Base: "https://lab.example/"})
	again.show()
	if path := again.shownPath(); path == nil || schedule.BetasText(path.Knots) != drawn || again.view.Link != p.view.Link {
		t.Errorf("the link %s becomes %s and %+v", p.view.Link, again.view.Link, path)
	}
}

// TestScheduleOfTempering: where nothing measures the path, curves can be drawn all the same, and the caption says what
// would measure them. A drawing goes to all methods that read the run.
func TestScheduleOfTempering(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=rts,ts&rts.chains=20&rts.sweeps=200&ts.chains=20" +
		"&ts.sweeps=200" +
		"&view.scene=schedule", Base: "https://lab.example/"})
	p.finish()
	p.show()
	if path := p.shownPath(); path == nil || path.MeasuresG || len(path.Lines) != 5 || len(path.Knots) != schedule.KnotCount {
		t.Errorf("the picture knows %+v", path)
	}
	if view := string(p.parts["view"]); !strings.Contains(view, "Runs of AIS") {
		t.Errorf("the picture says %s", view)
	}
	p.controller.Event(state.Event{Name: "draw", Value: "rts.schedule=betas:0.1_0.5"})
	if s := p.controller.Spec; s.Set["rts.schedule"] != "betas:0.1_0.5" || s.Set["ts.schedule"] != "betas:0.1_0.5" {
		t.Errorf("the link is %s", s.Link())
	}
	p.controller.Event(state.Event{Name: "draw", Value: "rts.schedule=betas:0.5_0.1"})
	if p.controller.Problem == nil {
		t.Error("betas that do not rise are taken")
	}
	p.controller.Open("v=1&model=mixture2&method=is&is.particles=100&view.scene=schedule")
	p.finish()
	if p.show(); p.shownPath() != nil || strings.Contains(string(p.parts["view"]), "view-schedule") {
		t.Error("a method without temperatures has schedules")
	}
}

// TestScheduleField: the form has a menu of schedules, with the number or the list of those that have one.
func TestScheduleField(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=20",
		Base: "https://lab.example/"})
	p.finish()
	for _, c := range []struct{ key, value, want, shows string }{
		{"ais.schedule", "power:5", "power:5", `data-param="ais.schedule=power" value="5"`},
		{"ais.schedule=power", "2,5", "power:2.5", `data-param="ais.schedule=power" value="2,5"`},
		{"ais.schedule", "varopt:3", "varopt:3", `<option value="varopt:3" selected="">optimal mit`},
		{"ais.schedule", "varopt", "varopt", "Pilotlauf"},
		{"ais.schedule", "friction", "friction", `<option value="friction" selected="">langsam`},
		{"ais.schedule", "adaptive:0.9", "adaptive", `data-param="ais.schedule=adaptive" value="0,9"`},
		{"ais.schedule", "betas:0.2_0.3", "betas:0.2_0.3", `data-param="ais.schedule=betas" value="0.2_0.3"`},
		{"ais.schedule=betas", "0.2_0.4", "betas:0.2_0.4", `<option value="betas:0.2_0.4" selected="">von Hand`},
		{"ais.schedule", "linear", "", `<option value="betas:0.1_0.2_0.3_0.4_0.5_0.6_0.7_0.8_0.9">von Hand`},
	} {
		p.controller.Event(state.Event{Name: "lang", Value: "de"})
		p.controller.Event(state.Event{Name: "param", Key: c.key, Value: c.value})
		p.show()
		if got := p.controller.Spec.Set["ais.schedule"]; got != c.want {
			t.Errorf("%s = %s makes %q", c.key, c.value, got)
		}
		if setup := string(p.parts["setup"]); !strings.Contains(setup, c.shows) {
			t.Errorf("%s = %s: the setup has no %s: %s", c.key, c.value, c.shows,
				setup[strings.Index(setup, "p-ais.schedule"):])
		}
	}
	p.controller.Event(state.Event{Name: "sheet", Value: "setup"})
	p.show()
	if !strings.Contains(string(p.parts["setup"]), `data-event="scene" data-value="schedule"`) {
		t.Error("the setup does not lead to the picture")
	}
	if p.controller.Event(state.Event{Name: "scene", Value: "schedule"}); p.controller.Panels.Sheet != "" {
		t.Error("the setup covers the picture")
	}
	p.controller.Event(state.Event{Name: "param", Key: "ais.schedule=power", Value: "-1"})
	if p.controller.Problem == nil {
		t.Error("a power of -1 is taken")
	}
}
