package schedule

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Help lists the schedules that Canonical accepts.
const Help = "linear, power:p (0 < p ≤ 1000), geometric:bmin (0 < bmin < 1), sigmoid:r (0 < r ≤ 1000), sm08; from " +
	"a pilot: varopt, varopt:v (at most v times as fast as linear, 1 ≤ v ≤ 1000), varopt-eta:e (no step longer than " +
	"e, 0 < e < 1), friction, gms13, gms13-marginal, adaptive:a (0 < a < 1); or betas:b_b_... (your own, rising " +
	"between 0 and 1)"

// maxTemperatures is the largest length of a ladder.
const maxTemperatures = 1_000_000

// parsed is the name of a schedule and its argument.
type parsed struct {
	name   string
	hasArg bool // there is an argument; otherwise x is the default
	x      float64
	betas  []float64 // inverse temperatures of schedule betas, without the ends
}

// arguments are the ranges of the schedules' arguments: bounds, whether the upper one is included, and the default, 0
// if an argument is required.
var arguments = map[string]struct {
	lo, hi  float64
	reaches bool
	usual   float64
}{
	"power": {0, 1000, true, 0}, "geometric": {0, 1, false, 0}, "sigmoid": {0, 1000, true, 0},
	"varopt": {1, 1000, true, math.Inf(1)}, "varopt-eta": {0, 1, false, 0}, "adaptive": {0, 1, false, .9},
}

func parse(text string) (p parsed, err error) {
	arg := ""
	p.name, arg, p.hasArg = strings.Cut(text, ":")
	bad := problem.New("schedule %q: it must be %s", text, Help)

	// The argument must be in range.
	switch a, takes := arguments[p.name]; {
	case slices.Contains([]string{"linear", "sm08", "gms13", "gms13-marginal", "friction"}, p.name):
		if p.hasArg {
			return p, bad
		}
	case takes && !p.hasArg:
		if p.x = a.usual; a.usual == 0 {
			return p, bad
		}
	case takes:
		if p.x, err = num.Parse(arg); err != nil || !(p.x > a.lo || p.x == 1 && a.lo == 1) ||
			!(p.x < a.hi || p.x == a.hi && a.reaches) {
			return p, bad
		}

	// Explicit inverse temperatures, increasing between 0 and 1.
	case p.name == "betas":
		last := 0.0
		for _, word := range strings.Split(arg, "_") {
			b, err := num.Parse(word)
			if err == nil && (b == 0 || b == 1) {
				return p, problem.New("schedule betas: leave out %s; every ladder begins at 0 and ends at 1", word)
			}
			if err != nil || !(b > 0 && b < 1) {
				return p, bad
			}
			if !(b > last) {
				return p, problem.New("schedule betas: %g does not lie above %g, which comes before it; they must rise", b, last)
			}
			last = b
			p.betas = append(p.betas, b)
		}
		if len(p.betas) > maxBetas {
			return p, problem.New("schedule betas: %d numbers, at most %d", len(p.betas), maxBetas)
		}
	default:
		return p, bad
	}
	return p, nil
}

// maxBetas is the largest number of explicit inverse temperatures.
const maxBetas = 10_000

// Canonical returns the canonical text of a schedule, or an error that states what is allowed.
func Canonical(text string) (string, error) {
	p, err := parse(text)
	if err != nil {
		return "", err
	}
	switch {
	case p.betas != nil:
		return BetasText(p.betas), nil
	case p.hasArg && p.x != arguments[p.name].usual:
		return p.name + ":" + joinNumbers([]float64{p.x}), nil
	}
	return p.name, nil
}

// Learned reports whether a schedule needs a pilot run.
func Learned(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	return slices.Contains([]string{"varopt", "varopt-eta", "friction", "gms13", "gms13-marginal", "adaptive"}, name)
}

// CESSFraction returns the fraction of the conditional effective sample size that steps of the schedule adaptive keep;
// 0 for other schedules.
func CESSFraction(text string) float64 {
	if p, err := parse(text); err == nil && p.name == "adaptive" {
		return p.x
	}
	return 0
}

// FlattensWeights reports whether the pilot of a schedule flattens weights (see Learn).
func FlattensWeights(text string) bool { return text == "friction" }

