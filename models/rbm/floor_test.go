package rbm

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// floorOf returns the floor of a model after a complete search.
func floorOf(t *testing.T, m *Model) float64 {
	t.Helper()
	z, kind := m.Floor(func() bool { return true })
	if kind == "" || !num.NotNaN(z) {
		t.Fatalf("floor %v of kind %q", z, kind)
	}
	return z
}

// randomModel returns a small random model with weights of standard deviation sd.
func randomModel(t *testing.T, m, j int, sd float64, seed uint32) *Model {
	t.Helper()
	s := rng.NewKey(seed, "floor test", 0).Stream(0, 0, 0)
	p := Params{M: m, J: j}
	for range m * j {
		p.W = append(p.W, sd*s.Norm())
	}
	for range m {
		p.C, p.P1 = append(p.C, s.Norm()-1), append(p.P1, .3)
	}
	for range j {
		p.B = append(p.B, s.Norm())
	}
	r, err := New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRBMFloorIsBelow checks that no floor exceeds the exact value, and that none is far below it: with large weights
// one mode has nearly all of Z. It fails if the entropy, a bias or a bond is counted twice.
func TestRBMFloorIsBelow(t *testing.T) {
	for seed := range uint32(20) {
		for _, sd := range []float64{0, .2, 1, 3} {
			m := randomModel(t, 9, 7, sd, seed)
			z := labtest.CheckFloor(t, "rbm", m.Floor, m.Truth().LogZ, 2.5)
			best := math.Inf(-1) // log f of the best state, which the floor must reach
			v := make([]uint8, m.M)
			for s := range 1 << m.M {
				for i := range v {
					v[i] = uint8(s >> i & 1)
				}
				best = max(best, logState(m, v))
			}
			if z < best-models.MinAscentGain {
				t.Errorf("seed %d, sd %v: floor %v, but one state has %v", seed, sd, z, best)
			}
		}
	}
}

// logState returns log f(v), with h summed out.
func logState(m *Model, v []uint8) float64 {
	f := 0.0
	for i, x := range v {
		f += float64(x) * float64(m.c[i]) * m.unit
	}
	for j, b := range m.b {
		x := float64(b)
		for i, on := range v {
			x += float64(on) * float64(m.w[i*m.J+j])
		}
		f += num.Softplus(x * m.unit)
	}
	return f
}

// TestFloorJoinsModes checks that two equally likely modes are combined. It fails if only the best one counts.
func TestFloorJoinsModes(t *testing.T) {
	p := Params{M: 40, J: 24, B: make([]float64, 24)}
	for i := range p.M {
		p.C, p.P1 = append(p.C, 0), append(p.P1, .5)
		for j := range p.J {
			w := float64(1 - 2*((i+j)%2))
			p.W = append(p.W, w)
			p.C[i] -= w / 2
			p.B[j] -= w / 2
		}
	}
	m, err := New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]uint8, p.M)
	for i := range v {
		v[i] = uint8(i % 2)
	}
	singleMode := m.FloorFrom(v)
	if z := floorOf(t, m); math.Abs(z-singleMode-math.Ln2) > 1e-4 {
		t.Errorf("the floor is %v, the bound of one of the two modes %v", z, singleMode)
	}
}

// TestFloorJoinsUnsureModes checks that modes in which no unit is certain are combined, too, and that the bound stays
// below log Z. The model has exchangeable units, so log Z is a sum over the number of units that are on: two equal
// modes, with means of .06 and .94. It fails if a single unit must distinguish modes, or if the overlap of modes is
// ignored.
func TestFloorJoinsUnsureModes(t *testing.T) {
	for _, w := range []float64{.1, .075, .07, .0685} { // the last modes overlap
		const n = 60
		p := Params{M: n, J: n, W: slices.Repeat([]float64{w}, n*n), C: slices.Repeat([]float64{-n * w / 2}, n),
			B: slices.Repeat([]float64{-n * w / 2}, n)}
		m, err := New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var exact num.LSE
		choose := 0.0
		for k := range n + 1 {
			x := float64(k) - n/2.
			exact.Add(choose - n*w/2*float64(k) + n*num.Softplus(w*x))
			choose += num.Log(float64(n-k) / float64(k+1))
		}
		z := floorOf(t, m)
		if z > exact.Value() {
			t.Errorf("weights of %g: floor %v above log Z = %v", w, z, exact.Value())
		}
		if c := newAscent(m); w == .1 {
			c.up()
			singleMode := models.Ascend(models.MaxAscentSteps, c.step)
			if z < singleMode+math.Ln2-1e-4 {
				t.Errorf("the floor is %v, the bound of one of the two modes %v", z, singleMode)
			}
		}
	}
}

