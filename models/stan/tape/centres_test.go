package tape

import (
	"math"
	"testing"
)

// TestCentres checks that Centres finds the centres of mixtures, also if the coordinate is copied, exponentiated or
// scaled.
func TestCentres(t *testing.T) {
	b := NewBuilder(3)
	x := b.Inputs()
	var terms []Scalar
	for _, c := range [][]Scalar{Consts(1, 2, 3), Consts(-4, 50, 6)} {
		d := b.Map(Sub, x, c)
		terms = append(terms, b.Dot(d, d))
	}
	y := b.Do(Sub, b.Do(Exp, b.Do(Mul, x[1], Const(2))), Const(math.Exp(3)))
	b.Target(b.LogSumExp(terms), b.Do(Square, y))
	tape, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	found := map[[3]float64]bool{}
	for _, p := range tape.Centres(40) {
		for k, v := range p {
			if math.IsNaN(v) {
				p[k] = 0
			}
			p[k] = math.Round(1e9*p[k]) / 1e9
		}
		found[[3]float64(p)] = true
	}
	for _, want := range [][3]float64{{1, 2, 3}, {-4, 50, 6}, {0, 1.5, 0}} {
		if !found[want] {
			t.Errorf("centre %v missing in %v", want, found)
		}
	}
}
