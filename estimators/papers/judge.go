package papers

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/stats"
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

// Sigmas is the number of standard errors that a finding must clear.
const Sigmas = 2

// Below answers whether x, with standard error se, is below zero as the paper found.
func Below(x, se float64) Answer {
	switch {
	case !num.Known(x) || !num.Known(se):
		return Open
	case x+Sigmas*se < 0:
		return Agrees
	case x-Sigmas*se > 0:
		return Differs
	}
	return Open
}

// Opposite is the answer to the reverse of a finding.
func Opposite(a Answer) Answer { return [...]Answer{Open, Differs, Agrees}[a] }

// A Deviation is an error of one estimate, and the variance of its logarithm: how sure it is.
type Deviation func(*Row) (size, variance float64)

// BySD and ByRMS are the errors that experiments compare. With u = log Z less the mean, or less what is known, the
// logarithm of the root of E[u^2] from n estimates has the variance (E[u^4] / E[u^2]^2 - 1) / 4n, to first order:
// 1 / 2n where they are normal and u has mean 0. A kurtosis below that of normal estimates is not believed.
func BySD(r *Row) (size, variance float64)  { return r.SD, r.unsure(0) }
func ByRMS(r *Row) (size, variance float64) { return r.RMS(), r.unsure(r.Mean - r.Known) }

func (r *Row) unsure(off float64) float64 {
	kurtosis, skewness := 3.0, 0.0
	if r.Kurtosis > 3 {
		kurtosis = r.Kurtosis
	}
	if num.Known(r.Skewness) {
		skewness = r.Skewness
	}
	b := off / r.SD
	square := 1 + b*b
	return ((kurtosis+4*b*skewness+6*b*b+b*b*b*b)/(square*square) - 1) / float64(4*(r.N-1))
}

// Shape is the skewness and the kurtosis of a sample.
func Shape(x []float64) (skewness, kurtosis float64) {
	mean, _ := stats.MeanVar(x)
	var m2, m3, m4 float64
	for _, v := range x {
		d := v - mean
		m2, m3, m4 = m2+d*d, m3+d*d*d, m4+d*d*d*d
	}
	n := float64(len(x))
	return math.Sqrt(n) * m3 / math.Pow(m2, 1.5), n * m4 / (m2 * m2)
}

// pair compares the errors of the lines of one run with those of its first: with e the errors of estimate i,
// e_a^2 / mean e_a^2 - e_b^2 / mean e_b^2 is what it adds to the logarithm of the ratio of their squares.
func pair(rows []Row) {
	if len(rows) < 2 {
		return
	}
	first := &rows[0]
	for k := range rows {
		r := &rows[k]
		if len(r.Estimates) != len(first.Estimates) || len(r.Estimates) < 2 || r.Known != first.Known {
			continue
		}
		square := func(r *Row, i int) float64 { return (r.Estimates[i] - r.Known) * (r.Estimates[i] - r.Known) }
		var a, b float64
		for i := range r.Estimates {
			a, b = a+square(first, i), b+square(r, i)
		}
		n := float64(len(r.Estimates))
		d := make([]float64, len(r.Estimates))
		for i := range d {
			d[i] = n * (square(r, i)/b - square(first, i)/a)
		}
		_, v := stats.MeanVar(d)
		r.Paired = .5 * math.Sqrt(v/n)
	}
}

// Matched compares the errors of two lines at equal cost (Row.cost): the mean over the rows of a
// of log(error of a / error of b at the cost of a), each row weighed by how sure it is. Errors of b at other costs are
// interpolated linearly, log against log; outside of its costs they fall with the
// root of the cost. se is to first order. Two lines of one run are compared estimate by estimate, if both have one row.
// NaN when a line has no row with an error, from two estimates or more.
func Matched(a, b []Row, of Deviation) (ratio, se float64) {
	a, b = usable(a, of), usable(b, of)
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN()
	}
	all := 0.0
	part := make([]float64, len(b)) // what each row of b counts for
	for i := range a {
		size, variance := of(&a[i])
		w := 1 / variance
		all += w
		t := math.Log(a[i].cost())
		ratio += w * math.Log(size)
		se += w
		add := func(k int, w float64) {
			size, _ := of(&b[k])
			part[k] += w
			ratio -= w * math.Log(size)
		}
		k := 0
		for k < len(b) && b[k].cost() <= a[i].cost() {
			k++
		}
		switch {
		case k == 0 || k == len(b):
			k = min(k, len(b)-1)
			add(k, w)
			ratio += w * .5 * (t - math.Log(b[k].cost()))
		default:
			lo, hi := math.Log(b[k-1].cost()), math.Log(b[k].cost())
			at := (t - lo) / (hi - lo)
			add(k-1, w*(1-at))
			add(k, w*at)
		}
	}
	for k := range b {
		_, variance := of(&b[k])
		se += part[k] * part[k] * variance
	}
	se = math.Sqrt(se) / all
	if len(a) == 1 && len(b) == 1 && a[0].sharesRun(&b[0]) {
		se = max(a[0].Paired, b[0].Paired)
	}
	return ratio / all, se
}

