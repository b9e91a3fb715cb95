package kernel

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/tier"
)

func stream(name string) rng.Stream { return rng.NewKey(1, name, 0).Stream(0, 0, 0) }

// edge is the largest sum that models allow.
const edge = 1 << 30

func TestPackRoundTrip(t *testing.T) {
	s := stream("pack")
	for _, n := range []int{1, 2, 3, 4, 5, 8, 17, 513} {
		for range 50 {
			want := make([]int32, n)
			for j := range want {
				switch s.Intn(5) {
				case 0:
					want[j] = edge
				case 1:
					want[j] = -edge
				case 2:
					want[j] = int32(s.Intn(3)) - 1
				default:
					want[j] = int32(s.Intn(2*edge)) - edge
				}
			}
			acc := Pack(want)
			if len(acc) != Words(n) {
				t.Fatalf("Pack of %d has %d words", n, len(acc))
			}
			check(t, acc, want)
			for range n { // Set must leave the other half of its word alone
				j := s.Intn(n)
				want[j] = int32(s.Intn(2*edge)) - edge
				Set(acc, j, want[j])
			}
			check(t, acc, want)
		}
	}
}

func check(t *testing.T, acc []int64, want []int32) {
	t.Helper()
	for j, x := range want {
		if got := Get(acc, j); got != x {
			t.Fatalf("sum %d of %d is %d, want %d", j, len(want), got, x)
		}
	}
}

// Adding and subtracting the rows of flipped units gives the bits of a rebuild, for random weights and for weights
// whose sums reach ±2^30, where a borrow between the two halves of a word would show. Flip counts 0..9 cover the
// unrolled loop and the remainder.
func TestUpdateEqualsRebuild(t *testing.T) {
	s := stream("update")
	for _, c := range []struct {
		name       string
		rows, cols int
		at         func(r, c int) int32
	}{
		{"random", 23, 17, func(r, c int) int32 { return int32(s.Intn(1<<26)) - 1<<25 }},
		{"one column", 9, 1, func(r, c int) int32 { return int32(s.Intn(1001)) - 500 }},
		{"one row", 1, 6, func(r, c int) int32 { return -edge }},
		{"opposed lanes", 16, 6, func(r, c int) int32 { // low lane to -2^30, high lane to +2^30
			if c%2 == 0 {
				return -edge / 16
			}
			return edge / 16
		}},
		{"alternating", 16, 5, func(r, c int) int32 {
			if (r+c)%2 == 0 {
				return -edge/8 + 1
			}
			return edge/8 - 1
		}},
	} {
		w := make([]int32, c.rows*c.cols)
		for i := range w {
			w[i] = c.at(i/c.cols, i%c.cols)
		}
		m := NewMatrix(c.rows, c.cols, func(r, col int) int32 { return w[r*c.cols+col] })
		state := make([]bool, c.rows)
		acc := make([]int64, Words(c.cols))
		for step := range tier.Draws(3000) {
			var on, off []int32
			p := s.Intn(c.rows + 1) // from no flip to all
			for r := range state {
				if s.Intn(c.rows) < p {
					state[r] = !state[r]
					if state[r] {
						on = append(on, int32(r))
					} else {
						off = append(off, int32(r))
					}
				}
			}
			m.Update(acc, on, off)
			for col := range c.cols {
				var want int64
				for r, b := range state {
					if b {
						want += int64(w[r*c.cols+col])
					}
				}
				if got := int64(Get(acc, col)); got != want {
					t.Fatalf("%s, step %d: sum %d is %d, want %d", c.name, step, col, got, want)
				}
			}
		}
	}
}

// The frequency of Bern follows sigmoid(x) into the tails. Catches a flipped
// sign and a comparison with 2^31.
func TestBernFrequency(t *testing.T) {
	s := stream("bern")
	n := tier.Draws(1 << 20)
	for _, x := range []float32{-20, -10, -8, -5, -2, -1, -0.3, 0, 0.3, 1, 2, 5, 8, 10, 20} {
		on := 0
		for i := 0; i < n; i += 4 {
			a, b, c, d := s.Block()
			for _, r := range [4]uint32{a, b, c, d} {
				if Bern(r, x) {
					on++
				}
			}
		}
		p := 1 / (1 + math.Exp(-float64(x)))
		rare, want := float64(on), p*float64(n)
		if x > 0 { // count the rarer outcome
			rare, want = float64(n-on), float64(n)/(1+math.Exp(float64(x)))
		}
		if want < 5 { // Poisson: 12 events where 5 are expected has probability 0.5 %, 20 has 1e-7
			if rare > 20 {
				t.Errorf("x = %v: %v rare outcomes, expected %.2g", x, rare, want)
			}
			continue
		}
		if z := (rare - want) / math.Sqrt(want*(1-min(p, 1-p))); !(math.Abs(z) < 4.5) {
			t.Errorf("x = %v: frequency %v, probability %v, z = %.2f", x, float64(on)/float64(n), p, z)
		}
	}
}

