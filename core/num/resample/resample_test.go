package resample

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// weights are difficult cases: equal, one dominant, zeros, ties with integer n w, a long tail.
var weights = [][]float64{
	{0},
	{0, 0, 0, 0, 0},
	{-900, -900, -900, math.Inf(-1), -899},
	{math.Inf(-1), 700, math.Inf(-1)},
	{num.Log(.5), num.Log(.25), num.Log(.125), num.Log(.125)},
	{0, -1, -2, -3, -4, -5, -6, -7, -40, -800},
}

func normalised(logw []float64) []float64 {
	out := make([]float64, len(logw))
	for i, l := range logw {
		out[i] = num.Exp(l - num.LogSumExp(logw))
	}
	return out
}

// Counts sum to n, particles of weight zero have none, and no scheme but the
// multinomial gives fewer than floor(n w); stratified and systematic differ from n w
// by less than 2 and 1.
func TestCounts(t *testing.T) {
	t.Parallel()
	key := rng.NewKey(1, "resample", 0)
	for _, scheme := range Schemes {
		p := New(scheme)
		for i, lw := range weights {
			w := normalised(lw)
			for _, n := range []int{1, 2, 3, 8, 100, 1001} {
				for step := range uint32(50) {
					s := key.Stream(uint32(i), uint32(n), step)
					counts := make([]int32, len(lw))
					p.Counts(lw, n, &s, counts)
					sum := 0
					for r, k := range counts {
						sum += int(k)
						share := float64(n) * w[r]
						if k < 0 || w[r] == 0 && k > 0 {
							t.Fatalf("%s: weight %g has %d offspring", scheme, w[r], k)
						}
						if scheme == "residual" && float64(k) < math.Floor(share-1e-9) {
							t.Fatalf("%s: %d offspring for a share of %g", scheme, k, share)
						}
						if d := math.Abs(float64(k) - share); scheme == "stratified" && d >= 2 || scheme == "systematic" && d >= 1+1e-9 {
							t.Fatalf("%s: %d offspring for a share of %g", scheme, k, share)
						}
					}
					if sum != n {
						t.Fatalf("%s of weights %d: %d offspring, want %d", scheme, i, sum, n)
					}
				}
			}
		}
	}
}

// E[n_r] = n w_r within 4 s.e. over 1e5 draws. Planted and caught: residual
// weights not reduced by the floors, u/n for (i+u)/n, half a uniform, cumulative
// sums that lack their own weight.
func TestMeanCounts(t *testing.T) {
	t.Parallel()
	draws := uint32(100000)
	if testing.Short() {
		draws /= 10
	}
	key := rng.NewKey(2, "resample", 0)
	for _, scheme := range Schemes {
		p := New(scheme)
		for _, lw := range weights[4:] {
			w := normalised(lw)
			for _, n := range []int{3, 20} {
				sum, squares := make([]float64, len(lw)), make([]float64, len(lw))
				counts := make([]int32, len(lw))
				for d := range draws {
					s := key.Stream(0, uint32(n), d)
					p.Counts(lw, n, &s, counts)
					for r, k := range counts {
						sum[r] += float64(k)
						squares[r] += float64(k) * float64(k)
					}
				}
				for r := range w {
					d := float64(draws)
					mean := sum[r] / d
					se := math.Sqrt((squares[r]/d - mean*mean) / d)
					// A rare particle has too few offspring for a normal z.
					if want := float64(n) * w[r]; want*d > 20 && !(math.Abs(mean-want) <= 4*se+1e-9) || want*d < .1 && mean*d > 3 {
						t.Errorf("%s: %g offspring of %d on average, want %g, s.e. %g", scheme, mean, n, want, se)
					}
				}
			}
		}
	}
}

// Every particle is a parent as often as it has offspring, survivors stay, and copying in place in order reads only
// rows that have not been overwritten.
func TestParents(t *testing.T) {
	t.Parallel()
	key := rng.NewKey(3, "resample", 0)
	for n := 1; n < 30; n++ {
		for rows := max(n-9, 1); rows < n+20; rows += 3 {
			s := key.Stream(0, uint32(n), uint32(rows))
			lw := make([]float64, rows)
			for i := range lw {
				lw[i] = 3 * s.Norm()
			}
			counts, parents := make([]int32, rows), make([]int32, n)
			New("multinomial").Counts(lw, n, &s, counts)
			Parents(counts, parents)
			seen := make([]int32, rows)
			for i, p := range parents {
				seen[p]++
				if int(p) < n && parents[p] != p {
					t.Fatalf("row %d has parent %d, which is overwritten", i, p)
				}
			}
			for r := range counts {
				if seen[r] != counts[r] {
					t.Fatalf("row %d is a parent %d times, want %d", r, seen[r], counts[r])
				}
			}
		}
	}
}
