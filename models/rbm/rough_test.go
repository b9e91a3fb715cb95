package rbm

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// TestRoughRegression compares the regression with the normal equations solved by gonum, and checks that residuals have
// mean 0.
func TestRoughRegression(t *testing.T) {
	const S, J = 40, 6
	s := rng.NewKey(1, "trial test", 0).Stream(0, 0, 0)
	h := make([][]uint8, S)
	for i := range h {
		h[i] = make([]uint8, J)
		for j := range h[i] {
			h[i][j] = uint8(s.Intn(2))
		}
	}
	y, a := make([]float64, S), make([]float64, J)
	for i := range y {
		y[i] = 3 * s.Float64()
	}
	for j := range a {
		a[j] = s.Float64() - .5
	}
	cov, side := mat.NewSymDense(J, nil), mat.NewVecDense(J, nil)
	mean := func(f func(i int) float64) (sum float64) {
		for i := range h {
			sum += f(i) / S
		}
		return
	}
	rest := func(i int) float64 {
		r := y[i]
		for j, on := range h[i] {
			r -= float64(on) * a[j]
		}
		return r
	}
	at := func(j int) func(int) float64 { return func(i int) float64 { return float64(h[i][j]) } }
	for j := range J {
		side.SetVec(j, mean(func(i int) float64 { return at(j)(i) * rest(i) })-mean(at(j))*mean(rest))
		for k := range j + 1 {
			c := mean(func(i int) float64 { return at(j)(i) * at(k)(i) }) - mean(at(j))*mean(at(k))
			if j == k {
				c += float64(J) / (4 * S)
			}
			cov.SetSym(j, k, c)
		}
	}
	var want mat.VecDense
	if err := want.SolveVec(cov, side); err != nil {
		t.Fatal(err)
	}
	was := append([]float64{}, a...)
	newRegression(unitsOn(h), J).refine(a, y)
	sum := 0.0
	for j := range a {
		labtest.Near(t, fmt.Sprint("coefficient ", j), a[j]-was[j], want.AtVec(j), 1e-12)
	}
	for _, r := range y {
		sum += r
	}
	labtest.Near(t, "mean of residuals", sum, 0, 1e-12)
}

// TestRoughOrder checks that the order keeps sums small: for residuals that cancel in pairs, the sum of the remaining
// ones is 0 at every other place, and no other unit would give a smaller sum.
func TestRoughOrder(t *testing.T) {
	const pairs, S = 9, 50
	s := rng.NewKey(2, "trial test", 0).Stream(0, 0, 0)
	lack := make([][]float64, 2*pairs)
	for i := range pairs {
		lack[i], lack[2*pairs-1-i] = make([]float64, S), make([]float64, S)
		for k := range S {
			x := s.Float64() - .5
			lack[i][k], lack[2*pairs-1-i][k] = x, -x
		}
	}
	order := balancedOrder(lack)
	sum := make([]float64, S)
	for n := len(order) - 1; n >= 0; n-- {
		norm := func(u int32) float64 {
			x := 0.0
			for k, r := range lack[u] {
				x += (sum[k] + r) * (sum[k] + r)
			}
			return x
		}
		best := norm(order[n])
		for _, u := range order[:n] {
			if norm(u) < best-1e-12 {
				t.Errorf("place %d has unit %d with norm %v; unit %d has %v", n, order[n], best, u, norm(u))
			}
		}
		for k, r := range lack[order[n]] {
			sum[k] += r
		}
		if n%2 == 0 && num.Dot(sum, sum) > 1e-20 {
			t.Errorf("squared sum at place %d = %v, want 0", n, num.Dot(sum, sum))
		}
	}
}

// TestRoughRests checks that moves are skipped only while the units added since the last moves have little influence in
// total, and that samples are reproducible.
func TestRoughRests(t *testing.T) {
	p := randomRBM(5, 30, 4, .8)
	m := newRBM(t, p)
	q := sequenceOf(m, models.Sampled)
	if again := sequenceOf(newRBM(t, p), models.Sampled); fmt.Sprint(again.order, again.skips) != fmt.Sprint(q.order,
		q.skips) {
		t.Error("a second set of samples gives another sequence")
	}
	rests, since := 0, 0.0
	for n := 1; n < m.M; n++ {
		for j := range m.J {
			w := p.W[int(q.order[n-1])*m.J+j]
			since += w * w / 4 // at most
		}
		if q.SkipsMoves(n) {
			rests++
			continue
		}
		if since < moveThreshold-1e-6 {
			t.Errorf("stage %d moves after an influence of at most %v", n, since)
		}
		since = 0
	}
	if rests == 0 || rests == m.M-1 {
		t.Errorf("%d of %d stages rest", rests, m.M-1)
	}
}

// TestRoughOfManyUnits checks that the sequence of a model with thousands of units yields to other work, uses no more
// samples than its work limit allows, and has each unit once.
func TestRoughOfManyUnits(t *testing.T) {
	const M, S = 3000, 768
	s := rng.NewKey(3, "trial test", 0).Stream(0, 0, 0)
	lack := make([][]float64, M)
	for i := range lack {
		lack[i] = make([]float64, S)
		for k := range lack[i] {
			lack[i][k] = s.Float64() - .5
		}
	}
	if n := len(subsample(lack)[0]); n >= S || M*M/2*n > orderWork {
		t.Errorf("%d samples of %d", n, S)
	}
	if n := len(subsample(lack[:784])[0]); n != S {
		t.Errorf("784 units see %d samples of %d", n, S)
	}
	yields := 0
	defer meter.Watch(meter.Watch(&meter.Meter{Yield: func(float64) error { yields++; return nil }}))
	seen := make([]bool, M)
	for _, u := range balancedOrder(lack) {
		if seen[u] {
			t.Fatalf("unit %d occurs twice", u)
		}
		seen[u] = true
	}
	if yields < 300 {
		t.Errorf("%d yields", yields)
	}
}
