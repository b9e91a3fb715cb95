package stan

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num/rng"
)

// TestInverse checks, for every type of parameter, that Posterior.Free returns the coordinates from which the values of
// the parameters were computed.
func TestInverse(t *testing.T) {
	t.Parallel()
	for _, declare := range []string{"real x", "real<lower=1> x", "real<upper=1> x", "real<lower=-1, upper=3> x",
		"real<offset=2, multiplier=3> x", "vector<lower=[0, -1]'>[2] x", "vector<lower=0, upper=[1, 2]'>[2] x",
		"matrix<lower=0>[2, 3] x", "matrix<lower=[[0, 1, 2], [3, 4, 5]]>[2, 3] x", "array[2, 2] matrix[2, 3] x",
		"array[2, 3] real<lower=0> x", "real<lower=negative_infinity(), upper=2> x", "row_vector<upper=1>[3] x",
		"simplex[1] x", "simplex[5] x", "sum_to_zero_vector[4] x", "array[2] sum_to_zero_vector[3] x",
		"sum_to_zero_vector[1] x", "row_stochastic_matrix[2, 3] x", "array[2] column_stochastic_matrix[3, 2] x",
		"sum_to_zero_matrix[3, 4] x", "array[2] sum_to_zero_matrix[2, 3] x", "sum_to_zero_matrix[1, 3] x",
		"array[2, 2] simplex[3] x", "ordered[3] x", "positive_ordered[3] x",
		"array[2] positive_ordered[2] x", "corr_matrix[4] x", "cov_matrix[3] x", "array[2] cov_matrix[2] x",
		"cholesky_factor_corr[4] x", "array[2] cholesky_factor_corr[3] x", "cholesky_factor_cov[3, 2] x",
		"cholesky_factor_cov[3] x", "array[2] corr_matrix[3] x",
		"real z; real<lower=z> y; vector<lower=y, upper=y + exp(z)>[2] x", "vector[2] z; vector<offset=z[1], " +
			"multiplier=exp(z[2])>[2] x", "vector[0] z; real<lower=0> x"} {
		p, err := Parse("parameters { " + declare + "; real last; } model { last ~ normal(0, 1); }")
		if err != nil {
			t.Fatalf("%s: %v", declare, err)
		}
		post, err := p.Posterior(nil)
		if err != nil {
			t.Fatalf("%s: %v", declare, err)
		}
		names := post.Tape.OutputNames()
		if got, want := strings.Join(post.Names(), " "), strings.Join(names, " "); got != want {
			t.Fatalf("%s: the names are %s, want %s", declare, got, want)
		}
		for draw := range uint32(20) {
			s := rng.NewKey(7, "inverse", 0).Stream(0, draw, 0)
			u, x, back := make([]float64, post.Dim()), make([]float64, len(names)), make([]float64, post.Dim())
			for i := range u {
				u[i] = 1.5 * s.Norm()
			}
			post.density.Outputs(u, x)
			if err := post.Free(x, &s, back); err != nil {
				t.Fatalf("%s: %v", declare, err)
			}
			for i := range u {
				if !(math.Abs(back[i]-u[i]) < 1e-9) {
					t.Errorf("%s: coordinate %d is %v, want %v", declare, i, back[i], u[i])
				}
			}
		}
	}
}

// TestInverseOfUnitVectors checks that the coordinates of a unit vector have its direction and a random length with the
// distribution that the program's density implies.
func TestInverseOfUnitVectors(t *testing.T) {
	t.Parallel()
	p, err := Parse("parameters { array[2] unit_vector[3] x; } model { }")
	if err != nil {
		t.Fatal(err)
	}
	post, err := p.Posterior(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := rng.NewKey(7, "inverse", 0).Stream(0, 0, 0)
	squares, u := 0., make([]float64, 6)
	const n = 4000
	for range n {
		if err := post.Free([]float64{.6, .6, 0, 0, .8, -.8}, &s, u); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			squares += u[i] * u[i]
		}
		if math.Abs(u[0]*.8-u[2]*.6) > 1e-9 || u[5] > 0 {
			t.Fatalf("the coordinates %v have another direction", u)
		}
	}
	if mean := squares / n; math.Abs(mean-3) > 5*math.Sqrt(6./n) {
		t.Errorf("the mean square of the length is %v, want 3", mean)
	}
	if !post.Underdetermined() {
		t.Error("there are no unit vectors")
	}
}

// TestOutside checks that values outside of a constraint give an error that names them and suggests more digits.
func TestOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declare string
		x       []float64
		want    string
	}{
		{"real<lower=0> x", []float64{-1}, "x is -1, which is at or beyond a bound of x"},
		{"real<lower=0> x", []float64{0}, "x is 0, which"},
		{"vector<lower=0, upper=1>[2] x", []float64{.5, 1}, "x.2 is 1, which"},
		{"array[2] matrix<lower=0>[2, 2] x", []float64{1, 1, 1, 1, 1, -1, 1, 1}, "x.2.1.2 is -1, which"},
		{"real<lower=0> x", []float64{math.NaN()}, "x is NaN, which"},
		{"real<lower=0> x", []float64{math.Inf(1)}, "x is +Inf, which"},
		{"simplex[2] x", []float64{.5, .6}, "but x is not a valid simplex"},
		{"simplex[2] x", []float64{1, 0}, "but x is not a valid simplex"},
		{"ordered[2] x", []float64{1, 1}, "but x is not a valid ordered"},
		{"positive_ordered[2] x", []float64{-1, 1}, "but x is not a valid positive_ordered"},
		{"corr_matrix[2] x", []float64{1, .5, .4, 1}, "but x is not a valid corr_matrix"},
		{"corr_matrix[2] x", []float64{1, .5, .5, 2}, "but x is not a valid corr_matrix"},
		{"corr_matrix[2] x", []float64{1, 1.5, 1.5, 1}, "but x is not a valid corr_matrix"},
		{"cov_matrix[2] x", []float64{1, 2, 2, 1}, "but x is not a valid cov_matrix"},
		{"cholesky_factor_corr[2] x", []float64{1, .5, 0, .5}, "but x is not a valid cholesky_factor_corr"},
		{"cholesky_factor_cov[2] x", []float64{1, .5, .1, .5}, "but x is not a valid cholesky_factor_cov"},
		{"cholesky_factor_cov[2] x", []float64{1, .5, 0, -.5}, "but x is not a valid cholesky_factor_cov"},
		{"unit_vector[2] x", []float64{.5, .5}, "but x is not a valid unit_vector"},
		{"unit_vector[2] x", []float64{0, 0}, "but x is not a valid unit_vector"},
	} {
		p, err := Parse("parameters { " + c.declare + "; } model { }")
		if err != nil {
			t.Fatal(err)
		}
		post, err := p.Posterior(nil)
		if err != nil {
			t.Fatalf("%s: %v", c.declare, err)
		}
		s := rng.NewKey(7, "inverse", 0).Stream(0, 0, 0)
		if err := post.Free(c.x, &s, make([]float64, post.Dim())); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.declare, c.x, err)
		}
	}
}
