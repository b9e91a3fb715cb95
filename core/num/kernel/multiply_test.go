package kernel

import (
	"testing"

	"logzlab/core/num/rng"
)

// multiplyBy has the bits of one factor after another, for any number of states.
func TestMultiplyBy(t *testing.T) {
	s := rng.At{Key: rng.NewKey(1, "products", 0)}.Row(0)
	for n := range 19 {
		acc, p, want := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range acc {
			acc[i], p[i] = 1+s.Float64(), s.Float64()
			want[i] = float64(acc[i] * (1 + float64(p[i]*.7)))
		}
		multiplyBy(acc, p, .7)
		for i := range acc {
			if acc[i] != want[i] {
				t.Errorf("state %d of %d is %v, want %v", i, n, acc[i], want[i])
			}
		}
	}
}

func BenchmarkMultiplyBy(b *testing.B) {
	acc, p := make([]float64, 1<<10), make([]float64, 1<<10)
	for i := range acc {
		acc[i], p[i] = 1, 1e-9
	}
	for range b.N {
		multiplyBy(acc, p, .7)
	}
}
