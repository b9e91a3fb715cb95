package kernel

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// randomTempering returns rows of densities that span up to 2,000 nats, with NaN and infinite ones if odd; every other
// row has sums C, some of them tiny.
func randomTempering(s *rng.Stream, try int) *Tempering {
	odd := []float64{math.Inf(-1), math.Inf(1), math.NaN(), 0, math.Copysign(0, -1), -708, -709.5, -744.9, -745.2, -1e300}
	kind, reach := try%2*s.Intn(2), []float64{1, 30, 800, 2000}[s.Intn(4)]
	rows, n := 1+s.Intn(4), 1+s.Intn(9)
	if try%10 == 0 {
		n = 101
	}
	number := func(kind int) float64 {
		if s.Intn(8) < kind {
			return odd[s.Intn(len(odd))]
		}
		return float64((s.Float64() - 0.7) * reach)
	}
	x, y := make([]float64, rows*n), make([]float64, n)
	for i := range x {
		x[i] = number(kind)
	}
	for k := range y {
		y[k] = number(0)
	}
	t := NewTempering(x, y)
	for r := range rows {
		t.U[r] = s.Float64()
		if try%4 < 2 {
			c := make([]float64, n)
			for k := range c {
				c[k] = []float64{0, s.Float64() * 2e-287, s.Float64()}[s.Intn(3)]
			}
			t.C = append(t.C, c)
		}
		if try%3 == 0 {
			t.D = append(t.D, append([]float64(nil), y...))
		}
	}
	return t
}

// sameTempering compares the results of Step; all NaN are equal.
func sameTempering(t *testing.T, got, want *Tempering) {
	t.Helper()
	same := func(what string, got, want []float64) {
		t.Helper()
		for i, x := range want {
			if math.Float64bits(got[i]) != math.Float64bits(x) && (num.NotNaN(got[i]) || num.NotNaN(x)) {
				t.Fatalf("%s %d of %d: %x, want %x", what, i, len(want), got[i], x)
			}
		}
	}
	same("X", got.X, want.X)
	same("Q", got.Q, want.Q)
	same("Top", got.Top, want.Top)
	same("Sum", got.Sum, want.Sum)
	for r, k := range want.Rung {
		if got.Rung[r] != k || got.Faint[r] != want.Faint[r] {
			t.Fatalf("row %d: rung %d, faint %v, want %d, %v", r, got.Rung[r], got.Faint[r], k, want.Faint[r])
		}
		if want.C != nil {
			same("C", got.C[r], want.C[r])
		}
		if want.D != nil {
			same("D", got.D[r], want.D[r])
		}
	}
}

// cloned is a copy by copies of slices.
func (t *Tempering) cloned(floats func([]float64) []float64, rungs func([]int32) []int32,
	flags func([]bool) []bool) *Tempering {
	c := &Tempering{X: floats(t.X), Q: floats(t.Q), Y: floats(t.Y), Top: floats(t.Top), Sum: floats(t.Sum),
		U: floats(t.U), Rung: rungs(t.Rung), Faint: flags(t.Faint)}
	for _, x := range t.C {
		c.C = append(c.C, floats(x))
	}
	for _, x := range t.D {
		c.D = append(c.D, floats(x))
	}
	return c
}

// testTempering compares an accelerator with Go; inside moves the arguments into its memory. It catches an exponential
// clamped or flushed too late, infinities and NaN lost, sums in another order, a last number counted twice, and a
// skipped rung.
func testTempering(t *testing.T, m temperingAccelerator, inside func(t *Tempering) *Tempering) {
	s := stream("tempering")
	PureGo = true
	defer func() { PureGo = false }()
	faint := 0
	for try := range 1000 {
		a := randomTempering(&s, try)
		b := inside(a)
		a.Step()
		m.step(b)
		sameTempering(t, b, a)
		for _, f := range a.Faint {
			if f {
				faint++
			}
		}
	}
	if faint == 0 {
		t.Error("no row has Faint")
	}
}

