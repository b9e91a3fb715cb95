package conjugate

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// kinds reads files of the family.
var kinds = models.Kinds{&LinregKind, &BetabinomKind, &NIGKind}

const (
	goodLinreg    = `{"kind":"linreg","X":[[1,0.5],[1,2],[1,-1]],"y":[1,2,0.5],"s2":0.5,"t2":4}`
	goodBetabinom = `{"kind":"betabinom","a":2,"b":3,"k":5,"n":9}`
	goodNIG       = `{"kind":"nig","y":[1,2.5,-0.5],"m0":1,"k0":0.5,"a0":2,"b0":3}`
)

func TestConjugateFiles(t *testing.T) {
	for text, want := range map[string]models.File{
		goodLinreg: LinregParams{D: 2, X: []float64{1, .5, 1, 2, 1, -1}, Y: []float64{1, 2, .5}, S2: .5, T2: 4},
		strings.Replace(goodBetabinom, `"a"`, `"logZ":3,"name":"coin","a"`, 1): BetabinomParams{A: 2, B: 3, K: 5, N: 9},
		goodNIG: NIGParams{Y: []float64{1, 2.5, -.5}, M0: 1, K0: .5, A0: 2, B0: 3},
	} {
		if f, err := kinds.ReadFile([]byte(text), nil); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
	for _, c := range [][4]string{
		{goodLinreg, `"X":[[1,0.5],[1,2],[1,-1]],`, ``, "X is missing or empty"},
		{goodLinreg, `[1,2]`, `[1]`, "X is ragged: row 1 has 1 columns, row 0 has 2"},
		{goodLinreg, `[1,2]`, `[1,null]`, "null"},
		{goodLinreg, `[1,2]`, `[1,2e7]`, "X[1][1] = 2e+07 must be between -1e+06 and 1e+06"},
		{goodLinreg, `"y":[1,2,0.5],`, ``, "y has 0 values; it must have 3"},
		{goodLinreg, `"y":[1,2,0.5]`, `"y":[1,2]`, "y has 2 values; it must have 3"},
		{goodLinreg, `"y":[1,2,0.5]`, `"y":[1,2,1e9]`, "y[2] = 1e+09"},
		{goodLinreg, `"y":[1,2,0.5]`, `"y":[1,2,NaN]`, "not valid JSON"},
		{goodLinreg, `"s2":0.5,`, ``, "s2 is missing"},
		{goodLinreg, `"s2":0.5`, `"s2":0`, "s2 = 0 must be between 1e-09 and 1e+09"},
		{goodLinreg, `"t2":4`, `"t2":-4`, "t2 = -4"}, {goodLinreg, `"t2":4`, `"t2":"4"`, `t2: "4" is not a number`},
		{goodLinreg, `"X"`, `"x"`, "the field x must be written X"},
		{goodLinreg, `[[1,0.5],[1,2],[1,-1]]`, "[[" + strings.Repeat("1,", 100) + "1]]", "at most 100000 and 100"},
		{goodBetabinom, `"a":2,`, ``, "a is missing"}, {goodBetabinom, `"b":3`, `"b":0`, "b = 0 must be"},
		{goodBetabinom, `"b":3`, `"b":1e9`, "b = 1e+09"}, {goodBetabinom, `"k":5`, `"k":5.5`, "5.5 is not a whole number"},
		{goodBetabinom, `"k":5`, `"k":-1`, "k = -1"},
		{goodBetabinom, `"k":5`, `"k":10`, "k = 10 successes are more than n = 9"},
		{goodBetabinom, `,"n":9`, ``, "n is missing"}, {goodBetabinom, `"n":9`, `"n":0`, "n = 0"},
		{goodNIG, `"y":[1,2.5,-0.5],`, ``, "y has 0 values"}, {goodNIG, `2.5`, `2.5e8`, "y[1] = 2.5e+08"},
		{goodNIG, `"m0":1,`, ``, "m0 is missing"}, {goodNIG, `"k0":0.5`, `"k0":0`, "k0 = 0"},
		{goodNIG, `"a0":2`, `"a0":0.01`, "a0 = 0.01 must be between 0.1"}, {goodNIG, `,"b0":3`, ``, "b0 is missing"},
	} {
		text := strings.Replace(c[0], c[1], c[2], 1)
		if f, err := kinds.ReadFile([]byte(text), nil); err == nil || f != nil || !strings.Contains(err.Error(),
			c[3]) {
			t.Errorf("%s: %v, error %v, want one that contains %q", text, f, err, c[3])
		}
	}
	// Two collinear columns are allowed with a tight prior, and an error with a prior too wide to separate them.
	alike := strings.Replace(goodLinreg, `[[1,0.5],[1,2],[1,-1]]`, `[[1,1],[2,2],[3,3]]`, 1)
	for t2, good := range map[string]bool{"4": true, "1e9": false} {
		f, err := kinds.ReadFile([]byte(strings.Replace(alike, `"t2":4`, `"t2":`+t2, 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := models.FromFile("own", f, nil, nil); (err == nil) != good {
			t.Errorf("t2 = %s: %v", t2, err)
		}
	}
}

// conjugateFile opens a file of one of these kinds.
func conjugateFile(t *testing.T, text string, v spec.Values) *Model {
	t.Helper()
	f, err := kinds.ReadFile([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", f, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Model)
}

// log Z, log Z(beta) and its first two derivatives, the mean and variance of the log likelihood, equal the public known
// answers.
func TestConjugateTruth(t *testing.T) {
	for _, name := range []string{"public_linreg", "public_betabinom"} {
		truth := labtest.ReadTruth(t, name)
		var more struct {
			Mean []float64 `json:"mean_loglik"`
			Var  []float64 `json:"var_loglik"`
			More struct {
				Betas []float64
				LogZ  []float64 `json:"logZ_ladder"`
			} `json:"power5_ladder"`
		}
		if err := json.Unmarshal(truth.Content, &more); err != nil {
			t.Fatal(err)
		}
		m := labtest.Open(t, truth, nil, kinds.ReadFile, models.FromFile).(*Model)
		labtest.Near(t, name, m.Truth().LogZ, truth.LogZ.(float64), 1e-9)
		for _, l := range [][2][]float64{{truth.Betas, truth.LogZs}, {more.More.Betas, more.More.LogZ}} {
			got, err := m.LadderLogZ(l[0])
			if err != nil {
				t.Fatal(err)
			}
			for k, beta := range l[0] {
				labtest.Near(t, fmt.Sprint(name, " at ", beta), got[k], l[1][k], 1e-9)
			}
		}
		for k, beta := range truth.Betas {
			if k == 0 || k == len(truth.Betas)-1 {
				continue
			}
			const h = 1e-3
			z, _ := m.LadderLogZ([]float64{beta - h, beta, beta + h})
			labtest.Near(t, "mean", (z[2]-z[0])/(2*h), more.Mean[k], 1e-3*math.Abs(more.Mean[k]))
			labtest.Near(t, "variance", (z[2]-2*z[1]+z[0])/(h*h), more.Var[k], 1e-3*more.Var[k])
		}
	}
}

// The second derivative of log Z(beta), the variance of d log f_beta / d beta, gives the variances of annealing with
// infinitely many steps: its integral for the linear schedule, and the squared integral of its square root for the
// optimal one ([VAROPT]).
func TestLinregScheduleVariance(t *testing.T) {
	truth := labtest.ReadTruth(t, "public_schedules")
	var want struct {
		Linreg struct {
			Linear float64 `json:"F_linear"`
			Opt    float64 `json:"F_opt"`
		} `json:"public_linreg"`
	}
	if err := json.Unmarshal(truth.Content, &want); err != nil {
		t.Fatal(err)
	}
	m := labtest.Open(t, labtest.ReadTruth(t, "public_linreg"), nil, kinds.ReadFile, models.FromFile).(*Model)
	g := func(beta float64) float64 {
		h := 1e-3 * beta
		z, _ := m.LadderLogZ([]float64{beta - h, beta, beta + h})
		return (z[2] - 2*z[1] + z[0]) / (h * h)
	}
	// beta = e^-t; below e^-14 there is 1e-6 times the variance at the prior.
	linear := quad.Fixed(func(t float64) float64 { return g(math.Exp(-t)) * math.Exp(-t) }, 0, 14, 200, nil, 0)
	opt := quad.Fixed(func(t float64) float64 { return math.Sqrt(g(math.Exp(-t))) * math.Exp(-t) }, 0, 14, 200, nil, 0)
	labtest.Near(t, "F of the linear schedule", linear, want.Linreg.Linear, 1e-3*want.Linreg.Linear)
	labtest.Near(t, "F of the best schedule", opt*opt, want.Linreg.Opt, 1e-3*want.Linreg.Opt)
}

// log Z(beta) of normal data equals a quadrature over mean and log variance of prior x likelihood^beta, written here
// from the definitions; for a coin it is an integral over p.
func TestConjugateQuadrature(t *testing.T) {
	y, prior := []float64{1, 2.5, -.5}, distuv.Gamma{Alpha: 2, Beta: 3}
	m := conjugateFile(t, goodNIG, nil)
	coin := conjugateFile(t, goodBetabinom, nil)
	for _, beta := range []float64{0, .3, 1} {
		got, err := m.LadderLogZ([]float64{beta})
		if err != nil {
			t.Fatal(err)
		}
		z := quad.Fixed(func(t float64) float64 {
			s2 := math.Exp(t)
			mu := distuv.Normal{Mu: 1, Sigma: math.Sqrt(s2 / .5)}
			inner := quad.Fixed(func(u float64) float64 { // mu in deviations of its prior
				x, lik := mu.Mu+mu.Sigma*u, 1.
				for _, v := range y {
					lik *= distuv.Normal{Mu: x, Sigma: math.Sqrt(s2)}.Prob(v)
				}
				return distuv.UnitNormal.Prob(u) * math.Pow(lik, beta)
			}, -9, 9, 200, nil, 0)
			return inner * prior.Prob(1/s2) / s2 // the density of t: 1/s2 has the gamma distribution
		}, -4, 16, 300, nil, 0)
		labtest.Near(t, fmt.Sprint("normal data at ", beta), got[0], math.Log(z), 1e-7)

		got, _ = coin.LadderLogZ([]float64{beta})
		z = quad.Fixed(func(p float64) float64 {
			return distuv.Beta{Alpha: 2, Beta: 3}.Prob(p) * math.Pow(distuv.Binomial{N: 9, P: p}.Prob(5), beta)
		}, 0, 1, 300, nil, 0)
		labtest.Near(t, fmt.Sprint("coin at ", beta), got[0], math.Log(z), 1e-7)
	}
}

// The mean of the log likelihood equals the derivative of log Z(beta), within 4 standard errors: under exact draws of
// prior and posterior, after moves at the posterior, and in chains that start from the posterior and move at beta =
// 1/2. The test fails with a posterior that lacks a datum, a missing Jacobian, or a gradient of the wrong sign.
func TestConjugateDraws(t *testing.T) {
	n := tier.Draws(10000)
	for _, text := range []string{goodLinreg, goodBetabinom, goodNIG,
		`{"kind":"betabinom","a":0.3,"b":0.2,"k":0,"n":3}`} {
		for _, proposal := range []string{"hmc", "hmc_tuned", "mh"} {
			m := conjugateFile(t, text, spec.Values{"proposal": proposal, "moves": "4"})
			ladder := []float64{0, .5, 1}
			pop, at := m.New(n, ladder), rng.At{Key: rng.NewKey(2, "conjugate", 0)}
			check := func(what string, beta float64) {
				t.Helper()
				ends := make([]float64, 3*n)
				pop.LogF(0, 3, ends)
				var loglik stats.Welford
				for r := range n {
					loglik.Add(ends[3*r+2] - ends[3*r])
				}
				const h = 1e-4
				z, _ := m.LadderLogZ([]float64{beta, beta + h, beta - h, 0, 1})
				mean := (z[1] - z[2]) / (2 * h)
				if se := math.Sqrt(loglik.Var() / float64(n)); !(math.Abs(loglik.Mean-mean) < 4*se+1e-6) {
					t.Errorf("%s, %s, %s: mean log likelihood %v +- %v, exact %v", text, proposal, what, loglik.Mean, se, mean)
				}
			}
			pop.Draw(at)
			check("prior", 0)
			models.RowCapabilitiesOf(pop).DrawTarget(at, nil, nil)
			check("posterior", 1)
			for range 5 {
				at.Step++
				pop.Move(at, labtest.Rungs(n, 2), false)
			}
			check("posterior, moved", 1)
			for range 25 {
				at.Step++
				pop.Move(at, labtest.Rungs(n, 1), false)
			}
			check("half-way, moved", .5)
		}
	}
}

// Gradients equal finite differences of the log densities.
func TestConjugateGradients(t *testing.T) {
	for _, text := range []string{goodLinreg, goodBetabinom, goodNIG} {
		m := conjugateFile(t, text, nil)
		d := m.Density()
		for _, start := range [][]float64{{.3, -.4}, {1.5, .7}} {
			x, slope, slope0 := start[:d.Dim], make([]float64, d.Dim), make([]float64, d.Dim)
			d.Grad(x, slope)
			d.GradBase(x, slope0)
			for i := range x {
				const h = 1e-5
				diff := func(f func([]float64) float64) float64 {
					y := append([]float64(nil), x...)
					y[i] += h
					up := f(y)
					y[i] -= 2 * h
					return (up - f(y)) / (2 * h)
				}
				labtest.Near(t, "slope", slope[i], diff(d.LogF), 1e-7)
				labtest.Near(t, "slope of the base", slope0[i], diff(d.LogBase), 1e-7)
			}
		}
	}
}
