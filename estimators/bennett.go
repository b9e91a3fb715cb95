package estimators

import (
	"math"

	"logzlab/core/num"
)

// Bennett is the c at which
//
//	sum_forward 1/(1 + e^(c - w)) = sum_reverse 1/(1 + e^(w - c)),
//
// over forward and reverse log weights w, the reverse ones given as -w: log Z from both directions, minus
// log(reverse/forward), their numbers ([Bennett1976] eq. 12). No term exceeds 1, so the estimate is stable even where
// reverse weights have infinite variance.
func Bennett(forward, reverse []float64) float64 {
	ahead, back := num.LogMeanExp(forward), -num.LogMeanExp(reverse)
	room := 1 + math.Abs(num.Log(float64(len(reverse))/float64(len(forward))))
	lo, hi := min(ahead, back)-room, max(ahead, back)+room
	for range 40 {
		c, excess := float64((lo+hi)/2), 0.0
		for i := range max(len(forward), len(reverse)) {
			left, right := 0.0, 0.0
			if i < len(forward) {
				left = 1 / (1 + num.Exp(c-forward[i]))
			}
			if i < len(reverse) {
				right = 1 / (1 + num.Exp(-reverse[i]-c))
			}
			excess += left - right
		}
		if excess > 0 {
			lo = c
		} else {
			hi = c
		}
	}
	return float64((lo + hi) / 2)
}

// BennettWithout is the root of Bennett's equation without the pairs from..to-1, by Newton's method from c, which is
// about the root of all pairs; with from = to it improves c itself. The difference of the logs of both sides is close
// to linear in c, and linear where the works do not overlap, however far apart they are.
func BennettWithout(c float64, forward, reverse []float64, from, to int) float64 {
	for range 50 {
		p, slopeP := Accepted(forward, -c, from, to)
		q, slopeQ := Accepted(reverse, c, from, to)
		step := (p - q) / (slopeP + slopeQ)
		if !num.Finite(step) { // nothing is left
			return math.NaN()
		}
		if c += step; math.Abs(step) < 1e-11 {
			break
		}
	}
	return c
}

// Accepted is the log of the sum of 1/(1 + e^-x) over x = work + shift, without the works from..to-1, and its
// derivative with respect to shift.
func Accepted(works []float64, shift float64, from, to int) (logSum, slope float64) {
	low := math.Inf(-1)
	for i, w := range works {
		if i < from || i >= to {
			low = max(low, min(w+shift, 0))
		}
	}
	sum := 0.0
	for i, w := range works {
		if i >= from && i < to {
			continue
		}
		x := w + shift
		small := num.Exp(-math.Abs(x))
		is, not := 1/(1+small), small/(1+small)
		if x < 0 {
			is, not = num.Exp(x-low)/(1+small), is
		}
		sum += is
		slope += num.Mul(is, not)
	}
	return low + num.Log(sum), slope / sum
}