// Reflected rungs: a row at rung k moves to rung l as often as one at l to k, if rungs have the probabilities Q / Sum;
// from the lowest rung some reach the highest. It catches rungs without mass, an interval on the wrong side, and U or
// the rung of another row.
func TestMirroredRungs(t *testing.T) {
	const grid = 4000
	s := stream("mirrored rungs")
	for try := range 60 {
		n := 1 + s.Intn(9)
		x := make([]float64, 2*n) // all mass of the second row is on one rung
		for k := range n {
			x[k], x[n+k] = 3*s.Float64(), -800
		}
		x[n+s.Intn(n)] = 0
		flow := make([]float64, n*n)
		for k := range n {
			for i := range grid {
				a := NewTempering(append([]float64(nil), x...), make([]float64, n))
				a.U[0], a.U[1] = (float64(i)+.5)/grid, 1-s.Float64()
				a.From = []int32{int32(k), int32(s.Intn(n))}
				a.Step()
				flow[k*n+int(a.Rung[0])] += a.Q[k] / a.Sum[0] / grid
				if l := a.Rung[1]; a.Q[n+int(l)] == 0 {
					t.Fatalf("%d: row 2 is at rung %d, whose probability is 0", try, l)
				}
			}
		}
		for k := range n {
			for l := range n {
				if off := math.Abs(flow[k*n+l] - flow[l*n+k]); off > 2./grid {
					t.Fatalf("%d: flow from %d to %d = %g, back %g", try, k, l, flow[k*n+l], flow[l*n+k])
				}
			}
		}
		if flow[n-1] == 0 {
			t.Fatalf("%d: none from the lowest rung to the highest", try)
		}
	}
}

// The probabilities, rung and sums by their definition. It catches Y added instead of subtracted, an off-by-one rung, a
// missing 1/Sum, and a wrong Faint.
func TestTempering(t *testing.T) {
	s := stream("tempering by definition")
	for try := range 400 {
		a := randomTempering(&s, 4*try) // no odd ones, with sums
		n := len(a.Y)
		var before, moves [][]float64
		for _, c := range a.C {
			before = append(before, append([]float64(nil), c...))
			moves = append(moves, make([]float64, n))
		}
		a.D = moves
		logq := make([]float64, len(a.X))
		for i, x := range a.X {
			logq[i] = x - a.Y[i%n]
		}
		a.Step()
		for r, u := range a.U {
			row := logq[r*n:][:n]
			norm, sum, faint := num.LogSumExp(row), 0.0, false
			low, high := 0.0, 0.0 // of u, for the rung drawn
			for k, x := range row {
				q := math.Exp(x - norm)
				if k < int(a.Rung[r]) {
					low += q
				}
				if k <= int(a.Rung[r]) {
					high += q
				}
				sum += q
				if x-norm < faintLog-5 { // or a little more, as top is below norm
					faint = faint || before[r][k] < faintSum/2
				} else if math.Abs(moves[r][k]-q) > 1e-12*q+1e-300 {
					t.Fatalf("rung %d of %d: %v is added to D, want %v", k, n, moves[r][k], q)
				} else if got := a.C[r][k] - before[r][k]; x-norm > faintLog && !(math.Abs(got-q) <= 1e-12*(q+a.C[r][k])) {
					t.Fatalf("rung %d of %d: %v is added, want %v", k, n, got, q)
				}
			}
			if !(u >= low-1e-12 && u <= high+1e-12) {
				t.Fatalf("u = %v gives rung %d, for %v to %v", u, a.Rung[r], low, high)
			}
			if faint && !a.Faint[r] {
				t.Fatalf("row %d is not faint", r)
			}
			could := false
			for k, c := range a.C[r] {
				could = could || a.Q[r*n+k] == 0 && c < faintSum
			}
			if a.Faint[r] && !could {
				t.Fatalf("row %d is faint", r)
			}
		}
	}
}

// pick, which skips four rungs at a time, finds the rung of a plain search. Sums of multiples of 1/1024 are exact in
// any order. It catches a rung lost between groups of four, rungs without mass that are chosen, and the last rung if u
// is the whole sum.
func TestPick(t *testing.T) {
	plain := func(q []float64, u float64) int {
		sum := 0.0
		for k, x := range q {
			if sum += x; u < sum {
				return k
			}
		}
		return len(q) - 1
	}
	s := stream("pick")
	for range 2000 {
		q := make([]float64, 1+s.Intn(14))
		sum := 0
		for k := range q {
			n := s.Intn(5)
			q[k] = float64(n) / 1024
			sum += n
		}
		for n := range sum + 1 {
			u := float64(n) / 1024
			if got, want := pick(q, u), plain(q, u); got != want {
				t.Fatalf("u = %v of %v gives rung %d, want %d", u, q, got, want)
			}
		}
	}
}
