package num

import "testing"

var (
	sink   float64
	sink32 float32
)

func benchArgs(lo, hi float64) []float64 {
	r := testRand(1)
	xs := make([]float64, 1024)
	for i := range xs {
		xs[i] = r.in(lo, hi)
	}
	return xs
}

// bench64 measures throughput: the calls do not depend on one another.
func bench64(b *testing.B, f func(float64) float64, lo, hi float64) {
	xs := benchArgs(lo, hi)
	s := 0.0
	for i := 0; b.Loop(); i++ {
		s += f(xs[i&1023])
	}
	sink = s
}

func BenchmarkExp(b *testing.B) {
	xs := benchArgs(-30, 10)
	s := 0.0
	for i := 0; b.Loop(); i++ {
		s += Exp(xs[i&1023])
	}
	sink = s
}

// BenchmarkExpSlice is the hot-loop form: one pass over a vector per op.
func BenchmarkExpSlice1024(b *testing.B) {
	xs := benchArgs(-30, 10)
	ys := make([]float64, len(xs))
	for b.Loop() {
		for i, x := range xs {
			ys[i] = Exp(x)
		}
	}
	sink = ys[3]
}

func BenchmarkExp32Slice1024(b *testing.B) {
	xs := make([]float32, 1024)
	for i, x := range benchArgs(-30, 10) {
		xs[i] = float32(x)
	}
	ys := make([]float32, len(xs))
	for b.Loop() {
		for i, x := range xs {
			ys[i] = Exp32(x)
		}
	}
	sink32 = ys[3]
}

func BenchmarkExp32(b *testing.B) {
	xs := make([]float32, 1024)
	for i, x := range benchArgs(-30, 10) {
		xs[i] = float32(x)
	}
	var s float32
	for i := 0; b.Loop(); i++ {
		s += Exp32(xs[i&1023])
	}
	sink32 = s
}

func BenchmarkLog(b *testing.B)      { bench64(b, Log, 0, 100) }
func BenchmarkLog1p(b *testing.B)    { bench64(b, Log1p, 0, 1) }
func BenchmarkExpm1(b *testing.B)    { bench64(b, Expm1, -3, 3) }
func BenchmarkSoftplus(b *testing.B) { bench64(b, Softplus, -10, 10) }
func BenchmarkSigmoid(b *testing.B)  { bench64(b, Sigmoid, -10, 10) }
func BenchmarkPhi(b *testing.B)      { bench64(b, Phi, -6, 6) }
func BenchmarkLogPhi(b *testing.B)   { bench64(b, LogPhi, -10, 10) }
func BenchmarkMills(b *testing.B)    { bench64(b, Mills, -10, 10) }
func BenchmarkPhiInv(b *testing.B)   { bench64(b, PhiInv, 0, 1) }

func BenchmarkLogSumExp100(b *testing.B) {
	xs := benchArgs(-30, 10)[:100]
	for b.Loop() {
		sink = LogSumExp(xs)
	}
}
