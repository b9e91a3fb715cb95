package latent

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// The exact log evidence of the built-in models with latent variables, by quadrature, equals the constants in
// glmm_file.go and sv.go.
func TestLatentTruth(t *testing.T) {
	tier.Release(t)
	t.Run("glmm", func(t *testing.T) { labtest.Near(t, "glmm-wards", glmmEvidence(), glmmWardsLogZ, 1e-6) })
	t.Run("sv", func(t *testing.T) { labtest.Near(t, "sv-60", svEvidence(1), sv60LogZ, 1e-5) })
	t.Run("sv outlier", func(t *testing.T) {
		labtest.Near(t, "with an outlier", outlierEvidence(1), outlierEvidence(.7), 1e-3)
	})
	t.Run("sv finer", func(t *testing.T) { labtest.Near(t, "sv-60", svEvidence(.8), sv60LogZ, 1e-5) })
}

// glmmEvidence integrates over (b_0, b_1, psi) by the trapezoid rule, and over each intercept in units of its standard
// deviation.
func glmmEvidence() float64 {
	m := simulatedGLMM(12, 6)
	prior := normalPrior([]float64{0, 0, 0}, []float64{2, 2, 1})
	const h, hu = .2, .2
	var total num.LSE
	g := &glmmGroup{}
	for b0 := -8.; b0 <= 8; b0 += h {
		for b1 := -8.; b1 <= 10; b1 += h {
			for psi := -6.; psi <= 6; psi += h {
				l, sd := prior.LogBase([]float64{b0, b1, psi}), math.Exp(psi/2)
				for i, y := range m.Y {
					g.set(y, m.X[i], []float64{b0, b1})
					sum := 0.
					for z := -8.; z <= 8; z += hu {
						sum += math.Exp(g.logLik(sd*z) - z*z/2)
					}
					l += math.Log(sum*hu) - num.Log2Pi/2
				}
				total.Add(l)
			}
		}
	}
	return total.Value() + 3*math.Log(h)
}

// svEvidence integrates over (mu, artanh phi, log s2) by the trapezoid rule, and over the log volatility by a filter on
// a grid whose points are .6 scale sd apart. At phi near 1 the grid is limited to volatilities that the data allow.
func svEvidence(scale float64) float64 {
	y := simulatedSV(60).Y
	prior := kimPrior()
	hm, hz, hl := .25*scale, .2*scale, .25*scale
	var total num.LSE
	for z := -.6; z <= 7; z += hz {
		for l := -9.; l <= 3; l += hl {
			sd := math.Exp(l / 2)
			for mu := -9.; mu <= 8; mu += hm {
				a := stationary(mu, z, sd)
				if log := prior.LogBase([]float64{mu, z, l}); log > -40 {
					total.Add(log + gridFilter(y, a, .6*scale*sd))
				}
			}
		}
	}
	return total.Value() + math.Log(hm*hz*hl)
}

// withOutlier is a series with one very large return, and its prior.
var withOutlier = SVParams{Y: []float64{.1, -.2, .3, 50, .1, -.1, .2, .05}, PriorMean: []float64{0, 1.5, -2},
	PriorSD: []float64{1, .5, .7}}

// outlierEvidence is svEvidence for withOutlier.
func outlierEvidence(scale float64) float64 {
	p := withOutlier
	prior := normalPrior(p.PriorMean, p.PriorSD)
	h := .25 * scale
	var total num.LSE
	for z := -1.; z <= 5; z += h {
		for l := -5.; l <= 4; l += h {
			for mu := -5.; mu <= 6; mu += h {
				a := stationary(mu, z, math.Exp(l/2))
				total.Add(prior.LogBase([]float64{mu, z, l}) + gridFilter(p.Y, a, .5*scale*a.SD))
			}
		}
	}
	return total.Value() + 3*math.Log(h)
}

// gridFilter returns the log likelihood of returns y by a filter on a grid of log volatilities with the given step.
func gridFilter(y []float64, a kernel.Autoregression, step float64) float64 {
	lo, hi := max(a.Centre-7*a.First, -14), min(a.Centre+7*a.First, 12)
	step = min(step, (hi-lo)/40)
	n := int((hi-lo)/step) + 1
	h, w, e, next := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range h {
		h[i] = lo + step*float64(i)
		d := (h[i] - a.Centre) / a.First
		w[i] = step * math.Exp(-d*d/2) / (a.First * math.Sqrt(2*math.Pi))
		e[i] = math.Exp(-h[i])
	}
	total := 0.
	for t, v := range y {
		sum := 0.
		for i := range w {
			w[i] *= math.Exp(-(num.Log2Pi + h[i] + v*v*e[i]) / 2)
			sum += w[i]
		}
		if total += math.Log(sum); sum == 0 {
			return total
		}
		if t == len(y)-1 {
			break
		}
		clear(next)
		width := a.SD / step
		band := int(7*width) + 1
		for i, p := range w {
			if p /= sum; p < 1e-14 {
				continue
			}
			mean := (a.Centre + a.Phi*(h[i]-a.Centre) - lo) / step
			c := int(math.Round(mean))
			// exp(-(j-mean)^2/2 width^2) from neighbour to neighbour
			j := max(c-band, 0)
			d := (float64(j) - mean) / width
			f, r, q := math.Exp(-d*d/2), math.Exp(-(d+.5/width)/width), math.Exp(-1/(width*width))
			f *= p / (width * math.Sqrt(2*math.Pi))
			for ; j <= min(c+band, n-1); j++ {
				next[j] += f
				f *= r
				r *= q
			}
		}
		w, next = next, w
	}
	return total
}

// A fitted base is offered for the exact likelihood as for an estimated one. The path from the prior to data with an
// outlier of 100 would be thousands of times as long.
func TestKalmanHasRefit(t *testing.T) {
	p := simulatedLGSSM(40)
	p.Y[7] += 100
	for _, likelihood := range []string{"kalman", "filter"} {
		m, err := p.Open("", "", spec.Values{"likelihood": likelihood}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if models.CapabilitiesOf(m).Base.Refit == nil {
			t.Errorf("%s has no Base.Refit", likelihood)
		}
	}
}
