package stan

import (
	"math"
	"strings"
	"testing"

	"logzlab/models/stan/lang"
)

// TestJacobians checks that the log density of a program with a declaration only is the log Jacobian of its free
// elements, computed by finite differences.
func TestJacobians(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ declare, free string }{
		{"real<lower=1> x", "x"}, {"real<upper=1> x", "x"}, {"real<lower=-1, upper=3> x", "x"},
		{"real<offset=2, multiplier=3> x", "x"}, {"vector<lower=[0, -1]'>[2] x", "x.1 x.2"},
		{"vector<lower=0, upper=[1, 2]'>[2] x", "x.1 x.2"}, {"matrix<lower=0>[2, 2] x", "x.1.1 x.2.1 x.1.2 x.2.2"},
		{"array[2] real<lower=0> x", "x.1 x.2"}, {"real<lower=negative_infinity(), upper=2> x", "x"},
		{"simplex[4] x", "x.1 x.2 x.3"}, {"ordered[3] x", "x.1 x.2 x.3"}, {"positive_ordered[3] x", "x.1 x.2 x.3"},
		{"corr_matrix[4] x", "x.2.1 x.3.1 x.4.1 x.3.2 x.4.2 x.4.3"}, {"cov_matrix[3] x",
			"x.1.1 x.2.1 x.2.2 x.3.1 x.3.2 x.3.3"},
		{"cholesky_factor_corr[4] x", "x.2.1 x.3.1 x.3.2 x.4.1 x.4.2 x.4.3"},
		{"cholesky_factor_cov[3, 2] x", "x.1.1 x.2.1 x.2.2 x.3.1 x.3.2"},
		{"array[2] simplex[2] x", "x.1.1 x.2.1"}, {"vector[0] z; real<lower=0> x", "x"},
	} {
		p, err := Compile("parameters { "+c.declare+"; real last; } model { target += -square(last); }", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.declare, err)
			continue
		}
		free := strings.Fields(c.free)
		at := make([]float64, len(free)+1)
		for i := range free {
			at[i] = .7 - .45*float64(i)
		}
		names := p.Tape.OutputNames()
		show := func(x []float64) map[string]float64 {
			out := make([]float64, len(names))
			p.Tape.EvaluatorPool().Outputs(x, out)
			m := map[string]float64{}
			for i, n := range names {
				m[n] = out[i]
			}
			return m
		}
		n := len(free)
		jac := make([]float64, n*n)
		for j := range n {
			const h = 1e-5
			at[j] += h
			up := show(at)
			at[j] -= 2 * h
			down := show(at)
			at[j] += h
			for i, name := range free {
				jac[i*n+j] = (up[name] - down[name]) / (2 * h)
			}
		}
		want := 0.
		for _, v := range lang.Eliminate(jac, make([]float64, n*n), n) {
			want += math.Log(math.Abs(v))
		}
		if got := p.Tape.EvaluatorPool().LogF(at); !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%s: log Jacobian %v, want %v; %v", c.declare, got, want, show(at))
		}
	}
}

// TestSumToZeroIsIsometric checks that the sum-to-zero transform keeps lengths: with a normal prior on the vector, the
// coordinates have a standard normal distribution.
func TestSumToZeroIsIsometric(t *testing.T) {
	t.Parallel()
	for declare, elements := range map[string]int{"sum_to_zero_vector[4] x": 4, "sum_to_zero_matrix[3, 4] x": 12,
		"array[2] sum_to_zero_matrix[2, 3] x": 12} {
		prior := "to_vector(x) ~ normal(0, 1);"
		if strings.HasPrefix(declare, "array") {
			prior = "for (i in 1:2) to_vector(x[i]) ~ normal(0, 1);"
		}
		p, err := Compile("parameters { "+declare+"; } model { "+prior+" }", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", declare, err)
			continue
		}
		u, want := make([]float64, p.Tape.Dim()), -.5*float64(elements)*math.Log(2*math.Pi)
		for i := range u {
			u[i] = 1.3 - .8*float64(i)
			want -= .5 * u[i] * u[i]
		}
		if got := p.Tape.EvaluatorPool().LogF(u); !(math.Abs(got-want) < 1e-12*math.Abs(want)) {
			t.Errorf("%s: %v, want %v", declare, got, want)
		}
	}
}
