package record_test

import (
	"math"
	"testing"

	_ "logzlab/render/units"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/record"
	"logzlab/render/stage"
)

func TestNewestWins(t *testing.T) {
	old, new := rendertest.Rings("ais", 0, 10, 8, 8, false), rendertest.Rings("ais", 0, 10, 8, 8, false)
	new.Beta[3] = 0.5
	other := rendertest.Rings("ais", 20, 10, 8, 8, false)
	p := rendertest.StageWith(old, other, new)
	w := p.Run.Particles[0]
	if len(p.Run.Particles) != 1 || len(w.Slots) != 30 || w.CountFilled() != 20 || w.Slots[3].Beta != 0.5 || w.Slots[12].Filled {
		t.Fatalf("%d slots, %d filled, slot 3 at beta %v", len(w.Slots), w.CountFilled(), w.Slots[3].Beta)
	}
	p.Add(rendertest.Rings("ais", 95, 10, 8, 8, false))
	if len(w.Slots) != record.MaxSlots {
		t.Errorf("a lane past the end made %d slots, want %d", len(w.Slots), record.MaxSlots)
	}
	for _, first := range []int{-5, record.MaxSlots, math.MaxInt} {
		p.Add(&frame.Frame{Model: "rings", Method: "ais", First: first, N: 1, W: 8, H: 8, Pixels: make([]byte, 64)})
	}
	if len(w.Slots) != record.MaxSlots {
		t.Errorf("lanes out of range changed the number of slots to %d", len(w.Slots))
	}
	p.Add(rendertest.Rings("ais", 0, 3, 4, 4, false))
	if len(w.Slots) != 3 {
		t.Errorf("another shape left %d slots, want 3", len(w.Slots))
	}
}

// TestGlide checks that points move gradually to the positions of slow frames, but jump at full speed or if animations
// are turned off.
func TestGlide(t *testing.T) {
	at := func(x float32, step int) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "rts", Phase: "final", Step: step, N: 1, Points: []float32{x, 0},
			Beta: []float32{1}}
	}
	p := stage.NewStage()
	p.Run.Now = 10
	p.Add(at(0, 1))
	p.Run.Now = 10.02
	p.Add(at(1, 2))
	if p.Run.IsGliding() {
		t.Error("points move gradually at full speed")
	}
	p.Run.Now = 11
	p.Add(at(3, 3))
	p.Run.Now = 11 + record.MaxGlide/2
	s := &p.Run.Particles[0].Slots[0]
	if got := s.Place(p.Run.Now, false).X; !p.Run.IsGliding() || math.Abs(got-2) > 1e-9 {
		t.Errorf("halfway from 1 to 3: x = %v, want 2", got)
	}
	if got := s.Place(p.Run.Now, true).X; got != 3 {
		t.Errorf("without animation: x = %v, want 3", got)
	}
	p.Run.Now = 12
	if p.Run.IsGliding() || s.Place(p.Run.Now, false).X != 3 {
		t.Error("the animation does not end")
	}
}

// TestResamplingIsAnimated checks the animation of slow frames with resampling: rows without children fall, copies
// start at the position of their parent, and weights reach their new values within 300 ms.
func TestResamplingIsAnimated(t *testing.T) {
	rows := func(step int, logw []float32, parents []int32) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "smc", Phase: "cooling", Step: step, Steps: 9, N: 3, Total: 3, Rungs: 3,
			Points: []float32{0, 0, 2, 0, 4, 0}, Beta: []float32{0.5, 0.5, 0.5}, Rung: []int32{1, 1, 1}, LogW: logw,
			Parents: parents}
	}
	take := func(p *stage.Stage, now float64, f *frame.Frame) {
		p.Run.Now = now
		p.Add(f)
	}
	p := stage.NewStage()
	take(p, 1, rows(1, []float32{0, 0, 0}, nil))
	take(p, 1.2, rows(2, []float32{0, -3, 0}, nil))
	w := p.Run.Particles[0]
	for at, want := range map[float64]float64{1.2: 1, 1.35: math.Exp(-1.5), 1.6: math.Exp(-3)} {
		p.Run.Now = at
		p.Run.Replayed(w, false)
		if rel, _ := w.Weights(); math.Abs(rel[1]-want) > 0.01 {
			t.Errorf("at %g s the light row has weight %g, want %g", at, rel[1], want)
		}
	}
	take(p, 1.4, rows(3, []float32{0, 0, 0}, []int32{0, 2, 2}))
	if len(w.Dropped) != 1 || w.Dropped[0].Index != 1 || !p.Run.IsGliding() {
		t.Fatalf("%d dropped rows, want row 1", len(w.Dropped))
	}
	if q := w.Slots[1].Place(1.4, false); q.X != 4 {
		t.Errorf("the copy starts at x = %g, want 4, the position of its parent", q.X)
	}
	if q := w.Slots[1].Place(3, false); q.X != 2 {
		t.Errorf("the copy ends at x = %g, want 2", q.X)
	}
	if g := w.Dropped[0].DropProgress(1.7, false); !(g > 0.4 && g < 0.6) || w.Dropped[0].DropProgress(1.4, true) != 1 {
		t.Errorf("DropProgress after half of the time = %g", g)
	}
	// At full speed nothing is animated.
	take(p, 1.41, rows(4, []float32{0, 0, 0}, []int32{1, 1, 1}))
	if len(w.Dropped) != 1 || w.Slots[0].ParentSlot >= 0 {
		t.Error("rows of fast frames are animated")
	}
}
