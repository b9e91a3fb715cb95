package mixture

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/density"
)

// kinds reads files of the family.
var kinds = models.Kinds{&GaussianKind, &BernoulliKind}

func gaussianOf(t testing.TB, f GaussianParams, moves int) *Gaussian {
	t.Helper()
	m, err := NewGaussian(f, density.Kernel{Moves: moves})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// One component has log Z(beta) in closed form: with P0 = 1/s0^2 and P = 1/s^2 the precision is A = (1-b) P0 + b P, and
// the exponent is b(1-b) P0 P/A |m|^2/2. All dimensions of the span and both parities of the rest occur.
func TestMixtureLadderClosedForm(t *testing.T) {
	betas := []float64{0, 0.1, 0.5, 0.9, 1}
	for _, c := range []struct {
		mean []float64
		sd   float64
		base float64
	}{
		{[]float64{0}, 1, 2}, {[]float64{0, 0, 0}, 0.5, 2}, {make([]float64, 8), 2, 1},
		{[]float64{2}, 0.7, 3}, {[]float64{1, -1}, 1, 3}, {[]float64{1, 2, 2}, 1, 3}, {[]float64{3, 0, 0, 0, 4}, 0.3, 2},
	} {
		d := float64(len(c.mean))
		m := gaussianOf(t, GaussianParams{D: len(c.mean), BaseSD: c.base, LogC: -4, Weights: []float64{1},
			Means: [][]float64{c.mean}, SDs: []float64{c.sd}}, 1)
		got, err := m.LadderLogZ(betas)
		if err != nil {
			t.Fatal(err)
		}
		P0, P := 1/(c.base*c.base), 1/(c.sd*c.sd)
		for k, b := range betas {
			A := (1-b)*P0 + b*P
			want := b*-4 + d/2*((1-b)*math.Log(P0)+b*math.Log(P)-math.Log(A)) - b*(1-b)*P0*P/A*num.Dot(c.mean, c.mean)/2
			labtest.Near(t, fmt.Sprint(c, " at ", b), got[k], want, 1e-9)
		}
	}
}

// In ten dimensions the plane separates both components, and its log Z(beta) plus that of the orthogonal directions
// equals log Z(beta) of the model. Components of unequal width, and three that span a space, have no density in a
// plane.
func TestMixturePlane(t *testing.T) {
	e, _ := kinds.Find("mixture10")
	f, err := e.Make(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := f.(GaussianParams)
	m := gaussianOf(t, p, 1)
	view, across := m.plane()
	flat := view.(*Gaussian)
	betas := []float64{0, .2, .7, 1}
	want, err := m.LadderLogZ(betas)
	if err != nil {
		t.Fatal(err)
	}
	got, err := flat.LadderLogZ(betas)
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range betas {
		labtest.Near(t, fmt.Sprint("log Z at ", b), got[k]+across(b), want[k], 1e-9)
	}
	hills, _ := flat.Components()
	for j, h := range hills {
		labtest.Near(t, "distance", math.Abs(h.Mean[0]), 3.5, 1e-12)
		labtest.Near(t, "height", h.Mean[1], 0, 1e-12)
		x := make([]float64, 10)
		copy(x, p.Means[j])
		labtest.Near(t, "density", flat.logF(h.Mean)-flat.logF([]float64{0, 0}), m.logF(x)-m.logF(make([]float64, 10)), 1e-12)
	}
	wide, spread := p, p
	wide.SDs = []float64{1, 1.1}
	spread.Weights, spread.SDs = []float64{.2, .4, .4}, []float64{1, 1, 1}
	spread.Means = [][]float64{p.Means[0], make([]float64, 10), make([]float64, 10)}
	spread.Means[1][0], spread.Means[2][1] = 2, 2
	for _, q := range []GaussianParams{wide, spread} {
		if flat, _ := gaussianOf(t, q, 1).plane(); flat != nil {
			t.Error("a plane without that density has one")
		}
	}
}

// The same components in the plane and in 4 dimensions differ by the log Z of the additional Gaussian factors if all
// widths are equal.
func TestMixtureLadderSpan2(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of quadrature")
	}
	betas := []float64{0, 0.3, 1}
	f2 := GaussianParams{D: 2, BaseSD: 2, LogC: 1, Weights: []float64{.4, .6}, Means: [][]float64{{1, 0}, {-1, 1.5}},
		SDs: []float64{1, 1}}
	f4 := f2
	f4.D, f4.Means = 4, [][]float64{{0, 1, 0, 0}, {0, -1, 1.5 * .6, 1.5 * .8}}
	a, err := gaussianOf(t, f2, 1).LadderLogZ(betas)
	if err != nil {
		t.Fatal(err)
	}
	b, err := gaussianOf(t, f4, 1).LadderLogZ(betas)
	if err != nil {
		t.Fatal(err)
	}
	for k, beta := range betas { // two more dimensions, each log int N(0,4)^(1-b) N(0,1)^b
		A := (1-beta)/4 + beta
		labtest.Near(t, fmt.Sprint("at ", beta), b[k], a[k]+(1-beta)*math.Log(.25)-math.Log(A), 1e-9)
	}
}

// log Z(1) of the built-in mixtures is logC; means that span too many dimensions and too narrow components are refused.
func TestMixtureLadderEnds(t *testing.T) {
	for _, name := range []string{"mixture2", "mixture10"} {
		m, err := kinds.Open(name, spec.Values{"moves": "4"}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := models.CapabilitiesOf(m).Exact.LadderLogZ([]float64{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		labtest.Near(t, name+" at 0", got[0], 0, 1e-9)
		labtest.Near(t, name+" at 1", got[1], models.TruthOf(m).LogZ, 1e-9)
	}
	wide := gaussianOf(t, GaussianParams{D: 3, BaseSD: 1, Weights: []float64{.4, .3, .3},
		Means: [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, SDs: []float64{1, 1, 1}}, 1)
	fine := gaussianOf(t, GaussianParams{D: 2, BaseSD: 10, Weights: []float64{.5, .5}, Means: [][]float64{{1, 0}, {0, 1}},
		SDs: []float64{1e-3, 1}}, 1)
	for _, m := range []*Gaussian{wide, fine} {
		if got, err := m.LadderLogZ([]float64{0.5}); err == nil {
			t.Errorf("d = %d: %v", m.f.D, got)
		}
	}
	if _, err := NewGaussian(GaussianParams{D: 1}, density.Kernel{}); err == nil {
		t.Error("moves = 0 is accepted")
	}
}

// Moments of every coordinate and of the side of the split under DrawTarget and Draw. The test detects components drawn
// with wrong weights, and one standard deviation for all.
func TestMixtureDraws(t *testing.T) {
	n := tier.Draws(40000)
	f := GaussianParams{D: 2, BaseSD: 3, Weights: []float64{.2, .5, .3}, Means: [][]float64{{-4, 1}, {3, 2}, {0, -6}},
		SDs: []float64{.5, 1, .25}}
	pop := gaussianOf(t, f, 1).New(n, []float64{0, 1})
	for _, target := range []bool{false, true} {
		at := rng.At{Key: rng.NewKey(1, "gmm", 0)}
		m := labtest.Moments{N: float64(n)}
		if target {
			models.RowCapabilitiesOf(pop).DrawTarget(at, nil, nil)
			for a := range 2 {
				e, ee, eeee := 0.0, 0.0, 0.0
				for j, w := range f.Weights {
					mu, s2 := f.Means[j][a], f.SDs[j]*f.SDs[j]
					e += w * mu
					ee += w * (mu*mu + s2)
					eeee += w * (mu*mu*mu*mu + 6*mu*mu*s2 + 3*s2*s2)
				}
				m.Expect(e, ee-e*e, "x_%d", a)
				m.Expect(ee, eeee-ee*ee, "x_%d^2", a)
			}
			for j, w := range f.Weights { // components are far apart
				m.Expect(w, w*(1-w), "component %d", j)
			}
		} else {
			pop.Draw(at)
			for range 2 {
				m.Expect(0, 9, "x")
				m.Expect(9, 2*81, "x^2")
			}
		}
		for r := range n {
			x := labtest.Point(pop, r, 2)
			for a := range 2 {
				m.Sum[2*a] += x[a]
				m.Sum[2*a+1] += x[a] * x[a]
			}
			if target {
				best := 0
				for j := range f.Means {
					if math.Hypot(x[0]-f.Means[j][0], x[1]-f.Means[j][1]) < math.Hypot(x[0]-f.Means[best][0], x[1]-f.Means[best][1]) {
						best = j
					}
				}
				m.Sum[4+best]++
			}
		}
		m.Test(t, fmt.Sprint("target ", target))
	}
}

// The acceptance probability and the mean squared jump of one Metropolis-Hastings step from a fixed point equal
// integrals over the proposal. The test detects a scale of 2.3 instead of 2.38.
func TestMixtureStepScale(t *testing.T) {
	n := tier.Draws(40000)
	f := GaussianParams{D: 1, BaseSD: 3, Weights: []float64{.5, .5}, Means: [][]float64{{-1}, {1}}, SDs: []float64{.5, 1}}
	ladder := []float64{0, 0.6, 1}
	pop := gaussianOf(t, f, 1).New(n, ladder)
	const x0 = 0.3
	logf := func(b, x float64) float64 {
		return (1-b)*labtest.LogNormal(x, 0, 3) + b*(floats.LogSumExp([]float64{labtest.LogNormal(x, -1, .5),
			labtest.LogNormal(x, 1, 1)})-math.Ln2)
	}
	for rung, b := range ladder {
		for r := range n {
			var w wire.Writer
			w.Float(x0)
			pop.Load(r, &wire.Reader{B: w.B})
		}
		pop.Move(rng.At{Key: rng.NewKey(2, "step", rung)}, labtest.Rungs(n, rung), false)
		step := 2.38 / math.Sqrt(b/(.5*.25+.5)+(1-b)/9)
		m := labtest.Moments{N: float64(n)}
		moment := func(k float64) float64 { // of the jump
			return quad.Fixed(func(z float64) float64 {
				chance := math.Min(1, math.Exp(logf(b, x0+step*z)-logf(b, x0)))
				return distuv.UnitNormal.Prob(z) * chance * math.Pow(step*z, k)
			}, -9, 9, 1000, quad.Legendre{}, 0)
		}
		accept, jump, jump2 := moment(0), moment(2), moment(4)
		m.Expect(accept, accept*(1-accept), "acceptance")
		m.Expect(jump, jump2-jump*jump, "squared jump")
		for r := range n {
			if x := labtest.Point(pop, r, 1)[0]; x != x0 {
				m.Sum[0]++
				m.Sum[1] += (x - x0) * (x - x0)
			}
		}
		m.Test(t, fmt.Sprint("beta ", b))
	}
}

// log Z at beta = 1 and along the ladder equals every public known answer of the kind.
func TestMixtureTruthLadders(t *testing.T) {
	for _, name := range []string{"public_gmm2", "public_gmm10"} {
		t.Run(name, func(t *testing.T) {
			f := labtest.ReadTruth(t, name)
			m := labtest.Open(t, f, nil, kinds.ReadFile, models.FromFile)
			tol := f.Tol + 1e-9 + m.Info().Diagnostics["quantisation_bound"]
			want := f.LogZ.(float64)
			labtest.Near(t, "Truth", models.TruthOf(m).LogZ, want, tol)
			got, err := models.CapabilitiesOf(m).Exact.LadderLogZ(f.Betas)
			if err != nil {
				t.Fatal(err)
			}
			for k, x := range got {
				labtest.Near(t, fmt.Sprintf("log Z(%.1f)", f.Betas[k]), x, f.LogZs[k], tol)
			}
		})
	}
}

// Read shows points in one and in three dimensions.
func TestMixtureRead(t *testing.T) {
	var f frame.Frame
	for d, want := range map[int]string{1: "[1 0 2 0]", 3: "[1 2 4 5]"} {
		mix := gaussianOf(t, GaussianParams{D: d, BaseSD: 1, Weights: []float64{1}, Means: [][]float64{make([]float64, d)},
			SDs: []float64{1}}, 1).New(2, []float64{0, 1})
		var w wire.Writer
		for x := 1.0; x <= float64(2*d); x++ {
			w.Float(x)
		}
		in := wire.Reader{B: w.B}
		mix.Load(0, &in)
		mix.Load(1, &in)
		f = frame.Frame{}
		mix.Read(2, &f)
		if fmt.Sprint(f.Points) != want {
			t.Errorf("gmm in %d dimensions: %v, want %s", d, f.Points, want)
		}
	}
}

// Faster changes the kernel in many dimensions, unless the user chose the kernel.
func TestFaster(t *testing.T) {
	for _, c := range []struct {
		d          int
		name, want string
	}{{2, "mh", "mh"}, {15, "mh", "mh"}, {16, "mh", "hmc_tuned"}, {50, "hmc", "hmc"}} {
		m, err := NewGaussian(GaussianParams{D: c.d, BaseSD: 5, Weights: []float64{1}, SDs: []float64{1},
			Means: [][]float64{make([]float64, c.d)}}, density.Kernel{Name: c.name, Moves: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Faster().(*Gaussian).Kernel().Name; got != c.want {
			t.Errorf("%d dimensions and %s: %s, want %s", c.d, c.name, got, c.want)
		}
	}
}
