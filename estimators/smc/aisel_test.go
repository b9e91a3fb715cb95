package smc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/density"
)

// E[Zhat] = Z for any number of draws behind the likelihoods, however the particles move. Detects estimates drawn anew
// at each weighting, or for the point that a move leaves, and a stored estimate that is not copied with its particle.
func TestAISELUnbiased(t *testing.T) {
	tier.Test(t)
	runs := tier.Size(60, 60, 150)
	for _, s2 := range []float64{3, 0, 1}[:tier.Size(1, 2, 3)] {
		m, z := methodtest.FixedNoise(t, s2)
		for _, c := range [][]string{{"temperatures=6", "ess=1"}, {"temperatures=10", "moves=1", "schedule=linear"},
			{"temperatures=8", "ess=0"}} {
			ratio, noise := make([]float64, runs), stats.Welford{}
			for seed := range ratio {
				_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, seed, append(c, "particles=30",
					"islands=2")...))
				ratio[seed] = math.Exp(res.LogZ - z)
				noise.Add(res.Diagnostics[estimators.DiagNoise])
			}
			d, mean, se := methodtest.ZScore(ratio, 1)
			t.Logf("noise %v, %v: mean Zhat/Z %.4f +- %.4f (z %+.1f)", s2, c, mean, se, d)
			if !(math.Abs(d) < 4) || se > .25 {
				t.Errorf("noise %v, %v: mean of Zhat/Z is %.4f +- %.4f", s2, c, mean, se)
			}
		}
	}
}

// The truths of internal/answers, by both estimates: one here, all of them before a release, with three draws behind a
// likelihood and with twenty.
func TestAISELTruths(t *testing.T) {
	tier.Test(t)
	settings := []string{"particles=40", "islands=4", "temperatures=20", "moves=1"}
	draws := tier.Size([]int{3}, []int{3}, []int{3, 20})
	cases := []struct {
		file, set string
		inner     []int
	}{
		{"lgssm", "likelihood=filter", []int{20}}, {"linreg", "", nil}, {"glmm", "latent=prior", draws},
		{"betabinom", "", nil}, {"lgssm", "likelihood=kalman", nil}, {"glmm", "latent=laplace", draws},
		{"sv8", "", draws},
	}
	for _, c := range cases[:tier.Size(1, 1, len(cases))] {
		for _, n := range append(c.inner, 0) {
			m := methodtest.LatentModel(t, c.file, c.set, fmt.Sprint("inner=", n))
			if (n == 0) != (c.inner == nil) {
				continue
			}
			exact := knownTruth(t, c.file)
			runs := tier.Size(16, 16, 30) // of fewer the error bar is too short
			var z, power []float64
			rule := 0.
			for seed := range runs {
				_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, 100+seed, settings...))
				z = append(z, res.LogZ)
				power = append(power, res.Diagnostics[estimators.DiagLogZPower])
				rule += math.Abs(res.Diagnostics[estimators.DiagPowerRule]) / float64(runs)
			}
			mean, se := stats.LogMeanSE(z)
			p, v := stats.MeanVar(power)
			t.Logf("%s %s N = %d: %.4f +- %.4f (z %+.2f), power posterior %.4f +- %.4f", c.file, c.set, n, mean-exact,
				se, (mean-exact)/se, p-exact, math.Sqrt(v/float64(runs)))
			if !(math.Abs(mean-exact) < 4*se) || se > .15 {
				t.Errorf("%s %s with N = %d is off by %.4f +- %.4f", c.file, c.set, n, mean-exact, se)
			}
			if !(math.Abs(p-mean) < .1+4*math.Sqrt(v/float64(runs))+2*rule) {
				t.Errorf("%s %s with N = %d: the power posterior is off by %.4f", c.file, c.set, n, p-exact)
			}
		}
	}
}

// knownTruth returns log Z of a shared file.
func knownTruth(t *testing.T, name string) float64 {
	b := answers.Read(t, "public_"+name+".json")
	_, after, _ := strings.Cut(string(b), `"logZ":`)
	z, err := num.Parse(strings.TrimSpace(after[:strings.IndexAny(after, ",}")]))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// In one step, without moves, AISEL is importance sampling squared, and with an exact likelihood plain importance
// sampling.
func TestAISELInOneStep(t *testing.T) {
	for _, name := range []string{"sv-60", "linreg-line"} {
		m := methodtest.LatentModel(t, name, "inner=20")
		_, a := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, 3, "temperatures=2", "particles=50", "islands=4",
			"schedule=linear"))
		c := methodtest.Config(t, IS2, m, 3, "particles=50", "islands=4")
		c.Key = rng.NewKey(3, AISEL.Name, 0)
		_, b := methodtest.Drive(t, IS2, c)
		if math.Abs(a.LogZ-b.LogZ) > 1e-12 || math.Abs(a.SE-b.SE) > 1e-12 {
			t.Errorf("%s: %v +- %v in one step, %v +- %v by is2", name, a.LogZ, a.SE, b.LogZ, b.SE)
		}
	}
	m := methodtest.LatentModel(t, "linreg-line")
	c := methodtest.Config(t, IS2, m, 3, "particles=50", "islands=1")
	_, a := methodtest.Drive(t, IS2, c)
	d := methodtest.Config(t, anneal.IS, m, 3, "particles=50")
	d.Key = c.Key
	_, b := methodtest.Drive(t, anneal.IS, d)
	if math.Abs(a.LogZ-b.LogZ) > 1e-12 ||
		math.Abs(a.Diagnostics[estimators.DiagESS]/b.Diagnostics[estimators.DiagESSKish]-1) > 1e-9 {
		t.Errorf("is2 %v, ESS %v; is %v, ESS %v", a.LogZ, a.Diagnostics[estimators.DiagESS], b.LogZ,
			b.Diagnostics[estimators.DiagESSKish])
	}
}

