package function

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// TestOddGrowth draws frames that no estimator sends, but that can be decoded.
func TestOddGrowth(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	pic := func(g frame.Growth, rows int) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "arm", Phase: "move", N: rows, W: 2, H: 2, Pixels: make([]byte, 4*rows),
			Growth: &g}
	}
	rec := []frame.StageRecord{{N: 0, Batches: []int32{-5}, Gamma: float32(nan), LogZ: nan}, {N: 1, LogZ: inf, Gamma: -1},
		{N: 2, Batches: []int32{math.MaxInt32, math.MaxInt32}, Gamma: 5, LogZ: 1e14}, {N: 4, LogZ: 3}}
	for name, fs := range map[string][]*frame.Frame{
		"nothing":   {pic(frame.Growth{}, 0)},
		"no stages": {pic(frame.Growth{}, 3)},
		"one row":   {pic(frame.Growth{Stage: 1, Stages: 1, R: 1}, 1)},
		"odd record": {pic(frame.Growth{Stage: 4, Stages: 4, R: 2, Record: rec, Threshold: float32(nan),
			Exact: []float64{nan, 1e300, -1e14, 1}}, 2)},
		"record alone": {{Model: "m", Method: "rm", Growth: &frame.Growth{Stage: 4, Stages: 8, R: 2, Record: rec}}},
		"cells off":    {pic(frame.Growth{Stage: 2, Stages: 4, R: 2, Cell: []int32{-7, 1 << 20}}, 2)},
		"more stages":  {pic(frame.Growth{Stage: 400, Stages: 500, R: 2}, 2)},
		"short parents": {pic(frame.Growth{Stage: 1, Stages: 4}, 3),
			pic(frame.Growth{Stage: 2, Stages: 4, Parents: []int32{2}}, 3)},
		"wild parents": {pic(frame.Growth{Stage: 1, Stages: 4}, 3),
			pic(frame.Growth{Stage: 2, Stages: 4, Parents: []int32{99, -1, 254}}, 3)},
		"rows come and go": {pic(frame.Growth{Stage: 1, Stages: 4}, 3), pic(frame.Growth{Stage: 2, Stages: 4}, 9),
			pic(frame.Growth{Stage: 2, Stages: 4}, 1)},
		"many lines": {pic(frame.Growth{Stage: 1, Stages: 4, Parents: make([]int32, 700)}, 3),
			pic(frame.Growth{Stage: 2, Stages: 4, Parents: []int32{699, 700, -1, 5}}, 3),
			pic(frame.Growth{Stage: 3, Stages: 4, Parents: make([]int32, frame.MaxLines)}, 3),
			pic(frame.Growth{Stage: 4, Stages: 4}, 3)},
		"a stage back": {pic(frame.Growth{Stage: 3, Stages: 4}, 3), pic(frame.Growth{Stage: 1, Stages: 4}, 3),
			pic(frame.Growth{Stage: 2, Stages: 4}, 3)},
		"other stages": {pic(frame.Growth{Stage: 3, Stages: 4}, 3), pic(frame.Growth{Stage: 5, Stages: 9}, 3)},
		"no pictures": {{Model: "m", Method: "rm", N: 3, Points: make([]float32, 6),
			Growth: &frame.Growth{Stage: 2, Stages: 3, R: 3, Record: rec[3:]}}},
		"negative first": {{Model: "m", Method: "rm", First: -3, Growth: &frame.Growth{Stage: 2, Stages: 3}}},
	} {
		p := rendertest.StageWith(fs...)
		for _, is := range p.Run.Particles[0].Islands {
			if len(is.Moments) > 0 && len(fs) > 1 {
				is.Marked = [2]int{is.Newest().ID, 0}
			}
		}
		for _, size := range [][2]float64{{704, 456}, {390, 300}} {
			for _, scene := range []string{"formation", "function"} {
				a := rendertest.Area(size[0], size[1], 1)
				a.Pointer = paint.NewPointer(paint.Pt(300, 200))
				rendertest.CheckMarks(t, name+" "+scene, a, rendertest.Draw(scene, a, p))
			}
		}
	}
}

