package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/wasm/page/state"
)

// TestUnresampled: while the scene of resampling is on show, a small run from the same seed goes on without resampling
// after the run. Its weights add up to 1 and become those of one particle; the result is the same as without it, and
// methods that cannot do without resampling have none.
func TestUnresampled(t *testing.T) {
	const link = "v=1&model=bmm-digits&method=smc&smc.particles=40&smc.islands=2&smc.temperatures=12&seed=3"
	hash := map[string]string{}
	for _, name := range []string{"units", "resampling"} {
		p := newPage(t, 2)
		p.controller.Start(state.BrowserPage{Link: link + "&view.scene=" + name, Base: "https://lab.example/"})
		p.controller.Event(state.Event{Name: "picture", Value: "ready"})
		hash[name] = p.finish()
		p.controller.Tick()
		if p.show(); name == "units" {
			if p.controller.Snapshot().Unresampled != nil {
				t.Error("particles are weighed though nobody looks")
			}
			continue
		}
		p.until("the weights without resampling", func() bool {
			return p.controller.Snapshot().Unresampled != nil
		})
		p.show()
		f, err := frame.Decode(p.controller.curves.Sent)
		if err != nil || f.Unresampled == nil {
			t.Fatalf("no weights in the picture, %v", err)
		}
		x := f.Unresampled
		if n := len(x.Beta); n != 11 || x.Beta[n-1] != 1 || x.N != 32 {
			t.Fatalf("%d particles at %v", x.N, x.Beta)
		}
		top := float32(0)
		for k := range x.Beta {
			sum := 0.0
			for _, w := range x.Shares[k*x.N : (k+1)*x.N] {
				sum += float64(w)
				if k == len(x.Beta)-1 {
					top = max(top, w)
				}
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("at %g the weights add up to %g", x.Beta[k], sum)
			}
		}
		if top < .3 {
			t.Errorf("the largest weight at the end is %g", top)
		}
	}
	if hash["units"] != hash["resampling"] {
		t.Errorf("the result is %s, with the scene on show %s", hash["units"], hash["resampling"])
	}

	// Methods that have no such run say why.
	for link, says := range map[string]string{
		"v=1&model=rbm-pcd-20&method=rm&rm.particles=5&rm.islands=2&rm.moves=1":     "there is no run without",
		"v=1&model=rbm-pcd-20&method=arm&arm.particles=5&arm.islands=2&arm.moves=1": "there is no run without",
		"v=1&model=lgssm-40&method=aisel&aisel.particles=5&aisel.temperatures=4":    "no run without resampling is shown",
	} {
		p := newPage(t, 2)
		p.controller.Start(state.BrowserPage{Link: link + "&view.scene=resampling", Base: "https://lab.example/"})
		p.controller.Event(state.Event{Name: "picture", Value: "ready"})
		p.finish()
		p.controller.Tick()
		p.show()
		if s := p.controller.Snapshot(); s.Unresampled != nil || !strings.Contains(p.part("view"), says) {
			t.Errorf("%s: %v, %q", link, s.Unresampled != nil, p.part("view"))
		}
	}
}