// A likelihood that does not depend on the parameters equals log Z for any schedule, moves and resampling; and the
// variance of known noise is found.
func TestAISELNoise(t *testing.T) {
	d := density.Density{Dim: 3, LogBase: func(x []float64) float64 { return -num.Dot(x, x) / 2 },
		DrawBase: func(s *rng.Stream, x []float64) { x[0], x[1], x[2] = s.Norm(), s.Norm(), s.Norm() },
		Estimate: func() models.Estimator { return func(*rng.Stream, []float64) float64 { return -123.25 } }}
	m, err := density.New(models.Info{Name: "flat", Kind: "test"}, d, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]string{{"temperatures=7"}, {"adaptive=yes"}, {"ess=1", "schedule=linear"}} {
		_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, 1, append(set, "particles=20", "islands=4")...))
		power := res.Diagnostics[estimators.DiagLogZPower]
		if math.Abs(res.LogZ+123.25) > 1e-9 || math.Abs(power+123.25) > 1e-9 {
			t.Errorf("%v: log Z %v, power posterior %v", set, res.LogZ, power)
		}
	}
	noisy, _ := methodtest.FixedNoise(t, 2)
	_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, noisy, 1, "islands=60", "particles=20"))
	if v := res.Diagnostics[estimators.DiagNoise]; math.Abs(v-2) > 4*2*math.Sqrt(2./600) {
		t.Errorf("noise of variance %v, not 2", v)
	}
	// The posterior is N(15/11, 1/11) in each coordinate.
	for i, p := range res.Posterior {
		if math.Abs(p.Mean-15./11) > 4*p.SE || p.SE > .1 || math.Abs(p.SD-math.Sqrt(1./11)) > .05 {
			t.Errorf("coordinate %d: %+v", i, p)
		}
	}
}

// Posterior means and deviations agree with exact posteriors, and the error bars of the means, by islands, are
// calibrated. Half or twice as long ones fail.
func TestAISELPosterior(t *testing.T) {
	tier.Test(t)
	harmonic := func(from, to int) (sum float64) { // digamma(to+1) - digamma(from)
		for k := from; k <= to; k++ {
			sum += 1 / float64(k)
		}
		return sum
	}
	line := methodtest.LatentModel(t, "linreg-line")
	hills, _ := line.(*conjugate.Model).Components()
	y := []float64{1.3, .4, 2.6, 1.9, -.2, 1.1, 3.4, .8, 1.6, 2.2, .1, 1.5} // of nig-12, with k0 = .5, a0 = b0 = 2
	mean, v := stats.MeanVar(y)
	b := 2 + (11*v+.5*12/12.5*mean*mean)/2
	for name, want := range map[string][]float64{
		"linreg-line":    hills[0].Mean,
		"betabinom-coin": {harmonic(9, 16)}, // Beta(17, 9)
		"nig-12":         {12 * mean / 12.5, math.Log(b) - harmonic(1, 7) + .5772156649015329},
	} {
		m := methodtest.LatentModel(t, name)
		squares, n := 0., 0
		for seed := range 20 {
			_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, m, seed, "particles=40", "temperatures=12"))
			if len(res.Posterior) != len(want) {
				t.Fatalf("%s: %d coordinates", name, len(res.Posterior))
			}
			for i, p := range res.Posterior {
				z := (p.Mean - want[i]) / p.SE
				if squares += z * z; math.Abs(z) > 5 || p.SE > .3*p.SD {
					t.Errorf("%s seed %d coordinate %d: %+v, exactly %g", name, seed, i, p, want[i])
				}
				n++
			}
		}
		if rms := math.Sqrt(squares / float64(n)); rms < .7 || rms > 1.5 {
			t.Errorf("%s: the error bars are off by a factor of %.2f", name, rms)
		}
	}
	_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, line, 1, "islands=1", "particles=40",
		"temperatures=12"))
	if p := res.Posterior[0]; num.Finite(p.SE) || res.Diagnostics[estimators.DiagResamplings] == 0 {
		t.Errorf("one island that was resampled has an error bar: %+v", p)
	}
}

// One island that is never resampled has error bars from its particles, and they are calibrated. Detects W in place of
// W^2, and the formula of islands, which gives no number.
func TestAISELPosteriorOfParticles(t *testing.T) {
	tier.Test(t)
	line := methodtest.LatentModel(t, "linreg-line")
	hills, _ := line.(*conjugate.Model).Components()
	squares, n := 0., 0
	for seed := range 60 {
		_, res := methodtest.Drive(t, AISEL, methodtest.Config(t, AISEL, line, seed, "islands=1", "particles=300",
			"temperatures=20", "ess=0"))
		for i, p := range res.Posterior {
			z := (p.Mean - hills[0].Mean[i]) / p.SE
			squares += z * z
			n++
		}
	}
	rms := math.Sqrt(squares / float64(n))
	t.Logf("rms z is %.2f", rms)
	if !(rms > .85 && rms < 1.3) {
		t.Errorf("rms z is %.2f", rms)
	}
}
