package page

import (
	"math"
	"testing"

	"logzlab/core/schedule"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestStarts: while the scene of schedules is on show, the paths from each base are probed after the run. F of the
// visible units agrees with the exact one, by an independent enumeration of the 2^20 hidden states: linear 223 from
// clipped rates, 121 from plain ones, best 211 and 116. F of the joint is larger. Elsewhere nothing is probed, and the
// result is the same.
func TestStarts(t *testing.T) {
	const link = "v=1&model=rbm-pcd-20&method=ais&ais.chains=4&ais.temperatures=5"
	hash := map[string]string{}
	for _, name := range []string{"schedule", "units"} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: link + "&view.scene=" + name, Base: "https://lab.example/"})
		p.controller.Event(state.Event{Name: "picture", Value: "ready"})
		hash[name] = p.finish()
		p.controller.Tick()
		s := p.controller.Snapshot()
		if name != "schedule" {
			if len(s.Starts) > 0 {
				t.Error("starts are probed though nobody looks")
			}
			continue
		}
		if len(s.Starts) != 6 {
			t.Fatalf("%d starts are probed", len(s.Starts))
		}
		exact := map[string][2]float64{"clipped": {223, 211}, "rates": {121, 116}}
		for _, f := range s.Starts {
			linear, best := schedule.Functionals(f.Beta, f.G)
			jointLinear, jointBest := schedule.Functionals(f.Beta, f.Joint)
			t.Logf("%s: F %.0f and %.0f, of the joint %.0f and %.0f", f.Name, linear, best, jointLinear, jointBest)
			if want, ok := exact[f.Name]; ok && (math.Abs(linear/want[0]-1) > .15 || math.Abs(best/want[1]-1) > .15) {
				t.Errorf("%s: F %.0f and %.0f, want %v", f.Name, linear, best, want)
			}
			if f.Name == "fitted" && !(linear < 110) {
				t.Errorf("F from a fitted base is %.0f: that of the base before it?", linear)
			}
			if !(best <= linear && linear < jointLinear && best < jointBest) {
				t.Errorf("%+v", f)
			}
		}
		if rows := scene.Named("schedule").Tables[1].Rows(s); len(rows) != 6 || rows[2][0] != "clipped" {
			t.Errorf("table: %v", rows)
		}
		if path := scene.SchedulePath(s); path.Start != "clipped" || len(path.Starts) != 6 {
			t.Errorf("the picture is told %+v", path)
		}
	}
	if hash["schedule"] != hash["units"] || hash["schedule"] == "" {
		t.Errorf("hashes %v", hash)
	}
}
