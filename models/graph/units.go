package graph

import (
	"math"
	"slices"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// maxSum is the largest sum of the absolute values of the coefficients of a spin, in units, for which package kernel
// cannot overflow. If rounding to such units changes log f too much, as for hundreds of couplings of a spin, sums may
// reach fineSum, nearly all of 32 bits, because the code of this package does not double them.
const (
	maxSum  = 1 << 29
	fineSum = 1<<31 - 1<<20
)

// coefficients returns the coefficients of a table on at most two spins: log T = t + bi x_i + bj x_j + w x_i x_j, in
// nats.
func coefficients(f *factor.Factor) (t, bi, bj, w float64) {
	x := f.Table
	switch len(f.Vars) {
	case 0:
		return x[0], 0, 0, 0
	case 1:
		return x[0], x[1] - x[0], 0, 0
	}
	return x[0], x[2] - x[0], x[1] - x[0], (x[3] - x[2]) - (x[1] - x[0])
}

// round returns a coefficient x, in nats, rounded to an integer number of units.
func (c *couplings) round(x float64) int32 { return int32(math.RoundToEven(x / c.unit)) }

// chooseUnit sets unit, and constant to the log f of all spins at 0. The unit is the smallest coefficient if all others
// are multiples, as for couplings -1 and 1. Otherwise it is the smallest power of two, from 2^-40 on, for which no sum
// exceeds maxSum, or a finer unit for fineSum. It returns false if rounding may change a log f by maxRounding or more.
func (c *couplings) chooseUnit(g *factor.Graph) bool {
	absSums, minCoefficient := make([]float64, len(g.States)), math.Inf(1)
	c.constant = 0

	// The largest sum of each variable, and the smallest coefficient.
	for i := range g.Factors {
		f := &g.Factors[i]
		t, bi, bj, w := coefficients(f)
		c.constant += t
		for k, x := range []float64{bi, bj} {
			if k < len(f.Vars) {
				absSums[f.Vars[k]] += math.Abs(x) + math.Abs(w)
			}
		}
		for _, x := range []float64{bi, bj, w} {
			if x != 0 {
				minCoefficient = min(minCoefficient, math.Abs(x))
			}
		}
	}
	maxAbsSum := 0.0
	for _, x := range absSums {
		maxAbsSum = max(maxAbsSum, x)
	}
	if maxAbsSum == 0 {
		c.unit = 1
		return true
	}

	// Use the smallest coefficient if all others are multiples.
	c.unit = minCoefficient
	if isMultiple := maxAbsSum/minCoefficient < 1<<20; isMultiple && c.rounding(g) <= 1e-12*maxAbsSum {
		return true
	}

	// Otherwise use a power of two.
	for c.unit = math.Ldexp(1, -40); maxAbsSum/c.unit+float64(len(g.Factors)) >= maxSum; c.unit *= 2 {
	}
	if c.rounding(g) < maxRounding {
		return true
	}

	// Otherwise use the finest unit possible, and round the sum of the terms of each bias instead of each term.
	c.roundsBiasOnce = true
	c.unit = largestSum(g) / fineSum
	return c.rounding(g) < maxRounding
}

// largestSum returns the largest value over the spins i of |b_i| + sum_j |w_ij|, in nats.
func largestSum(g *factor.Graph) float64 {
	b, absWeights := make([]float64, len(g.States)), make([]float64, len(g.States))
	for i := range g.Factors {
		f := &g.Factors[i]
		_, bi, bj, w := coefficients(f)
		for k, v := range f.Vars {
			x := bi
			if k > 0 {
				x = bj
			}
			b[v] += x
			absWeights[v] += math.Abs(w)
		}
	}
	for v, x := range b {
		absWeights[v] += math.Abs(x)
	}
	return slices.Max(absWeights)
}

// maxRounding limits the change of any log f by rounding, in nats.
const maxRounding = 1e-3

// rounding returns an upper bound, in nats, of the change of any log f by rounding to units.
func (c *couplings) rounding(g *factor.Graph) (sum float64) {
	for i := range g.Factors {
		_, bi, bj, w := coefficients(&g.Factors[i])
		for k, x := range []float64{w, bi, bj} {
			if k == 0 || !c.roundsBiasOnce {
				sum += math.Abs(x - num.Mul(math.RoundToEven(x/c.unit), c.unit))
			}
		}
	}
	if c.roundsBiasOnce { // each b changes by at most half a unit
		sum += num.Mul(c.unit/2, float64(len(g.States)))
	}
	return sum
}
