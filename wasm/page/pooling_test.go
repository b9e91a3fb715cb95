package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/estimators/temper"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

const poolLink = "v=1&model=mixture2&method=rts&rts.burn_in=60&rts.chains=2&rts.init_rounds=0&rts.sweeps=20" +
	"&rts.temperatures=3&replicates=500"

// Starved runs of a model whose log Z is known, pooled as they come in: the fit comes close to it, within its bar; the
// mean of shares and the mean of log Z stay off, the latter to the known side; one seed has a bar of 0.
func TestFourWaysToPool(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("#" + poolLink + "&view.pool=1")
	p.until("some runs are pooled", func() bool { return strings.Contains(string(p.parts["r-forest"]), "pool") })
	p.finish()
	course := p.controller.Snapshot().Pool.Course
	if len(course) < 40 || course[0].N != 2 || course[len(course)-1].N != 500 {
		t.Fatalf("a course of %d points", len(course))
	}
	off := func(x temper.Pool) (nats, bars float64) { return x.LogZ - 3, (x.LogZ - 3) / x.SE }
	now, half := course[len(course)-1].Ways, course[len(course)/2].Ways
	if _, z := off(now[0]); !(math.Abs(z) < 4) || !(now[0].SE < .06) {
		t.Errorf("the fit is %+v, z %.1f", now[0], z)
	}
	for i, sign := range map[int]float64{1: -1, 3: 1} {
		for _, ways := range [][4]temper.Pool{half, now} {
			if nats, bars := off(ways[i]); sign*nats < .25 || sign*bars < 4 {
				t.Errorf("%s is off by %.2f, %.1f bars", view.PoolWays[i].Word, nats, bars)
			}
		}
	}
	if now[2].SE != 0 || now[2] != half[2] {
		t.Errorf("one seed: %+v, half-way %+v", now[2], half[2])
	}
	forest := string(p.parts["r-forest"])
	for _, want := range []string{"500 runs pooled", "Right: one fit", "∞ error bars", "exact 3.00", `aria-pressed="true"`} {
		if !strings.Contains(forest, want) {
			t.Errorf("the panel has no %s:\n%s", want, forest)
		}
	}
	p.controller.Event(state.Event{Name: "pool"})
	if p.show(); strings.Contains(string(p.parts["r-forest"]), "∞") || strings.Contains(p.view.Link, "pool") ||
		!strings.Contains(string(p.parts["r-forest"]), `aria-pressed="false"`) {
		t.Errorf("the panel stays: %s", p.view.Link)
	}
}

// A single run, replicates of other methods, and very long ladders offer no pooling.
func TestNothingToPool(t *testing.T) {
	for _, link := range []string{strings.TrimSuffix(poolLink, "&replicates=500"),
		"v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=20&replicates=3",
		"v=1&model=mixture2&method=rts&rts.chains=5&rts.sweeps=20&rts.temperatures=60&replicates=3"} {
		p := newPage(t, 2)
		p.controller.Open("#" + link + "&view.pool=1")
		p.finish()
		p.show()
		if strings.Contains(string(p.parts["r-forest"]), "pool") {
			t.Errorf("%s: %s", link, p.parts["r-forest"])
		}
	}
}
