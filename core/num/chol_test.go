package num

import (
	"math"
	"testing"
)

// spd returns a random n x n matrix B*B' + n*I.
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

func TestCholesky(t *testing.T) {
	r := testRand(4)
	for n := 0; n <= 24; n++ {
		a := spd(&r, n)
		l := append([]float64(nil), a...)
		for i := 0; i < n; i++ { // the upper triangle must not be read
			for j := i + 1; j < n; j++ {
				l[i*n+j] = math.NaN()
			}
		}
		if !Cholesky(l, n) {
			t.Fatalf("n=%d rejected", n)
		}
		// Documented residual bound; a wrong index is an O(1) residual.
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				if j > i && l[i*n+j] != 0 {
					t.Fatalf("upper part not cleared at %d,%d", i, j)
				}
				d := Dot(l[i*n:i*n+n], l[j*n:j*n+n]) - a[i*n+j]
				if math.Abs(d) > float64(n)*0x1p-51*math.Sqrt(a[i*n+i]*a[j*n+j]) {
					t.Fatalf("n=%d residual %g at %d,%d", n, d, i, j)
				}
			}
		}
		want := make([]float64, n)
		b := make([]float64, n)
		for i := range want {
			want[i] = r.in(-1, 1)
		}
		for i := range b {
			b[i] = Dot(a[i*n:i*n+n], want)
		}
		SolveLower(l, n, b)
		SolveUpperT(l, n, b)
		for i := range b { // condition number is below 1e3 here
			if math.Abs(b[i]-want[i]) > 1e-12 {
				t.Fatalf("n=%d solve: %v, want %v", n, b[i], want[i])
			}
		}
	}
}

func TestCholLogDet(t *testing.T) {
	// det [[4,2,0],[2,5,3],[0,3,10]] = 4*(50-9) - 2*20 = 124, by hand.
	a := []float64{4, 2, 0, 2, 5, 3, 0, 3, 10}
	if !Cholesky(a, 3) {
		t.Fatal("rejected")
	}
	if got := CholLogDet(a, 3); math.Abs(got-Log(124)) > 1e-14 {
		t.Errorf("log det = %v, want %v", got, Log(124))
	}
	if a[0] != 2 || a[3] != 1 || a[4] != 2 || a[7] != 1.5 {
		t.Errorf("L = %v", a)
	}
	if CholLogDet(nil, 0) != 0 {
		t.Error("empty log det")
	}
}

func TestCholeskyRejects(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, a := range [][]float64{
		{0}, {-1}, {nan}, {inf}, {1, 0, 2, 4}, {1, 0, 2, 3}, {1, 0, nan, 3}, {1, 0, inf, 3}, {1, 2, 3}, {},
	} {
		n := 1
		if len(a) > 1 {
			n = 2
		}
		if Cholesky(a, n) {
			t.Errorf("accepted %v", a)
		}
	}
	if Cholesky(nil, -1) {
		t.Error("accepted n = -1")
	}
}
