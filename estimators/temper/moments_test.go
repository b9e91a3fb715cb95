package temper

import (
	"math"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/rbm"
)

// regression returns a linear regression of two coefficients, with the mean and standard deviations of its posterior:
// A = X'X/s2 + I/t2, mean A^-1 X'y/s2, covariance A^-1, written out for two columns.
func regression(t *testing.T) (models.Model, []float64, []float64) {
	p := conjugate.LinregParams{D: 2, X: []float64{1, -1, 1, 0, 1, .5, 1, 2}, Y: []float64{0, 1, 2, 2.5}, S2: .25, T2: 4}
	m, err := models.FromFile("test", p, spec.Values{"moves": "2", "proposal": "mh"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, u, v := 1/p.T2, 0.0, 1/p.T2, 0.0, 0.0
	for i, y := range p.Y {
		one, x := p.X[2*i], p.X[2*i+1]
		a, b, c = a+one*one/p.S2, b+one*x/p.S2, c+x*x/p.S2
		u, v = u+one*y/p.S2, v+x*y/p.S2
	}
	det := a*c - b*b
	return m, []float64{(c*u - b*v) / det, (a*v - b*u) / det}, []float64{math.Sqrt(c / det), math.Sqrt(a / det)}
}

// machine returns an RBM of 6 x 3 with the means of its visible units, by a sum over all states of both layers.
func tinyRBM(t *testing.T) (models.Model, []float64, []float64) {
	p := rbm.Params{Name: "test", M: 6, J: 3, C: []float64{-1, .5, 0, 1, -.5, -2}, B: []float64{.5, -1, 0},
		P1: []float64{.3, .6, .5, .7, .4, .2}}
	for i := range p.M * p.J {
		p.W = append(p.W, 1.5*math.Sin(float64(3*i+1)))
	}
	m, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	mean, z := make([]float64, p.M), 0.0
	for v := range 1 << p.M {
		for h := range 1 << p.J {
			e := 0.0
			for i := range p.M {
				for j := range p.J {
					e += p.W[i*p.J+j] * float64(v>>i&1*(h>>j&1))
				}
				e += p.C[i] * float64(v>>i&1)
			}
			for j := range p.J {
				e += p.B[j] * float64(h>>j&1)
			}
			w := math.Exp(e)
			z += w
			for i := range mean {
				mean[i] += w * float64(v>>i&1)
			}
		}
	}
	sd := make([]float64, p.M)
	for i := range mean {
		mean[i] /= z
		sd[i] = math.Sqrt(mean[i] * (1 - mean[i]))
	}
	return m, mean, sd
}

// Means from all rungs are closer to the exact ones than means from the samples at the target, by more than twice the
// standard error over runs, and both have correct errors. Detects q(1|x) in place of q(K|x), the base's mean; sums lost
// at a cut; and errors of means from the wrong sums.
func TestPosteriorFromAllRungs(t *testing.T) {
	runs := tier.Size(24, 40, 400)
	for name, open := range map[string]func(*testing.T) (models.Model, []float64, []float64){"linreg": regression,
		"rbm": tinyRBM} {
		m, mean, sd := open(t)
		var gain, all2, alone2, z2 []float64
		for seed := range runs {
			_, res := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1+seed, "chains=20", "temperatures=10",
				"sweeps=60", "init_rounds=1", "prior=uniform"))
			if len(res.Posterior) != len(mean) || len(res.AtTarget) != len(mean) {
				t.Fatalf("%s: %d and %d means", name, len(res.Posterior), len(res.AtTarget))
			}
			all, alone := 0.0, 0.0
			for i, want := range mean {
				x, y := (res.Posterior[i].Mean-want)/sd[i], (res.AtTarget[i].Mean-want)/sd[i]
				all, alone = all+x*x, alone+y*y
				z := (res.Posterior[i].Mean - want) / res.Posterior[i].SE
				z2 = append(z2, z*z)
				if got := res.Posterior[i].SD; !(math.Abs(got/sd[i]-1) < .35) {
					t.Errorf("%s: sd %g of coordinate %d, want %g", name, got, i, sd[i])
				}
			}
			gain, all2, alone2 = append(gain, alone-all), append(all2, all), append(alone2, alone)
		}
		g, v := stats.MeanVar(gain)
		mse, _ := stats.MeanVar(all2)
		rest, _ := stats.MeanVar(alone2)
		rms, _ := stats.MeanVar(z2)
		se := math.Sqrt(v / float64(runs))
		t.Logf("%s: squared errors %.4f from all rungs, %.4f at the target, difference %.1f s.e.; rms z %.2f", name, mse,
			rest, g/se, math.Sqrt(rms))
		if !(g > 2*se) {
			t.Errorf("%s: squared errors %g from all rungs, %g at the target: difference %g +- %g", name, mse, rest, g, se)
		}
		if rms = math.Sqrt(rms); !(rms > .75 && rms < 1.35) {
			t.Errorf("%s: errors of means are off by %g of their bars", name, rms)
		}
	}
}

// The sums of three sweeps, by hand: q(K|x) = 1/2, 0, 1/4, and the target chosen in the last one. Batches are separate,
// and a record survives encoding and decoding.
func TestMomentsByHand(t *testing.T) {
	empty := func() *moments { return &moments{largeSums: largeSums{sums{chains: 1, size: momentSize(1)}}, dim: 1} }
	c, x := empty(), &dot{}
	for i, s := range []struct{ x, q float64 }{{2, .5}, {5, 0}, {-4, .25}} {
		if i%2 == 0 {
			c.begin()
		}
		x.x = s.x
		c.add(x.AddTo, 0, s.q, i == 2)
		c = reloaded(c, empty(), 1+i/2)
	}
	methodtest.NearAll(t, "sums", c.x, []float64{.5, 1, 2, 0, 0, 0, .25, -1, 4, 1, -4, 16}, 0)
	all, alone := (&Record{Moments: [][]float64{c.x[:6], c.x[6:]}}).posterior()
	methodtest.Near(t, "mean", all[0].Mean, 0, 0)
	methodtest.Near(t, "sd", all[0].SD, math.Sqrt(8), 1e-15)
	methodtest.Near(t, "its error", all[0].SE, math.Sqrt(2*2*math.Pow(1/.75, 2)), 1e-15)
	methodtest.Near(t, "mean at the target", alone[0].Mean, -4, 0)
}

// dot is one row at x.
type dot struct{ x float64 }

func (p *dot) AddTo(sum, squares []float64, _ int, weight float64) {
	sum[0] += weight * p.x
	squares[0] += weight * p.x * p.x
}

// The division into lanes and cuts changes no mean.
func TestPosteriorGrouping(t *testing.T) {
	m, _, _ := tinyRBM(t)
	cfg := methodtest.Config(t, RTS, m, 1, "chains=7", "temperatures=5", "sweeps=50")
	_, want := methodtest.Drive(t, RTS, cfg)
	for _, g := range [][2]int{{1, 0}, {3, 7}, {7, 1}} {
		cfg.LaneSize, cfg.RoundSweeps = g[0], g[1]
		_, got := methodtest.Drive(t, RTS, cfg)
		for i, w := range want.Posterior {
			if got.Posterior[i] != w || got.AtTarget[i] != want.AtTarget[i] {
				t.Errorf("lanes of %d, cut after %d: %v, want %v", g[0], g[1], got.Posterior[i], w)
			}
		}
	}
}
