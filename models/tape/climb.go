package tape

import (
	"math"

	"logzlab/core/num"
)

// climber finds a point of high density.
type climber struct {
	dim   int
	slope func(x, out []float64) float64 // log density and its gradient
	left  int                            // evaluations that it may still make
	high  float64                        // log density at which a climb ends, 0 for none
}

// Sizes of a climb: pairs of steps that are remembered, and steps at most.
const (
	climbPairs = 20
	climbSteps = 500
)

// pair is a step of a climb, and the change of the gradient along it.
type pair struct{ step, bend []float64 }

// climb goes up from x, in place, by L-BFGS ([Nocedal1980]), and returns the log density reached, -Inf where the start
// has none. It ends where a step gains next to nothing.
func (c *climber) climb(x []float64) float64 {
	g, next, gNext := make([]float64, c.dim), make([]float64, c.dim), make([]float64, c.dim)
	f := c.slope(x, g)
	if !num.Finite(f) || !num.AllFinite(g) {
		return math.Inf(-1)
	}

	// Each step goes up in a direction of L-BFGS.
	var pairs []pair
	small := 0
	for range climbSteps {
		up := direction(g, pairs)
		if len(pairs) == 0 { // a first step of length 1 at most
			num.Axpy(1/max(1, math.Sqrt(num.Dot(g, g)))-1, up, up)
		}
		rise := num.Dot(up, g)
		if !(rise > 0) {
			pairs, small = nil, small+1
			if small > 2 {
				break
			}
			continue
		}

		// A search along the direction; without a gain, the pairs are forgotten.
		fNext, ok := c.search(x, up, next, gNext, f, rise)
		if !ok {
			if len(pairs) == 0 {
				break
			}
			pairs = nil
			continue
		}

		// What the step tells of the curvature.
		p := pair{make([]float64, c.dim), make([]float64, c.dim)}
		for i := range x {
			p.step[i], p.bend[i] = next[i]-x[i], g[i]-gNext[i]
		}
		if num.Dot(p.step, p.bend) > 0 {
			pairs = append(pairs, p)
			pairs = pairs[max(0, len(pairs)-climbPairs):]
		}

		// The climb ends after some steps of small gain.
		small++
		if fNext-f > 1e-8*max(1, math.Abs(f)) {
			small = 0
		}
		copy(x, next)
		copy(g, gNext)
		if f = fNext; small > 2 || c.left <= 0 || c.high != 0 && f >= c.high {
			break
		}
	}
	return f
}

// direction is the inverse curvature times the gradient, in two loops over the pairs.
func direction(g []float64, pairs []pair) []float64 {
	up := append([]float64(nil), g...)
	share := make([]float64, len(pairs))
	for i := len(pairs) - 1; i >= 0; i-- {
		p := pairs[i]
		share[i] = num.Dot(p.step, up) / num.Dot(p.step, p.bend)
		num.Axpy(-share[i], p.bend, up)
	}
	if n := len(pairs); n > 0 {
		p := pairs[n-1]
		scale := num.Dot(p.step, p.bend) / num.Dot(p.bend, p.bend)
		for i := range up {
			up[i] *= scale
		}
	}
	for i, p := range pairs {
		num.Axpy(share[i]-num.Dot(p.bend, up)/num.Dot(p.step, p.bend), p.step, up)
	}
	return up
}

// search looks along a direction for a point that is high enough and where the slope is less (the weak conditions of
// Wolfe), by doubling and halving the step.
func (c *climber) search(x, up, next, gNext []float64, f, rise float64) (fNext float64, ok bool) {
	const enough, less = 1e-4, .9
	lo, hi, step := 0., math.Inf(1), 1.
	for range 40 {
		copy(next, x)
		num.Axpy(step, up, next)
		fNext = c.slope(next, gNext)
		c.left--
		switch {
		case !(fNext >= f+num.Mul(enough*step, rise)) || !num.Finite(fNext) || !num.AllFinite(gNext):
			hi = step
		case num.Dot(gNext, up) > less*rise && math.IsInf(hi, 1) && step < 1e6:
			lo = step
		default:
			return fNext, true
		}
		if step = 2 * lo; !math.IsInf(hi, 1) {
			step = (lo + hi) / 2
		}
		if c.left <= 0 {
			break
		}
	}
	return fNext, false
}

// curvature sets out to minus the second derivatives of the log density at x, by differences of the gradient over steps
// of a share of the scales. ok is false where they are no numbers.
func (c *climber) curvature(x, scale, out []float64) (ok bool) {
	at, g0, g1 := append([]float64(nil), x...), make([]float64, c.dim), make([]float64, c.dim)
	for i, v := range x {
		h := num.Mul(1e-4, scale[i])
		at[i] = v + h
		c.slope(at, g1)
		at[i] = v - h
		c.slope(at, g0)
		at[i] = v
		c.left -= 2
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
