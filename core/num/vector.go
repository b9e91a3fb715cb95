package num

import "math"

// Axpy adds a x to y. It is not inlined, because browsers switch to optimised code only between calls.
//
//go:noinline
func Axpy(a float64, x, y []float64) {
	for i, v := range x {
		y[i] += Mul(a, v)
	}
}

// Sized returns b with length n, reusing its memory if there is enough. The contents are undefined.
func Sized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}

// Grown returns x with length n, keeping its values. The capacity grows by at least half, so that growing step by step
// is cheap.
func Grown[T any](x []T, n int) []T {
	if n <= cap(x) {
		return x[:n]
	}
	y := make([]T, n, max(n, cap(x)+cap(x)/2))
	copy(y, x)
	return y
}

// Float32s returns x rounded to float32.
func Float32s(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// CosSinPi returns cos and sin of pi t for |t| <= 2: by series at a sixteenth of the angle, doubled four times.
func CosSinPi(t float64) (cos, sin float64) {
	a := Mul(t, math.Pi/16)
	q := Mul(a, a)
	half, odd := 0.0, 0.0 // (1 - cos a) / q, sin a / a
	for k := 8; k > 0; k-- {
		half = (1 - Mul(half, q)) / float64((2*k)*(2*k-1))
		odd = 1 - Mul(q, odd)/float64((2*k)*(2*k+1))
	}
	less := Mul(q, half) // 1 - cos a is accurate for small a
	sin = Mul(a, odd)
	for range 4 {
		sin, less = Mul(2, Mul(sin, 1-less)), Mul(2, Mul(sin, sin))
	}
	return 1 - less, sin
}

// Hundredths rounds x to two decimals.
func Hundredths(x float64) float64 { return math.Floor(Mul(x, 100)+0.5) / 100 }
