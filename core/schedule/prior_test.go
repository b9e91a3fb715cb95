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
			t.Errorf("CanonicalPrior(%q) = %q, want an error", text, got)
		}
	}
}

// TestPrior compares K r_k with values computed by hand.
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

// TestPriorKnots checks that the knots are the prior's own weights if it has as many, otherwise K r at even steps of
// the ladder, and that the text of the knots gives the same knots and prior.
func TestPriorKnots(t *testing.T) {
	even := make([]float64, 17)
	for k := range even {
		even[k] = float64(k) / 16
	}
	const own = "weights:1_2_3.25_1_1_1_1_1_700"
	for text, want := range map[string]string{"uniform": "uniform",
		"exp:0.5": "weights:0.77_0.82_0.87_0.93_0.99_1.1_1.1_1.2_1.3",
		own:       own, "weights:7_7": "uniform", "weights:10_34": "weights:0.45_0.59_0.73_0.86_1_1.1_1.3_1.4_1.5",
		"exp:100": "weights:0.001_0.001_0.001_0.001_0.001_0.001_0.001_0.001_17"} {
		knots, rungs := PriorKnots(text, even)
		got := PriorText(knots)
		if again, err := CanonicalPrior(got); got != want || again != got || err != nil {
			t.Errorf("%s: text of the knots = %s, error %v", text, got, err)
		}
		if back, _ := PriorKnots(got, even); PriorText(back) != got {
			t.Errorf("%s read again gives %s", got, PriorText(back))
		}
		logs, _ := Prior(text, even)
		for k := range logs {
			if d := math.Log(rungs[k]/rungs[0]) - (logs[k] - logs[0]); !(math.Abs(d) < 1e-12) {
				t.Errorf("%s: error at rung %d = %g", text, k, d)
			}
		}
	}
	unknown := []float64{math.NaN(), math.NaN(), math.NaN()}
	if k, r := PriorKnots("exp:2", unknown); k != nil || r != nil {
		t.Errorf("exp:2 on unknown rungs: knots %v, rungs %v", k, r)
	}
	if k, r := PriorKnots("weights:10_34", unknown); len(r) != 3 ||
		PriorText(k) != "weights:0.45_0.59_0.73_0.86_1_1.1_1.3_1.4_1.5" {
		t.Errorf("weights on unknown rungs: knots %v, rungs %v", k, r)
	}
	if k, _ := PriorKnots("uniform", []float64{1}); k != nil {
		t.Errorf("a ladder of one rung: knots %v, want nil", k)
	}
}

func TestPlaceWeight(t *testing.T) {
	from := []float64{1, 2, 3}
	for w, want := range map[float64]string{2.345: "weights:1_2.3_3", 1e9: "weights:1_1000_3", -1: "weights:1_0.001_3",
		math.Inf(-1): "weights:1_0.001_3"} {
		if got := PriorText(SetWeight(from, 1, w)); got != want || from[1] != 2 {
			t.Errorf("%g: %s, want %s", w, got, want)
		}
	}
}
