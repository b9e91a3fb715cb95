// Package schedule makes ladders of inverse temperatures: plain slices of K
// numbers, strictly increasing from 0 to 1, both ends counted.
package schedule

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Help names the schedules that Parse understands.
const Help = "linear, power:p (0 < p ≤ 1000), geometric:bmin (0 < bmin < 1), sigmoid:r (0 < r ≤ 1000) or sm08"

// MaxTemperatures bounds the length of a ladder.
const MaxTemperatures = 1_000_000

// Canonical returns the canonical text of a schedule, or an error that says what is
// allowed.
func Canonical(text string) (string, error) {
	name, arg, has := strings.Cut(text, ":")
	switch name {
	case "linear", "sm08":
		if !has {
			return name, nil
		}
	case "power", "geometric", "sigmoid":
		x, err := num.Parse(arg)
		if has && err == nil && x > 0 && x <= 1000 && (name != "geometric" || x < 1) {
			return name + ":" + strconv.FormatFloat(x, 'g', -1, 64), nil
		}
	}
	return "", problem.New("schedule %q: it must be %s", text, Help)
}

// Parse makes the ladder of k temperatures that text names (n = k - 1):
//
//	linear          i/n
//	power:p         (i/n)^p
//	geometric:bmin  0, then bmin^((n-i)/(n-1)), i = 1..n
//	sigmoid:r       logistic in i from -r to r, rescaled to [0, 1] ([Grosse2013])
//	sm08            [Salakhutdinov2008]: 1/29 of the steps on [0, .5], 8/29 on
//	                [.5, .9], 20/29 on [.9, 1], by largest remainder, at least one each
//
// Errors: k < 2, k < 4 for sm08, and ladders that float64 cannot keep strictly
// increasing. K = 2 is {0, 1} for every schedule.
func Parse(text string, k int) ([]float64, error) {
	text, err := Canonical(text)
	if err != nil {
		return nil, err
	}
	if k < 2 || k > MaxTemperatures {
		return nil, problem.New("temperatures = %d: a ladder needs between 2 and %d, both ends counted", k, MaxTemperatures)
	}
	name, arg, _ := strings.Cut(text, ":")
	x, _ := strconv.ParseFloat(arg, 64)
	n := k - 1
	b := make([]float64, k)
	switch name {
	case "linear":
		for i := range b {
			b[i] = float64(i) / float64(n)
		}
	case "power":
		for i := range b {
			b[i] = power(float64(i)/float64(n), x)
		}
	case "geometric":
		for i := 1; i < n; i++ {
			b[i] = num.Exp(num.Log(x) * (float64(n-i) / float64(n-1)))
		}
	case "sigmoid":
		lo := num.Sigmoid(-x)
		for i := range b {
			s := num.Sigmoid(float64(x * (float64(2*i)/float64(n) - 1)))
			b[i] = (s - lo) / (num.Sigmoid(x) - lo)
		}
	case "sm08":
		if b, err = sm08(n); err != nil {
			return nil, err
		}
	}
	b[0], b[n] = 0, 1
	for i := 1; i <= n; i++ {
		if !(b[i] > b[i-1]) {
			return nil, problem.New("schedule %s with %d temperatures: steps %d and %d coincide in float64; choose fewer "+
				"temperatures or a milder schedule", text, k, i-1, i)
		}
	}
	return b, nil
}

// power is x^p; integer powers by repeated products, so that p = 1 is linear.
func power(x, p float64) float64 {
	if p == math.Trunc(p) && p <= 64 {
		y := 1.0
		for i := 0; i < int(p); i++ {
			y = float64(y * x)
		}
		return y
	}
	if x == 0 {
		return 0
	}
	return num.Exp(float64(p * num.Log(x)))
}

func sm08(n int) ([]float64, error) {
	if n < 3 {
		return nil, problem.New("schedule sm08 needs at least 4 temperatures, one step for each of its three parts")
	}
	ends := [...]float64{0, .5, .9, 1}
	counts := Apportion([]float64{1, 8, 20}, n)
	b := []float64{0}
	for part, c := range counts {
		lo, hi := ends[part], ends[part+1]
		for i := 1; i <= c; i++ {
			b = append(b, lo+float64((hi-lo)*(float64(i)/float64(c))))
		}
	}
	return b, nil
}

// Apportion splits n in proportion to weights by largest remainder, at least one
// each (n >= len(weights)); ties go to the earlier part.
func Apportion(weights []float64, n int) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	counts := make([]int, len(weights))
	rest := make([]float64, len(weights))
	left := n
	for i, w := range weights {
		share := float64(float64(n)*w) / sum
		counts[i] = max(int(math.Floor(share)), 1)
		rest[i] = share - float64(counts[i])
		left -= counts[i]
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rest {
			if rest[i] > rest[best] {
				best = i
			}
		}
		counts[best]++
		rest[best]--
	}
	for ; left < 0; left++ { // the floor of one took too many: shrink the largest
		best := 0
		for i := range counts {
			if counts[i] > counts[best] {
				best = i
			}
		}
		counts[best]--
	}
	return counts
}
