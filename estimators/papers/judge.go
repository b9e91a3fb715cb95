package papers

import (
	"fmt"
	"math"
	"slices"
)

// Answer is whether a run agrees with the paper in a finding.
type Answer int

const (
	Open Answer = iota // too few estimates to say
	Agrees
	Differs
)

func (a Answer) String() string {
	return [...]string{"left open", "agrees", "differs"}[a]
}

// Finding is something that the paper found, and what this run found.
type Finding struct {
	Paper, Here string
	Answer      Answer
}

// sigmas is the number of standard errors that a finding must clear.
const sigmas = 2

// below answers whether x, with standard error se, is below zero as the paper found.
func below(x, se float64) Answer {
	switch {
	case math.IsNaN(x) || math.IsNaN(se):
		return Open
	case x+sigmas*se < 0:
		return Agrees
	case x-sigmas*se > 0:
		return Differs
	}
	return Open
}

// opposite is the answer to the reverse of a finding.
func opposite(a Answer) Answer { return [...]Answer{Open, Differs, Agrees}[a] }

// matched compares the errors of two lines at equal cost (Row.cost): the mean over the rows of a
// of log(error of a / error of b at the cost of a). Errors of b at other costs are
// interpolated linearly, log against log; outside of its costs they fall with the
// root of the cost. se follows from Var(log sd) = 1/(2(n-1)) of n normal estimates,
// to first order. NaN when a line has no row with an error, from two estimates or more.
func matched(a, b []Row, of func(*Row) float64) (ratio, se float64) {
	a, b = usable(a, of), usable(b, of)
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN()
	}
	variance := func(r *Row) float64 { return 1 / float64(2*(r.N-1)) }
	part := make([]float64, len(b)) // what each row of b counts for
	for i := range a {
		t := math.Log(a[i].cost())
		ratio += math.Log(of(&a[i]))
		se += variance(&a[i])
		k := 0
		for k < len(b) && b[k].cost() <= a[i].cost() {
			k++
		}
		switch {
		case k == 0 || k == len(b):
			k = min(k, len(b)-1)
			part[k]++
			ratio -= math.Log(of(&b[k])) - .5*(t-math.Log(b[k].cost()))
		default:
			lo, hi := math.Log(b[k-1].cost()), math.Log(b[k].cost())
			w := (t - lo) / (hi - lo)
			part[k-1] += 1 - w
			part[k] += w
			ratio -= (1-w)*math.Log(of(&b[k-1])) + w*math.Log(of(&b[k]))
		}
	}
	for k := range b {
		se += part[k] * part[k] * variance(&b[k])
	}
	n := float64(len(a))
	return ratio / n, math.Sqrt(se) / n
}

func usable(rows []Row, of func(*Row) float64) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		e := of(&r)
		return r.N < 2 || !(e > 0) || e-e != 0 || !(r.cost() > 0)
	})
}

// times says a ratio of variances with its range.
func times(ratio, se float64) string {
	if math.IsNaN(ratio) {
		return "not measured"
	}
	if math.Exp(2*(ratio-sigmas*se)) > 1000 {
		return "more than 1,000"
	}
	return fmt.Sprintf("%.2g (%.2g to %.2g)", math.Exp(2*ratio), math.Exp(2*(ratio-sigmas*se)),
		math.Exp(2*(ratio+sigmas*se)))
}

// variances is the finding that estimates of a line vary less at equal cost than
// those of another.
func variances(rows []Row, panel, a, b, paper string) (Finding, bool) {
	x, y := series(rows, panel, a), series(rows, panel, b)
	if len(x) == 0 || len(y) == 0 {
		return Finding{}, false
	}
	ratio, se := matched(x, y, (*Row).sd)
	return Finding{panel + ": " + paper,
		fmt.Sprintf("at equal processor time the variance of %s is %s times that of %s.", a, times(ratio, se), b),
		below(ratio, se)}, true
}

// verdict sums the findings up in a sentence.
func verdict(f []Finding) string {
	if len(f) == 0 {
		return "Nothing to compare yet."
	}
	var n [3]int
	for _, x := range f {
		n[x.Answer]++
	}
	all := fmt.Sprintf("of %d findings", len(f))
	switch {
	case len(f) == 1 && n[Differs] == 1:
		return "This run differs from the paper in its one finding."
	case len(f) == 1 && n[Open] == 1:
		return "This run leaves its one finding open."
	case n[Agrees] == 1 && len(f) == 1:
		return "This run agrees with the paper in its one finding."
	case n[Agrees] == len(f):
		return fmt.Sprintf("This run agrees with the paper in all %d findings.", len(f))
	case n[Open] == len(f):
		return fmt.Sprintf("This run leaves all %d findings open.", len(f))
	case n[Differs] == 0:
		return fmt.Sprintf("This run agrees with the paper in %d %s and leaves %d open.", n[Agrees], all, n[Open])
	case n[Open] == 0:
		return fmt.Sprintf("This run agrees with the paper in %d %s and differs in %d.", n[Agrees], all, n[Differs])
	}
	return fmt.Sprintf("This run agrees with the paper in %d %s, differs in %d and leaves %d open.", n[Agrees], all,
		n[Differs], n[Open])
}
