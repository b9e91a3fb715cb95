package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// log Z of the priors of a Stan program is 0 if they are normalised, and the log of the missing constant otherwise. A
// parameter without a prior is named.
func TestPriorCommand(t *testing.T) {
	const halves = `data { int G; array[6] int g; vector[6] y; }
		parameters { vector[G] mu; vector<lower=0>[G] sigma; }
		model { mu ~ normal(40, 10); sigma ~ cauchy(0, 5); y ~ normal(mu[g], sigma[g]); }`
	const groups = `{"G": 3, "g": [1, 1, 2, 2, 3, 3], "y": [41, 37, 49, 44, 57, 56]}`
	const slopes = `data { int prior_only; vector[3] y; } parameters { real<lower=0> s; vector<lower=0>[2] t;
		vector[2] z; cholesky_factor_corr[2] L; }
		model { if (!prior_only) { target += normal_lpdf(y | (diag_pre_multiply(t, L) * z)[1], s); }
		target += normal_lpdf(s | 0, 2) - normal_lccdf(0 | 0, 2);
		target += student_t_lpdf(t | 3, 0, 2) - 2 * student_t_lccdf(0 | 3, 0, 2);
		z ~ std_normal(); L ~ lkj_corr_cholesky(1); }`
	for _, c := range []struct {
		name, text, data string
		logZ             float64 // NaN: infinite
		normalised, left string
		improper         string
	}{
		{"halves", halves, groups, -3 * math.Ln2, "no", "line 3", ""},
		{"slopes", slopes, `{"prior_only": 0, "y": [1, 2, 3]}`, 0, "yes", "prior_only", ""},
		{"simplex", `data { array[2] int y; } parameters { simplex[3] p; } model { y ~ categorical(p); }`, `{"y": [1, 2]}`,
			-math.Ln2, "no", "line 1", ""},
		{"unnormalised", `parameters { real<lower=0> s; } model { target += student_t_lupdf(s | 3, 0, 1); }`, "", -math.Ln2,
			"no", "nothing", ""},
		{"flat", `data { vector[2] y; } parameters { real mu; real<lower=0> s; } model { s ~ exponential(1);
			y ~ normal(mu, s); }`, `{"y": [1, 2]}`, math.NaN(), "no", "line 2", "mu"},
		{"jeffreys", `data { vector[2] y; } parameters { real<lower=0> s; } model { target += -log(s); y ~ normal(0, s); }`,
			`{"y": [1, 2]}`, math.NaN(), "no", "line 1", "s"},
	} {
		args := []string{"prior", write(t, c.name+".stan", []byte(c.text))}
		if c.data != "" {
			args = append(args, "-data", write(t, c.name+".json", []byte(c.data)))
		}
		var p priorResult
		if err := json.Unmarshal([]byte(strings.ReplaceAll(mustRun(t, append(args, "-json")...), ":null", ":-1e300")), &p); err != nil {
			t.Fatal(c.name, err)
		}
		switch {
		case math.IsNaN(c.logZ):
			if p.LogZ > -1e299 {
				t.Errorf("%s: log Z %v of an infinite integral", c.name, p.LogZ)
			}
		case !(math.Abs(float64(p.LogZ)-c.logZ) < 4*float64(p.SE)) || p.SE > .1:
			t.Errorf("%s: log Z %v +- %v, want %v", c.name, p.LogZ, p.SE, c.logZ)
		}
		if p.Normalised == nil || *p.Normalised != (c.normalised == "yes") || strings.Join(p.Improper, " ") != c.improper {
			t.Errorf("%s: %+v", c.name, p)
		}
		says := mustRun(t, args...)
		for _, want := range []string{"normalised " + c.normalised, "left out   ", c.left, c.improper} {
			if !strings.Contains(says, want) {
				t.Errorf("%s: %q is not in %s", c.name, want, says)
			}
		}
	}
	for _, c := range [][]string{{"prior"}, {"prior", "ising16"}, {"prior", "a.stan", "b.stan"},
		{"prior", "a.stan", "-model", "b.stan"}} {
		mustRefuse(t, "prior: give", c...)
	}
	mustRefuse(t, "one method at a time", "prior", write(t, "a.stan", []byte(halves)), "-data", write(t, "a.json", []byte(groups)),
		"-method", "ais,rts")
	mustRefuse(t, "was not found", "prior", "nosuch.stan")
}
