package logpdf

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/models/stan/tape"
)

// TestValues compares densities with gonum or with formulas, and so checks the meaning of the parameters.
func TestValues(t *testing.T) {
	t.Parallel()
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	for name, log := range map[string]func(y float64, p []float64) float64{
		"normal":     func(y float64, p []float64) float64 { return distuv.Normal{Mu: p[0], Sigma: p[1]}.LogProb(y) },
		"std_normal": func(y float64, _ []float64) float64 { return distuv.UnitNormal.LogProb(y) },
		"lognormal":  func(y float64, p []float64) float64 { return distuv.LogNormal{Mu: p[0], Sigma: p[1]}.LogProb(y) },
		"gamma":      func(y float64, p []float64) float64 { return distuv.Gamma{Alpha: p[0], Beta: p[1]}.LogProb(y) },
		"inv_gamma": func(y float64, p []float64) float64 {
			return distuv.InverseGamma{Alpha: p[0], Beta: p[1]}.LogProb(y)
		},
		"exponential": func(y float64, p []float64) float64 { return distuv.Exponential{Rate: p[0]}.LogProb(y) },
		"chi_square":  func(y float64, p []float64) float64 { return distuv.ChiSquared{K: p[0]}.LogProb(y) },
		"weibull":     func(y float64, p []float64) float64 { return distuv.Weibull{K: p[0], Lambda: p[1]}.LogProb(y) },
		"beta":        func(y float64, p []float64) float64 { return distuv.Beta{Alpha: p[0], Beta: p[1]}.LogProb(y) },
		"double_exponential": func(y float64, p []float64) float64 {
			return distuv.Laplace{Mu: p[0], Scale: p[1]}.LogProb(y)
		},
		"gumbel": func(y float64, p []float64) float64 { return distuv.GumbelRight{Mu: p[0], Beta: p[1]}.LogProb(y) },
		"student_t": func(y float64, p []float64) float64 {
			return distuv.StudentsT{Nu: p[0], Mu: p[1], Sigma: p[2]}.LogProb(y)
		},
		"logistic": func(y float64, p []float64) float64 { // LogProb of gonum ignores Mu
			z := (y - p[0]) / p[1]
			return -z - math.Log(p[1]) - 2*math.Log(1+math.Exp(-z))
		},
		"cauchy": func(y float64, p []float64) float64 {
			return distuv.StudentsT{Nu: 1, Mu: p[0], Sigma: p[1]}.LogProb(y)
		},
		"pareto":   func(y float64, p []float64) float64 { return distuv.Pareto{Xm: p[0], Alpha: p[1]}.LogProb(y) },
		"binomial": func(y float64, p []float64) float64 { return distuv.Binomial{N: p[0], P: p[1]}.LogProb(y) },
		"poisson":  func(y float64, p []float64) float64 { return distuv.Poisson{Lambda: p[0]}.LogProb(y) },
		"poisson_log": func(y float64, p []float64) float64 {
			return distuv.Poisson{Lambda: math.Exp(p[0])}.LogProb(y)
		},
		"bernoulli_logit": func(y float64, p []float64) float64 {
			return distuv.Bernoulli{P: 1 / (1 + math.Exp(-p[0]))}.LogProb(y)
		},
		"neg_binomial": func(y float64, p []float64) float64 {
			return lg(y+p[0]) - lg(p[0]) - lg(y+1) + p[0]*math.Log(p[1]/(p[1]+1)) - y*math.Log(p[1]+1)
		},
		"neg_binomial_2": func(y float64, p []float64) float64 {
			return lg(y+p[1]) - lg(p[1]) - lg(y+1) + y*math.Log(p[0]/(p[0]+p[1])) + p[1]*math.Log(p[1]/(p[0]+p[1]))
		},
		"scaled_inv_chi_square": func(y float64, p []float64) float64 {
			h := p[0] / 2
			return h*math.Log(h) - lg(h) + p[0]*math.Log(p[1]) - (h+1)*math.Log(y) - h*p[1]*p[1]/y
		},
		"frechet": func(y float64, p []float64) float64 {
			return math.Log(p[0]/p[1]) - (p[0]+1)*math.Log(y/p[1]) - math.Pow(y/p[1], -p[0])
		},
		"rayleigh": func(y float64, p []float64) float64 { return math.Log(y/p[0]/p[0]) - y*y/2/p[0]/p[0] },
		"pareto_type_2": func(y float64, p []float64) float64 {
			return math.Log(p[2]/p[1]) - (p[2]+1)*math.Log(1+(y-p[0])/p[1])
		},
		"loglogistic": func(y float64, p []float64) float64 {
			a, b := p[0], p[1]
			return math.Log(b/a) + (b-1)*math.Log(y/a) - 2*math.Log(1+math.Pow(y/a, b))
		},
		"beta_proportion": func(y float64, p []float64) float64 {
			return distuv.Beta{Alpha: p[0] * p[1], Beta: (1 - p[0]) * p[1]}.LogProb(y)
		},
		"von_mises": func(y float64, p []float64) float64 {
			i0 := 0.
			for j := range 2000 {
				i0 += math.Exp(p[1]*math.Cos(2*math.Pi*float64(j)/2000)) / 2000
			}
			return p[1]*math.Cos(y-p[0]) - math.Log(2*math.Pi*i0)
		},
		"exp_mod_normal": func(y float64, p []float64) float64 {
			l, s := p[2], p[1]
			return math.Log(l/2) + l/2*(2*p[0]+l*s*s-2*y) + math.Log(math.Erfc((p[0]+l*s*s-y)/math.Sqrt2/s))
		},
		"skew_normal": func(y float64, p []float64) float64 {
			z := (y - p[0]) / p[1]
			return distuv.Normal{Mu: p[0], Sigma: p[1]}.LogProb(y) + math.Log(1+math.Erf(p[2]*z/math.Sqrt2))
		},
		"skew_double_exponential": func(y float64, p []float64) float64 {
			d := (1 - p[2]) * (p[0] - y)
			if y > p[0] {
				d = p[2] * (y - p[0])
			}
			return math.Log(2*p[2]*(1-p[2])/p[1]) - 2/p[1]*d
		},
	} {
		f := FamilyNamed(name)
		r := rand.New(rand.NewPCG(9, 1))
		for range 20 {
			p := params(r, f)
			y, _ := change(f, p, r.NormFloat64())
			if f.Discrete {
				y = float64(r.IntN(2))
			}
			b := tape.NewBuilder(1)
			var q []vec
			for _, v := range p {
				q = append(q, tape.Consts(v))
			}
			got, want := constOrNaN(f.Log(b, tape.Consts(y), q...)[0]), log(y, p)
			if !(math.Abs(got-want) < 1e-11*max(1, math.Abs(want))) {
				t.Errorf("%s(%v, %v) = %v, want %v", name, y, p, got, want)
			}
		}
	}
}

