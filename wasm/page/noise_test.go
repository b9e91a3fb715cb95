package page

import (
	"strings"
	"testing"

	"logzlab/internal/tier"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestNoiseOfLogWeights: while the scene is on show estimates are made beside the run, at the number of draws that it has and
// at others, and the table lists them; else none are. The result is the same.
func TestNoiseOfLogWeights(t *testing.T) {
	tier.Release(t)
	const link = "v=1&model=lgssm-40&likelihood=filter&method=aisel&aisel.islands=2&aisel.particles=10&" +
		"aisel.temperatures=8&inner=12"
	hash := map[string]string{}
	for _, name := range []string{"lab", "series"} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: link + "&view.scene=" + name, Base: "https://lab.example/"})
		p.controller.Event(state.Event{Name: "picture", Value: "ready"})
		hash[name] = p.finish()
		b := p.controller
		if name != "lab" {
			if b.Snapshot().Noise != nil {
				t.Error("estimates are made though nobody looks")
			}
			continue
		}
		b.Tick()
		f := b.Snapshot().Noise
		if f == nil || len(f.Tests) != 5 || f.Draws != 12 || f.Tests[2].Draws != 12 || f.Tests[2].N < 60 {
			t.Fatalf("%+v", f)
		}
		if !(f.MeasuredVar > 0) || !(f.VarPerDraw > 6 && f.VarPerDraw < 100) || f.Auto < 5 || !(f.Counted.BestVar > f.TargetVar) {
			t.Errorf("%+v", f)
		}
		for _, q := range f.Tests {
			if z := q.Var * float64(q.Draws) / f.VarPerDraw; q.Draws >= 6 && (z < .5 || z > 2) { // fewer are skewed
				t.Errorf("%d draws: a variance of %v does not fall as one over the draws", q.Draws, q.Var)
			}
		}
		if rows := scene.Named("lab").Tables[0].Rows(b.Snapshot()); len(rows) != 6 || rows[2][0] != "12" {
			t.Errorf("table: %v", rows)
		}
	}
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: strings.Replace(link, "&inner=12", "&view.scene=lab", 1), Base: "https://lab.example/"})
	p.finish()
	p.controller.Tick()
	if f := p.controller.Snapshot().Noise; f == nil || f.Auto != f.Draws || f.Draws < 10 {
		t.Errorf("a run that picks its draws: %+v", f)
	}
	if hash["lab"] != hash["series"] || hash["lab"] == "" {
		t.Errorf("hashes %v", hash)
	}
}
