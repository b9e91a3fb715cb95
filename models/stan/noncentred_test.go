package stan

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/models/stan/tape"
)

// TestNonCentred checks that the log density of the non-centred tape is that of the program, at the parameters in the
// outputs of the tape, plus the log Jacobian.
func TestNonCentred(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source string
		moved  int // number of reparametrised coordinates
		logs   int // number of parameters with the lower bound 0, which come first
	}{
		{"parameters { real<lower=0> s; real m; vector[2] x; } model { m ~ normal(0, 1); s ~ gamma(2, 1); " +
			"x ~ normal(m, s); target += -square(x[1] - 3); }", 2, 1},
		{"parameters { vector[3] x; real u; } model { x[1] ~ normal(0, 1); u ~ normal(0, 1); " +
			"for (i in 2:3) x[i] ~ student_t(4, x[i - 1], exp(u)); }", 2, 0},
		{"parameters { vector<lower=0>[2] g; real u; } model { u ~ normal(0, 1); g ~ lognormal(u, exp(u)); }", 2, 2},
		{"parameters { real x; real y; } model { x ~ normal(y, exp(y)); y ~ normal(x, exp(x)); }", 1, 0}, // a circle
		{"parameters { real m; vector[2] x; } model { m ~ normal(0, 1); x ~ normal(m, 2); }", 0, 0},
		{"parameters { vector<lower=0>[2] x; real s; } model { s ~ normal(0, 1); x ~ normal(0, exp(s)); }", 0, 2},
		{"parameters { real<lower=0> s; vector<multiplier=s>[2] x; } model { s ~ gamma(2, 1); x ~ normal(0, s); }", 0, 1},
	} {
		p, err := Compile(c.source, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		family, err := tape.Read([]byte(p.Tape.Note(tape.NoteNonCentred)))
		if (err == nil) != (c.moved > 0) {
			t.Errorf("%s: %v", c.source, err)
		}
		if err != nil {
			continue
		}
		own, n, s := p.Tape.EvaluatorPool(), p.Tape.Dim(), rng.NewKey(4, "test", 0).Stream(0, 0, 0)
		for round := range 5 { // p = h = 0 in the first round, random p and h in the others
			data := make([]float64, family.Dim()-n)
			if round > 0 {
				s.Norms(data)
			}
			for i := 0; i < len(data); i += 2 {
				data[i] = math.Abs(data[i])
			}
			other, err := family.FixLast(data)
			if err != nil {
				t.Fatal(err)
			}
			its := other.EvaluatorPool()
			z, shown, back := make([]float64, n), make([]float64, len(other.OutputNames())), make([]float64, n)
			s.Norms(z)
			its.Outputs(z, shown)
			u, moved := append([]float64(nil), shown[:n]...), 0
			for k := range u {
				if k < c.logs {
					u[k] = math.Log(u[k])
				}
				if math.Abs(u[k]-z[k]) > 1e-12 {
					moved++
				}
			}
			own.Outputs(u, back)
			for k, x := range back {
				if !(math.Abs(x-shown[k]) <= 1e-12*max(1, math.Abs(x))) {
					t.Errorf("%s: parameter %d is %g, not %g", c.source, k, shown[k], x)
				}
			}
			if f, g := its.LogF(z), own.LogF(u)+shown[n]; !(math.Abs(f-g) < 1e-9) || moved != c.moved {
				t.Errorf("%s: %g, not %g; %d coordinates are moved", c.source, f, g, moved)
			}
		}
	}
}
