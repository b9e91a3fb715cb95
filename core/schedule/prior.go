package schedule

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// PriorHelp lists the priors that CanonicalPrior accepts.
const PriorHelp = "uniform, exp:c (in proportion to e^(c β), |c| ≤ 100), or weights:w_w_... (your own, at even steps " +
	"of the ladder from the base to the target)"

// Limits of priors: the slope of exp:c, a weight and its inverse, and the number of weights.
const (
	maxSlope   = 100.0
	maxWeight  = 1e9
	maxWeights = 1000
)

// readPrior parses the text of a prior: it returns c for exp:c, the weights for weights:..., and 0 and nil for uniform.
func readPrior(text string) (c float64, weights []float64, err error) {
	name, arg, hasArg := strings.Cut(text, ":")
	bad := problem.New("prior %q: it must be %s", text, PriorHelp)
	switch {
	case name == "uniform" && !hasArg:
		return 0, nil, nil
	case name == "exp" && hasArg:
		if c, err = num.Parse(arg); err != nil || !(math.Abs(c) <= maxSlope) {
			return 0, nil, bad
		}
		return c, nil, nil
	case name != "weights":
		return 0, nil, bad
	}
	for _, word := range strings.Split(arg, "_") {
		w, err := num.Parse(word)
		if err != nil || !(w >= 1/maxWeight && w <= maxWeight) {
			return 0, nil, problem.New("prior weights: %s is not a number between %g and %g", word, 1/maxWeight, maxWeight)
		}
		weights = append(weights, w)
	}
	if n := len(weights); n < 2 || n > maxWeights {
		return 0, nil, problem.New("prior weights: %d numbers; it takes 2 to %d", n, maxWeights)
	}
	return 0, weights, nil
}

// CanonicalPrior returns the canonical text of a prior over temperatures, or an error that lists the allowed texts.
func CanonicalPrior(text string) (string, error) {
	c, weights, err := readPrior(text)
	switch {
	case err != nil:
		return "", err
	case weights != nil:
		return "weights:" + joinNumbers(weights), nil
	case c != 0:
		return "exp:" + joinNumbers([]float64{c}), nil
	}
	return "uniform", nil
}

// Prior returns log(K r_k) at each of the K rungs of a ladder, where r_k is the fraction of samples that a tempering
// run aims at for rung k ([RTS] eq. 4); the r_k sum to 1. For the prior uniform the result is nil, which stands for 0
// at every rung:
//
//	uniform          r_k = 1/K
//	exp:c            r_k proportional to e^(c beta_k); [RTS] section 4.4 has c = 2
//	weights:w_w_...  r_k proportional to the weights, which apply to even steps of the ladder: the first to the base, the
//	                 last to the target; linear between them
//
// An empty text is uniform.
func Prior(text string, ladder []float64) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	c, weights, err := readPrior(text)
	if err != nil || c == 0 && weights == nil {
		return nil, err
	}
	logs, top := make([]float64, len(ladder)), len(ladder)-1
	for k, beta := range ladder {
		if logs[k] = num.Mul(c, beta); weights == nil {
			continue
		}
		logs[k] = num.Log(WeightAt(weights, k, top))
	}
	mean := num.LogMeanExp(logs)
	for k := range logs {
		logs[k] -= mean
	}
	return logs, nil
}

// WeightCount is the number of weights of a prior drawn by hand.
const WeightCount = 9

// Limits of a weight drawn by hand.
const minDrawnWeight, maxDrawnWeight = 1e-3, 1e3

// PriorKnots returns a prior in the form in which it is drawn by hand: knots are WeightCount weights at even steps of
// the ladder from the base to the target, and rungs are the weights of all rungs on the same scale. The knots are the
// weights of the text if it has WeightCount of them, otherwise K r_k rounded to two significant figures. Both results
// are nil if they are unknown, for example for exp:c on a ladder whose rungs are NaN.
func PriorKnots(text string, ladder []float64) (knots, rungs []float64) {
	_, customWeights, err := readPrior(text)
	logs, priorErr := Prior(text, ladder)
	if err != nil || priorErr != nil || len(ladder) < 2 || logs != nil && !num.NotNaN(logs[0]) {
		return nil, nil
	}
	top := len(ladder) - 1
	for k := range ladder {
		switch {
		case len(customWeights) == WeightCount:
			rungs = append(rungs, WeightAt(customWeights, k, top))
		case logs != nil:
			rungs = append(rungs, num.Exp(logs[k]))
		default:
			rungs = append(rungs, 1)
		}
	}
	if len(customWeights) == WeightCount {
		return customWeights, rungs
	}
	for i := range WeightCount {
		knots = append(knots, roundWeight(WeightAt(rungs, i, WeightCount-1)))
	}
	return knots, rungs
}

// WeightAt interpolates evenly spaced weights linearly: it returns the weight at the fraction k/n of the way from the
// first weight to the last.
func WeightAt(weights []float64, k, n int) float64 {
	last := len(weights) - 1
	i := min(k*last/n, last-1)
	return weights[i] + num.Mul(float64(k*last-i*n)/float64(n), weights[i+1]-weights[i])
}

// roundWeight rounds a weight to two significant figures, within [minDrawnWeight, maxDrawnWeight].
func roundWeight(w float64) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(min(max(w, minDrawnWeight), maxDrawnWeight), 'g', 2, 64), 64)
	return x
}

// SetWeight returns a copy of weights with weight i set to roundWeight(w).
func SetWeight(weights []float64, i int, w float64) []float64 {
	x := append([]float64(nil), weights...)
	x[i] = roundWeight(w)
	return x
}

// PriorText returns the text of the prior with these weights.
func PriorText(weights []float64) string {
	if slices.Max(weights) == slices.Min(weights) {
		return "uniform"
	}
	return "weights:" + joinNumbers(weights)
}
