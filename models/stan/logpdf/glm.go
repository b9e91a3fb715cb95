package logpdf

import "logzlab/models/stan/tape"

// Linear returns alpha + X beta for an n x k matrix x. For a vector of k elements beta, alpha has one element or n. For
// a k x m matrix beta, the result is n x m, and alpha has m elements.
func Linear(b *tape.Builder, x, alpha, beta []tape.Scalar, n, k int) []tape.Scalar {
	m := 1
	if k > 0 {
		m = len(beta) / k
	}
	if m > 1 {
		all := make(vec, 0, n*m)
		for range n {
			all = append(all, alpha...)
		}
		alpha = all
	}
	return b.Map(tape.Add, b.MatMul(x, beta, n, k, m), alpha)
}

// GLM is the sum of log densities of y in a family whose parameter at is alpha + X beta, where X has n x k elements x
// and one row, or one row for each element of y. otherParams are the other parameters.
func GLM(b *tape.Builder, f *Family, at int, y, x, alpha, beta []tape.Scalar, n, k int,
	otherParams ...[]tape.Scalar) tape.Scalar {
	p := append(append(append([]vec(nil), otherParams[:at]...), Linear(b, x, alpha, beta, n, k)), otherParams[at:]...)
	return b.Sum(f.Log(b, y, p...))
}

// GLMs are the families of Stan's generalised linear models: normal_id_glm, bernoulli_logit_glm and so on.
var GLMs = map[string]struct {
	Family string
	At     int // index of the parameter that is linear
}{
	"normal_id_glm": {"normal", 0}, "bernoulli_logit_glm": {"bernoulli_logit", 0},
	"binomial_logit_glm": {"binomial_logit", 1}, "poisson_log_glm": {"poisson_log", 0},
	"neg_binomial_2_log_glm": {"neg_binomial_2_log", 0},
}

// CategoricalLogitGLM is the sum of the log masses of categories y (counted from 1) with logits alpha + X beta, where
// beta is k x (number of categories).
func CategoricalLogitGLM(b *tape.Builder, y []int, x, alpha, beta []tape.Scalar, k int) tape.Scalar {
	m, eta := len(alpha), Linear(b, x, alpha, beta, len(y), k)
	var terms, norms vec
	for i, v := range y {
		terms = append(terms, eta[i*m+v-1])
		norms = append(norms, b.LogSumExp(eta[i*m:(i+1)*m]))
	}
	return b.Do(tape.Sub, b.Sum(terms), b.Sum(norms))
}

// OrderedLogisticGLM is OrderedLogistic with eta = X beta, where X has k columns and n rows: one, or one for each
// element of y.
func OrderedLogisticGLM(b *tape.Builder, y []int, x, beta, cuts []tape.Scalar, n, k int) tape.Scalar {
	return OrderedLogistic(b, y, b.MatMul(x, beta, n, k, 1), cuts)
}
