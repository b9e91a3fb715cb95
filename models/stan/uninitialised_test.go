package stan

import (
	"strings"
	"testing"
)

// TestUninitialisedVariables checks that reading a variable before it has a value is an error with its name and
// position, and that an assigned NaN is a value.
func TestUninitialisedVariables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, want string }{
		{"real y; x ~ normal(y, 1);", "line 2, column 28: y has no value here"},
		{"vector[2] y; y[1] = 1; x ~ normal(y[2], 1);", "column 43: y has no value here"},
		{"vector[2] y; y[1] = 1; x ~ normal(y, 1);", "column 43: y[2] has no value here"},
		{"vector[2] y; y[1] = 1; target += sum(x + y);", "column 50: y[2] has no value here"},
		{"int n; target += n * x;", "column 26: n has no value here"},
		{"real y; y += x; target += y;", "y has no value"},
		{"vector[2] y; for (i in 1:size(y)) y[i] = x; y ~ normal(0, 1);", ""},
		{"vector[2] y; y[1] = x; y[1:1] ~ normal(0, 1);", ""},
		{"vector[2] y; vector[2] z = y; z[1] = x; x ~ normal(z[1], 1);", ""},
		{"real y; if (x > 0) y = x; else y = -x; y ~ exponential(1);", ""},
		{"vector[3] y; y[1] = x; for (k in 2:3) y[k] = x * sum(head(y, k - 1)); target += sum(y);", ""},
		{"real y = not_a_number(); x ~ normal(0, is_nan(y) ? 1 : y);", ""},
	} {
		_, err := Compile("parameters { real x; }\nmodel { "+c.body+" }", nil, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
	const nan = "parameters { real x; } transformed parameters { real z = not_a_number(); } model { x ~ normal(0, 1); }"
	if _, err := Compile(nan, nil, nil); err != nil {
		t.Error(err)
	}
}
