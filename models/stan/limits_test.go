package stan

import (
	"strings"
	"testing"
	"time"

	"logzlab/models/stan/syntax"
)

// TestLimits checks that programs that would take too long or too much memory end with an error that names the limit.
func TestLimits(t *testing.T) {
	head := "parameters { real u; } model { "
	for src, want := range map[string]string{
		head + "for (i in 1:1000000000) { } }":                                                                        "a loop of 1000",
		head + "while (1) { } }":                                                                                      "steps",
		head + "real s = 0; while (1) { s += 1.5 * s; } }":                                                            "steps",
		head + "for (i in 1:10000) for (j in 1:10000) { real s = i * j; } }":                                          "steps",
		head + "for (i in 1:4000000) target += square(u + i); }":                                                      "too long",
		head + "for (i in 1:4000000) { vector[3] v = rep_vector(i, 3); v[2] = v[1]; } }":                              "steps",
		head + "for (i in 1:100000000) { vector[1000] v = rep_vector(i, 1000); } }":                                   "a loop of 1000",
		head + "array[100000, 100000] real x; }":                                                                      "too many",
		head + "array[2000000000, 2000000000, 2000000000, 2000000000] real x; }":                                      "too many",
		head + "vector[7000000] a; vector[7000000] b; }":                                                              "too many",
		head + "matrix[2000, 2000] a = rep_matrix(1, 2000, 2000); a = a * a * a * a; }":                               "steps",
		head + "target += " + strings.Repeat("(", 1000) + "u" + strings.Repeat(")", 1000) + "; }":                     "nested more than",
		head + strings.Repeat("{", 1000) + strings.Repeat("}", 1000) + "}":                                            "nested more than",
		head + "target += u" + strings.Repeat("+u", 5000) + "; }":                                                     "operators in a row",
		"functions { real f(real x) { return g(x); } real g(real x) { return f(x); } } " + head + "target += f(u); }": "calls itself",
		strings.Repeat(" ", syntax.MaxSource+1):                                                                       "bytes",
		"parameters { vector[1000000] u; } model { u ~ normal(0, 1); }":                                               "coordinates",
	} {
		start := time.Now()
		_, err := Compile(src, nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", src, err, want)
		}
		t.Logf("%.2f s: %.60s", time.Since(start).Seconds(), src)
	}
}