// spd returns a random symmetric positive definite n x n matrix.
func spd(r *rand.Rand, n int) *mat.SymDense {
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, r.NormFloat64())
		}
	}
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, a)
	for i := range n {
		s.SetSym(i, i, s.At(i, i)+1)
	}
	return s
}

// scalars returns the elements of a matrix by rows as constants.
func scalars(m mat.Matrix) vec {
	rows, columns := m.Dims()
	var out vec
	for i := range rows {
		for j := range columns {
			out = append(out, tape.Const(m.At(i, j)))
		}
	}
	return out
}

// near fails the test if the constant got differs from want by more than 1e-10, relative if want exceeds 1.
func near(t *testing.T, what string, got tape.Scalar, want float64) {
	t.Helper()
	if v := constOrNaN(got); !(math.Abs(v-want) < 1e-10*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, v, want)
	}
}

// TestMatrices compares distributions of vectors and matrices with gonum.
func TestMatrices(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	const n = 4
	random := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for range 5 {
		b := tape.NewBuilder(1)
		mu, y, y2, s := random(), random(), random(), spd(r, n)
		normal, _ := distmv.NewNormal(mu, s, nil)
		both := tape.Consts(append(append([]float64(nil), y...), y2...)...)
		want := normal.LogProb(y) + normal.LogProb(y2)
		near(t, "multi_normal", MultiNormal(b, both, tape.Consts(mu...), scalars(s), n), want)
		var inverse mat.Dense
		if err := inverse.Inverse(s); err != nil {
			t.Fatal(err)
		}
		near(t, "multi_normal_prec", MultiNormalPrec(b, both, tape.Consts(mu...), scalars(&inverse), n), want)
		student, _ := distmv.NewStudentsT(mu, s, 3.5, nil)
		near(t, "multi_student_t", MultiStudentT(b, both, tape.Const(3.5), tape.Consts(mu...), scalars(s), n),
			student.LogProb(y)+student.LogProb(y2))
		w, zero := tape.Consts(.5, 2), make([]float64, n)
		half, double := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
		half.ScaleSym(.5, s)
		double.ScaleSym(2, s)
		n1, _ := distmv.NewNormal(zero, double, nil)
		n2, _ := distmv.NewNormal(zero, half, nil)
		near(t, "multi_gp", MultiGP(b, both, scalars(s), w, n), n1.LogProb(y)+n2.LogProb(y2))

		wish, _ := distmatWishart(s, 6.5)
		v := spd(r, n)
		near(t, "wishart", Wishart(b, scalars(v), tape.Const(6.5), scalars(s), n), wish(v))
		// The inverse Wishart density of W with scale S is the Wishart density of W^-1 with scale S^-1 times det(W)^-(n+1).
		var vi, si mat.Dense
		_, _ = vi.Inverse(v), si.Inverse(s)
		inv, _ := distmatWishart(symmetric(&si), 6.5)
		ld := mat.LogDet
		d, _ := ld(v)
		near(t, "inv_wishart", InvWishart(b, scalars(v), tape.Const(6.5), scalars(s), n),
			inv(symmetric(&vi))-float64(n+1)*d)
		// The density of the Cholesky factor L of W is the density of W times 2^n prod L_ii^(n-i), i from 0.
		var ch, cs mat.Cholesky
		ch.Factorize(v)
		cs.Factorize(s)
		var l, ls mat.TriDense
		ch.LTo(&l)
		cs.LTo(&ls)
		slope := n * math.Ln2
		for i := range n {
			slope += float64(n-i) * math.Log(l.At(i, i))
		}
		near(t, "wishart_cholesky", WishartCholesky(b, scalars(&l), tape.Const(6.5), scalars(&ls), n), wish(v)+slope)
		// The elements of a matrix normal are a normal vector whose covariance is a Kronecker product.
		o, dl := spd(r, 2), spd(r, 2)
		var oi, di, kron mat.Dense
		_, _ = oi.Inverse(o), di.Inverse(dl)
		kron.Kronecker(&oi, &di)
		product, _ := distmv.NewNormal(mu, symmetric(&kron), nil)
		near(t, "matrix_normal_prec", MatrixNormalPrec(b, tape.Consts(y...), tape.Consts(mu...), scalars(o), scalars(dl),
			2, 2), product.LogProb(y))
	}
}

