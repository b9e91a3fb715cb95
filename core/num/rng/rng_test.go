package rng

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/num"
	"logzlab/internal/tier"
)

// Vectors of the Random123 distribution ([Salmon2011]), file
// examples/kat_vectors, lines "philox4x32 10".
func TestPhiloxKnownAnswers(t *testing.T) {
	t.Parallel()
	const all = 0xFFFFFFFF
	for _, c := range []struct {
		key       Key
		ctr, want [4]uint32
	}{
		{Key{0, 0}, [4]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{Key{all, all}, [4]uint32{all, all, all, all}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{Key{0xa4093822, 0x299f31d0}, [4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		got[0], got[1], got[2], got[3] = Philox(c.key, c.ctr)
		if got != c.want {
			t.Errorf("Philox(%08x, %08x) = %08x, want %08x", c.key, c.ctr, got, c.want)
		}
	}
}

// A stream is the words of Philox at counters (draw, step, slot, phase).
func TestStreamIsPhilox(t *testing.T) {
	t.Parallel()
	k := NewKey(7, "ais", 3)
	s := k.Stream(5, 6, 7)
	for draw := uint32(0); draw < 3; draw++ {
		var want [4]uint32
		want[0], want[1], want[2], want[3] = Philox(k, [4]uint32{draw, 7, 6, 5})
		for i, w := range want {
			if got := s.Uint32(); got != w {
				t.Fatalf("word %d of block %d is %08x, want %08x", i, draw, got, w)
			}
		}
	}
}

func TestBlockDropsTheRest(t *testing.T) {
	t.Parallel()
	k := NewKey(1, "x", 0)
	s, whole := k.Stream(0, 0, 0), k.Stream(0, 0, 0)
	s.Uint32() // opens block 0
	whole.Block()
	a0, a1, a2, a3 := s.Block()
	b0, b1, b2, b3 := whole.Block()
	if [4]uint32{a0, a1, a2, a3} != [4]uint32{b0, b1, b2, b3} {
		t.Error("Block after Uint32 is not the next whole block")
	}
	if s.Uint32() != whole.Uint32() {
		t.Error("Uint32 after Block does not open a new block")
	}
}

// A copy forks a stream; drawing elsewhere changes nothing.
func TestAddressesAreIndependentOfOrder(t *testing.T) {
	t.Parallel()
	at := At{Key: NewKey(1, "rts", 0), Phase: 2, Slot: 30, Step: 4}
	rows := []Stream{at.Row(0), at.Row(1), at.Row(2)}
	var forward [3]uint32
	for r := range rows {
		forward[r] = rows[r].Uint32()
	}
	for r := 2; r >= 0; r-- {
		s := at.Key.Stream(2, uint32(30+r), 4)
		if got := s.Uint32(); got != forward[r] {
			t.Errorf("row %d depends on the order of drawing", r)
		}
	}
	s := at.Row(0)
	s.Uint32()
	fork := s
	if a, b := s.Float64(), fork.Float64(); a != b {
		t.Error("a copy is not a fork")
	}
}

// Neighbouring addresses and keys must not share words: a dropped coordinate
// (slot, say) would repeat whole streams.
func TestNeighboursDiffer(t *testing.T) {
	t.Parallel()
	seen := map[[4]uint32]string{}
	note := func(what string, k Key, phase, slot, step uint32) {
		s := k.Stream(phase, slot, step)
		var b [4]uint32
		b[0], b[1], b[2], b[3] = s.Block()
		if other, ok := seen[b]; ok {
			t.Errorf("%s has the words of %s", what, other)
		}
		seen[b] = what
	}
	k := NewKey(1, "ais", 0)
	note("origin", k, 0, 0, 0)
	note("phase 1", k, 1, 0, 0)
	note("slot 1", k, 0, 1, 0)
	note("step 1", k, 0, 0, 1)
	for _, method := range []string{"is", "sia", "rts", "ais "} {
		note("method "+method, NewKey(1, method, 0), 0, 0, 0)
	}
	for r := 1; r < 200; r++ {
		note("replicate", NewKey(1, "ais", r), 0, 0, 0)
		note("seed", NewKey(uint32(1+r), "ais", 0), 0, 0, 0)
	}
}

// fit fails when chi-square of the counts against the expected ones has a p-value below 1e-6.
func fit(t *testing.T, what string, count []int, expect []float64) {
	t.Helper()
	x, df := 0.0, -1.0
	for i, e := range expect {
		if e > 0 {
			x += (float64(count[i]) - e) * (float64(count[i]) - e) / e
			df++
		}
	}
	if df < 1 {
		return
	}
	if p := (distuv.ChiSquared{K: df}).Survival(x); !(p > 1e-6) {
		t.Errorf("%s: chi-square %.1f with %v degrees of freedom, p = %.1g", what, x, df, p)
	}
}

// draws returns n, or a tenth of it with -short.
func TestUniformAcrossAddresses(t *testing.T) {
	t.Parallel()
	n := tier.Draws(40000)
	for _, c := range []struct {
		name string
		at   func(i uint32) Stream
	}{
		{"draws", func() func(uint32) Stream {
			s := NewKey(1, "a", 0).Stream(0, 0, 0)
			return func(uint32) Stream { s.Block(); return s }
		}()},
		{"slots", func(i uint32) Stream { return NewKey(1, "a", 0).Stream(0, i, 0) }},
		{"steps", func(i uint32) Stream { return NewKey(1, "a", 0).Stream(0, 0, i) }},
		{"seeds", func(i uint32) Stream { return NewKey(i, "a", 0).Stream(0, 0, 0) }},
		{"replicates", func(i uint32) Stream { return NewKey(1, "a", int(i)).Stream(0, 0, 0) }},
	} {
		const bins = 64
		var count [bins]int
		var expect [bins]float64
		var s1, s2, lag, before float64
		for i := range n {
			s := c.at(uint32(i))
			u := s.Float64()
			if !(u > 0 && u < 1) {
				t.Fatalf("%s: Float64 = %v", c.name, u)
			}
			count[int(u*bins)]++
			s1 += u - .5
			s2 += (u - .5) * (u - .5)
			lag += (u - .5) * (before - .5)
			before = u
		}
		for i := range expect {
			expect[i] = float64(n) / bins
		}
		f := float64(n)
		z := map[string]float64{
			"mean":            s1 / math.Sqrt(f/12),
			"variance":        (s2 - f/12) / math.Sqrt(f/180),
			"lag correlation": lag / (math.Sqrt(f) / 12),
		}
		for what, v := range z {
			if !(math.Abs(v) < 4.5) {
				t.Errorf("%s: %s z = %.2f", c.name, what, v)
			}
		}
		fit(t, c.name, count[:], expect[:])
	}
}

// Replicates must be uncorrelated: 64-bit words of replicate r and r+1 differ in
// half their bits (sd 4 a pair). It catches a replicate added to the key unmixed,
// which the uniforms, well mixed by Philox, do not show.
func TestReplicatesDifferInHalfTheBits(t *testing.T) {
	t.Parallel()
	n := tier.Draws(20000)
	flips := 0
	for r := range n {
		a, b := NewKey(1, "ais", r), NewKey(1, "ais", r+1)
		for w := range 2 {
			for x := a[w] ^ b[w]; x != 0; x &= x - 1 {
				flips++
			}
		}
	}
	z := (float64(flips) - 32*float64(n)) / math.Sqrt(16*float64(n))
	if !(math.Abs(z) < 4.5) {
		t.Errorf("keys of neighbouring replicates: z = %.2f of the number of differing bits", z)
	}
}

// Moments of the normal to the fourth, and its bins. It catches sd 1.01 and
// normals made of 8-bit uniforms.
func TestNorm(t *testing.T) {
	t.Parallel()
	n := tier.Draws(200000)
	s := NewKey(3, "norm", 0).Stream(0, 0, 0)
	var m [5]float64
	const bins = 40 // of width 0.2 around 0
	var count [bins + 2]int
	for range n {
		x := s.Norm()
		p := 1.0
		for i := range m {
			m[i] += p
			p *= x
		}
		count[min(max(int(math.Floor(x/0.2))+bins/2+1, 0), bins+1)]++
	}
	f := float64(n)
	// Variances of x, x^2, x^3, x^4: 1, 2, 15, 96.
	for i, c := range []struct{ mean, variance float64 }{{0, 1}, {1, 2}, {0, 15}, {3, 96}} {
		if z := (m[i+1] - c.mean*f) / math.Sqrt(c.variance*f); !(math.Abs(z) < 4.5) {
			t.Errorf("moment %d: z = %.2f", i+1, z)
		}
	}
	var expect [bins + 2]float64
	cdf := distuv.UnitNormal.CDF
	for i := range expect {
		lo, hi := 0.2*float64(i-1-bins/2), 0.2*float64(i-bins/2)
		switch i {
		case 0:
			expect[i] = f * cdf(hi)
		case bins + 1:
			expect[i] = f * (1 - cdf(lo))
		default:
			expect[i] = f * (cdf(hi) - cdf(lo))
		}
	}
	fit(t, "bins", count[:], expect[:])
}

// It catches the bias of a 10-bit word modulo n.
func TestIntn(t *testing.T) {
	t.Parallel()
	n := tier.Draws(100000)
	for _, k := range []int{1, 2, 3, 7, 10, 100, 1<<31 - 1, 1<<32 - 1} {
		s := NewKey(4, "intn", k).Stream(0, 0, 0)
		bins := min(k, 100)
		count, expect := make([]int, bins), make([]float64, bins)
		for range n {
			i := s.Intn(k)
			if i < 0 || i >= k {
				t.Fatalf("Intn(%d) = %d", k, i)
			}
			count[int(float64(i)*float64(bins)/float64(k))]++
		}
		for i := range expect {
			expect[i] = float64(n) / float64(bins)
		}
		fit(t, fmt.Sprintf("Intn(%d)", k), count, expect)
	}
}

// It catches a sum without the shift by the largest weight, and a running sum that
// starts at 0.01, which draws impossible indices.
func TestCategorical(t *testing.T) {
	t.Parallel()
	inf := math.Inf(-1)
	n := tier.Draws(100000)
	for c, logw := range [][]float64{
		{0},
		{inf, 0, inf},
		{-1, 0.5, inf, 2, -800, inf},
		{5000, 5001, 5002.5},
		{-5000, -5001, -5000.2, inf},
		{inf, inf, -1e300, inf},
	} {
		s := NewKey(5, "cat", c).Stream(0, 0, 0)
		count, expect := make([]int, len(logw)), make([]float64, len(logw))
		for range n {
			count[s.Categorical(logw)]++
		}
		total := num.LogSumExp(logw)
		for i, w := range logw {
			expect[i] = float64(n) * math.Exp(w-total)
			if expect[i] == 0 && count[i] > 0 {
				t.Errorf("case %d: index %d of probability 0 was drawn", c, i)
			}
		}
		fit(t, fmt.Sprint("weights ", logw), count, expect)
	}
	for _, logw := range [][]float64{{inf}, {inf, inf, inf}} {
		s := NewKey(5, "cat", 0).Stream(0, 0, 0)
		if got := s.Categorical(logw); got != -1 {
			t.Errorf("Categorical(%v) = %d, want -1", logw, got)
		}
	}
}

// One uniform for each draw, so that streams stay aligned whatever the weights.
func TestCategoricalDrawsOneUniform(t *testing.T) {
	t.Parallel()
	a := NewKey(6, "cat", 0).Stream(0, 0, 0)
	b := a
	a.Categorical([]float64{1, 2, 3})
	b.Float64()
	if a.Uint32() != b.Uint32() {
		t.Error("Categorical does not use exactly one uniform")
	}
}

func TestNoAllocation(t *testing.T) {
	at := At{Key: NewKey(1, "a", 0)}
	logw := []float64{0, 1, 2}
	if n := testing.AllocsPerRun(100, func() {
		s := at.Row(3)
		s.Block()
		s.Norm()
		s.Intn(7)
		s.Categorical(logw)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Skip is as many calls of Float64, from either half of a block.
func TestSkip(t *testing.T) {
	t.Parallel()
	for before := range 4 {
		for n := 1; n < 9; n++ {
			a := NewKey(1, "skip", 0).Stream(1, 2, 3)
			for range before {
				a.Float64()
			}
			b := a
			for range n {
				a.Float64()
			}
			if b.SkipPairs(n); a != b {
				t.Errorf("%d pairs after %d: %v, want %v", n, before, b, a)
			}
		}
	}
}
