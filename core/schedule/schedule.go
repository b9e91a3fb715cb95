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

// parsed is the text of a schedule, split into its name and its argument.
type parsed struct {
	name   string
	hasArg bool // the text has an argument; otherwise x is the default
	x      float64
	betas  []float64 // inverse temperatures of schedule betas, without the ends
}

// arguments maps schedules to the ranges of their numeric arguments: lo < x < hi, or x <= hi if includesUpper;
// defaultValue is the argument that may be omitted, 0 if an argument is required.
var arguments = map[string]struct {
	lo, hi        float64
	includesUpper bool
	defaultValue  float64
}{
	"power": {0, 1000, true, 0}, "geometric": {0, 1, false, 0}, "sigmoid": {0, 1000, true, 0},
	"varopt": {1, 1000, true, math.Inf(1)}, "varopt-eta": {0, 1, false, 0}, "adaptive": {0, 1, false, .9},
}

// parse splits and checks the text of a schedule.
func parse(text string) (p parsed, err error) {
	arg := ""
	p.name, arg, p.hasArg = strings.Cut(text, ":")
	bad := problem.New("schedule %q: it must be %s", text, Help)

	// The argument must be in range.
	switch a, takesArg := arguments[p.name]; {
	case slices.Contains([]string{"linear", "sm08", "gms13", "gms13-marginal", "friction"}, p.name):
		if p.hasArg {
			return p, bad
		}
	case takesArg && !p.hasArg:
		if p.x = a.defaultValue; a.defaultValue == 0 {
			return p, bad
		}
	case takesArg:
		if p.x, err = num.Parse(arg); err != nil || !(p.x > a.lo || p.x == 1 && a.lo == 1) ||
			!(p.x < a.hi || p.x == a.hi && a.includesUpper) {
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

// Canonical returns the canonical text of a schedule, or an error that lists the allowed texts.
func Canonical(text string) (string, error) {
	p, err := parse(text)
	if err != nil {
		return "", err
	}
	switch {
	case p.betas != nil:
		return BetasText(p.betas), nil
	case p.hasArg && p.x != arguments[p.name].defaultValue:
		return p.name + ":" + joinNumbers([]float64{p.x}), nil
	}
	return p.name, nil
}

// NeedsPilot reports whether the ladder of a schedule is computed from the statistics of a pilot run (PathStats).
func NeedsPilot(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	return slices.Contains([]string{"varopt", "varopt-eta", "friction", "gms13", "gms13-marginal", "adaptive"}, name)
}

// CESSFraction returns the argument a of the schedule adaptive:a, the conditional effective sample size after each step
// as a fraction of the number of particles; 0 for other schedules.
func CESSFraction(text string) float64 {
	if p, err := parse(text); err == nil && p.name == "adaptive" {
		return p.x
	}
	return 0
}

// FlattensWeights reports whether the pilot of a schedule flattens importance weights (parameter flatten of Learn).
func FlattensWeights(text string) bool { return text == "friction" }

// Make returns the ladder of k inverse temperatures of the schedule text, with n = k - 1 steps. path has the statistics
// of the pilot; it may be nil for schedules that need no pilot:
//
//	linear          i/n
//	power:p         (i/n)^p
//	geometric:bmin  0, then bmin^((n-i)/(n-1)), i = 1..n
//	sigmoid:r       logistic in i from -r to r, rescaled to [0, 1] ([Grosse2013])
//	sm08            [Salakhutdinov2008]: 1/29 of the steps on [0, .5], 8/29 on
//	                [.5, .9], 20/29 on [.9, 1], by largest remainder, at least one each
//
// betas:b_b_... 0, the given numbers and 1 at equal distances in i, linear between them
//
//	varopt:v        Optimal, then Decelerate to v/n ([VAROPT] Algorithms 2 and 3)
//	varopt-eta:e    Optimal, then Decelerate to e, the paper's eta as a bound on a step
//	friction        Optimal for g times the autocorrelation time of the chains ([Sivak2012])
//	gms13           Moments ([Grosse2013]), for the joint density of visible and hidden units
//	gms13-marginal  Moments, for the path with hidden variables summed out
//	adaptive:a      steps proportional to those that keep the fraction a of the conditional
//	                effective sample size
//
// Schedules from varopt on need the statistics of a pilot run. Make returns an error for k < 2, k < 4 with sm08, k < 10
// with gms13 and gms13-marginal, n e < 1 with varopt-eta, and for ladders that are not strictly increasing in float64.
// For k = 2 the other schedules give {0, 1}.
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

	// The ladder must increase strictly from 0 to 1.
	b[0], b[n] = 0, 1
	for i := 1; i <= n; i++ {
		if !(b[i] > b[i-1]) {
			return nil, problem.New("schedule %s with %d temperatures: steps %d and %d coincide in float64; choose fewer "+
				"temperatures or another schedule", text, k, i-1, i)
		}
	}
	return b, nil
}

// ladderThrough returns the ladder of k temperatures through 0, the numbers inner, and 1 at equal distances in the
// index.
func ladderThrough(inner []float64, k int) []float64 {
	betas := append(append([]float64{0}, inner...), 1)
	if len(betas) == k {
		return betas
	}
	s := make([]float64, len(betas))
	for i := range s {
		s[i] = float64(i)
	}
	return ladderAtEvenSteps(betas, s, k)
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

// sm08 returns the ladder of n steps of the schedule sm08 (see Make).
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

// apportion splits n steps in proportion to weights by largest remainder, at least one step for each weight (n >=
// len(weights)); of equal remainders the earlier one gets the step.
func apportion(weights []float64, n int) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	counts := make([]int, len(weights))
	remainder := make([]float64, len(weights))

	// Integer parts, at least one each.
	unassigned := n
	for i, w := range weights {
		quota := num.Mul(float64(n), w) / sum
		counts[i] = max(int(math.Floor(quota)), 1)
		remainder[i] = quota - float64(counts[i])
		unassigned -= counts[i]
	}

	// Distribute the remainder by largest fraction.
	for ; unassigned > 0; unassigned-- {
		best := 0
		for i := range remainder {
			if remainder[i] > remainder[best] {
				best = i
			}
		}
		counts[best]++
		remainder[best]--
	}
	for ; unassigned < 0; unassigned++ { // the minimum of one exceeded n: shrink the largest
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
