package schedule

import (
	"math"
	"testing"
)

func TestPriorText(t *testing.T) {
	for text, want := range map[string]string{"uniform": "uniform", "exp:2.0": "exp:2", "exp:0": "uniform",
		"exp:-1e1": "exp:-10", "weights:1_2.50_4": "weights:1_2.5_4"} {
		if got, err := CanonicalPrior(text); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "exp", "exp:", "exp:x", "exp:101", "exp:NaN", "uniform:1", "weights", "weights:",
		"weights:1", "weights:1_0", "weights:1_-1", "weights:1_Inf", "weights:1__2", "weights:1,2", "nosuch"} {
		if got, err := CanonicalPrior(text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

// K r_k by hand.
func TestPrior(t *testing.T) {
	ladder := []float64{0, .1, .5, 1}
	for text, want := range map[string][]float64{
		"exp:2":               {1, math.Exp(.2), math.E, math.Exp(2)},
		"weights:1_4":         {1, 2, 3, 4},
		"weights:2_8_2":       {2, 6, 6, 2},
		"weights:1_2_3_8":     {1, 2, 3, 8},
		"weights:1_3_1_3_1_3": {1, 3 - 4./3, 3 - 2./3, 3}, // places 0, 5/3, 10/3, 5
	} {
		got, err := Prior(text, ladder)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, w := range want {
			sum += w / 4
		}
		for k, w := range want {
			if math.Abs(math.Exp(got[k])-w/sum) > 1e-12 {
				t.Errorf("%s: K r_%d = %g, want %g", text, k, math.Exp(got[k]), w/sum)
			}
		}
	}
	for _, text := range []string{"", "uniform", "exp:0"} {
		if got, err := Prior(text, ladder); got != nil || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
