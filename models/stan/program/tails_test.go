package program

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
	"logzlab/models/stan"
)

// TestHeavyBase checks that the base equals the target for independent t variables, a multivariate t, and a normal
// variable with t variables, and that a normal target keeps its base. Each case has the largest allowed error of the
// mean importance weight of draws from its base.
func TestHeavyBase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		groups     int // of the component with heavy tails; 0: none
		spread     float64
	}{
		{"ten Cauchy", `parameters { vector[10] x; } model { x ~ cauchy(0, 1); }`, 10, 1e-6},
		{"multivariate", `parameters { vector[4] x; } model { target += lgamma(3.5)-lgamma(1.5)-2*log(3*pi())
			-3.5*log1p(dot_self(x-2)/3); }`, 1, 1e-6},
		{"beside", `parameters { real y; vector[3] x; } model { x ~ student_t(3, 5, 2); y ~ normal(0, 9); }`, 4, .5},
		{"normal", `parameters { vector[3] x; } model { x ~ normal(0, 1); }`, 0, 1},
		{"a scale", `parameters { real<lower=0> s; real x; } model { s ~ cauchy(0, 1) T[0,]; x ~ normal(0, 1); }`, 0, 1},
	} {
		compiled, err := stan.Text{Source: c.text}.Compile()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p := runPilot(compiled.Tape)
		last := p.base.components[len(p.base.components)-1].heavyTailed
		if len(last) != c.groups {
			t.Errorf("%s: %d groups of coordinates", c.name, len(last))
			continue
		}

		// Importance weights of draws.
		const n = 400
		logW, x := make([]float64, n), make([]float64, compiled.Tape.Dim())
		for i := range logW {
			s := rng.NewKey(1, "test", 0).Stream(0, uint32(i), 0)
			p.base.Draw(&s, x)
			logW[i] = compiled.Tape.EvaluatorPool().LogF(x) - p.base.Log(x)
		}
		if _, v := stats.MeanVar(logW); c.groups > 0 && math.Sqrt(v) > c.spread {
			t.Errorf("%s: standard deviation of log weights %.2g", c.name, math.Sqrt(v))
		}
		if off := num.LogMeanExp(logW); math.Abs(off) > .2 {
			t.Errorf("%s: error of log Z %.3f", c.name, off)
		}
	}
}

const separated = `data { array[6] int y; vector[6] x; } `
const separatedData = `{"x": [-3, -2, -1, 1, 2, 3], "y": [0, 0, 0, 1, 1, 1]}`

// slopes is a model with random slopes in the form of brms. Far out along a correlation the data leave other
// coordinates more room, and the transform overflows at 19.
const slopes = `data { int N; int G; array[N] int g; matrix[N,3] Z; vector[N] y; }
	parameters { real a; real<lower=0> s; vector<lower=0>[3] t; matrix[3,G] z; cholesky_factor_corr[3] L; }
	model { matrix[G,3] r = (diag_pre_multiply(t, L) * z)'; a ~ normal(0, 5); s ~ normal(0, 2); t ~ student_t(3, 0, 2);
	to_vector(z) ~ normal(0, 1); L ~ lkj_corr_cholesky(1); y ~ normal(a + rows_dot_product(Z, r[g]), s); }`
const slopesData = `{"N":12,"G":4,"g":[1,1,1,2,2,2,3,3,3,4,4,4],"Z":[[1,-0.6,1.3],[1,-0.0,-1.6],[1,-0.6,0.2],[1,-0.2,0.9` +
	`],[1,-0.2,-0.7],[1,-0.3,-0.6],[1,0.1,-1.3],[1,-0.7,0.5],[1,0.6,-0.5],[1,0.1,0.0],[1,0.2,1.0],[1,0.1,` +
	`0.5]],"y":[0.5,0.8,1.7,3.0,1.7,2.2,2.3,2.2,2.4,1.4,0.8,1.2]}`

