package main

import (
	"context"
	"fmt"
	"math"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/internal/tier"
	"logzlab/models/stan"
)

// densities are Stan programs with a known log Z.
var densities = []struct {
	name, source string
	logZ         float64
}{
	{"coin", "parameters { real<lower=0, upper=1> p; } model { p ~ uniform(0, 1); target += binomial_lpmf(3 | 10, p); }",
		-math.Log(11)},
	{"normal", "parameters { vector[5] x; } model { x[1] ~ normal(3, 2); x[2:5] ~ normal(x[1:4], .5); }", 0},
	{"heavy", "parameters { vector[3] x; } model { x ~ student_t(4, 1, 2); }", 0},
	{"hills", "parameters { vector[2] x; } model { target += log_mix(.3, normal_lpdf(x | -4, 1), " +
		"normal_lpdf(x | 4, 1)); }", 0},
	{"banana", "parameters { vector[2] x; } model { x[1] ~ normal(0, 1); x[2] ~ normal(square(x[1]), 1); }", 0},
}

// Error bars of Stan programs, at the defaults: if the verdict is trust, the root mean square distance to log Z in
// error bars is about 1. A release counts 200 runs of each; otherwise a few runs show that the count works.
func TestBarsOfPrograms(t *testing.T) {
	tier.Test(t)
	runs := 3
	if tier.Releases() {
		runs = 200
	}
	for _, d := range densities {
		c, err := stan.Text{Source: d.source}.Compile()
		if err != nil {
			t.Fatal(d.name, err)
		}
		for _, method := range []string{"smc", "rts", "bridge"} {
			if !tier.Releases() && (method != "smc" || d.name != "coin") {
				continue
			}
			squares, n, levels := 0., 0., map[string]int{}
			for seed := 1; seed <= runs; seed++ {
				link := fmt.Sprintf("v=1&model=%s&method=%s&seed=%d", modelfile.ID(c.Tape.Bytes()), method, seed)
				r, err := runTape(context.Background(), link, d.name, c.Tape.Bytes(), 2)
				if err != nil {
					t.Fatal(link, err)
				}
				levels[r.Verdict.Level]++
				if r.Verdict.Level == "trust" {
					z := (float64(r.LogZ) - d.logZ) / float64(r.SE)
					squares, n = squares+z*z, n+1
				}
			}
			rms := math.Sqrt(squares / n)
			t.Logf("%s %s: rms z %.2f of %.0f trusted runs, %v", d.name, method, rms, n, levels)
			if n >= 100 && (rms < .85 || rms > 1.2) || n > 0 && rms > 4 {
				t.Errorf("%s %s: rms z %.2f of %.0f trusted runs", d.name, method, rms, n)
			}
		}
	}
}

// Bridge sampling of heavy tails uses a base with such tails. With a normal density, fitted to draws that have no
// covariance, the verdict is caution for one Cauchy variable, and stop for ten.
func TestBridgeHeavyTails(t *testing.T) {
	t.Parallel()
	for source, trusted := range map[string]bool{
		"parameters { real x; } model { x ~ cauchy(0, 1); }":                                             true,
		"parameters { vector[10] x; } model { x ~ cauchy(0, 1); }":                                       false, // R-hat 1.14
		"parameters { vector[3] x; real y; } model { x ~ student_t(1.5, 2, 3); y ~ normal(x[1]/9, 1); }": true,
	} {
		c, err := stan.Text{Source: source}.Compile()
		if err != nil {
			t.Fatal(source, err)
		}
		r, err := runTape(context.Background(), "v=1&model="+modelfile.ID(c.Tape.Bytes())+"&method=bridge", "heavy",
			c.Tape.Bytes(), 1)
		if err != nil {
			t.Fatal(source, err)
		}
		level := r.Verdict.Level
		if off := math.Abs(float64(r.LogZ)); off > max(3*float64(r.SE), 1e-9) || off > .05 {
			t.Errorf("%s: log Z %v +- %v, not 0", source, r.LogZ, r.SE)
		}
		if level == "stop" || trusted && level != "trust" || len(r.Posterior) > 0 {
			t.Errorf("%s: %s, %+v", source, level, r.Verdict.Checks)
		}
	}
}
