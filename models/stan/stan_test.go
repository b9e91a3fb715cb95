package stan

import (
	"math"
	"testing"
)

func logF(t *testing.T, src, data string, x ...float64) float64 {
	t.Helper()
	c, err := Compile(src, []byte(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Tape.EvaluatorPool().LogF(x)
}

func TestFirst(t *testing.T) {
	got := logF(t, `data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
transformed parameters { vector[N] z = (y - mu) ./ s; }
model { mu ~ normal(0, 1); for (n in 1:N) y[n] ~ normal(mu, s); target += -0.5 * dot_self(z); }`,
		`{"N":2,"y":[1,2.5]}`, 0.3, 0.2)
	s := math.Exp(.2)
	n := func(y, m, s float64) float64 { return -.5*(y-m)*(y-m)/s/s - math.Log(s) - .5*math.Log(2*math.Pi) }
	want := .2 + n(.3, 0, 1) + n(1, .3, s) + n(2.5, .3, s) - .5*(.7*.7+2.2*2.2)/s/s
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestConstantsAreNotContiguous checks a vector that mixes a constant with coordinates, which needs a gather operation,
// and a vector of equal elements.
func TestConstantsAreNotContiguous(t *testing.T) {
	t.Parallel()
	got := logF(t, "parameters { vector[2] a; } model { target += log_sum_exp(append_row(0, a) * 2); }", "", .1, .2)
	if want := math.Log(1 + math.Exp(.2) + math.Exp(.4)); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v, want %v", got, want)
	}
	got = logF(t, "parameters { real a; } model { target += sum(exp([0.25, 0.25] * a)); }", "", 2)
	if want := 2 * math.Exp(.5); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v, want %v", got, want)
	}
}
