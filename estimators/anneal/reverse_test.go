package anneal

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/internal/methodtest"
	"logzlab/models"
)

// Unbiasedness cannot detect whether reverse chains use the reversed kernels, since a forward kernel leaves the same
// density invariant. Two tests here can: the reversed kernel makes the same pairs (x, x') backwards, and the lanes use
// the right kernel at the right rung.

// bitsOf returns the state of row 0 as numbers 0 or 1: visible and hidden units or spins, with padding. The marginal
// RBM is a chain of visible units alone.
func bitsOf(pop models.Population, visible int) []float64 {
	var w wire.Writer
	pop.Append(0, &w)
	var out []float64
	for _, b := range w.B {
		for t := range 8 {
			out = append(out, float64(b>>t&1))
		}
	}
	if visible > 0 {
		return out[:visible]
	}
	return out
}

// pairs returns the largest difference, in standard errors, between E[x_i y_j] of steps y = T x from x ~ f_1 and of
// steps x = (reversed T) y from y ~ f_1.
func pairs(m models.Model, visible int, back bool, n int) float64 {
	pop := m.New(1, []float64{0, 1})
	count, _ := models.CapabilitiesOf(m).Exact.Sum.Blocks(models.MaxExactUnits)
	blocks := make([]float64, count)
	models.CapabilitiesOf(m).Exact.Sum.LogBlocks(0, blocks)
	key := rng.NewKey(3, "pairs", 0)
	step := func(i int, back bool) (first, second []float64) {
		at := rng.At{Key: key, Phase: uint32(i % 2), Slot: uint32(i)}
		models.RowCapabilitiesOf(pop).DrawTarget(at, blocks, nil)
		first = bitsOf(pop, visible)
		at.Step = 1
		pop.Move(at, []int32{1}, back)
		return first, bitsOf(pop, visible)
	}
	var diff []stats.Welford
	for i := range n {
		x, y := step(2*i, false)
		v, u := step(2*i+1, back) // v ~ f_1, u one step earlier in time
		if diff == nil {
			diff = make([]stats.Welford, len(x)*len(x))
		}
		for a := range x {
			for b := range x {
				diff[a*len(x)+b].Add(x[a]*y[b] - u[a]*v[b])
			}
		}
	}
	worst := 0.0
	for _, d := range diff {
		if v := d.Var(); v > 0 {
			worst = max(worst, math.Abs(d.Mean)/math.Sqrt(v/float64(n)))
		}
	}
	return worst
}

// About 150 to 600 pairs are compared, so the tolerance is 5 s.e. The third column shows what it detects: with the
// forward kernel used in reverse, the composed kernels (joint RBM: h then v; checkerboard: black then white) differ by
// ten and more.
func TestReversedKernel(t *testing.T) {
	for _, c := range []struct {
		name     string
		model    models.Model
		visible  int
		composed bool
	}{
		{"rbm marginal", methodtest.RBM(t, 8, 4, 1.2, false), 8, false},
		{"rbm joint", methodtest.RBM(t, 8, 4, 1.2, true), 0, true},
		{"ising torus", methodtest.Ising(t, 2, 4, true, .2), 0, true},
		{"ising odd torus", methodtest.Ising(t, 3, 3, true, .2), 0, true},
		{"ising open", methodtest.Ising(t, 2, 4, false, .5), 0, true},
	} {
		n := 12000
		right, wrong := pairs(c.model, c.visible, true, n), pairs(c.model, c.visible, false, n)
		t.Logf("%s: largest |z| %.1f, with the forward kernel in reverse %.1f", c.name, right, wrong)
		if !(right < 5) {
			t.Errorf("%s: back is not the reversed kernel: |z| = %.1f", c.name, right)
		}
		if c.composed && !(wrong > 8) {
			t.Errorf("%s: the test would not see the forward kernel used in reverse: |z| = %.1f", c.name, wrong)
		}
	}
}

// recorder notes the moves of every row's lane.
type recorder struct {
	models.Model
	moves *[]string
}

type recorderRows struct {
	models.Population
	moves *[]string
}

func (r recorder) New(n int, ladder []float64) models.Population {
	return recorderRows{r.Model.New(n, ladder), r.moves}
}

func (p recorderRows) Move(at rng.At, rung []int32, back bool) {
	*p.moves = append(*p.moves, fmt.Sprintf("%d back=%v", rung[0], back))
	p.Population.Move(at, rung, back)
}

func (p recorderRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: models.RowCapabilitiesOf(p.Population).DrawTarget}
}

// Detects `back` not passed on, reverse rungs off by one (a move at the target rung before the first weight), and
// sweeps not repeated.
func TestKernelOrder(t *testing.T) {
	var moves []string
	m := recorder{methodtest.Mixture(t, 1, 0), &moves}
	methodtest.Drive(t, AIS, methodtest.Config(t, AIS, m, 1, "chains=3", "temperatures=5", "sweeps=2"))
	want := []string{"1", "1", "2", "2", "3", "3"}
	for i := range want {
		want[i] += " back=false"
	}
	for _, k := range []string{"3", "3", "2", "2", "1", "1"} {
		want = append(want, k+" back=true")
	}
	if !slices.Equal(moves, want) {
		t.Errorf("moves %v, want %v", moves, want)
	}
}
