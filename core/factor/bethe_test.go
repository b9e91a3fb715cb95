package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// On trees the approximation is exact, zeros and all; on a loop of equal couplings it is that of a fixed point known by
// hand; a strong glass is either near log Z or given up.
func TestBethe(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 200 {
		g := &Graph{}
		for v := range 2 + r.IntN(7) {
			g.States = append(g.States, 1+r.IntN(3))
			if v > 0 {
				f := Factor{On: []int{r.IntN(v), v}}
				for range g.States[f.On[0]] * g.States[v] {
					x := 3 * r.NormFloat64()
					if r.IntN(6) == 0 {
						x = math.Inf(-1)
					}
					f.Table = append(f.Table, x)
				}
				g.Factors = append(g.Factors, f)
			}
		}
		g.Factors = append(g.Factors, Factor{Table: []float64{1.5}})
		want := g.enumerated()
		got, ok := g.Bethe(nil)
		if math.IsInf(want, -1) {
			if ok && !math.IsInf(got, -1) {
				t.Errorf("tree %d: %v, want -Inf", i, got)
			}
			continue
		}
		if !ok || math.Abs(got-want) > 1e-7 {
			t.Errorf("tree %d: %v (%v), want %v", i, got, ok, want)
		}
	}

	// Equal couplings J on a square: messages are even, and Z_B = (2 cosh J)^4; log Z has (2 sinh J)^4 too.
	square := &Graph{States: []int{2, 2, 2, 2}}
	for v := range 4 {
		square.Factors = append(square.Factors, Factor{[]int{v, (v + 1) % 4}, []float64{.7, -.7, -.7, .7}})
	}
	if got, ok := square.Bethe(nil); !ok || math.Abs(got-4*math.Log(2*math.Cosh(.7))) > 1e-9 {
		t.Errorf("square: %v (%v), want %v", got, ok, 4*math.Log(2*math.Cosh(.7)))
	}
	glass := glass(8, .3)
	want, _ := glass.Eliminate(glass.Plan(math.Inf(1)), nil)
	if got, ok := glass.Bethe(nil); !ok || math.Abs(got-want) > .5 {
		t.Errorf("glass: %v (%v), log Z %v", got, ok, want)
	}
}
