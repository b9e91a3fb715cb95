package schedule

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// PriorHelp names the priors that CanonicalPrior understands.
const PriorHelp = "uniform, exp:c (in proportion to e^(c β), |c| ≤ 100), or weights:w_w_... (your own, at even steps " +
	"of the ladder from the base to the target)"

// Bounds of priors: of the slope of exp:c, of a weight and its inverse, and of the number of weights.
const (
	steepest   = 100.0
	heaviest   = 1e9
	mostWeighs = 1000
)

// readPrior is c of exp:c, or the weights; 0 and nil for uniform.
func readPrior(text string) (c float64, weights []float64, err error) {
	name, arg, has := strings.Cut(text, ":")
	bad := problem.New("prior %q: it must be %s", text, PriorHelp)
	switch {
	case name == "uniform" && !has:
		return 0, nil, nil
	case name == "exp" && has:
		if c, err = num.Parse(arg); err != nil || !(math.Abs(c) <= steepest) {
			return 0, nil, bad
		}
		return c, nil, nil
	case name != "weights":
		return 0, nil, bad
	}
	for _, word := range strings.Split(arg, "_") {
		w, err := num.Parse(word)
		if err != nil || !(w >= 1/heaviest && w <= heaviest) {
			return 0, nil, problem.New("prior weights: %s is not a number between %g and %g", word, 1/heaviest, heaviest)
		}
		weights = append(weights, w)
	}
	if n := len(weights); n < 2 || n > mostWeighs {
		return 0, nil, problem.New("prior weights: %d numbers; it takes 2 to %d", n, mostWeighs)
	}
	return 0, weights, nil
}

// CanonicalPrior returns the canonical text of a prior over temperatures, or an error that says what is allowed.
func CanonicalPrior(text string) (string, error) {
	c, weights, err := readPrior(text)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch {
	case err != nil:
		return "", err
	case weights != nil:
		words := make([]string, len(weights))
		for i, w := range weights {
			words[i] = number(w)
		}
		return "weights:" + strings.Join(words, "_"), nil
	case c != 0:
		return "exp:" + number(c), nil
	}
	return "uniform", nil
}

// Prior is log(K r_k) at each of the K rungs of a ladder, r_k the share of its samples that a tempering run aims at for
// rung k ([RTS] eq. 4); the r_k sum to 1. nil stands for uniform, where it is 0:
//
//	uniform          r_k = 1/K
//	exp:c            r_k in proportion to e^(c beta_k); [RTS] section 4.4 has c = 2
//	weights:w_w_...  r_k in proportion to these at even steps of the ladder, the first at the base and the last at the
//	                 target, and linear between them
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
		i := min(k*(len(weights)-1)/top, len(weights)-2)
		part := float64(k*(len(weights)-1)-i*top) / float64(top)
		logs[k] = num.Log(weights[i] + num.Mul(part, weights[i+1]-weights[i]))
	}
	mean := num.LogMeanExp(logs)
	for k := range logs {
		logs[k] -= mean
	}
	return logs, nil
}
