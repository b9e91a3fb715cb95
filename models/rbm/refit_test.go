package rbm

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/internal/labtest"
)

// TestRefit checks that a fitted base has the rates of the samples, has log Z = 0 and does not change the target, also
// with clamped pixels; bases that do not use rates are not fitted.
func TestRefit(t *testing.T) {
	p := randomRBM(3, 6, 4, .8)
	p.P1 = []float64{.5, .5, .01, .3, .99, .5} // .05 and .95 at most
	m := newRBM(t, p)
	if !m.canRefit() {
		t.Fatal("the base cannot be fitted")
	}
	rows := m.New(3, []float64{0, 1}).(*population)
	labtest.SetBits(rows, 0, 0b000011, 6, 4)
	labtest.SetBits(rows, 1, 0b000001, 6, 4)
	on := rows.RefitSums()
	for i, want := range []float64{2, 1, 0, 0, 0, 0} {
		if on[i] != want {
			t.Errorf("unit %d is on in %g rows, want %g", i, on[i], want)
		}
	}
	q := m.Refit(on, 3).(*Model)
	for i, want := range []float64{12. / 23, 11. / 23, 1. / 23, 6. / 23, 19. / 23, 10. / 23} {
		labtest.Near(t, "rate", num.Sigmoid(float64(q.baseLogits[i])*q.unit), want, 1e-7)
	}
	was, err := m.LadderLogZ([]float64{0, .5, 1})
	if err != nil {
		t.Fatal(err)
	}
	is, err := q.LadderLogZ([]float64{0, .5, 1})
	if err != nil {
		t.Fatal(err)
	}
	labtest.Near(t, "log Z of the base", is[0], 0, 1e-9)
	labtest.Near(t, "log Z of the target", is[2], was[2], 1e-9)
	if math.Abs(is[1]-was[1]) < .01 {
		t.Error("the path did not change")
	}

	drawing, err := frame.ReadDrawing("1i-4p")
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.clamped(drawing, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := d.Truth().LogZ
	e := d.Refit([]float64{3, 0, 0, 3}, 3)
	if got := e.(*clamped).Truth().LogZ; got != before || e.LogZ0() != d.LogZ0() || e.Info().W != d.Info().W {
		t.Errorf("with fixed pixels log Z is %g, before %g", got, before)
	}

	p.Start = StartBiases
	if newRBM(t, p).canRefit() {
		t.Error("a base that does not use rates is fitted")
	}
}
