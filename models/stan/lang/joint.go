package lang

import (
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// jointDensity returns the density function of a distribution of vectors, matrices or categories. takes is a
// Builtin.Signatures.
func jointDensity(names, takes string, f func(r *Emitter, a []Value) tape.Scalar) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, _ Type, a []Value) Value { return RealValue(f(r, a)) }}
}

// multivariateDensity returns the density function of a distribution of vectors y with a location mu and an n x n
// matrix m.
func multivariateDensity(name string, f func(b *tape.Builder, y, mu, m []tape.Scalar, n int) tape.Scalar) Builtin {
	return jointDensity(name+"_lpdf", "VVm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, mu, n := r.alignVectors(a[0], a[1], a[2])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.B, y, mu, a[2].X, n)
	})
}

// multiStudentDensity is multivariateDensity for a distribution that also has degrees of freedom nu.
func multiStudentDensity(name string, f func(b *tape.Builder, y []tape.Scalar, nu tape.Scalar, mu, m []tape.Scalar,
	n int) tape.Scalar) Builtin {
	return jointDensity(name+"_lpdf", "VrVm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, mu, n := r.alignVectors(a[0], a[2], a[3])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.B, y, a[1].X[0], mu, a[3].X, n)
	})
}

// alignVectors returns the elements of vectors y and of their locations mu, n numbers for each vector, where n is the
// number of rows of the square matrix m. A single vector is repeated for each location; a single location is not. It
// fails if the sizes do not match.
func (r *Emitter) alignVectors(y, mu, m Value) (x, at Scalars, n int) {
	r.checkSquare(m)
	n = m.Rows()
	for _, v := range []Value{y, mu} {
		if v.Dims[len(v.Dims)-1] != n {
			r.sizeMismatch(v, m)
		}
	}
	x, at = y.X, mu.X
	switch {
	case len(x) == len(at) || y.T.Depth > 0 && mu.T.Depth == 0:
	case y.T.Depth == 0:
		x = slices.Repeat(x, mu.Dims[0])
	default:
		r.sizeMismatch(y, mu)
	}
	r.CountSteps(n * n * min(n, 1000) / 8)
	r.CountSteps(n * len(x) / 8)
	return x, at, n
}

// matrixDensity returns the density function of a distribution of an n x n matrix w with degrees of freedom nu and a
// matrix s.
func matrixDensity(name string, f func(b *tape.Builder, w []tape.Scalar, nu tape.Scalar, s []tape.Scalar,
	n int) tape.Scalar) Builtin {
	return jointDensity(name+"_lpdf", "mrm:r", func(r *Emitter, a []Value) tape.Scalar {
		r.checkSquare(a[0])
		if !SameDims(a[0].Dims, a[2].Dims) {
			r.sizeMismatch(a[0], a[2])
		}
		return f(r.B, a[0].X, a[1].X[0], a[2].X, a[0].Rows())
	})
}

// correlationDensity returns the density function of a distribution of an n x n matrix c with shape eta.
func correlationDensity(name string, f func(b *tape.Builder, c []tape.Scalar, eta tape.Scalar, n int) tape.Scalar) Builtin {
	return jointDensity(name+"_lpdf", "mr:r", func(r *Emitter, a []Value) tape.Scalar {
		if r.checkSquare(a[0]); a[0].Rows() == 0 {
			return tape.Scalar{}
		}
		return f(r.B, a[0].X, a[1].X[0], a[0].Rows())
	})
}

// countsMass returns the mass function of a distribution of counts y with a vector p of the same length.
func countsMass(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) Builtin {
	return jointDensity(name+"_lpmf", "[iV:r", func(r *Emitter, a []Value) tape.Scalar {
		y := a[0].Ints()
		if len(y) != len(a[1].X) {
			r.sizeMismatch(a[0], a[1])
		}
		r.checkRange(y, 0, MaxElements)
		return f(r.B, y, a[1].X)
	})
}