// TestTails checks that a program with an infinite integral has a tail whose mass does not decrease, along the named
// parameter, and that a finite integral has none, even with heavy tails. The test fails if boxes lack a side, if climbs
// miss a narrow ridge, or if overflow far out is taken for a tail.
func TestTails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, data string
		along            string
		slope            float64 // NaN: faster than 1/t^2
	}{
		// Infinite.
		{"1/|x|", `1/(1+abs(x))`, "", "x", 0},
		{"|x|^-3", `parameters { vector[3] x; } model { target += -3*log(1+sqrt(dot_self(x))); }`, "", "x.1", 0},
		{"1/|x| twice", `parameters { real a; real b; } model { target += -log(1+abs(a))-log(1+abs(b)); }`, "", "a", 0},
		{"separated", separated + `parameters { real b; } model { target += -log(1+abs(b)); y ~ bernoulli_logit(b*x); }`,
			separatedData, "b", 0},
		{"separated, flat", separated + `parameters { real a; real b; } model { y ~ bernoulli_logit(a+b*x); }`,
			separatedData, "a", 2},
		{"zeros", `parameters { real<lower=0> s; } model { s ~ cauchy(0, 1); 0 ~ normal(0, s); }`, "", "s", 1},
		{"a scale", `parameters { real<lower=0> s; real m; } model { m ~ normal(0,1); target += -log(s); }`, "", "s", 1},
		{"near 0", `parameters { real a; real<lower=0> s; } model { a ~ normal(0,1); 0.1 ~ normal(a,s); target += -log(s); }`,
			"", "s", 0},
		{"one datum", `parameters { real a; real<lower=0> s; } model { 0.1 ~ normal(a, s); target += -log(s); }`, "", "a", 0},

		{"differences", `parameters { vector[5] phi; } model { target += -0.5*dot_self(phi[1:4]-phi[2:5]); }`, "",
			"phi.1", 1},
		{"a sum", `parameters { real a; real b; } model { target += normal_lpdf(a+b | 0, 1); }`, "", "a", 1},
		{"a share", `parameters { real a; real b; } model { target += normal_lpdf(a+.3*b | 9, 1); }`, "", "a", 1},

		// Infinite; overflow comes before a prior of any scale would decrease.
		{"odd shares", `parameters { real a; real b; } model { target += normal_lpdf(a+.12345*b | 0, 1); }`, "", "a",
			models.InfiniteTail},

		// Finite.
		{"Cauchy", `parameters { real x; } model { x ~ cauchy(0, 1); }`, "", "", -1},
		{"ten", `parameters { vector[10] x; } model { x ~ cauchy(0, 1); }`, "", "", -1},
		{"heavier", `parameters { vector[2] x; } model { x ~ student_t(.5, 0, 1); }`, "", "", -.5},
		{"three data", `parameters { real a; real<lower=0> s; } model { {0.1,0.2,0.5} ~ normal(a,s); target += -log(s); }`,
			"", "", -2},
		{"a funnel", `parameters { real v; vector[9] x; } model { v ~ normal(0,3); x ~ normal(0, exp(v/2)); }`, "", "",
			math.NaN()},
		{"a wide hill", `parameters { real x; } model { target += log_mix(.5, normal_lpdf(x|0,1), normal_lpdf(x|0,1e7)); }`,
			"", "", math.NaN()},
		{"an edge", `parameters { real x; } model { x ~ uniform(-1000,1000); }`, "", "", math.NaN()},
		{"narrow at 0", `parameters { real<lower=0> s; real m; } model { s ~ exponential(1); m ~ normal(0,1);
			1.0 ~ normal(m,s); }`, "", "", math.NaN()},
		{"normal", `parameters { vector[3] x; } model { x ~ normal(0, 1); }`, "", "", math.NaN()},
		{"random slopes", slopes, slopesData, "", math.NaN()},

		// Finite, with scales far beyond those of the chains.
		{"wide, a ridge", `parameters { real x; real y; } model { x ~ normal(0, 1e12); x-y ~ normal(0, 1); }`, "", "",
			math.NaN()},
		{"1e6, a ridge", `parameters { real x; real y; } model { x ~ normal(0, 1e6); x-y ~ normal(0, 1); }`, "", "",
			math.NaN()},
		{"1e30, a ridge", `parameters { real x; real y; } model { x ~ normal(0, 1e30); x-y ~ normal(0, 1); }`, "", "",
			math.NaN()},
		{"1e200", `parameters { real x; real y; } model { x ~ normal(0, 1e200); y ~ normal(0, 1); }`, "", "", math.NaN()},
		{"separated, wide", separated + `parameters { real b; } model { b ~ normal(0, 1e150); y ~ bernoulli_logit(b*x); }`,
			separatedData, "", math.NaN()},
		{"separated, cut", separated + `parameters { real b; } model { b ~ uniform(-1e6, 1e6);
			y ~ bernoulli_logit(b*x); }`, separatedData, "", math.NaN()},
		{"lognormal", `parameters { real<lower=0> s; } model { s ~ lognormal(0, 1e5); }`, "", "s", models.InfiniteTail},
	} {
		compiled, err := stan.Text{Source: c.text, Data: c.data}.Compile()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		m, err := Params{compiled.Tape}.Open(c.name, "", nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		slope, name := models.CapabilitiesOf(m).Search.TailSlope()
		switch {
		case math.IsNaN(c.slope):
			if slope > -2 {
				t.Errorf("%s: TailSlope = %.3f", c.name, slope)
			}
		case math.Abs(slope-c.slope) > .02:
			t.Errorf("%s: TailSlope = %.3f, want %g", c.name, slope, c.slope)
		case c.along != "" && name != c.along:
			t.Errorf("%s: TailSlope along %s, want %s", c.name, name, c.along)
		}
	}
}

// TestEdges checks that countEdges counts supports that end inside the declared range, but not funnels, nor scales that
// overflow.
func TestEdges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`parameters { vector[3] x; } model { x ~ uniform(0, 1); }`:                                        3,
		`parameters { vector<lower=0,upper=1>[3] x; } model { x ~ uniform(0, 1); }`:                       0,
		`parameters { real x; real y; } model { x ~ exponential(1); y ~ normal(0, 1); }`:                  1,
		`parameters { real<lower=0> s; vector[5] x; } model { s ~ exponential(1); x ~ normal(0, s^4); }`:  0,
		`parameters { real a; } model { a ~ normal(0, 1); target += -exp(exp(a)); 3 ~ poisson(exp(a)); }`: 0,
	} {
		compiled, err := stan.Text{Source: text}.Compile()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if p := runPilot(compiled.Tape); p.supportEdges != want {
			t.Errorf("%s: %d edges", text, p.supportEdges)
		}
	}
}