// Make returns the ladder of k temperatures of the schedule text (n = k - 1):
//
//	linear          i/n
//	power:p         (i/n)^p
//	geometric:bmin  0, then bmin^((n-i)/(n-1)), i = 1..n
//	sigmoid:r       logistic in i from -r to r, rescaled to [0, 1] ([Grosse2013])
//	sm08            [Salakhutdinov2008]: 1/29 of the steps on [0, .5], 8/29 on
//	                [.5, .9], 20/29 on [.9, 1], by largest remainder, at least one each
//	betas:b_b_...   through 0, these and 1 at even steps, linear between them
//	varopt:v        Optimal, then Decelerate to v/n ([VAROPT] Algorithms 2 and 3)
//	varopt-eta:e    Optimal, then Decelerate to e, the paper's eta as a bound on a step
//	friction        Optimal for g times the autocorrelation time of the chains ([Sivak2012])
//	gms13           Moments ([Grosse2013]), for the joint density of visible and hidden units
//	gms13-marginal  Moments, for the path with hidden variables summed out
//	adaptive:a      steps proportional to those that keep the fraction a of the conditional
//	                effective sample size
//
// Schedules from varopt on need the statistics of a pilot run. Errors: k < 2, k < 4 for sm08, k < 10 for gms13 and
// gms13-marginal, n e < 1 for varopt-eta, and ladders that are not strictly increasing in float64. K = 2 is {0, 1} for
// the other schedules.
func Make(text string, k int, path *PathStats) ([]float64, error) {
	p, err := parse(text)
	if err != nil {
		return nil, err
	}
	if k < 2 || k > maxTemperatures {
		return nil, problem.New("temperatures = %d: a ladder needs between 2 and %d, both ends counted", k, maxTemperatures)
	}
	n := k - 1
	b := make([]float64, k)

	// The ladder, by formula, from the text, or by the pilot.
	switch p.name {
	case "linear":
		for i := range b {
			b[i] = float64(i) / float64(n)
		}
	case "power":
		for i := range b {
			b[i] = power(float64(i)/float64(n), p.x)
		}
	case "geometric":
		for i := 1; i < n; i++ {
			b[i] = num.Exp(num.Log(p.x) * (float64(n-i) / float64(n-1)))
		}
	case "sigmoid":
		lo := num.Sigmoid(-p.x)
		for i := range b {
			s := num.Sigmoid(num.Mul(p.x, float64(2*i)/float64(n)-1))
			b[i] = (s - lo) / (num.Sigmoid(p.x) - lo)
		}
	case "sm08":
		b, err = sm08(n)
	case "betas":
		b = ladderThrough(p.betas, k)
	default:
		b, err = path.ladder(p, k)
	}
	if err != nil {
		return nil, err
	}

	// It must increase strictly from 0 to 1.
	b[0], b[n] = 0, 1
	for i := 1; i <= n; i++ {
		if !(b[i] > b[i-1]) {
			return nil, problem.New("schedule %s with %d temperatures: steps %d and %d coincide in float64; choose fewer "+
				"temperatures or another schedule", text, k, i-1, i)
		}
	}
	return b, nil
}

// ladderThrough returns the ladder through 0, inner and 1.
func ladderThrough(inner []float64, k int) []float64 {
	betas := append(append([]float64{0}, inner...), 1)
	if len(betas) == k {
		return betas
	}
	s := make([]float64, len(betas))
	for i := range s {
		s[i] = float64(i)
	}
	return through(betas, s, k)
}

// power returns x^p; integer powers are repeated products, so that p = 1 is exactly linear.
func power(x, p float64) float64 {
	if p == math.Trunc(p) && p <= 64 {
		y := 1.0
		for i := 0; i < int(p); i++ {
			y = num.Mul(y, x)
		}
		return y
	}
	if x == 0 {
		return 0
	}
	return num.Exp(num.Mul(p, num.Log(x)))
}

func sm08(n int) ([]float64, error) {
	if n < 3 {
		return nil, problem.New("schedule sm08 needs at least 4 temperatures, one step for each of its three parts")
	}
	ends := [...]float64{0, .5, .9, 1}
	counts := apportion([]float64{1, 8, 20}, n)
	b := []float64{0}
	for part, c := range counts {
		lo, hi := ends[part], ends[part+1]
		for i := 1; i <= c; i++ {
			b = append(b, lo+num.Mul(hi-lo, float64(i)/float64(c)))
		}
	}
	return b, nil
}

// apportion splits n in proportion to weights by largest remainder, at least one each (n >= len(weights)); ties go to
// the earlier part.
func apportion(weights []float64, n int) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	counts := make([]int, len(weights))
	rest := make([]float64, len(weights))

	// Integer parts, at least one each.
	left := n
	for i, w := range weights {
		share := num.Mul(float64(n), w) / sum
		counts[i] = max(int(math.Floor(share)), 1)
		rest[i] = share - float64(counts[i])
		left -= counts[i]
	}

	// Distribute the remainder by largest fraction.
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
	for ; left < 0; left++ { // the minimum of one exceeded n: shrink the largest
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
