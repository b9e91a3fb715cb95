package lang

import (
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// joint is a distribution of vectors, matrices or categories.
func joint(names, takes string, f func(r *Emitter, a []Value) tape.Scalar) Builtin {
	return Builtin{names: names, Takes: takes, Do: func(r *Emitter, _ Type, a []Value) Value { return RealValue(f(r, a)) }}
}

// ofVectors is a distribution of vectors with a location and a matrix.
func ofVectors(name string, f func(b *tape.Builder, y, mu, m []tape.Scalar, n int) tape.Scalar) Builtin {
	return joint(name+"_lpdf", "VVm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, mu, n := r.located(a[0], a[1], a[2])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.B, y, mu, a[2].X, n)
	})
}

// ofHeavyVectors is the same with degrees of freedom.
func ofHeavyVectors(name string, f func(b *tape.Builder, y []tape.Scalar, nu tape.Scalar, mu, m []tape.Scalar,
	n int) tape.Scalar) Builtin {
	return joint(name+"_lpdf", "VrVm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, mu, n := r.located(a[0], a[2], a[3])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.B, y, a[1].X[0], mu, a[3].X, n)
	})
}

// located are vectors and their locations, of n numbers each, as many as a matrix has rows.
func (r *Emitter) located(y, mu, m Value) (x, at Numbers, n int) {
	r.square(m)
	n = m.Rows()
	for _, v := range []Value{y, mu} {
		if v.Dims[len(v.Dims)-1] != n {
			r.unfit(v, m)
		}
	}
	x, at = y.X, mu.X
	switch {
	case len(x) == len(at) || y.T.Depth > 0 && mu.T.Depth == 0:
	case y.T.Depth == 0:
		x = slices.Repeat(x, mu.Dims[0])
	default:
		r.unfit(y, mu)
	}
	r.Step(n * n * min(n, 1000) / 8)
	r.Step(n * len(x) / 8)
	return x, at, n
}

// ofMatrices is a distribution of a matrix with a number and perhaps another matrix.
func ofMatrices(name string, f func(b *tape.Builder, w []tape.Scalar, nu tape.Scalar, s []tape.Scalar,
	n int) tape.Scalar) Builtin {
	return joint(name+"_lpdf", "mrm:r", func(r *Emitter, a []Value) tape.Scalar {
		r.square(a[0])
		if !SameDims(a[0].Dims, a[2].Dims) {
			r.unfit(a[0], a[2])
		}
		return f(r.B, a[0].X, a[1].X[0], a[2].X, a[0].Rows())
	})
}

func ofCorrelations(name string, f func(b *tape.Builder, c []tape.Scalar, eta tape.Scalar, n int) tape.Scalar) Builtin {
	return joint(name+"_lpdf", "mr:r", func(r *Emitter, a []Value) tape.Scalar {
		if r.square(a[0]); a[0].Rows() == 0 {
			return tape.Scalar{}
		}
		return f(r.B, a[0].X, a[1].X[0], a[0].Rows())
	})
}

// ofCounts is a distribution of counts with a vector.
func ofCounts(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) Builtin {
	return joint(name+"_lpmf", "[iV:r", func(r *Emitter, a []Value) tape.Scalar {
		y := a[0].Ints()
		if len(y) != len(a[1].X) {
			r.unfit(a[0], a[1])
		}
		r.inBounds(y, 0, MaxElements)
		return f(r.B, y, a[1].X)
	})
}

// ofCategories is a distribution of categories from 1 on with a vector, or as many vectors as categories.
func ofCategories(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) Builtin {
	return joint(name+"_lpmf", "IV:r", func(r *Emitter, a []Value) tape.Scalar {
		y, k := a[0].Ints(), a[1].Dims[len(a[1].Dims)-1]
		r.inBounds(y, 1, k)
		return r.eachOf(y, a[1], nil, func(y []int, p, _ Numbers) tape.Scalar { return f(r.B, y, p) })
	})
}

