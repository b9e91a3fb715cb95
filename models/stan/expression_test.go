package stan

import (
	"fmt"
	"math"
	"testing"
)

// TestExpression compares the log of densities given as one expression with known values, including points at which the
// density underflows.
func TestExpression(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		at   []float64
		want float64
	}{
		{"exp(-x^2/2) * (1 + sin(3*x)^2)", []float64{.7}, -.245 + math.Log(1+math.Pow(math.Sin(2.1), 2))},
		{"exp(-x^2/2) * (1 + sin(3*x)^2)", []float64{100}, -5000 + math.Log(1+math.Pow(math.Sin(300), 2))},
		{"0.3 * exp(-x^2) + 0.7 * exp(-(x - 50)^2)", []float64{100}, math.Log(.7) - 2500},
		{"exp(-b^2 - a^2) / sqrt(pi)", []float64{2, 1}, -5 - .5*math.Log(math.Pi)},
		{"x^2 * e^(-x^2)", []float64{-3}, math.Log(9) - 9}, {"1 / (1 + x^2)", []float64{3}, -math.Log(10)},
		{"step(1 - abs(x))", []float64{.5}, 0},
	} {
		p, err := Expression(c.text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Compile(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Tape.EvaluatorPool().LogF(c.at); !(math.Abs(got-c.want) <= 1e-12*max(1, math.Abs(c.want))) {
			t.Errorf("%s at %v: %v, want %v", c.text, c.at, got, c.want)
		}
	}
	for _, bad := range []string{"", "2 * 3", "x +", "x ~ normal(0, 1)", "[x, y]", "f(x)", "x = 2"} {
		if _, err := Expression(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestPriors checks that the compiler finds the priors that a program states, and names parameters without a prior.
func TestPriors(t *testing.T) {
	t.Parallel()
	c, err := Compile(`data { int N; vector[N] y; }
parameters { real mu; real<lower=0> tau; vector[3] z; real a; real b;
  simplex[2] s; real<lower=0, upper=1> p; real c; }
transformed parameters { vector[3] th = mu + tau * z; }
model { mu ~ normal(0, 5); target += cauchy_lpdf(tau | 0, 5) - cauchy_lccdf(0 | 0, 5);
  for (k in 1:3) z[k] ~ std_normal();
  th ~ normal(0, 1); y ~ normal(a + b, tau); target += -square(c);
  b ~ normal(b, 1); }`, []byte(`{"N": 1, "y": [2]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range c.Parameters {
		got += fmt.Sprint(p.Name, p.Priors, p.Improper, " ")
	}
	want := "mu[normal] false tau[cauchy] false z[std_normal] false a[] true b[] true s[] false p[] false " +
		"c[target +=] false "
	if got != want {
		t.Errorf("%s\n%s", got, want)
	}
	if len(c.Notes) != 2 {
		t.Errorf("%v", c.Notes)
	}
}

// TestTable checks that data in a table are read by column name, and that sizes without a column are inferred from the
// numbers of rows and columns.
func TestTable(t *testing.T) {
	t.Parallel()
	src := `data { int N; int K; matrix[N, K] X; array[N] int y; vector[N] Age; } parameters { vector[K] beta; }
model { beta ~ normal(0, 1); y ~ bernoulli_logit(X * beta + Age); }`
	table := logF(t, src, "X.1,X.2,y,age\n1,2,0,3.5\n4,5,1,6.5\n7,8,1,0\n", .1, .2)
	json := logF(t, src, `{"N": 3, "K": 2, "X": [[1, 2], [4, 5], [7, 8]], "y": [0, 1, 1], "Age": [3.5, 6.5, 0]}`, .1, .2)
	if table != json {
		t.Errorf("%v of a table, %v of JSON", table, json)
	}
}
