package kernel

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
)

// testProducts compares an accelerator with Go, bit for bit, and both with logarithms.
func testProducts(t *testing.T, accelerator productsAccelerator, floats func([]float64) []float64,
	ints func([]int64) []int64) {
	t.Helper()
	k := rng.NewKey(7, "products", 0)
	for try := range 40 {
		s := k.Stream(0, uint32(try), 0)
		units, states, blocks, group := 1+s.Intn(20), []int{4, 8, 12, 508, 512, 516, 1024}[s.Intn(7)], 1+s.Intn(5),
			1+s.Intn(8)
		reach := float64(600/group) / 2 // of log P and log Q
		p := make([]float64, units*states)
		for i := range p {
			p[i] = math.Exp((2*s.Float64() - 1) * reach)
		}
		want := NewProducts(p, states, blocks, group)
		for i := range want.Q {
			want.Q[i] = math.Exp((2*s.Float64() - 1) * reach)
		}
		got := &Products{Units: units, States: states, Blocks: blocks, Group: group, P: floats(p), Q: floats(want.Q),
			Acc: floats(want.Acc), Power: ints(want.Power)}
		for i := range got.Acc {
			got.Acc[i] = 1
		}
		accelerator.multiply(got)
		PureGo = true
		want.Multiply()
		PureGo = false
		for i, x := range want.Acc {
			if math.Float64bits(got.Acc[i]) != math.Float64bits(x) || got.Power[i] != want.Power[i] {
				t.Fatalf("%d units, %d states, %d blocks, group %d: product %d is %x 2^%d, want %x 2^%d", units, states, blocks,
					group, i, got.Acc[i], got.Power[i], x, want.Power[i])
			}
			sum := 0.0
			for u := range units {
				sum += math.Log1p(p[u*states+i%states] * want.Q[u*blocks+i/states])
			}
			if log := math.Log(x) + float64(want.Power[i])*math.Ln2; math.Abs(log-sum) > 1e-12*(1+sum) {
				t.Fatalf("the log of product %d is %v, want %v", i, log, sum)
			}
		}
	}
}