// TestFloorOfSparseMachine checks that the floor is log Z if most hidden units are connected to a single visible unit.
// The model has two modes, one of them due to two hidden units that contribute only together. The test fails if
// Jensen's inequality is applied to all units, or if the means of sharperBound are not improved.
func TestFloorOfSparseMachine(t *testing.T) {
	const n = 30
	p := Params{M: n, J: n + 2, W: make([]float64, n*(n+2)), C: make([]float64, n), B: make([]float64, n+2)}
	s := rng.NewKey(3, "sparse machine", 0).Stream(0, 0, 0)
	var sums [3]float64 // log of the sum over all other units, by how many of the last two hidden units are on
	for i := range n {
		w, b := 2.5*s.Norm(), s.Norm()
		p.C[i], p.B[i], p.W[i*(n+2)+i] = s.Norm()-1, b, w
		pair := 3.
		if s.Float64() < .5 {
			pair = -3
		}
		p.W[i*(n+2)+n], p.W[i*(n+2)+n+1] = pair, pair
		for k := range sums {
			sums[k] += num.LogAddExp(num.Softplus(b), p.C[i]+float64(k)*pair+num.Softplus(b+w))
		}
	}
	bias := (sums[0] - sums[2]) / 2
	p.B[n], p.B[n+1] = bias, bias
	truth := num.LogSumExp([]float64{sums[0], bias + math.Ln2 + sums[1], 2*bias + sums[2]})
	m, err := New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if z := floorOf(t, m); z > truth+1e-4 || z < truth-.02 { // weights are rounded
		t.Errorf("floor %v, log Z is %v", z, truth)
	}
}

// TestAscentFromStateKeepsLogF checks that an ascent from a state v never ends below log f(v).
func TestAscentFromStateKeepsLogF(t *testing.T) {
	m := randomModel(t, 12, 9, 4, 1)
	pop := m.New(20, []float64{0, 1})
	pop.Draw(rng.At{Key: rng.NewKey(1, "climb", 0)})
	var f frame.Frame
	pop.Read(20, &f)
	size := len(f.Pixels) / 20
	for r := range 20 {
		v := f.Pixels[r*size : (r+1)*size]
		if z, start := m.FloorFrom(v), logState(m, v[:m.M]); z < start-1e-9 {
			t.Errorf("an ascent from log f = %v ends at %v", start, z)
		}
	}
}

// TestFloorFindsAFarState checks that Floor finds a single state with all the mass that is far from most starts. It
// fails if only the starts with all units on or all off are tried.
func TestFloorFindsAFarState(t *testing.T) {
	s := rng.NewKey(1, "far", 0).Stream(0, 0, 0)
	p := Params{M: 80, J: 22, C: make([]float64, 80), B: make([]float64, 22), P1: make([]float64, 80)}
	best := 0.0 // log f of the far state
	for i := range p.M {
		far := s.Intn(2) == 1
		p.C[i], p.P1[i] = 18, .95
		if far {
			p.C[i], p.P1[i] = -18, .05
			best -= 18
		}
		for range p.J {
			w := -1.5
			if far {
				w = 1.5
			}
			p.W = append(p.W, w)
		}
	}
	on := 0
	for i := range p.C {
		if p.C[i] < 0 {
			on++
		}
	}
	for j := range p.B {
		p.B[j] = -1.5*float64(on) + 68
		best += 68
	}
	m, err := New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if z := floorOf(t, m); !(z >= best-1e-6) {
		t.Errorf("floor %v; the far state has %v", z, best)
	}
}