// symmetric returns the upper triangle of m as a symmetric matrix.
func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, m.At(i, j))
		}
	}
	return s
}

// distmatWishart returns the log density of the Wishart distribution with scale s, by its definition.
func distmatWishart(s *mat.SymDense, nu float64) (func(w *mat.SymDense) float64, error) {
	n := float64(s.SymmetricDim())
	var si mat.Dense
	err := si.Inverse(s)
	ds, _ := mat.LogDet(s)
	return func(w *mat.SymDense) float64 {
		dw, _ := mat.LogDet(w)
		var p mat.Dense
		p.Mul(&si, w)
		lg := n * (n - 1) / 4 * math.Log(math.Pi)
		for j := 1.; j <= n; j++ {
			v, _ := math.Lgamma(nu/2 + (1-j)/2)
			lg += v
		}
		return (nu-n-1)/2*dw - mat.Trace(&p)/2 - nu*n/2*math.Ln2 - nu/2*ds - lg
	}, err
}

// TestLKJ checks that LKJ densities of 3 x 3 correlation matrices integrate to 1, and that densities of their Cholesky
// factors L have in addition the Jacobian L_22.
func TestLKJ(t *testing.T) {
	t.Parallel()
	for _, eta := range []float64{1, 2.5} {
		b := tape.NewBuilder(1)
		const h = 1. / 25
		sum := 0.
		for x := -1 + h/2; x < 1; x += h {
			for y := -1 + h/2; y < 1; y += h {
				for z := -1 + h/2; z < 1; z += h {
					if det := 1 + 2*x*y*z - x*x - y*y - z*z; det > 0 {
						corr := tape.Consts(1, x, y, x, 1, z, y, z, 1)
						sum += h * h * h * math.Exp(constOrNaN(LKJCorr(b, corr, tape.Const(eta), 3)))
					}
				}
			}
		}
		if math.Abs(sum-1) > .01 {
			t.Errorf("eta %v: integral = %v, want 1", eta, sum)
		}
		// The Jacobian of the correlations with respect to the free entries of L is L_22.
		l := []float64{1, 0, 0, .3, math.Sqrt(1 - .09), 0, -.2, .5, math.Sqrt(1 - .04 - .25)}
		c := mat.NewDense(3, 3, l)
		var corr mat.Dense
		corr.Mul(c, c.T())
		near(t, "lkj_corr_cholesky", LKJCorrCholesky(b, tape.Consts(l...), tape.Const(eta), 3),
			constOrNaN(LKJCorr(b, scalars(&corr), tape.Const(eta), 3))+math.Log(l[4]))
	}
}