// Bern(r, x) and Metropolis(r, x) are thresholds in r: their exact probability is the first r that fails, divided by
// 2^32. This tests tails that no frequency can: small probabilities have a relative error of at most 2^-21.
func TestThresholds(t *testing.T) {
	for _, rule := range []struct {
		name string
		on   func(r uint32, x float32) bool
		p    func(x float64) float64
	}{
		{"Bern", Bern, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
		{"Metropolis", Metropolis, func(x float64) float64 { return min(1, math.Exp(x)) }},
	} {
		for x := float32(-21); x <= 21; x += 0.37 {
			lo, hi := uint64(0), uint64(1<<32) // the rule holds for lo-1 and fails for hi
			for lo < hi {
				mid := (lo + hi) / 2
				if rule.on(uint32(mid), x) {
					lo = mid + 1
				} else {
					hi = mid
				}
			}
			got, want := float64(lo)/(1<<32), rule.p(float64(x))
			tol := math.Ldexp(1, -32) + math.Ldexp(want, -21)
			if math.Abs(got-want) > tol {
				t.Errorf("%s, x = %v: probability %v, want %v, error %.2g > %.2g", rule.name, x, got, want,
					math.Abs(got-want), tol)
			}
		}
		inf := float32(math.Inf(1))
		if rule.on(1<<31, -inf) || !rule.on(1<<31, inf) {
			t.Errorf("%s: infinite inputs do not give certain outcomes", rule.name)
		}
	}
}

// Draw applies Bern or Metropolis to the words of the stream, unit after unit, and its lists are exactly the changes.
func TestDraw(t *testing.T) {
	s := stream("draw")
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 33} {
		acc := make([]int64, Words(n))
		base := make([]float32, n)
		state, on, off := make([]uint8, n), make([]int32, n), make([]int32, n)
		for step := range 200 {
			for j := range n {
				Set(acc, j, int32(s.Intn(2*edge))-edge)
				base[j] = float32(s.Norm())
			}
			l := Layer{N: n, Scale: 4.0 / edge, Flip: step%3 == 2}
			if step%2 == 1 {
				l.Base, l.BaseScale = base, 0.75
			}
			before := slices.Clone(state)
			draw := rng.NewKey(2, "draw", 0).Stream(0, 0, uint32(step))
			words := draw
			gotOn, gotOff := l.Draw(&draw, acc, state, on, off)
			var wantOn, wantOff []int32
			for j := range n {
				x := float32(float32(Get(acc, j)) * l.Scale)
				if l.Base != nil {
					x += float32(base[j] * l.BaseScale)
				}
				var want uint8
				switch r := words.Uint32(); {
				case l.Flip && before[j] == 1 && !Metropolis(r, -x):
					want = 1
				case l.Flip && before[j] == 0 && Metropolis(r, x):
					want = 1
				case !l.Flip && Bern(r, x):
					want = 1
				}
				if state[j] != want {
					t.Fatalf("n = %d, unit %d is %d, want %d", n, j, state[j], want)
				}
				if want > before[j] {
					wantOn = append(wantOn, int32(j))
				} else if want < before[j] {
					wantOff = append(wantOff, int32(j))
				}
			}
			if !slices.Equal(gotOn, wantOn) || !slices.Equal(gotOff, wantOff) {
				t.Fatalf("n = %d: lists %v %v, want %v %v", n, gotOn, gotOff, wantOn, wantOff)
			}
			// The next draw starts at the next block.
			next := rng.NewKey(2, "draw", 0).Stream(0, 0, uint32(step))
			for range (n + 3) / 4 {
				next.Block()
			}
			if draw.Uint32() != next.Uint32() {
				t.Fatalf("n = %d: Draw does not use ceil(n/4) blocks", n)
			}
		}
	}
}

// Against num.Softplus, to 1e-12 nat or 1e-12 of the sum, over sizes around the chunk of 512 and
// activations to ±2^30 steps, and with exponentials in float32 to 1e-7 nat a unit (seen: 1.4e-8,
// of 500 units 2.5e-9). Catches an overflow of the product, a lost remainder unit and a
// wrong sign of the positive part.
func TestSoftplus(t *testing.T) {
	s := stream("softplus")
	for _, n := range []int{1, 2, 3, 4, 5, 511, 512, 513, 1025} {
		for _, spread := range []int{0, 100, 1 << 20, 1 << 26, edge} {
			x := make([]int32, n)
			for j := range x {
				x[j] = int32(s.Intn(2*spread+1) - spread)
			}
			acc := Pack(x)
			for _, scale := range []float64{0, 1.0 / edge, 1.0 / (1 << 24), 1.0 / (1 << 18)} {
				want, negative := 0.0, 0.0
				for _, v := range x {
					want += num.Softplus(float64(v) * scale)
					negative += num.Softplus(-math.Abs(float64(v)) * scale)
				}
				if got := Softplus(acc, n, scale); !(math.Abs(got-want) <= 1e-12*math.Max(want, 1)) {
					t.Errorf("n = %d, spread %d, scale %v: %v, want %v", n, spread, scale, got, want)
				}
				if got := SoftplusNegative(acc, n, scale); !(math.Abs(got-negative) <= 1e-12*math.Max(negative, 1)) {
					t.Errorf("negative, n = %d, spread %d, scale %v: %v, want %v", n, spread, scale, got, negative)
				}
				if got := softplusNegative(acc, n, float64(float32(scale)), true); !(math.Abs(got-negative) <= 1e-7*float64(n)) {
					t.Errorf("in float32, n = %d, spread %d, scale %v: %v, want %v", n, spread, scale, got, negative)
				}
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	s := stream("alloc")
	const rows, cols = 33, 65
	m := NewMatrix(rows, cols, func(r, c int) int32 { return int32(s.Intn(2001)) - 1000 })
	acc := make([]int64, Words(cols))
	state, on, off := make([]uint8, cols), make([]int32, cols), make([]int32, cols)
	flips := []int32{0, 5, 9, 11, 12, 13, 30}
	for name, f := range map[string]func(){
		"Update":   func() { m.Update(acc, flips, flips[2:]) },
		"Draw":     func() { Layer{N: cols, Scale: 1e-3}.Draw(&s, acc, state, on, off) },
		"Softplus": func() { Softplus(acc, cols, 1e-3) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