// ofSteps is a distribution of categories between cuts.
func ofSteps(name string, f func(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar) Builtin {
	return joint(name+"_lpmf", "IRV:r", func(r *Emitter, a []Value) tape.Scalar {
		y, k := a[0].Ints(), a[2].Dims[len(a[2].Dims)-1]+1
		r.inBounds(y, 1, k)
		eta := a[1].X
		if !a[1].T.Scalar() && len(eta) != len(y) {
			if len(y) != 1 {
				r.unfit(a[0], a[1])
			}
			y = slices.Repeat(y, len(eta))
		}
		return r.eachOf(y, a[2], eta, func(y []int, p, eta Numbers) tape.Scalar { return f(r.B, y, eta, p) })
	})
}

// eachOf calls f for all categories with one vector, or for each with its own.
func (r *Emitter) eachOf(y []int, p Value, eta Numbers, f func(y []int, p, eta Numbers) tape.Scalar) tape.Scalar {
	if len(y) == 0 {
		return tape.Scalar{}
	}
	if p.T.Depth == 0 {
		return f(y, p.X, eta)
	}
	if p.Dims[0] != len(y) {
		r.Fail(problem.New("the sizes %d and %d do not match", len(y), p.Dims[0]))
	}
	k := p.Dims[1]
	var terms Numbers
	for i := range y {
		terms = append(terms, f(y[i:i+1], p.X[i*k:(i+1)*k], ElementOf(eta, i)))
	}
	return r.B.Sum(terms)
}

// inBounds refuses categories and counts outside of a range.
func (r *Emitter) inBounds(y []int, lo, hi int) {
	for _, v := range y {
		if v < lo || v > hi {
			r.Fail(problem.New("%d is outside of %d to %d", v, lo, hi))
		}
	}
}

// ofKernel is a distribution of the rows of a matrix, with the covariance of a row, or its factor, and their weights.
func ofKernel(name string, f func(b *tape.Builder, y, m, w []tape.Scalar, n int) tape.Scalar) Builtin {
	return joint(name, "mmv:r", func(r *Emitter, a []Value) tape.Scalar {
		if r.square(a[1]); a[0].cols() != a[1].Rows() || a[0].Rows() != len(a[2].X) {
			r.unfit(a[0], a[1])
		}
		return f(r.B, a[0].X, a[1].X, a[2].X, a[0].cols())
	})
}

// jointFunctions are the distributions that need shapes.
var jointFunctions = append([]Builtin{
	ofVectors("multi_normal", logpdf.MultiNormal), ofVectors("multi_normal_cholesky", logpdf.MultiNormalCholesky),
	ofVectors("multi_normal_prec", logpdf.MultiNormalPrec), ofHeavyVectors("multi_student_t", logpdf.MultiStudentT),
	ofHeavyVectors("multi_student_t_cholesky", logpdf.MultiStudentTCholesky),
	ofMatrices("wishart", logpdf.Wishart), ofMatrices("inv_wishart", logpdf.InvWishart),
	ofMatrices("wishart_cholesky", logpdf.WishartCholesky),
	ofCorrelations("lkj_corr", logpdf.LKJCorr), ofCorrelations("lkj_corr_cholesky", logpdf.LKJCorrCholesky),
	ofCounts("multinomial", logpdf.Multinomial), ofCounts("multinomial_logit", logpdf.MultinomialLogit),
	ofCounts("dirichlet_multinomial", logpdf.DirichletMultinomial),
	ofCategories("categorical", logpdf.Categorical), ofCategories("categorical_logit", logpdf.CategoricalLogit),
	ofSteps("ordered_logistic", logpdf.OrderedLogistic), ofSteps("ordered_probit", logpdf.OrderedProbit),
	joint("dirichlet_lpdf", "VV:r", func(r *Emitter, a []Value) tape.Scalar {
		k := a[1].Dims[len(a[1].Dims)-1]
		if k != a[0].Dims[len(a[0].Dims)-1] || a[1].T.Depth > 0 && !SameDims(a[0].Dims, a[1].Dims) {
			r.unfit(a[0], a[1])
		}
		var terms Numbers
		for at := 0; at < len(a[0].X) && k > 0; at += k {
			alpha := a[1].X
			if a[1].T.Depth > 0 {
				alpha = alpha[at : at+k]
			}
			terms = append(terms, logpdf.Dirichlet(r.B, a[0].X[at:at+k], alpha))
		}
		return r.B.Sum(terms)
	}),
	ofKernel("multi_gp_lpdf", logpdf.MultiGP), ofKernel("multi_gp_cholesky_lpdf", logpdf.MultiGPCholesky),
	joint("matrix_normal_prec_lpdf", "mmmm:r", func(r *Emitter, a []Value) tape.Scalar {
		r.square(a[2])
		r.square(a[3])
		m, n := a[0].Rows(), a[0].cols()
		if !SameDims(a[0].Dims, a[1].Dims) || a[2].Rows() != m || a[3].Rows() != n {
			r.unfit(a[0], a[1])
		}
		r.Step((m + n) * (m + n) / 8 * min(m+n, 1000))
		return logpdf.MatrixNormalPrec(r.B, a[0].X, a[1].X, a[2].X, a[3].X, m, n)
	}),
	joint("gaussian_dlm_obs_lpdf", "mmmmmvm:r mmmvmvm:r", (*Emitter).filtered),
	joint("categorical_logit_glm_lpmf", "Imvm:r Iwvm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, x, rows := r.regressed(a[0], a[1], a[3].Rows())
		r.inBounds(y.Ints(), 1, a[3].cols())
		if len(a[2].X) != a[3].cols() {
			r.unfit(a[2], a[3])
		}
		if a[1].T.Base == RowType && len(a[2].X) > 0 {
			return logpdf.CategoricalLogit(r.B, y.Ints(), logpdf.Linear(r.B, x, a[2].X, a[3].X, rows, a[3].Rows()))
		}
		return logpdf.CategoricalLogitGLM(r.B, y.Ints(), x, a[2].X, a[3].X, a[3].Rows())
	}),
	joint("ordered_logistic_glm_lpmf", "Imvv:r Iwvv:r", func(r *Emitter, a []Value) tape.Scalar {
		y, x, rows := r.regressed(a[0], a[1], len(a[2].X))
		r.inBounds(y.Ints(), 1, len(a[3].X)+1)
		return logpdf.OrderedLogisticGLM(r.B, y.Ints(), x, a[2].X, a[3].X, rows, len(a[2].X))
	}),
}, regressions()...)

