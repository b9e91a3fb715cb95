package schedule

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"logzlab/internal/answers"
)

// TestGolden compares with golden values; the tolerance 1e-12 catches any error of the number of steps.
func TestGolden(t *testing.T) {
	t.Parallel()
	b := answers.Read(t, "public_golden.json")
	var g struct {
		Schedules struct {
			SM08 struct {
				K     []int
				Betas [][]float64
			}
			Geometric struct {
				K     int
				Betas []float64
			}
			Power struct {
				K     int
				Betas []float64
			}
		}
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	compare := func(text string, want []float64, k int) {
		got, err := Make(text, k, UnknownPath)
		if err != nil || len(got) != k {
			t.Fatalf("%s: %v, %d values", text, err, len(got))
		}
		stride := (k - 1) / (len(want) - 1) // long ladders are listed sparsely
		for i := range want {
			if !(math.Abs(got[i*stride]-want[i]) <= 1e-12) {
				t.Errorf("%s[%d] = %v, want %v", text, i*stride, got[i*stride], want[i])
			}
		}
	}
	for i, k := range g.Schedules.SM08.K {
		compare("sm08", g.Schedules.SM08.Betas[i], k)
	}
	compare("geometric:0.001", g.Schedules.Geometric.Betas, g.Schedules.Geometric.K)
	compare("power:5", g.Schedules.Power.Betas, g.Schedules.Power.K)
}

func TestInvariants(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"linear", "power:5", "power:2.5", "geometric:1e-4", "sigmoid:4", "sm08", "varopt",
		"varopt:2", "varopt-eta:0.6", "gms13", "gms13-marginal", "adaptive", "adaptive:0.5", "betas:0.1_0.2_0.7"} {
		for _, k := range []int{2, 3, 4, 5, 17, 100, 1000, 10000} {
			b, err := Make(text, k, UnknownPath)
			if err != nil {
				if text == "sm08" && k < 4 || strings.HasPrefix(text, "gms13") && k < 10 ||
					text == "varopt-eta:0.6" && k < 3 {
					continue
				}
				t.Errorf("%s %d: %v", text, k, err)
				continue
			}
			if len(b) != k || b[0] != 0 || b[k-1] != 1 {
				t.Errorf("%s %d: %d values from %v to %v", text, k, len(b), b[0], b[len(b)-1])
			}
		}
	}
	// Refinement K -> 2K-1 keeps the points of linear and power ladders.
	for _, text := range []string{"linear", "power:5"} {
		a, _ := Make(text, 11, UnknownPath)
		b, _ := Make(text, 21, UnknownPath)
		for i := range a {
			if math.Abs(a[i]-b[2*i]) > 1e-15 {
				t.Errorf("%s: point %d changes with refinement", text, i)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for text, k := range map[string]int{"linear": 1, "sm08": 3, "power": 5, "power:-1": 5, "geometric:1": 5,
		"linear:3": 5, "cosine": 5, "power:NaN": 5, "power:1000": 100} {
		if _, err := Make(text, k, UnknownPath); err == nil || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s with %d temperatures: error %v", text, k, err)
		}
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"varopt": "varopt", "varopt:3.0": "varopt:3", "adaptive:.9": "adaptive",
		"adaptive:0.50": "adaptive:0.5", "gms13": "gms13", "varopt-eta:.0090": "varopt-eta:0.009",
		"betas:.1_.25": "betas:0.1_0.25", "power:5": "power:5"} {
		got, err := Canonical(text)
		if err != nil || got != want {
			t.Errorf("Canonical(%s) = %q, %v; want %q", text, got, err, want)
		}
		if again, err := Canonical(got); err != nil || again != got {
			t.Errorf("%s becomes %q, %v", got, again, err)
		}
	}
	for text, part := range map[string]string{"varopt:0.5": "it must be", "varopt:": "it must be",
		"adaptive:1": "it must be",
		"varopt-eta": "it must be", "varopt-eta:1": "it must be", "varopt-eta:0": "it must be",
		"gms13:3": "it must be", "betas:": "it must be", "betas:0.2_0.1": "0.1 does not lie above 0.2",
		"betas:0.2_0.2": "must rise", "betas:0_0.5": "leave out 0", "betas:0.5_1": "leave out 1", "betas:0.1_x": "it must be",
		"power": "it must be", "linear:": "it must be", "geometric:1": "it must be"} {
		if got, err := Canonical(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s becomes %q, %v", text, got, err)
		}
	}
}

// TestBetas checks that explicit betas are used unchanged if there are K of them, otherwise K points of the line
// through them.
func TestBetas(t *testing.T) {
	t.Parallel()
	got, err := Make("betas:0.1_0.3_0.7", 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "own", got, []float64{0, .1, .3, .7, 1}, 0)
	got, _ = Make("betas:0.1_0.3_0.7", 9, nil)
	near(t, "own with points between", got, []float64{0, .05, .1, .2, .3, .5, .7, .85, 1}, 1e-15)
}

// TestNearest checks the nearer of two, the first of a tie, and the ends.
func TestNearest(t *testing.T) {
	betas := []float64{0, .25, .5, 1}
	for beta, want := range map[float64]int{-1: 0, 0: 0, .1: 0, .125: 0, .13: 1, .75: 2, .76: 3, 1: 3, 2: 3} {
		if k := Nearest(betas, beta); k != want {
			t.Errorf("Nearest(%v) = %d, want %d", beta, k, want)
		}
	}
}
