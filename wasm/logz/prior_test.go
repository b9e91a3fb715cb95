package main

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/internal/tier"
	"logzlab/models/stan"
)

// For conjugate models, the path from the prior and the path from a fitted base give log Z of the closed form, by
// several readers.
func TestPriorPath(t *testing.T) {
	tier.Test(t)
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	for _, c := range []struct {
		name, source string
		logZ         float64
	}{
		{"coin", "parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 1.5); target += binomial_lpmf(3 | 10, p); }",
			math.Log(120) + lgamma(5) + lgamma(8.5) - lgamma(13.5) - lgamma(2) - lgamma(1.5) + lgamma(3.5)},
		{"mean", "parameters { real m; } model { m ~ normal(1, 2); target += normal_lpdf(4 | m, 1) + " +
			"normal_lpdf(3 | m, 1); }", -.5*(13-4./9*25) - math.Log(2*math.Pi) - .5*math.Log(9)},
		{"rate", "parameters { real<lower=0> r; } model { r ~ gamma(2, 1); target += poisson_lpmf({3, 5} | r); }",
			lgamma(10) - lgamma(2) - 10*math.Log(3) - lgamma(4) - lgamma(6)},
	} {
		c1, err := stan.Text{Source: c.source}.Compile()
		if err != nil {
			t.Fatal(c.name, err)
		}
		tape := c1.Tape.Bytes()
		for _, method := range []string{"rts", "ti", "stepping-stone"} {
			for _, base := range []string{"", "&base=prior"} {
				if base == "" && method != "rts" {
					continue
				}
				sizes := "&" + method + ".chains=30&" + method + ".sweeps=80"
				r, err := runTape(t.Context(), "v=1&model="+modelfile.ID(tape)+"&method="+method+base+sizes, c.name, tape, 2)
				if err != nil {
					t.Fatal(c.name, method, base, err)
				}
				z := (float64(r.LogZ) - c.logZ) / float64(r.SE)
				if !(math.Abs(z) < 4) || !(r.SE < .2) {
					t.Errorf("%s by %s%s: %.4f +- %.4f, exactly %.4f", c.name, method, base, r.LogZ, r.SE, c.logZ)
				}
			}
		}
	}
}

// A Stan program without a prior that can be sampled is refused, and the error names the reason.
func TestPriorRefused(t *testing.T) {
	for source, why := range map[string]string{
		"parameters { real m; real s; } model { m ~ normal(s, 1); }": "no ~ gives s a distribution of its own",
		"parameters { real<lower=0> s; } model { s ~ lognormal(0, 800); target += -s; }": "of 400 draws rounding puts " +
			"139 on a bound or out of range",
	} {
		c, err := stan.Text{Source: source}.Compile()
		if err != nil {
			t.Fatal(err)
		}
		tape := c.Tape.Bytes()
		_, err = runTape(t.Context(), "v=1&model="+modelfile.ID(tape)+"&method=rts&base=prior", "m", tape, 2)
		if err == nil || !strings.HasSuffix(err.Error(), ": "+why+"; leave base out") {
			t.Errorf("%v, want %s", err, why)
		}
	}
}
