package stan

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/stan/tape"
)

// priorOf compiles a program and returns the tapes of its prior, or nil tapes and the reason why there are none.
func priorOf(t *testing.T, source, data string) (density, draws *tape.Tape, why string) {
	t.Helper()
	c, err := Compile(source, []byte(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Tape.Note(tape.NotePrior) == "" {
		return nil, nil, c.Tape.Note(tape.NoteNoPrior)
	}
	for to, key := range map[**tape.Tape]string{&density: tape.NotePrior, &draws: tape.NoteDraws} {
		if *to, err = tape.Read([]byte(c.Tape.Note(key))); err != nil {
			t.Fatal(err)
		}
	}
	if density.Dim() != c.Tape.Dim() || len(draws.OutputNames()) != c.Tape.Dim() {
		t.Fatal("sizes")
	}
	return density, draws, ""
}

// drawsOf returns n draws from a prior, by rows.
func drawsOf(draws *tape.Tape, n int) [][]float64 {
	p, out, key := draws.EvaluatorPool(), make([][]float64, n), rng.NewKey(4, "test", 0)
	for i := range out {
		z, s := make([]float64, draws.Dim()), key.Stream(0, uint32(i), 0)
		s.Norms(z)
		out[i] = make([]float64, len(draws.OutputNames()))
		p.Outputs(z, out[i])
	}
	return out
}

// near fails the test if the mean of x differs from want by more than its standard error allows.
func near(t *testing.T, what string, x []float64, want float64) {
	t.Helper()
	sum, squares := 0., 0.
	for _, v := range x {
		sum += v
		squares += v * v
	}
	n := float64(len(x))
	mean := sum / n
	if se := math.Sqrt((squares/n - mean*mean) / n); !(math.Abs(mean-want) < 5*se+1e-9) {
		t.Errorf("%s: mean %.4f +- %.4f, not %g", what, mean, se, want)
	}
}

// TestDrawsFollowPriors checks that draws have the density p of the prior: the mean of the gradient of log p is 0, and
// the mean of a coordinate times its partial derivative is -1.
func TestDrawsFollowPriors(t *testing.T) {
	files, _ := filepath.Glob("testdata/*/*.json")
	found := 0
	for _, f := range files {
		base := strings.TrimSuffix(f, ".json")
		source, err := os.ReadFile(base + ".stan")
		if err != nil || strings.Contains(f, "refused") {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Compile(string(source), data, nil); err != nil {
			continue // the program uses a function that is not supported
		}
		density, draws, _ := priorOf(t, string(source), string(data))
		if density == nil {
			continue
		}
		found++
		name, dim, p := filepath.Base(base), density.Dim(), density.EvaluatorPool()
		slopes, products := make([][]float64, dim), make([][]float64, dim)
		slope := make([]float64, dim)
		for _, x := range drawsOf(draws, 1500) {
			if f := p.Gradient(x, slope); !num.Finite(f) {
				continue // rounding has moved the draw onto a bound
			}
			for k, v := range slope {
				slopes[k], products[k] = append(slopes[k], v), append(products[k], v*x[k])
			}
		}
		for k := range dim {
			near(t, name+": slope", slopes[k], 0)
			near(t, name+": product", products[k], -1)
		}
	}
	if found < 55 {
		t.Errorf("priors of %d programs are found", found)
	}
}

// TestPriorsAreNormalised checks that the prior density p is normalised, also for truncated priors: for a normalised
// density h, the mean of h/p over draws is 1.
func TestPriorsAreNormalised(t *testing.T) {
	for _, c := range []struct{ parameters, model string }{
		{"real<lower=0> s;", "s ~ cauchy(0, 5);"},
		{"real<lower=0> s;", "s ~ cauchy(0, 5) T[0, ];"},
		{"real<upper=2> s;", "s ~ student_t(3, 2, 5);"},
		{"real<lower=0> s;", "s ~ normal(1, 2);"},
		{"real<lower=-1, upper=1> s;", "s ~ normal(.3, .5);"},
		{"real<lower=-1, upper=1> s;", "s ~ normal(.3, .5) T[-1, 1];"},
		{"real<lower=0> t; real<lower=0> s;", "s ~ normal(0, t) T[0, ]; t ~ lognormal(0, 1);"},
		{"real<lower=1.5> s;", "s ~ exponential(.7);"},
		{"real<lower=-2, upper=3> s;", ""},
		{"real<lower=0, upper=9> s;", "s ~ uniform(0, 9);"},
		{"ordered[3] s;", "s ~ normal(1, 2);"},
		{"simplex[4] s;", "s ~ dirichlet([1, 2, .5, 3]');"},
		{"array[2] simplex[3] s;", "for (k in 1:2) s[k] ~ dirichlet([1, 2, 2.5]');"},
		{"corr_matrix[3] s;", "s ~ lkj_corr(2);"},
		{"cholesky_factor_corr[3] s;", "s ~ lkj_corr_cholesky(1.5);"},
		{"vector[2] s; real m;", "s ~ multi_normal([m, 1]', [[2, 1], [1, 3]]); m ~ normal(2, 1);"},
		{"real<lower=0> a; real<lower=a> s;", "s ~ uniform(a, a + 2); a ~ gamma(2, 1);"},
		{"vector<offset=2, multiplier=3>[2] s;", "s[1] ~ logistic(1, 2); s[2] ~ double_exponential(s[1], 2);"},
		{"real<lower=0> a; real<lower=0> b; real<lower=0> c; real d;", "a ~ weibull(2, 3); b ~ frechet(3, 1); " +
			"c ~ rayleigh(2); d ~ gumbel(1, 2);"},
		{"real<lower=0> a; real<lower=0> b; real<lower=0> c; real<lower=0> d;", "a ~ inv_gamma(2, 3); b ~ chi_square(3); " +
			"c ~ scaled_inv_chi_square(4, 2); d ~ loglogistic(2, 3);"},
		{"real<lower=0> a; real<lower=0, upper=1> b;", "a ~ inv_chi_square(3); b ~ beta(2, 1.5);"},
		{"vector[3] x;", "x[2:3] ~ normal(x[1:2], 1.5); x[1] ~ normal(0, 2);"},
	} {
		density, draws, why := priorOf(t, "parameters { "+c.parameters+" } model { "+c.model+" }", "")
		if density == nil {
			if c.model != "" {
				t.Errorf("%s: %s", c.model, why)
			}
			continue
		}
		dim, p, rows := density.Dim(), density.EvaluatorPool(), drawsOf(draws, 40000)
		middle, width := make([]float64, dim), make([]float64, dim)
		for k := range dim {
			column := make([]float64, len(rows))
			for i, x := range rows {
				column[i] = x[k]
			}
			slices.Sort(column)
			n := len(column)
			middle[k], width[k] = column[n/2], (column[2*n/3]-column[n/3])/2
		}
		weights := make([]float64, len(rows))
		for i, x := range rows {
			h := 0.
			for k := range x {
				z := (x[k] - middle[k]) / width[k]
				h -= .5*z*z + math.Log(width[k]) + .5*math.Log(2*math.Pi)
			}
			weights[i] = math.Exp(h - p.LogF(x))
		}
		near(t, c.parameters+" "+c.model, weights, 1)
	}
}

// TestNoPrior checks the reasons for programs whose prior cannot be drawn.
func TestNoPrior(t *testing.T) {
	for _, c := range []struct{ parameters, model, why string }{
		{"real s; real t;", "s ~ normal(0, 1);", "missing t"},
		{"real s;", "s ~ normal(0, 1); s ~ normal(1, 1);", "twice s"},
		{"real s; real t;", "s ~ normal(t, 1); t ~ normal(s, 1);", "circle s"},
		{"real<lower=0> s;", "s ~ gamma(.3, 1);", "shapes gamma"},
		{"real s;", "s ~ skew_normal(0, 1, 2);", "family skew_normal"},
		{"real<lower=0> s; real t;", "s ~ normal(t, 1); t ~ normal(0, 1);", "cut s"},
		{"unit_vector[3] s;", "s ~ normal(0, 1);", "shape s"},
		{"real s;", "s ~ normal([0, 1]', 1);", "twice s"},
		{"simplex[3] s;", "s[2:3] ~ dirichlet([1, 1]');", "family dirichlet"},
		{"real s;", "exp(s) ~ normal(0, 1);", "missing s"},
	} {
		_, _, why := priorOf(t, "parameters { "+c.parameters+" } model { "+c.model+" }", "")
		if got := strings.ReplaceAll(why, "\n", " "); got != c.why {
			t.Errorf("%s: %q, not %q", c.model, got, c.why)
		}
	}
}
