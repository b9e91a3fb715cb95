package page

import (
	"strings"
	"testing"

	"logzlab/wasm/page/state"
)

// A wanted error bar is reached in the page by the same runs as by the command; the controls for it and for replicates
// leave each other out.
func TestControllerTarget(t *testing.T) {
	const link = "v=1&model=mixture2&method=rts,smc&rts.chains=6&rts.sweeps=60&rts.temperatures=8&smc.particles=20&" +
		"smc.schedule=linear&smc.temperatures=30&target=0.08&limit=200000"
	p := newPage(t, 3)
	p.controller.Open(link)
	if got, want := p.finish(), native(t, link); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
	for _, r := range p.controller.Results() {
		if len(r.Replicates) < 2 || !(float64(r.SE) <= .08) {
			t.Errorf("%s: %v +- %v of %d runs", r.Method, r.LogZ, r.SE, len(r.Replicates))
		}
	}
	p.controller.Event(state.Event{Name: "replicates", Value: "3"})
	if s := p.controller.Spec; s.Target != 0 || s.Limit != 0 || s.Replicates != 3 {
		t.Errorf("with replicates: %s", s.Link())
	}
	p.controller.Event(state.Event{Name: "target", Value: "0.5"})
	if got := p.controller.Spec.Link(); !strings.HasSuffix(got, "&target=0.5") {
		t.Errorf("with a target: %s", got)
	}
	if got := p.controller.Command(); !strings.Contains(got, "-target 0.5") {
		t.Errorf("the command is %s", got)
	}
	p.controller.Event(state.Event{Name: "target", Value: "0"})
	if p.controller.Spec.Target != .5 || p.controller.Problem == nil {
		t.Errorf("target 0 is taken: %s", p.controller.Spec.Link())
	}
	p.controller.Event(state.Event{Name: "target", Value: ""})
	if got := p.controller.Spec.Link(); strings.Contains(got, "target") {
		t.Errorf("without a target: %s", got)
	}
}
