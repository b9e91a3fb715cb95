package schedule

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// A path from beta = 0 to 1 has g(beta) = Var[d log f_beta/d beta] under f_beta. Annealing with perfect moves at k
// temperatures beta(s), s = i/(k-1), has (k-1) Var(log w) -> F = int_0^1 g(beta(s)) beta'(s)^2 ds, which is least where
// sqrt(g) beta' is constant ([VAROPT] Theorem 1 and eq. 9).

// Optimal is the ladder of k temperatures that makes F least, for g >= 0 at the knots betas, which increase from 0 to
// 1: the inverse of the integral of sqrt(g), which is linear between knots. Where g is 0 it goes on as if g were 1e-12
// of its maximum.
func Optimal(betas, g []float64, k int) []float64 { return Invert(betas, roots(g), k) }

// roots are square roots of g, floored.
func roots(g []float64) []float64 {
	top := slices.Max(g)
	out := make([]float64, len(g))
	for i, v := range g {
		out[i] = 1
		if top > 0 {
			out[i] = math.Sqrt(max(v, num.Mul(1e-12, top)))
		}
	}
	return out
}

// Nearest is the place of the inverse temperature that is nearest to beta; they rise, and of two as near the first
// counts.
func Nearest(betas []float64, beta float64) int {
	k, _ := slices.BinarySearch(betas, beta)
	if k == len(betas) || k > 0 && beta-betas[k-1] <= betas[k]-beta {
		k--
	}
	return k
}

// Invert is the ladder of k temperatures whose density is proportional to rho > 0, which is given at the knots betas:
// the inverse of its integral by trapezoids, which is linear between knots.
func Invert(betas, rho []float64, k int) []float64 {
	sum := make([]float64, len(betas))
	for i := 1; i < len(betas); i++ {
		sum[i] = sum[i-1] + float64((betas[i]-betas[i-1])*(rho[i]+rho[i-1])/2)
	}
	return through(betas, sum, k)
}

// through is the ladder of k temperatures at even steps of s, which increases with betas and is linear between them.
func through(betas, s []float64, k int) []float64 {
	out, j, last := make([]float64, k), 0, len(betas)-1
	for i := range out {
		at := num.Mul(s[last], float64(i)/float64(k-1))
		for j < last-1 && s[j+1] < at {
			j++
		}
		out[i] = betas[j] + num.Mul(betas[j+1]-betas[j], (at-s[j])/(s[j+1]-s[j]))
	}
	out[0], out[k-1] = 0, 1
	return out
}

// Functionals are F of the linear schedule, int g, and of the optimal one, (int sqrt(g))^2, by trapezoids.
func Functionals(betas, g []float64) (linear, optimal float64) {
	for i := 1; i < len(betas); i++ {
		d := (betas[i] - betas[i-1]) / 2
		linear += num.Mul(d, g[i]+g[i-1])
		optimal += num.Mul(d, math.Sqrt(g[i])+math.Sqrt(g[i-1]))
	}
	return linear, num.Mul(optimal, optimal)
}

// Predicted is Var(log w) of annealing with perfect moves along a ladder: the sum over its steps of their length times
// the integral of g over them, by the trapezoids of its knots.
func Predicted(betas, g, ladder []float64) (v float64) {
	j := 0
	for i := 1; i < len(ladder); i++ {
		lo, hi := ladder[i-1], ladder[i]
		part := 0.0
		for at := lo; at < hi; {
			for j < len(betas)-2 && betas[j+1] <= at {
				j++
			}
			end := hi
			if j < len(betas)-2 {
				end = min(hi, betas[j+1])
			}
			part += float64((end - at) * (between(betas, g, j, at) + between(betas, g, j, end)) / 2)
			at = end
		}
		v += num.Mul(part, hi-lo)
	}
	return v
}

// Forecast is Predicted for annealing in so many steps along a curve, which is given at even steps of the run; NaN
// without steps or g.
func Forecast(betas, g, shape []float64, steps int) float64 {
	if len(g) == 0 || steps < 1 {
		return math.NaN()
	}
	return num.Mul(Predicted(betas, g, shape), float64(len(shape)-1)) / float64(steps)
}

// Chains is how many chains of annealing with Var(log w) = v give the error bar of one with the variance best: the
// log of the mean of C weights has the variance (e^v - 1)/C if their logs are normal. For small ones it is v/best, the
// ratio of F. It is NaN where best is 0.
func Chains(v, best float64) float64 {
	return num.Mul(num.Exp(v-best), saturating(v)) / saturating(best)
}

// saturating is 1 - e^-x.
func saturating(x float64) float64 {
	if x < 1e-5 {
		return x - float64(num.Mul(x, x)/2)
	}
	return 1 - num.Exp(-x)
}

func between(x, y []float64, j int, at float64) float64 {
	return y[j] + num.Mul(y[j+1]-y[j], (at-x[j])/(x[j+1]-x[j]))
}

// Decelerate shortens steps of a ladder to eta and stretches the others by one factor, so that it stays from 0 to 1
// ([VAROPT] Algorithm 3; water-filling). Error: eta (k-1) < 1.
func Decelerate(ladder []float64, eta float64) ([]float64, error) {
	n := len(ladder) - 1
	if !(num.Mul(eta, float64(n)) >= 1-1e-12) {
		return nil, problem.New("%d steps of at most %g do not reach from 0 to 1", n, eta)
	}

	// The steps, the longest first.
	steps := make([]float64, n)
	for i := range steps {
		steps[i] = ladder[i+1] - ladder[i]
	}
	down := slices.Clone(steps)
	slices.Sort(down)
	slices.Reverse(down)

	// The longest steps become eta, and the others stretch.
	rest, c := 1.0, 1.0
	for m := range n { // the m longest steps become eta
		c = (1 - num.Mul(float64(m), eta)) / rest
		if num.Mul(c, down[m]) <= eta {
			break
		}
		rest -= down[m]
	}

	// The new ladder.
	out := make([]float64, n+1)
	for i, d := range steps {
		out[i+1] = out[i] + min(num.Mul(c, d), eta)
	}
	out[n] = 1
	return out, nil
}

// Moments is the ladder of k temperatures of [Grosse2013]: linear between knots, with intervals in proportion to the
// root of (b_{j+1} - b_j)(m_{j+1} - m_j) with means m of d log f_beta/d beta; by largest remainder, at least one each.
// On a geometric path this product is the symmetric divergence of neighbouring knots, where nothing is summed out: for
// an RBM the divergence of the joint of visible and hidden units, as in the paper, and not the smaller one of the
// visible units, which [VAROPT] goes by. Error: fewer intervals than there are between knots.
func Moments(knots, means []float64, k int) ([]float64, error) {
	if k < len(knots) {
		return nil, problem.New("schedule gms13 needs at least %d temperatures, one step for each of its parts", len(knots))
	}
	costs := make([]float64, len(knots)-1)
	sum := 0.0
	for j := range costs {
		costs[j] = math.Sqrt(max((knots[j+1]-knots[j])*(means[j+1]-means[j]), 0))
		sum += costs[j]
	}
	if sum == 0 {
		costs = slices.Repeat([]float64{1}, len(costs))
	}
	out := []float64{0}
	for j, n := range apportion(costs, k-1) {
		for i := 1; i <= n; i++ {
			out = append(out, knots[j]+num.Mul(knots[j+1]-knots[j], float64(i)/float64(n)))
		}
	}
	out[k-1] = 1
	return out, nil
}
