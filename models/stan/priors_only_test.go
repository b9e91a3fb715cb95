package stan

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// TestPriorsOnlyOmitsLikelihood checks that CompilePriors replaces densities of data by 1, in every notation, and keeps
// densities of parameters.
func TestPriorsOnlyOmitsLikelihood(t *testing.T) {
	t.Parallel()
	const data = `{"N": 2, "y": [1, 2], "n": [1, 2], "K": 2, "scale": 2, "prior_only": 0}`
	const declared = "data { int N; vector[N] y; array[N] int n; int K; real scale; } "
	const prior = "m ~ normal(0, scale); s ~ exponential(1); p ~ beta(2, 2); "
	for _, c := range []struct{ functions, model, lines string }{
		{"", "y ~ normal(m, s); n ~ binomial(5, p);", "[2]"},
		{"", "target += normal_lpdf(y | m, s) + binomial_lupmf(n | 5, p);", "[2]"},
		{"", "for (i in 1:N) y[i] ~ normal(m, s) T[0, ];", "[2]"},
		{"", "for (i in 1:N) target += log_mix(p, normal_lpdf(y[i] | m, s), normal_lpdf(y[i] | 0, s));", "[2]"},
		{"", "for (i in 1:N) { vector[K] l; l[1] = log(p) + normal_lpdf(y[i] | m, s); " +
			"l[2] = log1m(p) + normal_lpdf(y[i] | 0, s); target += log_sum_exp(l); }", "[2]"},
		{"", "target += -0.5 * dot_self((y - m) / s) - N * log(s);", "[2]"},
		{"", "real l = 0; for (i in 1:N) l += -0.5 * square(y[i] - m); target += l;", "[2]"},
		{"", "vector[N] l; for (i in 1:N) l[i] = -0.5 * square(y[i] - m); target += sum(l);", "[2]"},
		{"", "target += sum(to_vector(n)) * log(p) + 3 * log1m(p);", "[2]"},
		{"", "target += normal_lccdf(y[1] | m, s); target += log(normal_cdf(y[2] | m, s));", "[2]"},
		{"", "target += log_diff_exp(normal_lcdf(y[2] | m, s), normal_lcdf(y[1] | m, s));", "[2]"},
		{"", "target += log(normal_cdf(y[2] | m, s) - normal_cdf(y[1] | m, s));", "[2]"},
		{"", "target += normal_lcdf(0 | m, scale) - normal_lcdf(0 | m, scale) + K * normal_lccdf(scale | 0, 1) - " +
			"2 * normal_lccdf(2 | 0, 1);", "[]"},
		{"real lik(vector y, real m) { return normal_lpdf(y | m, 1); }", "target += lik(y, m);", "[1]"},
		{"real lik(vector y, real m) { return -0.5 * dot_self(y - m); }", "target += lik(y, m);", "[2]"},
		{"real own_lpdf(vector y, real m) { return -0.5 * dot_self(y - m); }", "y ~ own(m);", "[2]"},
		{"void lik_lp(vector y, real m) { y ~ normal(m, 1); }", "lik_lp(y, m);", "[1]"},
		{"", "real r = scale; r * m ~ normal(0, 1); target += -normal_lpdf(r * m | 0, 1);", "[]"},
		{"", "target += categorical_lpmf(2 | [p, 1 - p]') + categorical_lpmf(1 | [p, 1 - p]'); target += -log(p) - log1m(p);",
			"[]"},
	} {
		source := "functions { " + c.functions + " }" + declared +
			"parameters { real m; real<lower=0> s; real<lower=0, upper=1> p; } model { " + prior + "\n" + c.model + " }"
		out, how, err := Text{Source: source, Data: data}.CompilePriors()
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
			continue
		}
		alone, err := Compile(declared+"parameters { real m; real<lower=0> s; real<lower=0, upper=1> p; } model { "+prior+" }",
			[]byte(data), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range [][]float64{{0, 0, 0}, {1, .5, -1}} {
			if got, want := out.Tape.EvaluatorPool().LogF(x), alone.Tape.EvaluatorPool().LogF(x); !(math.Abs(got-want) < 1e-12) {
				t.Errorf("%s: log density %v, want %v", c.model, got, want)
			}
		}
		if got := fmt.Sprint(how.Lines); got != c.lines {
			t.Errorf("%s: lines %s, want %s", c.model, got, c.lines)
		}
	}
}

// TestPriorsOnlyOfBrms checks that a program with data prior_only is compiled with the value 1, and that there is no
// tape if a parameter has a flat prior.
func TestPriorsOnlyOfBrms(t *testing.T) {
	t.Parallel()
	out, how, err := Text{Source: "data { int prior_only; real y; } parameters { real m; } model { " +
		"if (!prior_only) { target += normal_lpdf(y | m, 1); } m ~ normal(0, 1); }",
		Data: `{"y": 3, "prior_only": 0}`}.CompilePriors()
	if err != nil || !how.UsesFlag || len(how.Lines) > 0 {
		t.Fatal(how, err)
	}
	if got := out.Tape.EvaluatorPool().LogF([]float64{2}); !(math.Abs(got+2+num.Log2Pi/2) < 1e-12) {
		t.Errorf("log density %v", got)
	}
	for _, c := range []struct{ parameters, flat string }{
		{"real m; real<lower=0> s;", "[m s]"}, {"real<lower=0> s; vector[2] m;", "[s m]"},
		{"real m; real<lower=0, upper=3> s;", "[m]"}, {"ordered[2] m; real<lower=0> s;", "[m s]"},
	} {
		out, how, err = Text{Source: "data { real y; } parameters { " + c.parameters + " simplex[3] p; } " +
			"model { y ~ normal(sum([m[1], 0]), s); }", Data: `{"y": 3}`}.CompilePriors()
		if err != nil {
			out, how, err = Text{Source: "data { real y; } parameters { " + c.parameters + " simplex[3] p; } " +
				"model { y ~ normal(m, s); }", Data: `{"y": 3}`}.CompilePriors()
		}
		if err != nil || out.Tape != nil || fmt.Sprint(how.Flat) != c.flat {
			t.Errorf("%s: %+v, %v", c.parameters, how, err)
		}
	}
	out, how, err = Text{Source: "parameters { vector[2] m; simplex[3] p; } model { m[1] ~ normal(0, 1); m[1] - m[2] ~ " +
		"normal(0, 1); }"}.CompilePriors()
	if err != nil || len(how.Flat) > 0 || out.Tape.Note(tape.NoteImproper) != "" {
		t.Error(how, err)
	}
}

// TestPriorsOfProgramsCompile checks that CompilePriors accepts the programs of the corpus.
func TestPriorsOfProgramsCompile(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"programs", "ordinary"} {
		corpus(t, dir, func(name, src string, data []byte) {
			if notYet[name] != "" {
				return
			}
			out, how, err := Text{Source: src, Data: string(data)}.CompilePriors()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if (out.Tape == nil) != (len(how.Flat) > 0) {
				t.Errorf("%s: %+v", name, how)
			}
		})
	}
}
