package catalog_test

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/estimators/lab"
	"logzlab/internal/answers"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/density"
)

// pima returns the logistic regression of diabetes (pima.dat) on an intercept and the standardised columns, with
// independent normal priors of the given precision.
func pima(t *testing.T, precision float64, columns ...int) models.Model {
	t.Helper()
	var x [][]float64
	var y []float64
	for line := range strings.Lines(string(answers.Read(t, "pima.dat"))) {
		row := []float64{1}
		var all []float64
		for _, word := range strings.Fields(line) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		for _, k := range columns {
			row = append(row, all[k])
		}
		x, y = append(x, row), append(y, 2*all[0]-1)
	}
	d, sd := 1+len(columns), 1/math.Sqrt(precision)
	base := func(b []float64) float64 {
		return num.Mul(-.5*precision, num.Dot(b, b)) + num.Mul(.5*float64(d), num.Log(precision)-num.Log2Pi)
	}
	m, err := density.New(models.Info{Name: "pima", Kind: "own"}, density.Density{Dim: d, Unimodal: true, LogBase: base,
		DrawBase: func(s *rng.Stream, b []float64) {
			for i := range b {
				b[i] = num.Mul(sd, s.Norm())
			}
		},
		LogF: func(b []float64) float64 {
			sum := base(b)
			for i, row := range x {
				sum -= num.Softplus(-num.Mul(y[i], num.Dot(b, row)))
			}
			return sum
		}}, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Wide priors are far from the posterior, and auto still finds the evidence, with proposals that have the shape of the
// posterior; smc and aisel find it on ladders from a pilot. Exact values are by importance sampling in another program,
// to .0013 (testdata/README.md).
func TestPima(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	m1, m2 := []int{1, 2, 5, 6}, []int{1, 2, 5, 6, 7}
	cases := []struct {
		method           string
		precision, exact float64
		columns          []int
		most             float64 // of the error bar
	}{{"auto", .01, -257.2335, m1, .1}, {"smc", .01, -257.2335, m1, .25}, {"aisel", .01, -257.2335, m1, 1},
		{"auto", 1, -247.5627, m2, .1}, {"auto", .01, -259.8576, m2, .1}, {"auto", 1, -247.3059, m1, .1}}
	for _, c := range cases[:tier.Size(3, 3, 6)] {
		r, err := lab.Lab{}.Estimate(context.Background(), pima(t, c.precision, c.columns...), c.method)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, precision %g: %.4f +- %.4f, exact %.4f", c.method, c.precision, r.LogZ, r.SE, c.exact)
		if off := math.Abs(float64(r.LogZ) - c.exact); off > 4*float64(r.SE) || !(float64(r.SE) <= c.most) {
			t.Errorf("%s, precision %g: %.4f +- %.4f, exact %.4f", c.method, c.precision, r.LogZ, r.SE, c.exact)
		}
	}
}
