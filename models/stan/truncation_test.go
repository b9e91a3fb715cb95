package stan

import (
	"math"
	"testing"
)

// TestTruncationByElement checks that T[lo, hi] truncates each element of a vector outcome as a loop over the elements
// does.
func TestTruncationByElement(t *testing.T) {
	t.Parallel()
	const data = `{"y": [0.5, 2, 1.5], "k": [1, 4, 2], "m": [0.3, -0.2, 1]}`
	const head = "data { vector[3] y; array[3] int k; vector[3] m; } parameters { real a; real<lower=0> s; vector<lower=-1>[3] z; } " +
		"model { a ~ normal(0, 1); s ~ exponential(1); z ~ normal(a, s); "
	for _, c := range [][2]string{
		{"y ~ normal(a, s) T[0, ];", "for (i in 1:3) y[i] ~ normal(a, s) T[0, ];"},
		{"y ~ normal(a, s) T[, 3];", "for (i in 1:3) y[i] ~ normal(a, s) T[, 3];"},
		{"y ~ normal(a * m, s) T[0, 2.5];", "for (i in 1:3) y[i] ~ normal(a * m[i], s) T[0, 2.5];"},
		{"to_array_1d(y) ~ student_t(4, m, s) T[-s, 3];", "for (i in 1:3) y[i] ~ student_t(4, m[i], s) T[-s, 3];"},
		{"k ~ poisson(s) T[1, ];", "for (i in 1:3) k[i] ~ poisson(s) T[1, ];"},
		{"k ~ poisson(exp(a * m)) T[1, 5];", "for (i in 1:3) k[i] ~ poisson(exp(a * m[i])) T[1, 5];"},
		{"k ~ binomial({5, 6, 7}, 0.3) T[1, 4]; target += a;", "for (i in 1:3) k[i] ~ binomial(4 + i, 0.3) T[1, 4]; target += a;"},
		{"z ~ normal(m, s) T[-1, ];", "for (i in 1:3) z[i] ~ normal(m[i], s) T[-1, ];"},
		{"z ~ normal(m, s) T[a - 2, 3 + a];", "for (i in 1:3) z[i] ~ normal(m[i], s) T[a - 2, 3 + a];"},
		{"k ~ normal(a, s) T[1, ];", "to_vector(k) ~ normal(a, s) T[1, ];"},
		{"k[1] ~ normal(a, s) T[1, ];", "1.0 ~ normal(a, s) T[1, ];"},
		{"k ~ poisson(s) T[0, ];", "k ~ poisson(s);"},
		{"k ~ binomial({5, 6, 7}, inv_logit(a)) T[0, 9];", "k ~ binomial({5, 6, 7}, inv_logit(a));"},
		{"k ~ binomial({5, 6, 7}, inv_logit(a)) T[0, 4];", "k ~ binomial({5, 6, 7}, inv_logit(a)) T[, 4];"},
		{"y' ~ logistic(a, s) T[, ];", "y ~ logistic(a, s);"},
		{"y[1] ~ normal(m, s) T[0, 2];", "for (i in 1:3) y[1] ~ normal(m[i], s) T[0, 2];"},
		{"y[{}] ~ normal(0, s) T[0, ];", ""},
	} {
		if c[0][:4] == "y[{}" {
			c[0] = "y[2:1] ~ normal(0, s) T[0, ];"
		}
		for _, x := range [][]float64{{.3, .2, .1, .4, -.5}, {-.4, -.3, 1, .2, .6}} {
			got, want := logF(t, head+c[0]+" }", data, x...), logF(t, head+c[1]+" }", data, x...)
			if off(got, want) > 1e-12 {
				t.Errorf("%s: %v, not %v", c[0], got, want)
			}
		}
	}
	// Outside, the density is 0.
	got := logF(t, "parameters { vector[2] z; } model { z ~ normal(0, 1) T[0, ]; }", "", 1, -1)
	if !math.IsInf(got, -1) {
		t.Errorf("%v outside of the truncation", got)
	}
	// Standard normal numbers above 0, by hand: 2 log(2 phi(z)).
	got = logF(t, "parameters { vector[2] z; } model { z ~ normal(0, 1) T[0, ]; }", "", 1, .5)
	if want := -1.0765827052894548; off(got, want) > 1e-7 {
		t.Errorf("%v, not %v", got, want)
	}
}
