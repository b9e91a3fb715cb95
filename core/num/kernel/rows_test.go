package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/num/rng"
)

// randomNet returns a net with weights whose absolute values sum to up to top at every unit, and linear forms.
func randomNet(name string, m, j int, top float64) *Net {
	s := stream(name)
	at := func(n int) int32 { return int32(float64(2*s.Float64()-1) * top / float64(n+1)) }
	w := make([]int32, m*j)
	for i := range w {
		w[i] = at(max(m, j))
	}
	bias := func(n int) []int64 {
		x := make([]int32, n)
		for i := range x {
			x[i] = at(1)
		}
		return Pack(x)
	}
	n := &Net{VH: NewMatrix(m, j, func(i, k int) int32 { return w[i*j+k] }),
		HV: NewMatrix(j, m, func(k, i int) int32 { return w[i*j+k] }),
		B0: bias(j), C0: bias(m), Base: make([]float32, m), C: make([]int32, m), G: make([]int32, m)}
	for i := range n.Base {
		n.Base[i] = float32(6*s.Float64() - 3)
		n.C[i], n.G[i] = int32(s.Uint32()), int32(s.Uint32())
	}
	return n
}

// sameRows compares all state of rows.
func sameRows(t *testing.T, what string, a, b *Rows) {
	t.Helper()
	if !slices.Equal(a.v, b.v) || !slices.Equal(a.h, b.h) {
		t.Fatalf("%s: states differ", what)
	}
	if !slices.Equal(a.actH, b.actH) || !slices.Equal(a.actV, b.actV) {
		t.Fatalf("%s: sums differ", what)
	}
	if !slices.Equal(a.LinC, b.LinC) || !slices.Equal(a.LinG, b.LinG) {
		t.Fatalf("%s: linear forms differ", what)
	}
}

// walkCase is a sequence of many sweeps for which an accelerator must give the bits of the Go code.
type walkCase struct {
	m, j, rows int
	top        float64 // of the sums
	scale      float64 // a logit is a sum times up to this
	shift      int     // weights are multiples of 2^shift
}

func walkCases() []walkCase {
	const edge, small = 1 << 30, 1 << 15
	var cases []walkCase
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65} {
		cases = append(cases, walkCase{n, 66 - n, 3, edge, 8.0 / edge, 0})
	}
	return append(cases,
		walkCase{784, 500, 10, edge, 30.0 / edge, 0},
		walkCase{784, 20, 17, edge, 30.0 / edge, 0},
		walkCase{784, 500, ManyRows, edge, 30.0 / edge, 0},
		walkCase{61, 35, blockRows + ManyRows + 1, edge, 1.0 / edge, 0}, // two blocks; one; few rows
		walkCase{3, 63, ManyRows, 60, 1, 0},
		walkCase{33, 5*someQuints + 18, 2 * ManyRows, edge, 1.0 / edge, 0}, // two tables
		walkCase{64, 65, ManyRows + 1, edge, 0, 0},                         // coins
		walkCase{64, 65, ManyRows, edge, 3.0 / edge, 0},
		// Four sums to a word.
		walkCase{784, 500, 40, small, .5 / small, 8},
		walkCase{97, 66, 33, small, 1.0 / small, 3},
		walkCase{33, 5*someQuints + 18, 2 * ManyRows, small, 0, 5},
		walkCase{90, 80, ManyRows, small, 0, 14},
		walkCase{60, 70, 33, 0, 1, 0},
		walkCase{511, 513, 2, edge, 4.0 / edge, 0},
		walkCase{512, 1025, 2, edge, 4.0 / edge, 0},
		walkCase{40, 30, 33, edge, 1, 0},            // logits to ±2^30: probabilities 0 and 1
		walkCase{40, 30, 33, edge, 200.0 / edge, 0}, // about the ends of Exp32
		walkCase{40, 30, 8, 60, 1, 0},               // small sums: a borrow left in would show
		walkCase{40, 30, 4, 0, 1, 0},                // nothing to add
		walkCase{100, 70, 1, edge, 0, 0})            // coins: half the units flip
}

