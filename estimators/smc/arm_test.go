package smc

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models"
)

// Log Z of ARM along temperatures agrees with the exact value: |z| < 4 over 30 islands, with a limit on the error bar.
func TestARMTempered(t *testing.T) {
	for _, c := range []struct {
		name  string
		model models.Model
		set   []string
	}{
		{"rbm", methodtest.RBM(t, 8, 5, .8, false), []string{"gamma=0.95"}},
		{"rbm joint", methodtest.RBM(t, 8, 5, .5, true), []string{"gamma=0.9", "ess=0.5"}},
		{"mixture", methodtest.Mixture(t, 3, -2), []string{"gamma=0.9", "resample=systematic"}},
		{"ising", methodtest.Ising(t, 3, 4, true, .3), []string{"gamma=0.8", "i_max=9"}},
	} {
		z := methodtest.ExactLogZ(t, c.model)
		_, res := methodtest.Drive(t, ARMTempered, methodtest.Config(t, ARMTempered, c.model, 1, append(c.set,
			"particles=100", "islands=30", "temperatures=6", "schedule=linear", "moves=2")...))
		d := (res.LogZ - z) / res.SE
		r := res.Diagnostics[estimators.DiagParticlesMean]
		t.Logf("%s: off by %.4f +- %.4f (z %+.1f), %.0f particles at a step", c.name, res.LogZ-z, res.SE, d, r)
		if !(math.Abs(d) < 4) || res.SE > .05 || r < 110 {
			t.Errorf("%s: off by %.4f +- %.4f, %.0f particles", c.name, res.LogZ-z, res.SE, r)
		}
	}
}

// The number of particles of each step follows Algorithm 2: batches of R join until the effective sample size is gamma
// of their number, or i_max have joined; every batch has the same share of the weight.
func TestGrow(t *testing.T) {
	const r, gamma, iMax = 50, .9, 3
	c := methodtest.Config(t, ARMTempered, methodtest.RBM(t, 8, 5, 1.2, false), 1, "particles=50", "islands=1",
		"gamma=0.9", "ess=0.5", "schedule=linear", "temperatures=7", "moves=1")
	m, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	round, _ := m.Next(nil, nil)
	l := m.(*smc).island(round.Unit(0))
	ratio := func(a []float64) float64 {
		s, s2 := 0.0, 0.0
		for _, x := range a {
			s += math.Exp(x)
			s2 += math.Exp(2 * x)
		}
		return s * s / s2 / float64(len(a))
	}
	sizes := map[int]int{}
	last, particles := 0.0, 0
	look := func() {
		a, n := l.batches.a, len(l.batches.a)/r
		sizes[n]++
		particles += n * r
		for i := 1; i < n; i++ {
			if got := ratio(a[:i*r]); got >= gamma {
				t.Errorf("rung %d: %d batches, though %d have the ratio %.3f", l.Rung, n, i, got)
			}
		}
		if got := ratio(a); got < gamma && n != 1+iMax {
			t.Errorf("rung %d: %d batches have the ratio %.3f", l.Rung, n, got)
		}
		sum := 0.0
		for i, x := range l.batches.rho {
			if sum += math.Exp(x); (i+1)%r == 0 {
				methodtest.Near(t, "share of a batch", sum, float64((i+1)/r)/float64(n), 1e-12)
			}
		}
		total := 0.0
		for _, x := range a {
			total += math.Exp(x)
		}
		methodtest.Near(t, "log Z of a step", l.LogZ-last, math.Log(total), 1e-12)
		last = l.LogZ
	}
	l.out = estimators.NewObserver(func(*frame.Frame) bool {
		if l.v.Weighing.Phase == frame.PhaseMove {
			look()
		}
		return true
	})
	l.begin()
	l.grow(len(l.ladder))
	t.Logf("steps by their number of batches: %v", sizes)
	if len(sizes) < 2 || l.Growth.Particles < float64(particles) {
		t.Errorf("batches %v, %g particles", sizes, l.Growth.Particles)
	}
}

// Without moves, and with i_max = 0, islands equal those of smc.
func TestARMTemperedWithoutCopies(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	run := func(info estimators.Info, set ...string) []float64 {
		c := methodtest.Config(t, info, m, 1, append(set, "particles=20", "islands=3", "temperatures=6",
			"schedule=linear")...)
		c.Key = rng.NewKey(1, "the same", 0)
		_, res := methodtest.Drive(t, info, c)
		return res.Islands
	}
	for _, set := range []string{"moves=0", "moves=1"} {
		want := run(SMC, set, "ess=0.9")
		got := run(ARMTempered, set, "gamma=0.9", map[string]string{"moves=0": "i_max=3", "moves=1": "i_max=0"}[set])
		if !slices.Equal(got, want) {
			t.Errorf("%s: islands %v, want %v", set, got, want)
		}
	}
}
