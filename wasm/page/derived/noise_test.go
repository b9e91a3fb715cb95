package derived

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/estimators/smc"
)

// TestKept: with normal noise the share that is kept is exp(-tau sigma^2) for every ladder; with another step's
// temperature in one of the means it is off. Of noise that never varies all is kept.
func TestKept(t *testing.T) {
	steep, err := schedule.Make("power:4", 40, nil)
	if err != nil {
		t.Fatal(err)
	}
	ladders := [][]float64{evenLadder(1), evenLadder(2), evenLadder(5), steep}
	for _, s2 := range []float64{0, .3, 1} {
		q := noiseTest{}
		for _, a := range ladders {
			p := noisePath{ladder: a}
			for b := range noiseBlocks {
				p.at[b], p.ahead[b] = make([]float64, len(a)), make([]float64, len(a))
			}
			q.paths = append(q.paths, p)
		}
		s := rng.NewKey(1, "noise", 0).Stream(0, 0, 0)
		for range 20000 {
			q.add(-1234 - s2/2 + math.Sqrt(s2)*s.Norm())
		}
		for i := range q.paths {
			want := math.Exp(-smc.Tau(ladders[i]) * s2)
			kept, se := q.paths[i].keptShare()
			if math.Abs(kept-want) > 4*se+1e-12 || se > .02 {
				t.Errorf("variance %v, %d steps: %v +- %v, not %v", s2, len(ladders[i])-1, kept, se, want)
			}
		}
	}
}

// TestFitted finds the line of times, and one through 0 where the best would be negative there.
func TestFitted(t *testing.T) {
	tests := func(of func(n float64) float64) (out []frame.NoiseTest) {
		for _, n := range []int{5, 10, 20} {
			out = append(out, frame.NoiseTest{Draws: n, Seconds: of(float64(n))})
		}
		return append(out, frame.NoiseTest{Draws: 40, Seconds: math.NaN()})
	}
	if base, one := fitTimes(tests(func(n float64) float64 { return 3 + 2*n })); math.Abs(base-3) > 1e-9 ||
		math.Abs(one-2) > 1e-9 {
		t.Errorf("%v + %v n", base, one)
	}
	if base, one := fitTimes(tests(func(n float64) float64 { return n * n })); base != 0 || !(one > 5 && one < 20) {
		t.Errorf("%v + %v n", base, one)
	}
}
