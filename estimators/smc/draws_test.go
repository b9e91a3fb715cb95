package smc

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/models"
	"logzlab/models/stan"
	"logzlab/models/stan/program"
)

// Draws of programs have the moments of the posterior, Stan's names and its lp__ with all constants; the same seed
// gives the same draws.
func TestSample(t *testing.T) {
	const source = `data { int n; int k; } parameters { real<lower=0, upper=1> p; simplex[3] s; }
model { k ~ binomial(n, p); s ~ dirichlet([1, 2, 5]'); }`
	c, err := stan.Compile(source, []byte(`{"n": 10, "k": 3}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("m", program.Params{Tape: c.Tape}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Sample(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.Names, " "); got != "p s.1 s.2 s.3" || len(d.X) != 1000 || d.ESS < 500 {
		t.Fatalf("%d draws of %s, ESS %.0f", len(d.X), got, d.ESS)
	}
	for k, want := range []float64{1. / 3, 1. / 8, 2. / 8, 5. / 8} { // p has Beta(4, 8)
		var x []float64
		for _, row := range d.X {
			x = append(x, row[k])
		}
		mean, v := stats.MeanVar(x)
		if math.Abs(mean-want) > 5*math.Sqrt(v/500) {
			t.Errorf("the mean of %s is %.4f, want %.4f", d.Names[k], mean, want)
		}
	}
	for i, x := range d.X[:20] {
		p, s := x[0], x[1:]
		u := []float64{math.Log(p / (1 - p)), math.Log(2 * s[0] / (1 - s[0])), math.Log(s[1] / s[2])}
		if want := c.Tape.EvaluatorPool().LogF(u); math.Abs(d.LogF[i]-want) > 1e-9 {
			t.Errorf("lp__ is %.12g, want %.12g", d.LogF[i], want)
		}
	}
	again, err := Sample(m, 1)
	if err != nil || again.CSV("m") != d.CSV("m") {
		t.Error("the same seed gives other draws")
	}
	if lines := strings.Split(d.CSV("m"), "\n"); !strings.HasPrefix(lines[11], "lp__,p,s.1") {
		t.Errorf("the head is %q", lines[:13])
	}
}
