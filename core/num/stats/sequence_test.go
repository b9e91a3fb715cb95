package stats

import (
	"math"
	"testing"
)

// The variance of the mean of a series with an autocorrelation time of up to a 30th of its length is right on average,
// in long series by way of blocks; OBM finds .45 of it for a series of 5,000 values with an autocorrelation time of
// 100. The noise is .03.
func TestSequence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n   int
		tau float64
		low float64
	}{{200, 1, .95}, {1000, 10, .93}, {1000, 30, .85}, {5000, 100, .9}, {10000, 300, .85}} {
		var v, z Welford
		for seed := range uint32(200) {
			x := autoregression((c.tau-1)/(c.tau+1), c.n, seed)
			mean, _ := MeanVar(x)
			s := InitialSequence(x)
			v.Add(s * float64(c.n) / c.tau)
			z.Add(mean * mean / s)
		}
		if !(v.Mean > c.low && v.Mean < 1.13) {
			t.Errorf("%d values that remember %v: %.3f of the variance, rms z %.2f", c.n, c.tau, v.Mean, math.Sqrt(z.Mean))
		}
	}
	if v := InitialSequence([]float64{1, 1, 1, 1}); v != 0 {
		t.Errorf("constant series: variance = %v", v)
	}
	if v := InitialSequence([]float64{1, 2, 3}); !math.IsNaN(v) {
		t.Errorf("three values: variance = %v, want NaN", v)
	}
}
