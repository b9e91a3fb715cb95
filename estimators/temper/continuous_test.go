package temper

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// grid is a mixture of two hills at the points of a grid: log f_0 and log f_1 of each. A sweep draws exactly from the
// density of the rung, so chains need no burn-in.
type grid struct{ log0, log1 []float64 }

// newGrid returns a base N(0, 3^2) and hills N(-3, 1) and N(2, 1/4) with weights 3 and 7.
func newGrid() (g grid) {
	normal := func(x, m, s float64) float64 { return math.Exp(-(x-m)*(x-m)/(2*s*s)) / s }
	for x := -9.; x <= 9; x += .5 {
		g.log0 = append(g.log0, math.Log(normal(x, 0, 3)))
		g.log1 = append(g.log1, math.Log(3*normal(x, -3, 1)+7*normal(x, 2, .5)+1e-30))
	}
	return g
}

func (g grid) logF(x int, beta float64) float64 { return (1-beta)*g.log0[x] + beta*g.log1[x] }

func (g grid) logZ(beta float64) float64 {
	sum := 0.0
	for x := range g.log0 {
		sum += math.Exp(g.logF(x, beta))
	}
	return math.Log(sum)
}

func (g grid) Info() models.Info { return models.Info{Name: "grid", Dim: 1} }

func (g grid) LogZ0() float64 { return g.logZ(0) }

func (g grid) New(n int, ladder []float64) models.Population {
	return &gridRows{grid: g, ladder: ladder, x: make([]int, n)}
}

type gridRows struct {
	grid
	ladder []float64
	x      []int
}

func (g *gridRows) Draw(at rng.At) { g.Move(at, make([]int32, len(g.x)), false) }

func (g *gridRows) Move(at rng.At, rung []int32, _ bool) {
	p := make([]float64, len(g.log0))
	for r := range g.x {
		sum := 0.0
		for x := range p {
			sum += math.Exp(g.logF(x, g.ladder[rung[r]]))
			p[x] = sum
		}
		s := at.Row(r)
		u := s.Float64() * sum
		for g.x[r] = 0; p[g.x[r]] < u; g.x[r]++ {
		}
	}
}

func (g *gridRows) LogF(lo, n int, out []float64) {
	for i := range out {
		out[i] = g.logF(g.x[i/n], g.ladder[lo+i%n])
	}
}

func (g *gridRows) Read(int, *frame.Frame)       {}
func (g *gridRows) Copy(dst, src int)            { g.x[dst] = g.x[src] }
func (g *gridRows) Append(r int, w *wire.Writer) { w.Int(g.x[r]) }
func (g *gridRows) Load(r int, in *wire.Reader)  { g.x[r] = in.Int() }

// With exact moves log Z has no bias for any ladder, also of two rungs, and the squared error bar is the variance. Over
// 2,000 runs the mean is known to a fiftieth of the spread of a run. Detects a rule of integration (two rungs by
// trapezoids: 1.06 nats off, five .16), strata of the wrong length (D_j left out under power:3), and an error bar that
// treats chains of different steps as alike.
func TestContinuousHasNoBias(t *testing.T) {
	g := newGrid()
	want := g.logZ(1)
	runs := tier.Size(2000, 2000, 20000)
	for _, set := range [][]string{{"temperatures=2", "chains=4"}, {"temperatures=5", "chains=9"},
		{"temperatures=5", "chains=8", "schedule=power:3"}} {
		set = append(set, "sweeps=1", "burn_in=0")
		var z, v, rise []float64
		for seed := range runs {
			_, res := methodtest.Drive(t, TIContinuous, methodtest.Config(t, TIContinuous, g, seed, set...))
			top := len(res.Ladder) - 1
			z, v = append(z, res.LogZ), append(v, res.SE*res.SE)
			if k := top / 2; k > 0 {
				rise = append(rise, res.Ladder[k].LogZ-g.logZ(res.Ladder[k].Beta))
			}
		}
		mean, spread := stats.MeanVar(z)
		told, _ := stats.MeanVar(v)
		se := math.Sqrt(spread / float64(runs))
		t.Logf("%v: %.4f +- %.4f, exact %.4f; spread %.3f, told %.3f", set, mean, se, want, math.Sqrt(spread),
			math.Sqrt(told))
		if !(math.Abs(mean-want) < 4*se) {
			t.Errorf("%v: mean %g +- %g over %d runs, exact %g", set, mean, se, runs, want)
		}
		if ratio := told / spread; !(math.Abs(ratio-1) < .15) {
			t.Errorf("%v: the square of the error bar is %g of the variance", set, ratio)
		}
		if len(rise) > 0 {
			mean, spread := stats.MeanVar(rise)
			if se := math.Sqrt(spread / float64(runs)); !(math.Abs(mean) < 4*se) {
				t.Errorf("%v: log Z of the middle rung is off by %g +- %g", set, mean, se)
			}
		}
	}
}

// Chains with burn-in, on an RBM and on hills: log Z within its error, and the same result, bit for bit, for any
// division into lanes and rounds.
func TestContinuousOnModels(t *testing.T) {
	for name, m := range map[string]models.Model{"rbm": methodtest.RBM(t, 8, 5, .8, false),
		"joint": methodtest.RBM(t, 8, 5, .8, true), "mixture": methodtest.Mixture(t, 2, 3)} {
		want := methodtest.ExactLogZ(t, m)
		for seed := range tier.Size(1, 3, 30) {
			cfg := methodtest.Config(t, TIContinuous, m, 1+seed, "chains=60", "temperatures=21", "sweeps=400")
			_, res := methodtest.Drive(t, TIContinuous, cfg)
			if z := (res.LogZ - want) / res.SE; !(math.Abs(z) < 4) || res.SE > .2 || res.Bias != "none" {
				t.Errorf("%s: %g +- %g, exact %g, bias %s", name, res.LogZ, res.SE, want, res.Bias)
			}
			if methodtest.Near(t, "sweeps", res.Sweeps, 60*(3*20+40+400), 0); seed > 0 {
				continue
			}
			for _, cut := range []int{0, 7, 61} {
				cfg.LaneSize, cfg.RoundSweeps = 7, cut
				if _, got := methodtest.Drive(t, TIContinuous, cfg); methodtest.Bits(got) != methodtest.Bits(res) {
					t.Errorf("%s: lanes of 7 cut after %d sweeps give %g, want %g", name, cut, got.LogZ, res.LogZ)
				}
			}
		}
	}
}

// Every chain draws in its own step, climbs over the rungs below, and stays.
func TestContinuousPaths(t *testing.T) {
	made, err := newContinuous(methodtest.Config(t, TIContinuous, newGrid(), 3, "chains=11", "temperatures=5"))
	if err != nil {
		t.Fatal(err)
	}
	r := made.(*continuous)
	for i := range r.N {
		j := r.step(i)
		for k := range j {
			methodtest.Near(t, "on the way", r.ladder[r.place(i, k)], r.edges[k+1], 0)
		}
		if r.place(i, j) != r.place(i, 100) {
			t.Errorf("chain %d goes on", i)
		}
		if beta := r.ladder[r.place(i, j)]; !(beta > r.edges[j] && beta < r.edges[j+1]) {
			t.Errorf("chain %d is at %g, its step %g to %g", i, beta, r.edges[j], r.edges[j+1])
		}
	}
	few := methodtest.Config(t, TIContinuous, newGrid(), 3, "chains=7", "temperatures=5")
	if _, err := newContinuous(few); err == nil {
		t.Error("a step with one chain is taken")
	}
}
