package estimators

import (
	"math"

	"logzlab/core/num"
)

// Bennett returns the root c of Bennett's equation
//
//	sum_forward 1/(1 + e^(c - w)) = sum_reverse 1/(1 + e^(w - c))
//
// for the log weights w of forward and reverse samples (nats); the argument reverse holds -w. The root estimates
// log Z - log(n_reverse/n_forward) from both directions ([Bennett1976] eq. 12). No term exceeds 1, so the estimate is
// stable even if the reverse weights have infinite variance.
func Bennett(forward, reverse []float64) float64 {
	forwardLogZ, reverseLogZ := num.LogMeanExp(forward), -num.LogMeanExp(reverse)
	margin := 1 + math.Abs(num.Log(float64(len(reverse))/float64(len(forward))))
	lo, hi := min(forwardLogZ, reverseLogZ)-margin, max(forwardLogZ, reverseLogZ)+margin
	below, above := bracketRoot(lo, hi, forward, reverse)
	for range 40 {
		c := float64((lo + hi) / 2)
		isRootAbove := c <= below
		if !isRootAbove && !(c >= above) {
			difference, _ := excess(c, forward, reverse)
			isRootAbove = difference > 0
		}
		if isRootAbove {
			lo = c
		} else {
			hi = c
		}
	}
	return float64((lo + hi) / 2)
}

// excess returns the left side of Bennett's equation minus the right side, which falls as c grows, and -1 times its
// slope.
func excess(c float64, forward, reverse []float64) (sum, slope float64) {
	for i := range max(len(forward), len(reverse)) {
		left, right := 0.0, 0.0
		if i < len(forward) {
			left = 1 / (1 + num.Exp(c-forward[i]))
		}
		if i < len(reverse) {
			right = 1 / (1 + num.Exp(-reverse[i]-c))
		}
		sum += left - right
		slope += num.Mul(left, 1-left) + num.Mul(right, 1-right)
	}
	return sum, slope
}

// bracketRoot finds two points close to the root of Bennett's equation in [lo, hi] by Newton's method. The computed
// excess is positive at every c <= below and not positive at every c >= above, in spite of rounding. Bisection can
// therefore skip the computation of the excess there and still end at the same bits.
func bracketRoot(lo, hi float64, forward, reverse []float64) (below, above float64) {
	n := float64(max(len(forward), len(reverse)))
	roundingBound := num.Mul(float64(n*(n+8)), 0x1p-51) // four times the bound of the rounding error of a sum of n terms of at most 1
	below, above = math.Inf(-1), math.Inf(1)
	evaluate := func(c float64) (step, slope float64) {
		sum, slope := excess(c, forward, reverse)
		if sum > roundingBound {
			below = max(below, c)
		} else if sum < -roundingBound {
			above = min(above, c)
		}
		return sum / slope, slope
	}
	c, step, slope := float64((lo+hi)/2), 1.0, 0.0
	for i := 0; i < 12 && math.Abs(step) > 1e-7; i++ {
		step, slope = evaluate(c)
		lower, upper := max(lo, below), min(hi, above)
		if next := c + step; next > lower && next < upper {
			c = next
		} else {
			c = float64((lower + upper) / 2)
		}
	}
	for d := 2 * roundingBound / slope; d < hi-lo && !(above-below <= 2*d); d *= 16 {
		evaluate(c - d)
		evaluate(c + d)
	}
	return below, above
}

// BennettWithout returns the root of Bennett's equation without the pairs from..to-1, by Newton's method from c, which
// should be close to the root for all pairs. With from = to no pair is left out, and the result is a more accurate root.
func BennettWithout(c float64, forward, reverse []float64, from, to int) float64 {
	return newton(c, 0, forward, reverse, from, to)
}

// newton solves log(left side of Bennett's equation) + offset = log(right side) by Newton's method from c, without the
// pairs from..to-1. The difference of the logs is nearly linear in c; it is exactly linear if the forward and reverse log
// weights do not overlap. It returns NaN if no pair remains.
func newton(c, offset float64, forward, reverse []float64, from, to int) float64 {
	for range 50 {
		p, slopeP := LogAccepted(forward, -c, from, to)
		q, slopeQ := LogAccepted(reverse, c, from, to)
		step := (p - q + offset) / (slopeP + slopeQ)
		if !num.Finite(step) { // no pair remains
			return math.NaN()
		}
		if c += step; math.Abs(step) < 1e-11 {
			break
		}
	}
	return c
}

// LogAccepted returns the log of the sum of 1/(1 + e^-x) over x = works[i] + shift, without i = from..to-1, and its
// derivative with respect to shift. 1/(1 + e^-x) is the acceptance probability in Bennett's equation.
func LogAccepted(works []float64, shift float64, from, to int) (logSum, slope float64) {
	maxLogAcceptance := math.Inf(-1)
	for i, w := range works {
		if i < from || i >= to {
			maxLogAcceptance = max(maxLogAcceptance, min(w+shift, 0))
		}
	}
	sum := 0.0
	for i, w := range works {
		if i >= from && i < to {
			continue
		}
		x := w + shift
		expMinusAbs := num.Exp(-math.Abs(x))
		accepted1, not := 1/(1+expMinusAbs), expMinusAbs/(1+expMinusAbs)
		if x < 0 {
			accepted1, not = num.Exp(x-maxLogAcceptance)/(1+expMinusAbs), accepted1
		}
		sum += accepted1
		slope += num.Mul(accepted1, not)
	}
	return maxLogAcceptance + num.Log(sum), slope / sum
}
