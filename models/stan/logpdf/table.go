package logpdf

import (
	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Dirichlet is the log density of a simplex theta.
func Dirichlet(b *tape.Builder, theta, alpha []tape.Scalar) tape.Scalar {
	c := calc{b}
	return c.sum(c.lgamma(vec{b.Sum(alpha)})[0], c.scaled(-1, b.Sum(c.lgamma(alpha))),
		b.Sum(c.mulOrZero(c.sub(alpha, k(1)), c.log(theta))))
}

// logMultinomial returns the log of the multinomial coefficient of counts, and their sum.
func logMultinomial(y []int) (log, total float64) {
	for _, v := range y {
		total += float64(v)
		log -= num.LogGamma(float64(v) + 1)
	}
	return log + num.LogGamma(total+1), total
}

// numbers returns counts as constants.
func numbers(y []int) vec {
	out := make(vec, len(y))
	for i, v := range y {
		out[i] = tape.Const(float64(v))
	}
	return out
}

// DirichletMultinomial is the log mass of multinomial counts y whose probabilities are Dirichlet(alpha).
func DirichletMultinomial(b *tape.Builder, y []int, alpha []tape.Scalar) tape.Scalar {
	c := calc{b}
	log, total := logMultinomial(y)
	sum := vec{b.Sum(alpha)}
	rise := c.sub(c.lgamma(c.add(alpha, numbers(y))), c.lgamma(alpha))
	return c.sum(tape.Const(log), b.Sum(rise), c.sub(c.lgamma(sum), c.lgamma(c.add(sum, k(total))))[0])
}

// Multinomial is the log mass of counts y with probabilities theta.
func Multinomial(b *tape.Builder, y []int, theta []tape.Scalar) tape.Scalar {
	c := calc{b}
	log, _ := logMultinomial(y)
	return c.sum(tape.Const(log), b.Sum(c.mulOrZero(numbers(y), c.log(theta))))
}

// MultinomialLogit is Multinomial with probabilities softmax(eta).
func MultinomialLogit(b *tape.Builder, y []int, eta []tape.Scalar) tape.Scalar {
	log, _ := logMultinomial(y)
	return calc{b}.sum(tape.Const(log), logitTerms(b, y, eta))
}

// logitTerms is the sum of counts times log softmax(eta).
func logitTerms(b *tape.Builder, y []int, eta []tape.Scalar) tape.Scalar {
	_, total := logMultinomial(y)
	return calc{b}.sum(b.Dot(numbers(y), eta), calc{b}.scaled(-total, b.LogSumExp(eta)))
}

// tally counts the categories 1 to n in y.
func tally(y []int, n int) []int {
	out := make([]int, n)
	for _, v := range y {
		out[v-1]++
	}
	return out
}

// Categorical is the sum of the log masses of categories y, counted from 1.
func Categorical(b *tape.Builder, y []int, theta []tape.Scalar) tape.Scalar {
	c := calc{b}
	return b.Sum(c.mulOrZero(numbers(tally(y, len(theta))), c.log(theta)))
}

// CategoricalLogit is Categorical with probabilities softmax(eta).
func CategoricalLogit(b *tape.Builder, y []int, eta []tape.Scalar) tape.Scalar {
	return logitTerms(b, tally(y, len(eta)), eta)
}

// sides holds the distances of observations from the cutpoints around them: above has c_y - eta for observations with a
// cutpoint above, and below has eta - c_(y-1) for observations with a cutpoint below. both lists the observations with
// both cutpoints, by their indices in above and below.
type sides struct {
	above, below vec
	both         [][2]int
	gaps         []int // for each element of both, the index of the lower cut
}

// sides returns the sides of observations y with locations eta.
func (c calc) sides(y []int, eta, cuts vec) (s sides) {
	var up, down, upEta, downEta vec
	for i, v := range y {
		e := elem(eta, i)
		if v <= len(cuts) {
			up, upEta = append(up, cuts[v-1]), append(upEta, e)
		}
		if v > 1 {
			down, downEta = append(down, cuts[v-2]), append(downEta, e)
		}
		if v > 1 && v <= len(cuts) {
			s.both, s.gaps = append(s.both, [2]int{len(up) - 1, len(down) - 1}), append(s.gaps, v-2)
		}
	}
	s.above, s.below = c.sub(up, upEta), c.sub(downEta, down)
	return s
}

// OrderedLogistic is the sum of the log masses of categories y (counted from 1), where P(y <= k) has the logit
// cuts[k-1] - eta; eta has one element or one for each element of y. With u = c_y - eta and v = c_(y-1) - eta,
// sigmoid(u) - sigmoid(v) = sigmoid(u) sigmoid(-v) (1 - e^(v-u)).
func OrderedLogistic(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar {
	c := calc{b}
	s := c.sides(y, eta, cuts)
	terms := append(c.softplus(c.neg(s.above)), c.softplus(c.neg(s.below))...)
	if len(s.gaps) == 0 {
		return c.scaled(-1, b.Sum(terms))
	}
	gaps := c.Map(tape.Log1mExp, c.sub(cuts[:len(cuts)-1], cuts[1:]))
	count := make([]int, len(gaps))
	for _, g := range s.gaps {
		count[g]++
	}
	return b.Do(tape.Sub, b.Sum(c.mulOrZero(numbers(count), gaps)), b.Sum(terms))
}

// OrderedProbit is OrderedLogistic with the normal distribution function in place of the logistic one. Phi(u) - Phi(v)
// is computed in the lower tail, from u and v or from -v and -u.
func OrderedProbit(b *tape.Builder, y []int, eta, cuts []tape.Scalar) tape.Scalar {
	c := calc{b}
	s := c.sides(y, eta, cuts)
	var u, v, ends vec
	inner := map[[2]int]bool{} // by side and index
	for _, p := range s.both {
		u, v = append(u, s.above[p[0]]), append(v, s.below[p[1]])
		inner[[2]int{0, p[0]}], inner[[2]int{1, p[1]}] = true, true
	}
	for side, x := range [2]vec{s.above, s.below} {
		for i, e := range x {
			if !inner[[2]int{side, i}] {
				ends = append(ends, e)
			}
		}
	}
	terms := c.logPhi(ends)
	if len(u) > 0 { // v is eta - c, the negative of the lower side
		high, low := c.min(u, v), c.neg(c.Map(tape.Max, u, v))
		terms = append(terms, c.Map(tape.LogSubExp, c.logPhi(high), c.logPhi(low))...)
	}
	return b.Sum(terms)
}
