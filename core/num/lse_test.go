package num

import (
	"math"
	"testing"
)

func stream(a []float64) float64 {
	var l LSE
	for _, v := range a {
		l.Add(v)
	}
	return l.Value()
}

func TestLSESpecial(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct {
		in   []float64
		want float64
	}{
		{nil, -inf}, {[]float64{}, -inf}, {[]float64{-inf}, -inf}, {[]float64{-inf, -inf}, -inf},
		{[]float64{inf}, inf}, {[]float64{inf, inf}, inf}, {[]float64{-inf, inf, 3}, inf}, {[]float64{3, inf, 4}, inf},
		{[]float64{nan}, nan}, {[]float64{inf, nan}, nan}, {[]float64{nan, inf}, nan},
		{[]float64{-inf, nan}, nan}, {[]float64{1, nan, 2}, nan},
		{[]float64{5}, 5}, {[]float64{-inf, 5, -inf}, 5}, {[]float64{1e308, -1e308}, 1e308},
		{[]float64{-1e308, 1e308}, 1e308}, {[]float64{-1e308}, -1e308},
	}
	for _, c := range cases {
		if got := LogSumExp(c.in); !same(got, c.want) {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.in, got, c.want)
		}
		if got := stream(c.in); !same(got, c.want) {
			t.Errorf("LSE(%v) = %v, want %v", c.in, got, c.want)
		}
		if len(c.in) == 2 {
			if got := LogAddExp(c.in[0], c.in[1]); !same(got, c.want) {
				t.Errorf("LogAddExp(%v) = %v, want %v", c.in, got, c.want)
			}
		}
		// Merging single terms equals adding them.
		var m LSE
		for _, v := range c.in {
			var one LSE
			one.Add(v)
			m.Merge(one)
			m.Merge(LSE{})
		}
		if got := m.Value(); !same(got, c.want) || m.N != len(c.in) {
			t.Errorf("merged LSE(%v) = %v (N=%d), want %v", c.in, got, m.N, c.want)
		}
	}
	if v := LogMeanExp(nil); NotNaN(v) {
		t.Errorf("LogMeanExp(nil) = %v", v)
	}
	var e LSE
	if v := e.LogMean(); NotNaN(v) {
		t.Errorf("empty LogMean = %v", v)
	}
	e.Add(-inf)
	if got := e.LogMean(); got != -inf {
		t.Errorf("LogMean(-Inf) = %v", got)
	}
	if got := LogMeanExp([]float64{7, 7, 7, 7}); got != 7 {
		// log 4 in and out again is exact here; a wrong count is log(4/3) off.
		if math.Abs(got-7) > 2e-15 {
			t.Errorf("LogMeanExp of equal terms = %v", got)
		}
	}
}

func TestLSEProperties(t *testing.T) {
	t.Parallel()
	r := testRand(99)
	for i := range 400 {
		n := 1 + int(r.bits()%60)
		scale := []float64{0.1, 5, 300}[i%3]
		a := make([]float64, n)
		for i := range a {
			a[i] = r.in(-scale, scale)
		}
		// Reference by math/big: sum of exp, then log.
		sum := bf(refPrec, 0)
		for _, v := range a {
			sum.Add(sum, bigExp(refPrec, bf(refPrec, v)))
		}
		want, _ := bigLog(refPrec, sum).Float64()
		got := LogSumExp(a)
		// A dropped or doubled term changes the result by at least e^-600 but in
		// the narrow case (scale 0.1) by 1/60: 1e-14 sees it there.
		tol := 1.2e-16 * (3*math.Max(1, math.Abs(want)) + float64(n))
		if math.Abs(got-want) > tol {
			t.Fatalf("LogSumExp: %v, want %v (n=%d)", got, want, n)
		}
		if s := stream(a); math.Abs(s-want) > 2*tol {
			t.Fatalf("LSE: %v, want %v", s, want)
		}
		var l LSE
		for _, v := range a {
			l.Add(v)
		}
		if d := l.LogMean() - LogMeanExp(a); math.Abs(d) > 3*tol+1e-15 {
			t.Fatalf("LogMean differs by %g", d)
		}
		// Shift equivariance: a power-of-two grid shift keeps a[i]+c nearly exact.
		c := 64.0
		b := make([]float64, n)
		for i := range b {
			b[i] = a[i] + c
		}
		if d := LogSumExp(b) - (got + c); math.Abs(d) > 6e-14 {
			t.Fatalf("shift: %g", d)
		}
		// Permutation: only the summation order changes.
		for i := n - 1; i > 0; i-- {
			j := int(r.bits() % uint64(i+1))
			b[i], b[j] = b[j], b[i]
		}
		for i := range b {
			b[i] -= c
		}
		if d := LogSumExp(b) - got; math.Abs(d) > 2*tol+6e-14 {
			t.Fatalf("permutation: %g", d)
		}
		// Splitting and merging.
		var p, q LSE
		for i, v := range a {
			if i%3 == 0 {
				p.Add(v)
			} else {
				q.Add(v)
			}
		}
		p.Merge(q)
		if d := p.Value() - got; math.Abs(d) > 3*tol || p.N != n {
			t.Fatalf("merge: %g, N=%d", d, p.N)
		}
		x, y := r.in(-scale, scale), r.in(-scale, scale)
		if LogAddExp(x, y) != LogAddExp(y, x) || LogAddExp(x, y) != LogSumExp([]float64{x, y}) {
			t.Fatalf("LogAddExp(%v,%v)", x, y)
		}
	}
}
