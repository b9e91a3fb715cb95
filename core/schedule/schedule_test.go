package schedule

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// 1e-12 catches an interval count off by one anywhere (1/n or more).
func TestGolden(t *testing.T) {
	b, err := os.ReadFile("../../../shared/truth/public_golden.json")
	if err != nil {
		t.Skip("../shared/truth/public_golden.json is absent: value test skipped")
	}
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
		got, err := Parse(text, k)
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
	for _, text := range []string{"linear", "power:5", "power:2.5", "geometric:1e-4", "sigmoid:4", "sm08"} {
		for _, k := range []int{2, 3, 4, 5, 17, 100, 1000, 10000} {
			b, err := Parse(text, k)
			if err != nil {
				if text == "sm08" && k < 4 {
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
		a, _ := Parse(text, 11)
		b, _ := Parse(text, 21)
		for i := range a {
			if math.Abs(a[i]-b[2*i]) > 1e-15 {
				t.Errorf("%s is not nested at %d", text, i)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for text, k := range map[string]int{"linear": 1, "sm08": 3, "power": 5, "power:-1": 5, "geometric:1": 5,
		"linear:3": 5, "cosine": 5, "power:NaN": 5, "power:1000": 100} {
		if _, err := Parse(text, k); err == nil || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s with %d temperatures: error %v", text, k, err)
		}
	}
}