// categoricalMass returns the mass function of a distribution of categories y, counted from 1, with a vector p of
// parameters, or one vector for each element of y.
func categoricalMass(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) Builtin {
	return jointDensity(name+"_lpmf", "IV:r", func(r *Emitter, a []Value) tape.Scalar {
		y, k := a[0].Ints(), a[1].Dims[len(a[1].Dims)-1]
		r.checkRange(y, 1, k)
		return r.sumOverVectors(y, a[1], nil, func(y []int, p, _ Scalars) tape.Scalar { return f(r.B, y, p) })
	})
}

// orderedMass returns the mass function of a distribution of ordered categories y, counted from 1, with locations eta
// and cutpoints cuts.
func orderedMass(name string, f func(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar) Builtin {
	return jointDensity(name+"_lpmf", "IRV:r", func(r *Emitter, a []Value) tape.Scalar {
		y, k := a[0].Ints(), a[2].Dims[len(a[2].Dims)-1]+1
		r.checkRange(y, 1, k)
		eta := a[1].X
		if !a[1].T.IsScalar() && len(eta) != len(y) {
			if len(y) != 1 {
				r.sizeMismatch(a[0], a[1])
			}
			y = slices.Repeat(y, len(eta))
		}
		return r.sumOverVectors(y, a[2], eta, func(y []int, p, eta Scalars) tape.Scalar { return f(r.B, y, eta, p) })
	})
}

// sumOverVectors returns f(y, p, eta) if p is one vector. If p is an array with a vector for each element of y, it
// returns the sum of f over these pairs.
func (r *Emitter) sumOverVectors(y []int, p Value, eta Scalars, f func(y []int, p, eta Scalars) tape.Scalar) tape.Scalar {
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
	var terms Scalars
	for i := range y {
		terms = append(terms, f(y[i:i+1], p.X[i*k:(i+1)*k], ElementOf(eta, i)))
	}
	return r.B.Sum(terms)
}

// checkRange fails if an element of y is outside of lo to hi.
func (r *Emitter) checkRange(y []int, lo, hi int) {
	for _, v := range y {
		if v < lo || v > hi {
			r.Fail(problem.New("%d is outside of %d to %d", v, lo, hi))
		}
	}
}

// gpDensity returns the density function of a Gaussian process: rows of y with n numbers each, the n x n covariance m
// of a row or its Cholesky factor, and an inverse scale w for each row.
func gpDensity(name string, f func(b *tape.Builder, y, m, w []tape.Scalar, n int) tape.Scalar) Builtin {
	return jointDensity(name, "mmv:r", func(r *Emitter, a []Value) tape.Scalar {
		if r.checkSquare(a[1]); a[0].cols() != a[1].Rows() || a[0].Rows() != len(a[2].X) {
			r.sizeMismatch(a[0], a[1])
		}
		return f(r.B, a[0].X, a[1].X, a[2].X, a[0].cols())
	})
}

// jointFunctions are the density functions of vectors, matrices and categories.
var jointFunctions = append([]Builtin{
	multivariateDensity("multi_normal", logpdf.MultiNormal), multivariateDensity("multi_normal_cholesky", logpdf.MultiNormalCholesky),
	multivariateDensity("multi_normal_prec", logpdf.MultiNormalPrec), multiStudentDensity("multi_student_t", logpdf.MultiStudentT),
	multiStudentDensity("multi_student_t_cholesky", logpdf.MultiStudentTCholesky),
	matrixDensity("wishart", logpdf.Wishart), matrixDensity("inv_wishart", logpdf.InvWishart),
	matrixDensity("wishart_cholesky", logpdf.WishartCholesky),
	correlationDensity("lkj_corr", logpdf.LKJCorr), correlationDensity("lkj_corr_cholesky", logpdf.LKJCorrCholesky),
	countsMass("multinomial", logpdf.Multinomial), countsMass("multinomial_logit", logpdf.MultinomialLogit),
	countsMass("dirichlet_multinomial", logpdf.DirichletMultinomial),
	categoricalMass("categorical", logpdf.Categorical), categoricalMass("categorical_logit", logpdf.CategoricalLogit),
	orderedMass("ordered_logistic", logpdf.OrderedLogistic), orderedMass("ordered_probit", logpdf.OrderedProbit),
	jointDensity("dirichlet_lpdf", "VV:r", func(r *Emitter, a []Value) tape.Scalar {
		k := a[1].Dims[len(a[1].Dims)-1]
		if k != a[0].Dims[len(a[0].Dims)-1] || a[1].T.Depth > 0 && !SameDims(a[0].Dims, a[1].Dims) {
			r.sizeMismatch(a[0], a[1])
		}
		var terms Scalars
		for at := 0; at < len(a[0].X) && k > 0; at += k {
			alpha := a[1].X
			if a[1].T.Depth > 0 {
				alpha = alpha[at : at+k]
			}
			terms = append(terms, logpdf.Dirichlet(r.B, a[0].X[at:at+k], alpha))
		}
		return r.B.Sum(terms)
	}),
	gpDensity("multi_gp_lpdf", logpdf.MultiGP), gpDensity("multi_gp_cholesky_lpdf", logpdf.MultiGPCholesky),
	jointDensity("matrix_normal_prec_lpdf", "mmmm:r", func(r *Emitter, a []Value) tape.Scalar {
		r.checkSquare(a[2])
		r.checkSquare(a[3])
		m, n := a[0].Rows(), a[0].cols()
		if !SameDims(a[0].Dims, a[1].Dims) || a[2].Rows() != m || a[3].Rows() != n {
			r.sizeMismatch(a[0], a[1])
		}
		r.CountSteps((m + n) * (m + n) / 8 * min(m+n, 1000))
		return logpdf.MatrixNormalPrec(r.B, a[0].X, a[1].X, a[2].X, a[3].X, m, n)
	}),
	jointDensity("gaussian_dlm_obs_lpdf", "mmmmmvm:r mmmvmvm:r", (*Emitter).kalmanDensity),
	jointDensity("categorical_logit_glm_lpmf", "Imvm:r Iwvm:r", func(r *Emitter, a []Value) tape.Scalar {
		y, x, rows := r.regressionData(a[0], a[1], a[3].Rows())
		r.checkRange(y.Ints(), 1, a[3].cols())
		if len(a[2].X) != a[3].cols() {
			r.sizeMismatch(a[2], a[3])
		}
		if a[1].T.Base == RowVectorType && len(a[2].X) > 0 {
			return logpdf.CategoricalLogit(r.B, y.Ints(), logpdf.Linear(r.B, x, a[2].X, a[3].X, rows, a[3].Rows()))
		}
		return logpdf.CategoricalLogitGLM(r.B, y.Ints(), x, a[2].X, a[3].X, a[3].Rows())
	}),
	jointDensity("ordered_logistic_glm_lpmf", "Imvv:r Iwvv:r", func(r *Emitter, a []Value) tape.Scalar {
		y, x, rows := r.regressionData(a[0], a[1], len(a[2].X))
		r.checkRange(y.Ints(), 1, len(a[3].X)+1)
		return logpdf.OrderedLogisticGLM(r.B, y.Ints(), x, a[2].X, a[3].X, rows, len(a[2].X))
	}),
}, regressions()...)

// regressionData returns outcomes and predictors by rows with k columns: one row for each outcome, or a single row for
// all. A single outcome is repeated for each row. It fails if the sizes do not match.
func (r *Emitter) regressionData(y, x Value, k int) (outcomes Value, predictors Scalars, rows int) {
	hasSingleRow := x.T.Base == RowVectorType
	x = x.asMatrix()
	if x.cols() != k {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(x.Dims), FormatDims([]int{k})))
	}
	if y.T.IsScalar() {
		y.X = slices.Repeat(y.X, x.Rows())
	}
	if len(y.X) != x.Rows() && !hasSingleRow {
		r.sizeMismatch(y, x)
	}
	r.CountSteps(len(x.X)/8 + len(y.X)/8)
	return y, x.X, x.Rows()
}

