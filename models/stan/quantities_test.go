package stan

import (
	"math"
	"strings"
	"testing"
)

// TestGeneratedQuantitiesAreSkipped checks that any contents of generated quantities, and of functions that only they
// call, are accepted.
func TestGeneratedQuantitiesAreSkipped(t *testing.T) {
	t.Parallel()
	const model = "parameters { real x; } model { x ~ normal(0, 1); } "
	want := -.5*.09 - .5*math.Log(2*math.Pi)
	for _, src := range []string{
		model + "generated quantities { }",
		model + "generated quantities { complex z = to_complex(1, x); complex w = 2i * z + 1.5e3i; }",
		model + "generated quantities { real y = no_such_function(x); array[3] int k = normal_rng(x, 1); }",
		model + "generated quantities { real l = normal_lupdf(x | 0, 1); vector[2] v = laplace_latent_rng(x); }",
		model + "generated quantities { // a }\n/* } */ print(\"}}{ // \"); if (x > 0) { real @ = 1; } # }\n }",
		"functions { complex f(complex z, real a) { complex_vector[2] v = [z, 2i]'; return v[1] * 3i; } } " + model +
			"generated quantities { complex z = f(1i, x); }",
		"functions { real f(real a) { return no_such_function(a); } real g(real a) { return f(a) + normal_rng(a, 1); } } " +
			model + "generated quantities { real y = g(x); }",
		"functions { real f(real a) { return undeclared; } real g(real a) { return a; } } parameters { real x; } " +
			"model { x ~ normal(0, g(1)); }",
	} {
		if got := logF(t, src, "", .3); math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: %v, not %v", src, got, want)
		}
	}
	for src, want := range map[string]string{
		model + "generated quantities { if (x > 0) { }":                                                     "line 1, column 73: this block is not closed",
		model + "generated quantities { /* }":                                                               "this comment is not closed",
		model + "generated quantities { print(\"}); }\n}":                                                   "this string is not closed",
		model + "generated quantities { } }":                                                                `found "}", expected the name of a block`,
		"functions { complex f(complex z) { return z; } } parameters { real x; } model { target += f(x); }": "line 1, column 13: the type complex is not supported",
		"functions { real f(real a) { return (a; } } parameters { real x; } model { x ~ normal(0, 1); }":    `found ";", expected ")"`,
		"functions { real f(real a) { return a + 2i; } } parameters { real x; } model { x ~ normal(f(1), 1); }": "complex numbers are not " +
			"supported",
		"functions { real f(real a) { return undeclared; } } parameters { real x; } model { x ~ normal(f(1), 1); }": "line 1, column 37: undeclared is not declared",
	} {
		if _, err := Compile(src, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", src, err, want)
		}
	}
}

// TestVariablesNamedAsDensities checks that names of variables may end in suffixes of densities such as _lpdf.
func TestVariablesNamedAsDensities(t *testing.T) {
	t.Parallel()
	got := logF(t, "parameters { real mu_lpdf; } model { mu_lpdf ~ normal(0, 1); target += mu_lpdf; }", "", .3)
	if want := -.5*.09 - .5*math.Log(2*math.Pi) + .3; math.Abs(got-want) > 1e-14 {
		t.Errorf("%v, not %v", got, want)
	}
}
