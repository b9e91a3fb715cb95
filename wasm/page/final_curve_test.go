package page

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/wasm/page/derived"
)

// Curves have at least twenty points at fixed shares of the work, the same for any number of workers; of islands each
// makes a point.
func TestCourseIsFixed(t *testing.T) {
	const link = "v=1&model=mixture2&method=ais,rts,smc&ais.chains=50&ais.temperatures=100&rts.sweeps=400&rts.init=ones&" +
		"smc.islands=12&smc.particles=50&smc.temperatures=50"
	var before string
	for _, workers := range []int{1, 3} {
		p := newPage(t, workers)
		p.controller.Open(link)
		p.finish()
		points := p.controller.curves.Points
		if now := fmt.Sprint(points); before != "" && now != before {
			t.Errorf("%d workers have other curves than before", workers)
		} else {
			before = now
		}
		for method, least := range map[string]int{"ais": 20, "rts": 20, "smc": 11} {
			h := points[method]
			if len(h) < least {
				t.Errorf("%s has %d points, not %d", method, len(h), least)
				continue
			}
			bars := 0
			for i, q := range h {
				if i > 0 && q.Sweeps <= h[i-1].Sweeps {
					t.Errorf("%s: point %d costs %g after %g", method, i, q.Sweeps, h[i-1].Sweeps)
				}
				if q.SE > 0 {
					bars++
				}
			}
			if bars < least*3/4 {
				t.Errorf("%s has error bars at %d of %d points", method, bars, len(h))
			}
		}
	}
}

// With replicates the race has their median and range after equal work, and the distance to the exact value falls.
func TestCourseOfReplicates(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("v=1&model=mixture2&method=ais&ais.chains=40&ais.temperatures=100&replicates=8")
	p.finish()
	r := p.controller.Results()[0]
	fresh := derived.NewCurves()
	fresh.AddPoint(r)
	c := fresh.Courses[r.Method]
	if len(c) < 15 {
		t.Fatalf("%d points", len(c))
	}
	first, last := c[0], c[len(c)-1]
	if !(first.Lower < first.LogZ && first.LogZ < first.Upper && last.Upper-last.Lower < first.Upper-first.Lower) {
		t.Errorf("ranges %v, then %v", first, last)
	}
	if !(last.Error < first.Error/2) || math.Abs(last.Sweeps*8-float64(r.Cost.Sweeps)) > 1e-6*last.Sweeps {
		t.Errorf("%g off after %g, then %g after %g of %g", first.Error, first.Sweeps, last.Error, last.Sweeps,
			float64(r.Cost.Sweeps)/8)
	}
	f, err := frame.Decode(fresh.Frame(frame.Frame{Model: "mixture2"}, p.controller.Results(), []int{0}))
	if err != nil || len(f.Curves[0].Course) != len(c) {
		t.Errorf("%v: not all %d points are sent", err, len(c))
	}
}
