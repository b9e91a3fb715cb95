package stan

import (
	"slices"
	"strings"

	"logzlab/core/logpdf"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// joint is a distribution of vectors, matrices or categories.
func joint(names, takes string, f func(r *run, a []value) tape.Scalar) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, _ typ, a []value) value { return realValue(f(r, a)) }}
}

// ofVectors is a distribution of vectors with a location and a matrix.
func ofVectors(name string, f func(b *tape.Builder, y, mu, m []tape.Scalar, n int) tape.Scalar) builtin {
	return joint(name+"_lpdf", "VVm:r", func(r *run, a []value) tape.Scalar {
		y, mu, n := r.located(a[0], a[1], a[2])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.b, y, mu, a[2].x, n)
	})
}

// ofHeavyVectors is the same with degrees of freedom.
func ofHeavyVectors(name string, f func(b *tape.Builder, y []tape.Scalar, nu tape.Scalar, mu, m []tape.Scalar,
	n int) tape.Scalar) builtin {
	return joint(name+"_lpdf", "VrVm:r", func(r *run, a []value) tape.Scalar {
		y, mu, n := r.located(a[0], a[2], a[3])
		if len(y) == 0 {
			return tape.Scalar{}
		}
		return f(r.b, y, a[1].x[0], mu, a[3].x, n)
	})
}

// located are vectors and their locations, of n numbers each, as many as a matrix has rows.
func (r *run) located(y, mu, m value) (x, at numbers, n int) {
	r.square(m)
	n = m.rows()
	for _, v := range []value{y, mu} {
		if v.dims[len(v.dims)-1] != n {
			r.unfit(v, m)
		}
	}
	x, at = y.x, mu.x
	switch {
	case len(x) == len(at) || y.t.depth > 0 && mu.t.depth == 0:
	case y.t.depth == 0:
		x = slices.Repeat(x, mu.dims[0])
	default:
		r.unfit(y, mu)
	}
	r.step(n * n * min(n, 1000) / 8)
	r.step(n * len(x) / 8)
	return x, at, n
}

// ofMatrices is a distribution of a matrix with a number and perhaps another matrix.
func ofMatrices(name string, f func(b *tape.Builder, w []tape.Scalar, nu tape.Scalar, s []tape.Scalar,
	n int) tape.Scalar) builtin {
	return joint(name+"_lpdf", "mrm:r", func(r *run, a []value) tape.Scalar {
		r.square(a[0])
		if !sameDims(a[0].dims, a[2].dims) {
			r.unfit(a[0], a[2])
		}
		return f(r.b, a[0].x, a[1].x[0], a[2].x, a[0].rows())
	})
}

func ofCorrelations(name string, f func(b *tape.Builder, c []tape.Scalar, eta tape.Scalar, n int) tape.Scalar) builtin {
	return joint(name+"_lpdf", "mr:r", func(r *run, a []value) tape.Scalar {
		if r.square(a[0]); a[0].rows() == 0 {
			return tape.Scalar{}
		}
		return f(r.b, a[0].x, a[1].x[0], a[0].rows())
	})
}

// ofCounts is a distribution of counts with a vector.
func ofCounts(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) builtin {
	return joint(name+"_lpmf", "[iV:r", func(r *run, a []value) tape.Scalar {
		y := a[0].ints()
		if len(y) != len(a[1].x) {
			r.unfit(a[0], a[1])
		}
		r.inBounds(y, 0, maxElements)
		return f(r.b, y, a[1].x)
	})
}

// ofCategories is a distribution of categories from 1 on with a vector, or as many vectors as categories.
func ofCategories(name string, f func(b *tape.Builder, y []int, p []tape.Scalar) tape.Scalar) builtin {
	return joint(name+"_lpmf", "IV:r", func(r *run, a []value) tape.Scalar {
		y, k := a[0].ints(), a[1].dims[len(a[1].dims)-1]
		r.inBounds(y, 1, k)
		return r.eachOf(y, a[1], nil, func(y []int, p, _ numbers) tape.Scalar { return f(r.b, y, p) })
	})
}

