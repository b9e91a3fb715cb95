package schedule

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// The density f_beta on a path from beta = 0 to 1 has g(beta) = Var[d log f_beta/d beta]. For annealing with perfect
// moves (an independent sample at each temperature) along k temperatures beta(s), s = i/(k-1), the product (k-1)
// Var(log w) tends to F = int_0^1 g(beta(s)) beta'(s)^2 ds as k grows. F is minimal if sqrt(g) beta' is constant
// ([VAROPT] Theorem 1 and eq. 9).

// Optimal returns the ladder of k temperatures that minimises F, for g >= 0 at the knots betas, which increase from 0
// to 1: the inverse function of the integral of sqrt(g), linear between knots, at even steps. Values of g below 1e-12
// of its maximum are raised to that.
func Optimal(betas, g []float64, k int) []float64 { return Invert(betas, flooredRoots(g), k) }

// flooredRoots returns the square roots of g after raising values below 1e-12 of the maximum to that; 1 everywhere if
// the maximum is 0.
func flooredRoots(g []float64) []float64 {
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

// Nearest returns the index of the number in the increasing slice betas that is nearest to beta; the lower index if two
// are equally near.
func Nearest(betas []float64, beta float64) int {
	k, _ := slices.BinarySearch(betas, beta)
	if k == len(betas) || k > 0 && beta-betas[k-1] <= betas[k]-beta {
		k--
	}
	return k
}

// Invert returns the ladder of k temperatures whose density is proportional to rho > 0, given at the knots betas: the
// inverse of its integral by trapezoids, linear between knots.
func Invert(betas, rho []float64, k int) []float64 {
	sum := make([]float64, len(betas))
	for i := 1; i < len(betas); i++ {
		sum[i] = sum[i-1] + float64((betas[i]-betas[i-1])*(rho[i]+rho[i-1])/2)
	}
	return ladderAtEvenSteps(betas, sum, k)
}

// ladderAtEvenSteps returns the ladder of k temperatures at equal steps of a coordinate along the path. position[i] is
// the coordinate of betas[i]; both increase, and the coordinate is linear in between.
func ladderAtEvenSteps(betas, position []float64, k int) []float64 {
	out, j, last := make([]float64, k), 0, len(betas)-1
	for i := range out {
		target := num.Mul(position[last], float64(i)/float64(k-1))
		for j < last-1 && position[j+1] < target {
			j++
		}
		out[i] = betas[j] + num.Mul(betas[j+1]-betas[j], (target-position[j])/(position[j+1]-position[j]))
	}
	out[0], out[k-1] = 0, 1
	return out
}

// Functionals returns F of the linear schedule, int g, and F of the optimal schedule, (int sqrt(g))^2, by trapezoids.
func Functionals(betas, g []float64) (linear, optimal float64) {
	for i := 1; i < len(betas); i++ {
		d := (betas[i] - betas[i-1]) / 2
		linear += num.Mul(d, g[i]+g[i-1])
		optimal += num.Mul(d, math.Sqrt(g[i])+math.Sqrt(g[i-1]))
	}
	return linear, num.Mul(optimal, optimal)
}

// PredictedVariance returns Var(log w) of annealing with perfect moves along a ladder: the sum over steps of the length
// of the step times the integral of g over the step, by trapezoids between knots.
func PredictedVariance(betas, g, ladder []float64) (v float64) {
	j := 0
	for i := 1; i < len(ladder); i++ {
		lo, hi := ladder[i-1], ladder[i]
		integral := 0.0
		for at := lo; at < hi; {
			for j < len(betas)-2 && betas[j+1] <= at {
				j++
			}
			end := hi
			if j < len(betas)-2 {
				end = min(hi, betas[j+1])
			}
			integral += float64((end - at) * (interpolate(betas, g, j, at) + interpolate(betas, g, j, end)) / 2)
			at = end
		}
		v += num.Mul(integral, hi-lo)
	}
	return v
}

// Forecast is PredictedVariance for annealing with the given number of steps along a curve, given at even steps of the
// run; NaN if there are no steps or g is empty.
func Forecast(betas, g, shape []float64, steps int) float64 {
	if len(g) == 0 || steps < 1 {
		return math.NaN()
	}
	return num.Mul(PredictedVariance(betas, g, shape), float64(len(shape)-1)) / float64(steps)
}

// ChainRatio returns the number of annealing chains with Var(log w) = variance that have the same error bar as one
// chain with Var(log w) = minVariance: (e^variance - 1)/(e^minVariance - 1). If log weights are normal with variance v,
// the log of the mean of C weights has variance (e^v - 1)/C to first order. For small variances the result is
// variance/minVariance, the ratio of F. It is NaN if both are 0.
func ChainRatio(variance, minVariance float64) float64 {
	return num.Mul(num.Exp(variance-minVariance), oneMinusExpNeg(variance)) / oneMinusExpNeg(minVariance)
}

// oneMinusExpNeg returns 1 - e^-x.
func oneMinusExpNeg(x float64) float64 {
	if x < 1e-5 {
		return x - float64(num.Mul(x, x)/2)
	}
	return 1 - num.Exp(-x)
}

// interpolate returns the linear interpolation of y at the abscissa at, between the knots x[j] and x[j+1].
func interpolate(x, y []float64, j int, at float64) float64 {
	return y[j] + num.Mul(y[j+1]-y[j], (at-x[j])/(x[j+1]-x[j]))
}

// Decelerate shortens the steps of a ladder to at most eta and stretches the other steps by a common factor, so that
// the ladder still ends at 1 ([VAROPT] Algorithm 3; water-filling). It returns an error if eta (k-1) < 1.
func Decelerate(ladder []float64, eta float64) ([]float64, error) {
	n := len(ladder) - 1
	if !(num.Mul(eta, float64(n)) >= 1-1e-12) {
		return nil, problem.New("%d steps of at most %g do not reach from 0 to 1", n, eta)
	}

	// The steps in descending order.
	steps := make([]float64, n)
	for i := range steps {
		steps[i] = ladder[i+1] - ladder[i]
	}
	descending := slices.Clone(steps)
	slices.Sort(descending)
	slices.Reverse(descending)

	// Find the number of steps that become eta, and the factor of the others.
	remaining, c := 1.0, 1.0
	for m := range n { // the m longest steps become eta
		c = (1 - num.Mul(float64(m), eta)) / remaining
		if num.Mul(c, descending[m]) <= eta {
			break
		}
		remaining -= descending[m]
	}

	// The new ladder.
	out := make([]float64, n+1)
	for i, d := range steps {
		out[i+1] = out[i] + min(num.Mul(c, d), eta)
	}
	out[n] = 1
	return out, nil
}

// Moments returns the ladder of k temperatures of [Grosse2013]: linear between knots, with numbers of steps
// proportional to the square root of (b_{j+1} - b_j)(m_{j+1} - m_j) for knots b and means m of d log f_beta/d beta, by
// largest remainder, at least one step for each interval. On a geometric path this product is the symmetric
// Kullback-Leibler divergence of the densities at neighbouring knots, if nothing is summed out. For an RBM it is the
// divergence of the joint density of visible and hidden units, as in the paper; [VAROPT] uses the smaller divergence of
// the visible units. Moments returns an error if there are fewer steps than intervals between knots.
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