// regressed are outcomes and rows of predictors, checked: one row for each outcome, or a row vector for all.
func (r *Emitter) regressed(y, x Value, k int) (of Value, predictors Numbers, rows int) {
	one := x.T.Base == RowType
	x = x.asMatrix()
	if x.cols() != k {
		r.Fail(problem.New("the sizes %s and %s do not match", SpellDims(x.Dims), SpellDims([]int{k})))
	}
	if y.T.Scalar() {
		y.X = slices.Repeat(y.X, x.Rows())
	}
	if len(y.X) != x.Rows() && !one {
		r.unfit(y, x)
	}
	r.Step(len(x.X)/8 + len(y.X)/8)
	return y, x.X, x.Rows()
}

// regressions are generalised linear models by Stan's names.
func regressions() []Builtin {
	var out []Builtin
	for _, name := range []string{"normal_id_glm", "bernoulli_logit_glm", "binomial_logit_glm", "poisson_log_glm",
		"neg_binomial_2_log_glm"} {
		glm := logpdf.GLMs[name]
		f := logpdf.FamilyNamed(glm.Family)

		// The name and the arguments, by the family's outcome.
		y, end := "I", "_lpmf"
		if !f.Discrete {
			y, end = "R", "_lpdf"
		}
		before, behind := y+strings.Repeat("I", glm.At), "Rv"+strings.Repeat("R", f.Params-1-glm.At)+":r"
		takes := before + "m" + behind + " " + before + "w" + behind
		out = append(out, joint(name+end, takes, func(r *Emitter, a []Value) tape.Scalar {
			at := 1 + glm.At
			outcome, x, rows := r.regressed(a[0], a[at], len(a[at+2].X))
			alpha := a[at+1]
			if !alpha.T.Scalar() && len(alpha.X) != len(outcome.X) {
				r.unfit(alpha, outcome)
			}
			if len(outcome.X) == 0 {
				return tape.Scalar{}
			}

			// The family's further parameters.
			var rest []Numbers
			for _, v := range append(slices.Clone(a[1:at]), a[at+3:]...) {
				if !v.T.Scalar() && len(v.X) != len(outcome.X) {
					r.unfit(v, outcome)
				}
				rest = append(rest, v.X)
			}
			return logpdf.GLM(r.B, f, glm.At, outcome.X, x, alpha.X, a[at+2].X, rows, len(a[at+2].X), rest...)
		}))
	}
	return out
}

// filtered is gaussian_dlm_obs, by Kalman's filter: the log density of y, a column for each time, that is F' x and noise
// of covariance V, or of variances V; the state x moves as G x and noise of covariance W, from a normal state of mean m0
// and covariance C0. The arguments are y, F, G, V, W, m0 and C0.
func (r *Emitter) filtered(a []Value) tape.Scalar {
	y, f, g, v, w, c := a[0].Flip(), a[1], a[2], a[3], a[4], a[6]
	n, k := f.Rows(), f.cols() // of the state, and of what is seen
	if v.T.Base == VectorType {
		all := make(Numbers, len(v.X)*len(v.X))
		for i, x := range v.X {
			all[i*len(v.X)+i] = x
		}
		v = Matrix(all, len(v.X), len(v.X))
	}
	for _, m := range []Value{g, w, c} {
		if r.square(m); m.Rows() != n {
			r.unfit(f, m)
		}
	}
	if r.square(v); v.Rows() != k || y.cols() != k || len(a[5].X) != n {
		r.unfit(f, v)
	}
	if n == 0 || k == 0 {
		return tape.Scalar{}
	}

	b, state, terms := r.B, Matrix(a[5].X, n, 1), Numbers(nil)
	sum := func(a, b Value) Value { return a.With(r.B.Map(tape.Add, a.X, b.X)) }
	for t := range y.Rows() {
		r.Step((n + k) * (n + k) * min(n+k, 1000) / 4)
		state = r.MatMul(g, state)
		spread := sum(r.MatMul(r.MatMul(g, c), g.Flip()), w)
		cross := r.MatMul(f.Flip(), spread) // of what is seen and the state
		l := b.Cholesky(sum(r.MatMul(cross, f), v).X, k)
		off := b.Solve(l, b.Map(tape.Sub, y.Row(t), r.MatMul(f.Flip(), state).X), k, 1)
		terms = append(terms, tape.Const(-float64(k)*num.Log2Pi/2), b.Do(tape.Neg, r.logDiagonal(l, k)),
			b.Do(tape.Mul, tape.Const(-.5), b.Dot(off, off)))

		// What was seen moves the state, and makes it more certain.
		gain := Matrix(b.Solve(l, cross.X, k, n), k, n)
		state = sum(state, r.MatMul(gain.Flip(), Matrix(off, k, 1)))
		c = spread.With(b.Map(tape.Sub, spread.X, r.MatMul(gain.Flip(), gain).X))
	}
	return b.Sum(terms)
}