// ofSteps is a distribution of categories between cuts.
func ofSteps(name string, f func(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar) builtin {
	return joint(name+"_lpmf", "IRV:r", func(r *run, a []value) tape.Scalar {
		y, k := a[0].ints(), a[2].dims[len(a[2].dims)-1]+1
		r.inBounds(y, 1, k)
		eta := a[1].x
		if !a[1].t.scalar() && len(eta) != len(y) {
			if len(y) != 1 {
				r.unfit(a[0], a[1])
			}
			y = slices.Repeat(y, len(eta))
		}
		return r.eachOf(y, a[2], eta, func(y []int, p, eta numbers) tape.Scalar { return f(r.b, y, eta, p) })
	})
}

// eachOf calls f for all categories with one vector, or for each with its own.
func (r *run) eachOf(y []int, p value, eta numbers, f func(y []int, p, eta numbers) tape.Scalar) tape.Scalar {
	if len(y) == 0 {
		return tape.Scalar{}
	}
	if p.t.depth == 0 {
		return f(y, p.x, eta)
	}
	if p.dims[0] != len(y) {
		r.fail(problem.New("the sizes %d and %d do not go together", len(y), p.dims[0]))
	}
	k := p.dims[1]
	var terms numbers
	for i := range y {
		terms = append(terms, f(y[i:i+1], p.x[i*k:(i+1)*k], elementOf(eta, i)))
	}
	return r.b.Sum(terms)
}

// inBounds refuses categories and counts outside of a range.
func (r *run) inBounds(y []int, lo, hi int) {
	for _, v := range y {
		if v < lo || v > hi {
			r.fail(problem.New("%d is outside of %d to %d", v, lo, hi))
		}
	}
}

// ofKernel is a distribution of the rows of a matrix, with the covariance of a row, or its factor, and their weights.
func ofKernel(name string, f func(b *tape.Builder, y, m, w []tape.Scalar, n int) tape.Scalar) builtin {
	return joint(name, "mmv:r", func(r *run, a []value) tape.Scalar {
		if r.square(a[1]); a[0].cols() != a[1].rows() || a[0].rows() != len(a[2].x) {
			r.unfit(a[0], a[1])
		}
		return f(r.b, a[0].x, a[1].x, a[2].x, a[0].cols())
	})
}

// jointFunctions are the distributions that need shapes.
var jointFunctions = append([]builtin{
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
	joint("dirichlet_lpdf", "VV:r", func(r *run, a []value) tape.Scalar {
		k := a[1].dims[len(a[1].dims)-1]
		if k != a[0].dims[len(a[0].dims)-1] || a[1].t.depth > 0 && !sameDims(a[0].dims, a[1].dims) {
			r.unfit(a[0], a[1])
		}
		var terms numbers
		for at := 0; at < len(a[0].x) && k > 0; at += k {
			alpha := a[1].x
			if a[1].t.depth > 0 {
				alpha = alpha[at : at+k]
			}
			terms = append(terms, logpdf.Dirichlet(r.b, a[0].x[at:at+k], alpha))
		}
		return r.b.Sum(terms)
	}),
	ofKernel("multi_gp_lpdf", logpdf.MultiGP), ofKernel("multi_gp_cholesky_lpdf", logpdf.MultiGPCholesky),
	joint("matrix_normal_prec_lpdf", "mmmm:r", func(r *run, a []value) tape.Scalar {
		r.square(a[2])
		r.square(a[3])
		m, n := a[0].rows(), a[0].cols()
		if !sameDims(a[0].dims, a[1].dims) || a[2].rows() != m || a[3].rows() != n {
			r.unfit(a[0], a[1])
		}
		r.step((m + n) * (m + n) / 8 * min(m+n, 1000))
		return logpdf.MatrixNormalPrec(r.b, a[0].x, a[1].x, a[2].x, a[3].x, m, n)
	}),
	joint("categorical_logit_glm_lpmf", "Imvm:r", func(r *run, a []value) tape.Scalar {
		y, x := r.regressed(a[0], a[1], a[3].rows())
		r.inBounds(y.ints(), 1, a[3].cols())
		if len(a[2].x) != a[3].cols() {
			r.unfit(a[2], a[3])
		}
		return logpdf.CategoricalLogitGLM(r.b, y.ints(), x, a[2].x, a[3].x, a[3].rows())
	}),
	joint("ordered_logistic_glm_lpmf", "Imvv:r", func(r *run, a []value) tape.Scalar {
		y, x := r.regressed(a[0], a[1], len(a[2].x))
		r.inBounds(y.ints(), 1, len(a[3].x)+1)
		return logpdf.OrderedLogisticGLM(r.b, y.ints(), x, a[2].x, a[3].x, len(a[2].x))
	}),
}, regressions()...)

// regressed are outcomes and rows of predictors, checked.
func (r *run) regressed(y, x value, k int) (value, numbers) {
	x = x.asMatrix()
	if x.cols() != k {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(x.dims), spellDims([]int{k})))
	}
	if y.t.scalar() {
		y.x = slices.Repeat(y.x, x.rows())
	}
	if len(y.x) != x.rows() {
		r.unfit(y, x)
	}
	r.step(len(x.x) / 8)
	return y, x.x
}

// regressions are generalised linear models by Stan's names.
func regressions() []builtin {
	var out []builtin
	for _, name := range []string{"normal_id_glm", "bernoulli_logit_glm", "binomial_logit_glm", "poisson_log_glm",
		"neg_binomial_2_log_glm"} {
		glm := logpdf.GLMs[name]
		f := logpdf.Named(glm.Family)
		y, end := "I", "_lpmf"
		if !f.Discrete {
			y, end = "R", "_lpdf"
		}
		takes := y + strings.Repeat("I", glm.At) + "mRv" + strings.Repeat("R", f.Params-1-glm.At) + ":r"
		out = append(out, joint(name+end, takes, func(r *run, a []value) tape.Scalar {
			at := 1 + glm.At
			outcome, x := r.regressed(a[0], a[at], len(a[at+2].x))
			alpha := a[at+1]
			if !alpha.t.scalar() && len(alpha.x) != len(outcome.x) {
				r.unfit(alpha, outcome)
			}
			if len(outcome.x) == 0 {
				return tape.Scalar{}
			}
			var rest []numbers
			for _, v := range append(slices.Clone(a[1:at]), a[at+3:]...) {
				if !v.t.scalar() && len(v.x) != len(outcome.x) {
					r.unfit(v, outcome)
				}
				rest = append(rest, v.x)
			}
			return logpdf.GLM(r.b, f, glm.At, outcome.x, x, alpha.x, a[at+2].x, len(outcome.x), len(a[at+2].x), rest...)
		}))
	}
	return out
}
