package program

import (
	"math"

	"logzlab/core/num"
)

// climber finds a local maximum of a log density by gradient ascent.
type climber struct {
	dim    int
	grad   func(x, out []float64) float64 // log density and its gradient
	budget int                            // gradients that may still be evaluated
	target float64                        // log density at which a climb stops; 0: none
}

// Limits of a climb.
const (
	lbfgsMemory   = 20 // pairs that are kept
	maxClimbSteps = 500
)

// pair is a step of a climb and the decrease of the gradient along it (s and y of L-BFGS).
type pair struct{ step, gradDrop []float64 }

// climb moves x to a local maximum by L-BFGS ([Nocedal1980]) and returns the log density there, or -Inf if the log
// density or the gradient at the start is not finite. It stops after three steps in a row with almost no gain, at the
// target, or when the budget is used.
func (c *climber) climb(x []float64) float64 {
	g, next, gNext := make([]float64, c.dim), make([]float64, c.dim), make([]float64, c.dim)
	f := c.grad(x, g)
	if !num.Finite(f) || !num.AllFinite(g) {
		return math.Inf(-1)
	}

	var pairs []pair
	smallGains := 0
	for range maxClimbSteps {
		direction := lbfgsDirection(g, pairs)
		if len(pairs) == 0 { // the gradient itself, scaled to length 1 if it is longer
			num.Axpy(1/max(1, math.Sqrt(num.Dot(g, g)))-1, direction, direction)
		}
		derivative := num.Dot(direction, g)
		if !(derivative > 0) {
			pairs, smallGains = nil, smallGains+1
			if smallGains > 2 {
				break
			}
			continue
		}

		// If the line search fails, retry along the gradient.
		fNext, ok := c.lineSearch(x, direction, next, gNext, f, derivative)
		if !ok {
			if len(pairs) == 0 {
				break
			}
			pairs = nil
			continue
		}

		// Pairs with positive curvature keep the approximation of the Hessian definite.
		p := pair{make([]float64, c.dim), make([]float64, c.dim)}
		for i := range x {
			p.step[i], p.gradDrop[i] = next[i]-x[i], g[i]-gNext[i]
		}
		if num.Dot(p.step, p.gradDrop) > 0 {
			pairs = append(pairs, p)
			pairs = pairs[max(0, len(pairs)-lbfgsMemory):]
		}

		smallGains++
		if fNext-f > 1e-8*max(1, math.Abs(f)) {
			smallGains = 0
		}
		copy(x, next)
		copy(g, gNext)
		if f = fNext; smallGains > 2 || c.budget <= 0 || c.target != 0 && f >= c.target {
			break
		}
	}
	return f
}

// lbfgsDirection returns the gradient times the inverse of the negative Hessian, approximated by the pairs (two-loop
// recursion).
func lbfgsDirection(g []float64, pairs []pair) []float64 {
	direction := append([]float64(nil), g...)
	alpha := make([]float64, len(pairs))
	for i := len(pairs) - 1; i >= 0; i-- {
		p := pairs[i]
		alpha[i] = num.Dot(p.step, direction) / num.Dot(p.step, p.gradDrop)
		num.Axpy(-alpha[i], p.gradDrop, direction)
	}
	if n := len(pairs); n > 0 {
		p := pairs[n-1]
		scale := num.Dot(p.step, p.gradDrop) / num.Dot(p.gradDrop, p.gradDrop)
		for i := range direction {
			direction[i] *= scale
		}
	}
	for i, p := range pairs {
		num.Axpy(alpha[i]-num.Dot(p.gradDrop, direction)/num.Dot(p.step, p.gradDrop), p.step, direction)
	}
	return direction
}

// lineSearch sets next to a point along a direction that satisfies the weak Wolfe conditions, and gNext to the gradient
// there, by doubling and bisecting the step. derivative is the directional derivative at x.
func (c *climber) lineSearch(x, direction, next, gNext []float64, f, derivative float64) (fNext float64, ok bool) {
	const armijo, wolfe = 1e-4, .9
	lo, hi, step := 0., math.Inf(1), 1.
	for range 40 {
		copy(next, x)
		num.Axpy(step, direction, next)
		fNext = c.grad(next, gNext)
		c.budget--
		switch {
		case !(fNext >= f+num.Mul(armijo*step, derivative)) || !num.Finite(fNext) || !num.AllFinite(gNext):
			hi = step
		case num.Dot(gNext, direction) > wolfe*derivative && math.IsInf(hi, 1) && step < 1e6:
			lo = step
		default:
			return fNext, true
		}
		if step = 2 * lo; !math.IsInf(hi, 1) {
			step = (lo + hi) / 2
		}
		if c.budget <= 0 {
			break
		}
	}
	return fNext, false
}

// negativeHessian sets out to the negative Hessian of the log density at x, by central differences of the gradient with
// steps of 1e-4 times the scales, symmetrised. ok is false if it is not finite.
func (c *climber) negativeHessian(x, scale, out []float64) (ok bool) {
	point, g0, g1 := append([]float64(nil), x...), make([]float64, c.dim), make([]float64, c.dim)
	for i, v := range x {
		h := num.Mul(1e-4, scale[i])
		point[i] = v + h
		c.grad(point, g1)
		point[i] = v - h
		c.grad(point, g0)
		point[i] = v
		c.budget -= 2
		for j := range g0 {
			out[i*c.dim+j] = (g0[j] - g1[j]) / float64(2*h)
		}
	}
	for i := range x {
		for j := range i {
			v := num.Mul(.5, out[i*c.dim+j]+out[j*c.dim+i])
			out[i*c.dim+j], out[j*c.dim+i] = v, v
		}
	}
	return num.AllFinite(out)
}
