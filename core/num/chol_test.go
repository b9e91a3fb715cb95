package num

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spd returns a random n x n matrix B*B' + n/10*I, with the same bits everywhere.
func spd(r *testRand, n int) []float64 {
	b := make([]float64, n*n)
	for i := range b {
		b[i] = r.in(-1, 1)
	}
	a := make([]float64, n*n)
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			a[i*n+j] = Dot(b[i*n:i*n+n], b[j*n:j*n+n])
		}
		a[i*n+i] += float64(n) * 0.1
	}
	return a
}

// The factor, its solutions and its determinant are gonum's. A wrong index is off by O(1);
// the condition numbers are below 1e3.
func TestCholesky(t *testing.T) {
	t.Parallel()
	r := testRand(4)
	for n := 1; n <= 24; n++ {
		a := spd(&r, n)
		var want mat.Cholesky
		if !want.Factorize(mat.NewSymDense(n, a)) {
			t.Fatalf("n=%d: gonum finds no factor", n)
		}
		l := slices.Clone(a)
		for i := range n { // the upper triangle must not be read
			for j := i + 1; j < n; j++ {
				l[i*n+j] = math.NaN()
			}
		}
		if !Cholesky(l, n, nil) {
			t.Fatalf("n=%d rejected", n)
		}
		var low mat.TriDense
		want.LTo(&low)
		if !mat.EqualApprox(mat.NewDense(n, n, l), &low, 1e-13) { // with zeros above
			t.Fatalf("n=%d: L = %v, want %v", n, l, mat.Formatted(&low))
		}
		if got := CholLogDet(l, n); math.Abs(got-want.LogDet()) > 1e-12 {
			t.Fatalf("n=%d: log det %v, want %v", n, got, want.LogDet())
		}
		b := make([]float64, n)
		for i := range b {
			b[i] = r.in(-1, 1)
		}
		var x mat.VecDense
		if err := want.SolveVecTo(&x, mat.NewVecDense(n, slices.Clone(b))); err != nil {
			t.Fatal(err)
		}
		SolveLower(l, n, b)
		SolveUpperT(l, n, b)
		if !floats.EqualApprox(b, x.RawVector().Data, 1e-12) {
			t.Fatalf("n=%d: solution %v, want %v", n, b, x.RawVector().Data)
		}
	}
	if !Cholesky(nil, 0, nil) || CholLogDet(nil, 0) != 0 {
		t.Error("the empty matrix was rejected or has log det other than 0")
	}
}

func TestCholeskyRejects(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, a := range [][]float64{
		{0}, {-1}, {nan}, {inf}, {1, 0, 2, 4}, {1, 0, 2, 3}, {1, 0, nan, 3}, {1, 0, inf, 3}, {1, 2, 3}, {},
	} {
		n := 1
		if len(a) > 1 {
			n = 2
		}
		if Cholesky(a, n, nil) {
			t.Errorf("accepted %v", a)
		}
	}
	if Cholesky(nil, -1, nil) {
		t.Error("accepted n = -1")
	}
}