// regressions returns the density functions of Stan's generalised linear models with one linear predictor.
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
		signatureStart, signatureEnd := y+strings.Repeat("I", glm.At), "Rv"+strings.Repeat("R", f.Params-1-glm.At)+":r"
		takes := signatureStart + "m" + signatureEnd + " " + signatureStart + "w" + signatureEnd
		out = append(out, jointDensity(name+end, takes, func(r *Emitter, a []Value) tape.Scalar {
			at := 1 + glm.At
			outcome, x, rows := r.regressionData(a[0], a[at], len(a[at+2].X))
			alpha := a[at+1]
			if !alpha.T.IsScalar() && len(alpha.X) != len(outcome.X) {
				r.sizeMismatch(alpha, outcome)
			}
			if len(outcome.X) == 0 {
				return tape.Scalar{}
			}

			// The family's further parameters.
			var rest []Scalars
			for _, v := range append(slices.Clone(a[1:at]), a[at+3:]...) {
				if !v.T.IsScalar() && len(v.X) != len(outcome.X) {
					r.sizeMismatch(v, outcome)
				}
				rest = append(rest, v.X)
			}
			return logpdf.GLM(r.B, f, glm.At, outcome.X, x, alpha.X, a[at+2].X, rows, len(a[at+2].X), rest...)
		}))
	}
	return out
}