func TestOddLatents(t *testing.T) {
	nan := float32(math.NaN())
	for name, l := range map[string]frame.Latent{
		"empty":   {},
		"no data": {D: 1, X1: 1, GW: 2, GH: 1, Values: []float32{1, 2, 3, 4}, Mean: []float32{0, 1}},
		"no range": {D: 1, X: []float32{1}, Label: []int32{1}, GW: 2, GH: 1, Values: []float32{1, 2, 3, 4},
			Mean: []float32{0, 1}},
		"nan": {D: 1, X: []float32{nan, 1e30}, Label: []int32{1, -1}, X1: 1, GW: 2, GH: 1,
			Values: []float32{nan, 2e30, -3e30, nan}, Mean: []float32{nan, 7}, ProbAtData: []float32{nan, 3}},
		"plane nan": {D: 2, X: []float32{nan, 1, 0.5, 0.5}, Label: []int32{1, 0}, X1: 1, Y1: 1, GW: 2, GH: 2,
			Mean: []float32{nan, 7, 0.5, 0}, ProbAtData: []float32{nan}},
		"plane bare": {D: 2, X: []float32{0.2, 0.1}, Label: []int32{1}, X1: 1, Y1: 1},
		"one cell":   {D: 2, X: []float32{0.2, 0.1}, Label: []int32{1}, X1: 1, Y1: 1, GW: 1, GH: 1, Mean: []float32{1}},
		"flat":       {D: 2, X: []float32{0.2, 0.1}, Label: []int32{1}, X1: 1, GW: 2, GH: 2, Mean: make([]float32, 4)},
		"pictures":   {Label: []int32{1, -1}, W: 2, H: 1, Pictures: make([]byte, 4), ProbAtData: []float32{nan, 0.1}},
		"no picture": {Label: []int32{1, -1}},
	} {
		for _, g := range []*frame.Growth{nil, {Stage: 2, Stages: 2, R: 2}} {
			f := &frame.Frame{Model: "m", Method: "arm", N: 2, Latent: &l, Growth: g}
			p := rendertest.StageWith(f)
			for _, size := range [][2]float64{{704, 456}, {390, 300}} {
				a := rendertest.Area(size[0], size[1], 1)
				a.Pointer = paint.NewPointer(paint.Pt(300, 200))
				rendertest.CheckMarks(t, name, a, rendertest.Draw("function", a, p))
			}
		}
	}
}

// TestPilotIsForgotten checks that the islands of a run do not include those of its pilot, which has fewer particles:
// five islands of 25 and then of 100 are five, not twenty.
func TestPilotIsForgotten(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var fs []*frame.Frame
	for _, particles := range []int{25, 100} {
		for stage := 1; stage <= 3; stage++ {
			for island := range 5 {
				f := rendertest.Step(stage, 20, 5, 3, nil, r)
				f.Method, f.First, f.Total = "rm-optimal", island*particles, 5*particles
				fs = append(fs, f)
			}
		}
	}
	p, is := rendertest.IslandStage(fs...)
	if n := len(p.Run.Particles[0].Islands); n != 5 || is.First != 0 || len(is.Moments) != 3 {
		t.Errorf("%d islands, the first from row %d with %d moments", n, is.First, len(is.Moments))
	}
}

// TestFunctionsFit checks with and without a selected row that words do not overlap or leave the canvas, also if they
// are a quarter longer.
func TestFunctionsFit(t *testing.T) {
	rendertest.CheckLayouts(t, "function", 2, func(s *stage.Stage, state int) (longer bool) {
		for _, w := range s.Run.Particles {
			if is := w.Island(); is != nil && state == 1 {
				is.Marked = [2]int{is.Newest().ID, 1}
			}
		}
		return state == 0
	}, nil)
}
