package render

import (
	"math"
	"testing"

	"logzlab/core/frame"
)

func TestNewestWins(t *testing.T) {
	old, new := rings("ais", 0, 10, 8, 8, false), rings("ais", 0, 10, 8, 8, false)
	new.Beta[3] = 0.5
	other := rings("ais", 20, 10, 8, 8, false)
	p := picturing(old, other, new)
	w := p.run.walls[0]
	if len(p.run.walls) != 1 || len(w.slots) != 30 || w.filled() != 20 || w.slots[3].beta != 0.5 || w.slots[12].filled {
		t.Fatalf("wall has %d slots, %d filled, slot 3 at %v", len(w.slots), w.filled(), w.slots[3].beta)
	}
	p.add(rings("ais", 95, 10, 8, 8, false))
	if len(w.slots) != maxSlots {
		t.Errorf("a lane past the end made %d slots, want %d", len(w.slots), maxSlots)
	}
	for _, first := range []int{-5, maxSlots, math.MaxInt} {
		p.add(&frame.Frame{Model: "rings", Method: "ais", First: first, N: 1, W: 8, H: 8, Pixels: make([]byte, 64)})
	}
	if len(w.slots) != maxSlots {
		t.Errorf("lanes out of range changed the wall to %d slots", len(w.slots))
	}
	p.add(rings("ais", 0, 3, 4, 4, false))
	if len(w.slots) != 3 {
		t.Errorf("another shape left %d slots, want 3", len(w.slots))
	}
}

// TestGlide: slow frames let points move straight to their new places, fast ones
// and viewers who want less motion see the newest frame at once.
func TestGlide(t *testing.T) {
	at := func(x float32, step int) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "rts", Phase: "final", Step: step, N: 1, Points: []float32{x, 0},
			Beta: []float32{1}}
	}
	p := NewStage()
	p.run.now = 10
	p.add(at(0, 1))
	p.run.now = 10.02
	p.add(at(1, 2))
	if p.run.gliding() {
		t.Error("points glide at full speed")
	}
	p.run.now = 11
	p.add(at(3, 3))
	p.run.now = 11 + longestGlide/2
	s := &p.run.walls[0].slots[0]
	if got := s.place(p.run.now, false).X; !p.run.gliding() || math.Abs(got-2) > 1e-9 {
		t.Errorf("half way from 1 to 3 a point is at %v", got)
	}
	if got := s.place(p.run.now, true).X; got != 3 {
		t.Errorf("without motion a point is at %v, want 3", got)
	}
	p.run.now = 12
	if p.run.gliding() || s.place(p.run.now, false).X != 3 {
		t.Error("the way never ends")
	}
}

// Where particles are resampled slowly, those without children grey out and drop, and copies slide away from the place
// of their parent; weights come to their new values within 300 ms.
func TestResamplingIsSeen(t *testing.T) {
	rows := func(step int, logw []float32, parents []int32) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "smc", Phase: "cooling", Step: step, Steps: 9, N: 3, Total: 3, Rungs: 3,
			Points: []float32{0, 0, 2, 0, 4, 0}, Beta: []float32{0.5, 0.5, 0.5}, Rung: []int32{1, 1, 1}, LogW: logw,
			Parents: parents}
	}
	take := func(p *Stage, now float64, f *frame.Frame) {
		p.run.now = now
		p.add(f)
	}
	p := NewStage()
	take(p, 1, rows(1, []float32{0, 0, 0}, nil))
	take(p, 1.2, rows(2, []float32{0, -3, 0}, nil))
	w := p.run.walls[0]
	for at, want := range map[float64]float64{1.2: 1, 1.35: math.Exp(-1.5), 1.6: math.Exp(-3)} {
		p.run.now = at
		p.run.held(w, false)
		if rel, _ := w.weights(); math.Abs(rel[1]-want) > 0.01 {
			t.Errorf("at %g s the light row weighs %g, not %g", at, rel[1], want)
		}
	}
	take(p, 1.4, rows(3, []float32{0, 0, 0}, []int32{0, 2, 2}))
	if len(w.dropped) != 1 || w.dropped[0].place != 1 || !p.run.gliding() {
		t.Fatalf("%d rows fall", len(w.dropped))
	}
	if q := w.slots[1].place(1.4, false); q.X != 4 {
		t.Errorf("the copy begins at %g, not where its parent was", q.X)
	}
	if q := w.slots[1].place(3, false); q.X != 2 {
		t.Errorf("the copy ends at %g", q.X)
	}
	if g := w.dropped[0].fraction(1.7, false); !(g > 0.4 && g < 0.6) || w.dropped[0].fraction(1.4, true) != 1 {
		t.Errorf("the light one has fallen %g", g)
	}
	// At full speed nothing is animated.
	take(p, 1.41, rows(4, []float32{0, 0, 0}, []int32{1, 1, 1}))
	if len(w.dropped) != 1 || w.slots[0].parentSlot >= 0 {
		t.Error("rows of fast frames fall")
	}
}
