package tape

import (
	"math"
	"testing"
)

// TestComponent checks that Component returns the components of mixtures written with LogSumExp or with LogAddExp.
func TestComponent(t *testing.T) {
	b := NewBuilder(1)
	x := b.Inputs()[0]
	at := func(c float64) Scalar { return b.Do(Neg, b.Do(Square, b.Do(Sub, x, Const(c)))) }
	b.Target(b.LogSumExp([]Scalar{at(1), at(2), at(3)}), b.Do(LogAddExp, at(10), at(20)))
	tape, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{-1 - 100, -4 - 400, -9 - 400} {
		c, ok := tape.Component(k)
		if !ok {
			t.Fatalf("no component %d", k)
		}
		if got := c.EvaluatorPool().LogF([]float64{0}); math.Abs(got-want) > 1e-9 {
			t.Errorf("component %d at 0 = %g, want %g", k, got, want)
		}
	}
	if _, ok := tape.Component(3); ok {
		t.Error("Component(3) of three components is ok")
	}
}