func (c walkCase) String() string {
	return fmt.Sprintf("%d x %d, %d rows, logits to %.3g", c.m, c.j, c.rows, c.top*c.scale)
}

// net returns a random net for this case.
func (c walkCase) net() *Net {
	n := randomNet(c.String(), c.m, c.j, c.top)
	if v, h := n.VH, n.HV; c.shift > 0 {
		n.VH = NewMatrix(c.m, c.j, func(i, k int) int32 { return v.At(i, k) << c.shift })
		n.HV = NewMatrix(c.j, c.m, func(k, i int) int32 { return h.At(k, i) << c.shift })
	}
	return n
}

// walk moves a and b, of which one uses the accelerator, and compares them.
func (c walkCase) walk(t *testing.T, a, b *Rows) {
	s := stream("walk")
	scale := make([]float64, 3)
	x, y := make([]float64, 3*c.rows), make([]float64, 3*c.rows)
	visible := 1
	for step := range 24 {
		rows := c.rows
		if step%4 == 3 {
			rows = 1 + s.Intn(c.rows)
		}
		for r := range c.rows {
			a.Scale[r] = float32(s.Float64() * c.scale)
			if s.Intn(4) == 0 {
				a.Scale[r] = float32(float64(s.Intn(2)) * c.scale)
			}
			a.BaseScale[r] = float32(s.Intn(3)) / 2
		}
		copy(b.Scale, a.Scale)
		copy(b.BaseScale, a.BaseScale)
		// Units are added one after another, finally all of them.
		if step%3 == 2 && visible < c.m {
			visible = min(c.m, visible+1+s.Intn(c.m))
			for r := range c.rows {
				a.Rebuild(r)
				b.Rebuild(r)
			}
		}
		if step == 19 {
			for r := range c.rows {
				a.Rebuild(r)
				for i := visible; i < c.m; i++ {
					b.Extend(r, i)
				}
			}
			visible = c.m
		}
		at := rng.At{Key: rng.Key{s.Uint32(), s.Uint32()}, Phase: s.Uint32(), Slot: s.Uint32(), Step: s.Uint32()}
		back := s.Intn(2) == 1
		for r := range a.Flip {
			a.Flip[r] = s.Intn(2) == 1
		}
		copy(b.Flip, a.Flip)
		a.Sweep(at, 0, rows, visible, back)
		b.Sweep(at, 0, rows, visible, back)
		sameRows(t, fmt.Sprintf("%v, sweep %d", c, step), a, b)
		for k := range scale {
			scale[k] = float64(s.Float64() * c.scale)
		}
		scale[step%3] = []float64{0, c.scale, 1e-12, 1}[step%4]
		k := 1 + step%3
		a.Softplus(0, rows, scale[:k], x[:k*c.rows], step%2 == 0)
		b.Softplus(0, rows, scale[:k], y[:k*c.rows], step%2 == 0)
		if !slices.Equal(x, y) {
			t.Fatalf("%v, sweep %d: softplus %v, want %v", c, step, x, y)
		}
	}
}

// pair makes equal rows, a with Go and b with the accelerator under test.
type pair func(net *Net, rows int) (a, b *Rows)

// testAccelerator runs all tests of an accelerator.
func testAccelerator(t *testing.T, pair pair) {
	for _, c := range walkCases() {
		t.Run(c.String(), func(t *testing.T) {
			a, b := pair(c.net(), c.rows)
			c.walk(t, a, b)
		})
	}
	t.Run("all at once", func(t *testing.T) { testAllAtOnce(t, pair) })
	for name, flip := range map[string]bool{"": false, ", flips": true} {
		t.Run("boundaries"+name, func(t *testing.T) { testBoundaries(t, pair, flip) })
		t.Run("window"+name, func(t *testing.T) { testWindow(t, pair, flip) })
	}
	t.Run("softplus", func(t *testing.T) { testSoftplus(t, pair) })
	t.Run("ladder", func(t *testing.T) { testAcceleratorLadder(t, pair) })
}

