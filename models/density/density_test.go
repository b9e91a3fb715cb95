package density

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// wideToNarrow is a path from N(0, 9 I) to N(1, .01 I), unnormalised with log Z = 2.
func wideToNarrow(d int) Density {
	normal := func(mean, sd, z float64) (logf func(x []float64) float64, slope func(x, out []float64)) {
		shift := z - float64(d)*(num.Log(sd)+num.Log2Pi/2)
		return func(x []float64) float64 {
				s := shift
				for _, v := range x {
					s -= (v - mean) * (v - mean) / (2 * sd * sd)
				}
				return s
			}, func(x, out []float64) {
				for i, v := range x {
					out[i] = (mean - v) / (sd * sd)
				}
			}
	}
	den := Density{Dim: d, Centred: true, DrawBase: func(s *rng.Stream, x []float64) {
		for i := range x {
			x[i] = 3 * s.Norm()
		}
	}}
	den.LogBase, den.GradBase = normal(0, 3, 0)
	den.LogF, den.Grad = normal(1, .1, 2)
	return den
}

// The steps of the tuning run depend on the model alone, and give about the target acceptance rate, also between grid
// points.
func TestTuningRun(t *testing.T) {
	for _, c := range []struct {
		kernel string
		want   float64
	}{{"mh", .234}, {"hmc", .65}, {"hmc_tuned", .65}} {
		m, err := New(models.Info{}, wideToNarrow(8), Kernel{Name: c.kernel})
		if err != nil {
			t.Fatal(err)
		}
		again, _ := New(models.Info{}, wideToNarrow(8), Kernel{Name: c.kernel})
		again.New(3, []float64{0, .3, 1})
		for _, beta := range []float64{0, .001, .03, .3, .7, 1} {
			step, leaps := m.StepAt(beta)
			if other, more := again.StepAt(beta); other != step || more != leaps {
				t.Errorf("%s: steps %v and %v, leaps %d and %d at beta %v", c.kernel, step, other, leaps, more, beta)
			}
			if beta == .001 {
				continue // the precision rises a hundredfold before the second grid point
			}
			sd := 1 / math.Sqrt((1-beta)/9+beta/.01)
			p := m.rows(200)
			p.meanLeaps = leaps
			accept := 0.0
			for r := range p.logF0 { // exact draws
				s := rng.NewKey(3, "pilot test", r).Stream(0, 0, 0)
				for i := range p.row(r) {
					p.row(r)[i] = beta/.01*sd*sd + sd*s.Norm()
				}
				p.refresh(nil, r)
				for range 20 {
					p.move(p, &s, r, beta, step)
					accept += acceptProb(p.logAccept) / (20 * 200)
				}
			}
			t.Logf("%s, beta %v: step %.3f sd, %d leaps, acceptance %.3f", c.kernel, beta, step/sd, leaps, accept)
			if math.Abs(accept-c.want) > .06 {
				t.Errorf("%s, beta %v: acceptance %.3f, want %.3f", c.kernel, beta, accept, c.want)
			}
		}
	}
}

// New returns an error that names what the density lacks.
func TestBadDensity(t *testing.T) {
	plain := wideToNarrow(2)
	plain.Grad, plain.Centred = nil, false
	for name, says := range map[string]string{"hmc": "gradients", "ess": "normal base", "gibbs": "not known"} {
		if _, err := New(models.Info{}, plain, Kernel{Name: name}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, says)
		}
	}
	if _, err := New(models.Info{}, Density{Dim: 2}, Kernel{}); err == nil {
		t.Error("New accepts a density without functions")
	}
}