// kalmanDensity is gaussian_dlm_obs, the log density of the observations y (k x T, a column for each time) in the model
//
//	y_t = F' x_t + normal noise of covariance V,  x_t = G x_(t-1) + normal noise of covariance W,
//
// with x_0 normal of mean m0 and covariance C0, computed by the Kalman filter. If V is a vector, it holds variances. a
// holds y, F (n x k), G, V, W, m0 and C0.
func (r *Emitter) kalmanDensity(a []Value) tape.Scalar {
	y, f, g, v, w, c := a[0].Transpose(), a[1], a[2], a[3], a[4], a[6]
	n, k := f.Rows(), f.cols() // dimensions of the state and of an observation
	if v.T.Base == VectorType {
		all := make(Scalars, len(v.X)*len(v.X))
		for i, x := range v.X {
			all[i*len(v.X)+i] = x
		}
		v = Matrix(all, len(v.X), len(v.X))
	}
	for _, m := range []Value{g, w, c} {
		if r.checkSquare(m); m.Rows() != n {
			r.sizeMismatch(f, m)
		}
	}
	if r.checkSquare(v); v.Rows() != k || y.cols() != k || len(a[5].X) != n {
		r.sizeMismatch(f, v)
	}
	if n == 0 || k == 0 {
		return tape.Scalar{}
	}

	b, state, terms := r.B, Matrix(a[5].X, n, 1), Scalars(nil)
	sum := func(a, b Value) Value { return a.WithElements(r.B.Map(tape.Add, a.X, b.X)) }
	for t := range y.Rows() {
		r.CountSteps((n + k) * (n + k) * min(n+k, 1000) / 4)
		state = r.MatMul(g, state)
		predictedCov := sum(r.MatMul(r.MatMul(g, c), g.Transpose()), w)
		cross := r.MatMul(f.Transpose(), predictedCov) // covariance of the observation and the state
		l := b.Cholesky(sum(r.MatMul(cross, f), v).X, k)
		residual := b.Solve(l, b.Map(tape.Sub, y.Row(t), r.MatMul(f.Transpose(), state).X), k, 1)
		terms = append(terms, tape.Const(-float64(k)*num.Log2Pi/2), b.Do(tape.Neg, r.logDiagonal(l, k)),
			b.Do(tape.Mul, tape.Const(-.5), b.Dot(residual, residual)))

		// Condition the state on the observation.
		gain := Matrix(b.Solve(l, cross.X, k, n), k, n)
		state = sum(state, r.MatMul(gain.Transpose(), Matrix(residual, k, 1)))
		c = predictedCov.WithElements(b.Map(tape.Sub, predictedCov.X, r.MatMul(gain.Transpose(), gain).X))
	}
	return b.Sum(terms)
}