// testAllAtOnce turns all visible units on and off together, so that sums change by as much as four sums to a word
// allow, and by more if there are two to a word.
func testAllAtOnce(t *testing.T, pair pair) {
	for _, size := range []int32{151, 153} { // 217 of them sum to 2^15 - 1, and to more
		const m, j, rows = 217, 50, 33
		weight := func(i, k int) int32 { return size * int32(1-2*(k%2)) }
		net := &Net{VH: NewMatrix(m, j, weight), HV: NewMatrix(j, m, func(k, i int) int32 { return weight(i, k) }),
			B0: make([]int64, Words(j)), C0: Pack(slices.Repeat([]int32{-1 << 20}, m)),
			Base: slices.Repeat([]float32{1 << 20}, m), C: make([]int32, m), G: make([]int32, m)}
		if narrow := net.VH.lines().narrow; narrow != (size == 151) {
			t.Fatalf("weights of %d: four sums to a word: %v", size, narrow)
		}
		a, b := pair(net, rows)
		for step := range uint32(6) {
			for r := range rows {
				a.Scale[r], a.BaseScale[r] = 1, float32((int(step)+r)%2*4)
			}
			copy(b.Scale, a.Scale)
			copy(b.BaseScale, a.BaseScale)
			at := rng.At{Step: step}
			a.Sweep(at, 0, rows, m, false)
			b.Sweep(at, 0, rows, m, false)
			sameRows(t, fmt.Sprintf("weights of %d, sweep %d", size, step), a, b)
			if on := len(Ones(a.v[:m], a.On)); on != m*int(step%2) {
				t.Fatalf("%d of %d units are on", on, m)
			}
		}
	}
}

// testWindow draws one unit in each row, so that no undecided neighbour hides the decision by an approximate
// exponential, within 2e-5 of the threshold. It catches a window without width: 365 of 20,000.
func testWindow(t *testing.T, pair pair, flip bool) {
	const rows = 20000
	at := rng.At{Key: rng.NewKey(3, "window", 0), Phase: 1, Slot: 2, Step: 3}
	net := randomNet("window", 1, 1, 0)
	net.Base[0] = 1
	a, b := pair(net, rows)
	pick := stream("window")
	for r := range rows {
		s := at.Row(r)
		s.Block() // of the hidden unit
		x, _, _, _ := s.Block()
		lo, hi := -30.0, 30.0
		for range 60 {
			if mid := (lo + hi) / 2; turnsOn(x, float32(mid), flip) {
				hi = mid
			} else {
				lo = mid
			}
		}
		p := 1 / (1 + math.Exp(hi)) // the odds change by p of themselves with the logit
		if flip {
			p = 1
		}
		a.BaseScale[r] = float32(hi + 4e-5*(pick.Float64()-.5)/p)
		b.BaseScale[r] = a.BaseScale[r]
		a.Flip[r], b.Flip[r] = flip, flip
	}
	a.Sweep(at, 0, rows, 1, false)
	b.Sweep(at, 0, rows, 1, false)
	sameRows(t, "near the odds", a, b)
}

// testBoundaries draws units whose logits are within three steps of the threshold. It catches an error of the last bit
// of an exponential, which a random draw would show once in 10^7.
func testBoundaries(t *testing.T, pair pair, flip bool) {
	const m = 4000
	at := rng.At{Key: rng.NewKey(3, "edge", 0), Phase: 1, Slot: 2, Step: 3}
	s, pick := at.Row(0), stream("boundary")
	s.Block() // of the hidden unit
	net := randomNet("boundary", m, 1, 0)
	var r [4]uint32
	for i := range net.Base {
		if i%4 == 0 {
			r[0], r[1], r[2], r[3] = s.Block()
		}
		lo, hi := float32(-30), float32(30)
		for math.Nextafter32(lo, hi) != hi {
			if mid := lo + (hi-lo)/2; mid != lo && mid != hi && turnsOn(r[i%4], mid, flip) {
				hi = mid
			} else if mid != lo && mid != hi {
				lo = mid
			} else {
				break
			}
		}
		for range pick.Intn(4) {
			hi = math.Nextafter32(hi, float32(100*(pick.Intn(2)*2-1)))
		}
		net.Base[i] = hi
	}
	a, b := pair(net, 1)
	a.BaseScale[0], b.BaseScale[0] = 1, 1
	a.Flip[0], b.Flip[0] = flip, flip
	a.Sweep(at, 0, 1, m, false)
	b.Sweep(at, 0, 1, m, false)
	sameRows(t, "boundaries", a, b)
	on := len(Ones(a.v, make([]int32, m)))
	if on < m/4 || on > 3*m/4 {
		t.Fatalf("%d of %d units are on, want about half", on, m)
	}
}