// TestTables checks that masses of counts sum to 1, and compares masses of categories with formulas.
func TestTables(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(1)
	theta, eta := []float64{.2, .5, .3}, []float64{-.4, .9, .1}
	alpha := tape.Consts(1.5, .7, 2)
	logs := 0.
	for _, e := range eta {
		logs += math.Exp(e)
	}
	sums := make([]float64, 3)
	for i := 0; i <= 5; i++ {
		for j := 0; i+j <= 5; j++ {
			y := []int{i, j, 5 - i - j}
			for n, s := range []tape.Scalar{Multinomial(b, y, tape.Consts(theta...)),
				MultinomialLogit(b, y, tape.Consts(eta...)), DirichletMultinomial(b, y, alpha)} {
				sums[n] += math.Exp(constOrNaN(s))
			}
		}
	}
	for n, s := range sums {
		if math.Abs(s-1) > 1e-12 {
			t.Errorf("table %d: sum = %v, want 1", n, s)
		}
	}
	y := []int{1, 3, 3, 2}
	near(t, "categorical", Categorical(b, y, tape.Consts(theta...)), math.Log(.2*.3*.3*.5))
	near(t, "categorical_logit", CategoricalLogit(b, y, tape.Consts(eta...)), -.4+.1+.1+.9-4*math.Log(logs))
	near(t, "dirichlet", Dirichlet(b, tape.Consts(theta...), alpha), distmv.NewDirichlet([]float64{1.5, .7, 2},
		nil).LogProb(theta))
	cuts := []float64{-1, .5, 2}
	inv := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for name, c := range map[string]struct {
		f   func(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar
		cdf func(float64) float64
	}{"ordered_logistic": {OrderedLogistic, inv}, "ordered_probit": {OrderedProbit, distuv.UnitNormal.CDF}} {
		y, eta := []int{1, 2, 3, 4, 2}, []float64{.3, -1, 2, .7, 0}
		want := 0.
		for i, v := range y {
			low, high := 0., 1.
			if v > 1 {
				low = c.cdf(cuts[v-2] - eta[i])
			}
			if v < 4 {
				high = c.cdf(cuts[v-1] - eta[i])
			}
			want += math.Log(high - low)
		}
		near(t, name, c.f(b, y, tape.Consts(eta...), tape.Consts(cuts...)), want)
	}
}

// TestGLM compares generalised linear models with their families at alpha + X beta.
func TestGLM(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(1)
	x := tape.Consts(1, 2, -1, .5, 0, 3)
	alpha, beta, y := tape.Consts(.2), tape.Consts(.7, -.3), tape.Consts(1, 0, 2)
	mu := []float64{.2 + .7 - .6, .2 - .7 - .15, .2 - .9}
	want := 0.
	for i, m := range mu {
		want += distuv.Normal{Mu: m, Sigma: 1.5}.LogProb(constOrNaN(y[i]))
	}
	near(t, "normal_id_glm", GLM(b, FamilyNamed("normal"), 0, y, x, alpha, beta, 3, 2, tape.Consts(1.5)), want)
	for name, g := range GLMs {
		if FamilyNamed(g.Family) == nil {
			t.Errorf("%s has no family", name)
		}
	}
	near(t, "ordered_logistic_glm", OrderedLogisticGLM(b, []int{1, 2, 1}, x, beta, tape.Consts(0), 3, 2),
		constOrNaN(OrderedLogistic(b, []int{1, 2, 1}, tape.Consts(.1, -.85, -.9), tape.Consts(0))))
	categories := CategoricalLogitGLM(b, []int{1, 2, 2}, x, tape.Consts(.1, -.2), tape.Consts(.5, 1, -1, .3), 2)
	want = 0
	for i, v := range []int{1, 2, 2} {
		x0, x1 := constOrNaN(x[2*i]), constOrNaN(x[2*i+1])
		e := []tape.Scalar{tape.Const(.1 + .5*x0 - x1), tape.Const(-.2 + x0 + .3*x1)}
		want += constOrNaN(CategoricalLogit(b, []int{v}, e))
	}
	near(t, "categorical_logit_glm", categories, want)
}

// TestCheck checks that Check returns an error if an argument is outside of its domain.
func TestCheck(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		name string
		y    float64
		p    []float64
		bad  bool
	}{
		{"normal", 1, []float64{0, 1}, false}, {"normal", nan, []float64{nan, -1}, true},
		{"gamma", -1, []float64{nan, nan}, true},
		{"poisson", 1.5, []float64{2}, true}, {"binomial", 5, []float64{4, nan}, true},
		{"binomial", 4, []float64{4, nan}, false},
		{"beta", 1.5, []float64{1, 1}, true}, {"uniform", 1, []float64{math.Inf(-1), 2}, true},
	} {
		if err := FamilyNamed(c.name).Check(c.y, c.p); (err != nil) != c.bad {
			t.Errorf("%s of %v, %v: %v", c.name, c.y, c.p, err)
		}
	}
}
