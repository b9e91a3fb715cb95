package schedule

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
)

// TestDrawn checks that the knots of any schedule increase, are rounded, and are recovered exactly from the text that
// they make.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"linear", "power:5", "power:20", "power:40", "geometric:1e-09", "geometric:0.001",
		"sigmoid:4", "sigmoid:1000", "sm08", "betas:0.5", "betas:0.999999999", "betas:1e-300"} {
		shape, err := Curve(text, 99, nil)
		if err != nil {
			continue
		}
		x := CurveKnots(shape)
		drawn := BetasText(x)
		if same, err := Canonical(drawn); err != nil || same != drawn || len(x) != KnotCount || len(drawn) > 90 {
			t.Errorf("%s: drawn = %s, error %v", text, drawn, err)
		}
		if again, err := Curve(drawn, 99, nil); err != nil || BetasText(CurveKnots(again)) != drawn {
			t.Errorf("%s becomes %s, %v", drawn, BetasText(CurveKnots(again)), err)
		}
	}
	linear, _ := Curve("linear", 99, nil)
	if s := BetasText(CurveKnots(linear)); s != "betas:0.1_0.2_0.3_0.4_0.5_0.6_0.7_0.8_0.9" {
		t.Errorf("linear drawn by hand = %s", s)
	}
}

// TestPlaceKnot checks that for any position all knots stay increasing and within the ends, that the knot gets this
// position if there is room, and that other knots move only if necessary.
func TestPlaceKnot(t *testing.T) {
	t.Parallel()
	linear, _ := Curve("linear", 99, nil)
	start := CurveKnots(linear)
	for i := range start {
		for _, beta := range []float64{-3, 0, 1e-9, 2e-6, .0123456, .05, .333, .5, .9, .98765, 1 - 1e-7, 1, 7} {
			x := MoveKnot(start, i, beta)
			if s, err := Canonical(BetasText(x)); err != nil {
				t.Fatalf("knot %d at %g: %s, %v", i, beta, s, err)
			}
			if beta > .01 && beta < .99 && math.Abs(x[i]-beta) > .006 {
				t.Errorf("knot %d at %g stands at %g", i, beta, x[i])
			}
			for j := range x {
				if (j < i && start[j] < x[j+1] || j > i && start[j] > x[j-1]) && x[j] != start[j] {
					t.Errorf("knot %d at %g moved knot %d from %g to %g", i, beta, j, start[j], x[j])
				}
			}
		}
	}
	if x := MoveKnot(start, 4, .123456); !slices.Equal(x, []float64{.089, .09, .1, .11, .12, .6, .7, .8, .9}) {
		t.Errorf("%v", x)
	}
}

// TestCostOfKnots: the predicted variance of a schedule by hand is that of its knots alone, for any number of steps.
func TestCostOfKnots(t *testing.T) {
	t.Parallel()
	betas, g := []float64{0, .1, .4, 1}, []float64{90, 20, 3, 1}
	x := CurveKnots(Optimal(betas, g, CurvePoints))
	knots := ladderThrough(x, KnotCount+2)
	f := num.Mul(PredictedVariance(betas, g, knots), float64(KnotCount+1))
	ladder, _ := Make(BetasText(x), 1001, nil)
	if v := num.Mul(PredictedVariance(betas, g, ladder), 1000); math.Abs(v/f-1) > 1e-9 {
		t.Errorf("F %g by knots, %g along the ladder", f, v)
	}
	if _, best := Functionals(betas, g); !(f >= best && f < 1.2*best) {
		t.Errorf("the optimum by hand has F %g, the optimum %g", f, best)
	}
}