// sharesRun reports whether one row is of the first line of a run and the other of another line of the same run, so
// that Paired is the error of their ratio.
func (r *Row) sharesRun(other *Row) bool {
	first, second := r, other
	if first.Paired > 0 {
		first, second = other, r
	}
	return first.Paired == 0 && second.Paired > 0 && first.At > 0 && first.At == second.At && first.Panel == second.Panel
}

func usable(rows []Row, of Deviation) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		e, v := of(&r)
		return r.N < 2 || !(e > 0 && v > 0) || !num.Finite(e) || !(r.cost() > 0)
	})
}

// Times says a ratio of variances with its range.
func Times(ratio, se float64) string {
	if !num.Known(ratio) {
		return "not measured"
	}
	if math.Exp(2*(ratio-Sigmas*se)) > 1000 {
		return "more than 1,000"
	}
	return fmt.Sprintf("%.2g (%.2g to %.2g)", math.Exp(2*ratio), math.Exp(2*(ratio-Sigmas*se)),
		math.Exp(2*(ratio+Sigmas*se)))
}

// Roots says a ratio of errors with its range.
func Roots(ratio, se float64) string { return Times(ratio/2, se/2) }

// Saving is the share of the variance that must be saved to count, where a paper says that a method saves some.
const Saving = 0.25

// Variances is the finding that estimates of a line vary less at equal cost than
// those of another: it differs where they vary more, or save less than what counts.
func Variances(rows []Row, panel, a, b, paper string) (Finding, bool) {
	x, y := Series(rows, panel, a), Series(rows, panel, b)
	if len(x) == 0 || len(y) == 0 {
		return Finding{}, false
	}
	ratio, se := Matched(x, y, BySD)
	answer := Below(ratio, se)
	if answer != Agrees {
		answer = Below(ratio-.5*math.Log(1-Saving), se)
	}
	return Finding{Paper: panel + ": " + paper,
		Here: fmt.Sprintf("at equal processor time the variance of %s is %s times that of %s; a saving of less than a "+
			"quarter counts as none.", a, Times(ratio, se), b), Answer: answer}, true
}

// competing is how many times larger one of two errors may be while the two count as comparable.
const competing = 2

// Comparable is the finding that the error of a line at equal cost is at most that many times that of another.
func Comparable(rows []Row, panel, a, b, paper string, of Deviation, what string) (Finding, bool) {
	x, y := Series(rows, panel, a), Series(rows, panel, b)
	if len(x) == 0 || len(y) == 0 {
		return Finding{}, false
	}
	ratio, se := Matched(x, y, of)
	here := fmt.Sprintf("at equal processor time the %s of %s is %s times that of %s, and four times is the limit.", what,
		a, Times(ratio, se), b)
	return Finding{Paper: panel + ": " + paper, Here: here, Answer: Below(ratio-math.Log(competing), se)}, true
}

// Smaller is the finding that the error of one line is smaller than that of another.
func Smaller(paper string, a, b []Row) (Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return Finding{}, false
	}
	ratio, se := Matched(a, b, ByRMS)
	here := fmt.Sprintf("the RMSE of %s is %s times that of %s.", a[0].Series, Roots(ratio, se), b[0].Series)
	return Finding{Paper: paper, Here: here, Answer: Below(ratio, se)}, true
}

// Side is the finding that estimates lie on one side of log Z: below (-1) or above (+1).
func Side(paper string, r *Row, ref float64, refSE float64, sign float64) Finding {
	off, se := r.Mean-ref, math.Hypot(r.SD/math.Sqrt(float64(r.N)), refSE)
	here := fmt.Sprintf("the mean of %d estimates lies %+.2f +- %.2f nats from it at %.0f sweeps.", r.N, off, se, r.At)
	return Finding{Paper: paper, Here: here, Answer: Below(-sign*off, se)}
}

// Panelled puts a panel's name before what the paper says.
func Panelled(panel string, out []Finding, f Finding, ok bool) []Finding {
	if !ok {
		return out
	}
	f.Paper = panel + ": " + f.Paper
	return append(out, f)
}

// verdict sums up in a sentence how a run answers the findings of the claimant.
func verdict(f []Finding, claimant string) string {
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
		return "This run differs from " + claimant + " in its one finding."
	case len(f) == 1 && n[Open] == 1:
		return "This run leaves its one finding open."
	case n[Agrees] == 1 && len(f) == 1:
		return "This run agrees with " + claimant + " in its one finding."
	case n[Agrees] == len(f):
		return fmt.Sprintf("This run agrees with %s in all %d findings.", claimant, len(f))
	case n[Differs] == len(f):
		return fmt.Sprintf("This run differs from %s in all %d findings.", claimant, len(f))
	case n[Open] == len(f):
		return fmt.Sprintf("This run leaves all %d findings open.", len(f))
	case n[Differs] == 0:
		return fmt.Sprintf("This run agrees with %s in %d %s and leaves %d open.", claimant, n[Agrees], all, n[Open])
	case n[Open] == 0:
		return fmt.Sprintf("This run agrees with %s in %d %s and differs in %d.", claimant, n[Agrees], all, n[Differs])
	}
	return fmt.Sprintf("This run agrees with %s in %d %s, differs in %d and leaves %d open.", claimant,
		n[Agrees], all, n[Differs], n[Open])
}
