package ladder

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// fanned returns an annealing run of ten chains whose log weights diverge.
func fanned() *stage.Stage {
	p := stage.NewStage()
	for k := range 51 {
		f := &frame.Frame{Model: "line", Method: "ais", Phase: "forward", Step: k, Steps: 50, N: 10, Total: 10,
			Rungs: 51}
		for i := range 10 {
			beta := float32(k) / 50
			f.Points, f.Beta = append(f.Points, 0, 0), append(f.Beta, beta)
			f.LogW, f.Rung = append(f.LogW, beta*float32(i)), append(f.Rung, int32(k))
		}
		p.Add(f)
	}
	return p
}

// TestAnnealingIsAFan checks that the lines of log weights start at one point and diverge by their differences.
func TestAnnealingIsAFan(t *testing.T) {
	p, a := fanned(), rendertest.Area(900, 700, 1)
	v := newLadder(a, &p.Run, p.Run.Particles[0])
	v.replayed = v.w
	var l paint.Layer
	v.drawChains(&l)
	lines := rendertest.MarksOfKind([]paint.Layer{l}, paint.Stroke)
	if len(lines) != 10 {
		t.Fatalf("%d lines, want 10", len(lines))
	}
	breadth := func(y float64) (least, most float64) {
		least, most = math.Inf(1), math.Inf(-1)
		for _, m := range lines {
			for _, q := range m.Pts {
				if math.Abs(q.Y-y) < 1 {
					least, most = min(least, q.X), max(most, q.X)
				}
			}
		}
		return least, most
	}
	hot0, hot1 := breadth(v.y.At(0))
	cold0, cold1 := breadth(v.y.At(50))
	if hot1-hot0 > 1 || cold1-cold0 < 100 || !(cold0 < hot0 && hot1 < cold1) {
		t.Errorf("the fan extends from %g-%g to %g-%g", hot0, hot1, cold0, cold1)
	}
}
