package program

import (
	"testing"

	"logzlab/models"
	"logzlab/models/stan"
)

// TestOneDatum checks regressions with as many data as coefficients and flat priors on these. Without a prior for the
// scale the integral is infinite, near scale 0 or far out along the coefficients. With one it is finite, because each
// coefficient can be integrated out.
func TestOneDatum(t *testing.T) {
	t.Parallel()
	const two = `target += normal_lpdf([1.2, 3.1] | [b[1] + b[2] * 0.3, b[1] + b[2] * 1.7], s);`
	for _, c := range []struct {
		text     string
		infinite bool
	}{
		{`parameters { real m; real<lower=0> s; } model { 1.2 ~ normal(m, s); }`, true},
		{`parameters { real m; real l; } model { 1.2 ~ normal(m, exp(l)); }`, true},
		{`parameters { real m; real<lower=0> s; } model { 1.2 ~ double_exponential(m, s); }`, true},
		{`parameters { real m; real<lower=0> s; } model { 1.2 ~ normal(m, s); m ~ normal(0, 1); }`, true},
		{`parameters { vector[2] b; real<lower=0> s; } model { ` + two + ` }`, true},
		{`parameters { vector[2] b; real<lower=0> s; } model { ` + two + ` target += -log(s); }`, true},
		{`parameters { real m; real<lower=0> s; } model { 1.2 ~ normal(m, s); s ~ exponential(1); }`, false},
		{`parameters { real m; real<lower=0> s; } model { 1.2 ~ normal(m, s); m ~ normal(0, 1); s ~ cauchy(0, 1); }`, false},
		{`parameters { vector[2] b; real<lower=0> s; } model { b ~ normal(0, 10); s ~ exponential(1); ` + two + ` }`, false},
	} {
		compiled, err := stan.Text{Source: c.text}.Compile()
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		m, err := Params{compiled.Tape}.Open("", "", nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if slope, name := models.CapabilitiesOf(m).Search.TailSlope(); c.infinite != (slope > models.InfiniteTail) {
			t.Errorf("%s: along %s the mass is t^%.3f", c.text, name, slope)
		}
	}
}