// turnsOn reports whether a unit that is off turns on.
func turnsOn(r uint32, x float32, flip bool) bool {
	if flip {
		return Metropolis(r, x)
	}
	return Bern(r, x)
}

// testSoftplus compares sums of few terms, for which every last bit matters.
func testSoftplus(t *testing.T, pair pair) {
	const rows = 200
	s := stream("few")
	for j := 1; j <= 5; j++ {
		a, b := pair(randomNet("few", 1, j, 0), rows)
		scale, x, y := make([]float64, 3), make([]float64, 3*rows), make([]float64, 3*rows)
		for n := range 20 {
			for r := range rows {
				_, _, actH, _ := a.Row(r)
				_, _, same, _ := b.Row(r)
				for i := range j {
					sum := int32(s.Uint32()) >> (1 + s.Intn(31))
					if s.Intn(8) == 0 {
						sum = []int32{0, 1, -1, 1 << 30, -1 << 30, 1<<31 - 1, -1<<31 + 1}[s.Intn(7)]
					}
					Set(actH, i, sum)
					Set(same, i, sum)
				}
			}
			for k := range scale {
				scale[k] = math.Ldexp(s.Float64(), -s.Intn(40))
			}
			a.Softplus(0, rows, scale, x, n%2 == 0)
			b.Softplus(0, rows, scale, y, n%2 == 0)
			for i, want := range x {
				if y[i] != want {
					t.Fatalf("%d sums, scale %g: %x, want %x", j, scale[i%3], y[i], want)
				}
			}
		}
	}
}

// testAcceleratorLadder compares whole ladders, and their slopes, of layers of all sizes and ranges, including sums
// beyond every grid, and grids that are not fitted yet.
func testAcceleratorLadder(t *testing.T, pair pair) {
	const rows = 9
	s := stream("ladders")
	for _, j := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 31, 33, 500, 959, 960, 961, 1930} {
		a, b := pair(randomNet("ladders", 1, j, 0), rows)
		beta := make([]float64, 2+s.Intn(40))
		for k := range beta {
			beta[k] = float64(k) / float64(len(beta)-1)
		}
		const unit = 1.0 / (1 << 21)
		one, two := NewLadder(beta, unit), NewLadder(beta, unit)
		log0, log1 := make([]float64, rows), make([]float64, rows)
		x, y := make([]float64, rows*len(beta)), make([]float64, rows*len(beta))
		for range 8 {
			for r := range rows {
				log0[r], log1[r] = -1000*s.Float64(), 1000*s.Float64()
				_, _, actH, _ := a.Row(r)
				_, _, same, _ := b.Row(r)
				most := 21 + s.Intn(10) // logits up to 2^0 ... 2^9
				for i := range j {
					sum := int32(s.Uint32()) >> (31 - most)
					if s.Intn(6) == 0 {
						sum = 0
					}
					Set(actH, i, sum)
					Set(same, i, sum)
				}
			}
			lo := s.Intn(len(beta) - 1)
			n := 2 + s.Intn(len(beta)-1-lo)
			for _, l := range [][2]*Ladder{{one, two}, {one.Slopes(), two.Slopes()}} {
				a.Ladder(l[0], lo, n, log0, log1, x)
				b.Ladder(l[1], lo, n, log0, log1, y)
				for i, want := range x[:rows*n] {
					if y[i] != want {
						t.Fatalf("%d units, row %d, rung %d of %d from %d on: %x, want %x", j, i/n, i%n, n, lo, y[i], want)
					}
				}
			}
		}
	}
}
