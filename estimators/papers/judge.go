package papers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
)

// Answer is what a run says to a claim.
type Answer int

const (
	Unseen      Answer = iota // the run is too small to see it
	Agrees                    // by Sigmas standard errors
	Contradicts               // by as many on the other side
)

func (a Answer) String() string {
	return [...]string{"too small to see", "agrees", "contradicts"}[a]
}

// Finding is a claim of the paper, in the paper's setting, and what this run found.
type Finding struct {
	Panel       string // the one of the figure's plots that it is about; "": several
	Paper, Here string
	Answer      Answer
	Ours        bool // a claim of the lab, or about models that are not the paper's (Experiment.Others)
	// Measured, with the standard error SE, is what Below judged, in the unit of Unit, "" where it judged nothing: below
	// zero as was claimed. Predicted is the value by theory for this run; 0: not known. Limit is the limit of Within.
	Measured, SE, Predicted, Limit float64
	Unit                           string
	Lags                           bool // real moves are far from those of which theory speaks
}

// Sigmas is the number of standard errors that an answer must clear, byChance the share of the claims of which none is
// true that clear them all the same, and visible the number at which a predicted size has to be seen.
const (
	Sigmas   = 2
	byChance = 0.0455
	visible  = 3
)

// Below answers whether x, with standard error se, is below zero as was claimed.
func Below(x, se float64) Answer {
	switch {
	case !num.Known(x) || !num.Known(se):
		return Unseen
	case x+Sigmas*se < 0:
		return Agrees
	case x-Sigmas*se > 0:
		return Contradicts
	}
	return Unseen
}

// Student stretches a standard error that has few degrees of freedom (free), by Student's t: an estimate of 0 then lies
// beyond Sigmas standard errors as seldom as a normal one, in the share byChance.
func Student(se, free float64) float64 {
	if !(free >= 1) {
		return math.NaN()
	}
	return se * distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(1-byChance/2) / Sigmas
}

// Below is the finding answered by x, with standard error se: below zero as was claimed.
func (f Finding) Below(x, se float64, unit string) Finding {
	f.Measured, f.SE, f.Unit, f.Answer = x, se, unit, Below(x, se)
	return f
}

// Within is the finding answered by x, with standard error se: at most limit, as was claimed of what is nothing or
// alike. Where x is 0 the claim has room of the size of limit.
func (f Finding) Within(x, limit, se float64, unit string) Finding {
	f.Limit = limit
	return f.Below(x-limit, se, unit)
}

// Undecided reports whether theory predicts a size that the run had to see, and it was not seen.
func (f Finding) Undecided() bool {
	return f.Answer == Unseen && !f.Lags && max(math.Abs(f.Predicted), f.Limit) >= visible*f.SE && f.SE > 0
}

// Theory says what theory predicts for a claim that was not seen, or how much room its limit leaves, and how many times
// as many runs would see that: "" for one that was seen, and where neither is known.
func (f Finding) Theory() string {
	size := max(math.Abs(f.Predicted), f.Limit) / f.SE
	if f.Answer != Unseen || !(size > 0 && f.SE > 0) {
		return ""
	}
	says := fmt.Sprintf("Theory predicts %+.2g here (%s), %.1f standard errors", f.Predicted, f.Unit, size)
	if f.Limit > 0 {
		says = fmt.Sprintf("The limit is %.1f standard errors wide", size)
	}
	if f.Lags {
		return says + ", of perfect moves; real moves lag behind."
	}
	need, yet := visible/size, ""
	if f.Undecided() { // what was measured is smaller than that
		need, yet = Sigmas*f.SE/math.Abs(f.Measured), ", and yet nothing is decided"
	}
	return fmt.Sprintf("%s%s: needs %s times as many runs.", says, yet, times(need*need))
}

// times says how many times, in whole numbers.
func times(x float64) string {
	if !(x < 1e6) {
		return "more than a million"
	}
	return format.Thousands(math.Ceil(x))
}

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

	// Each row of a, beside line b at the same cost.
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

		// Interpolation between rows of b, or the row at the end.
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

	// The error, where a row of b may count several times.
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
	// More digits, where an end of a narrow range would be said to be 1.
	lo, hi, digits := math.Exp(2*(ratio-Sigmas*se)), math.Exp(2*(ratio+Sigmas*se)), 2
	for digits < 4 && hi < 2*lo && (fmt.Sprintf("%.*g", digits, lo) == "1" || fmt.Sprintf("%.*g", digits, hi) == "1") {
		digits++
	}
	return fmt.Sprintf("%.*g (%.*g to %.*g)", digits, math.Exp(2*ratio), digits, lo, digits, hi)
}

// Roots says a ratio of errors with its range.
func Roots(ratio, se float64) string { return Times(ratio/2, se/2) }

// Units of ratios.
const (
	OfVariances = "log of a ratio of variances"
	OfErrors    = "log of a ratio of errors"
	OfSizes     = "log of a ratio of effective sample sizes"
	OfTimes     = "log of a ratio of times"
)

// Variances is the finding that estimates of a line vary less at equal cost than those of another.
func Variances(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, BySD, "variance")
}

// Errors is the finding that the mean squared error of a line is smaller at equal cost than that of another.
func Errors(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, ByRMS, "mean squared error")
}

func atEqualCost(rows []Row, panel, a, b, paper string, of Deviation, what string) (Finding, bool) {
	x, y := Series(rows, panel, a), Series(rows, panel, b)
	if len(x) == 0 || len(y) == 0 {
		return Finding{}, false
	}
	ratio, se := Matched(x, y, of)
	return Finding{Panel: panel, Paper: paper, Here: fmt.Sprintf("at equal processor time the %s of %s is %s times that "+
		"of %s.", what, a, Times(ratio, se), b)}.Below(2*ratio, 2*se, OfVariances), true
}

// Smaller is the finding that the error of one line is smaller than that of another.
func Smaller(paper string, a, b []Row) (Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return Finding{}, false
	}
	ratio, se := Matched(a, b, ByRMS)
	here := fmt.Sprintf("the RMSE of %s is %s times that of %s.", a[0].Series, Roots(ratio, se), b[0].Series)
	return Finding{Paper: paper, Here: here}.Below(ratio, se, OfErrors), true
}

// Side is the finding that estimates lie on one side of log Z: below (-1) or above (+1).
func Side(paper string, r *Row, ref float64, refSE float64, sign float64) Finding {
	off, se := r.Mean-ref, math.Hypot(r.SD/math.Sqrt(float64(r.N)), refSE)
	here := fmt.Sprintf("the mean of %d estimates lies %+.2f +- %.2f nats from it at %.0f sweeps.", r.N, off, se, r.At)
	return Finding{Paper: paper, Here: here}.Below(-sign*off, se, "nats")
}

// Panelled adds what the paper says of a panel.
func Panelled(panel string, out []Finding, f Finding, ok bool) []Finding {
	if !ok {
		return out
	}
	f.Panel = panel
	return append(out, f)
}

// AllPanels is the Others of an experiment without the paper's models.
func AllPanels(string) bool { return true }

// Claim is what the paper says, after the name of the panel.
func (f Finding) Claim() string {
	if f.Panel == "" {
		return f.Paper
	}
	return f.Panel + ": " + f.Paper
}

// verdict sums up how a run answers the findings of the claimant, and this lab's own, each answer counted as it falls.
func verdict(f []Finding, claimant string) string {
	if len(f) == 0 {
		return "Nothing to compare yet."
	}
	n := Tally(f)
	var says []string
	for ours, of := range []string{claimant, "this lab or on other models"} {
		if n[ours].All() > 0 {
			says = append(says, n[ours].says(of))
		}
	}
	return strings.Join(says, " ")
}

// Counts are findings by their answer.
type Counts [3]int

// Tally counts findings: first those of the paper, then this lab's own.
func Tally(f []Finding) (n [2]Counts) {
	for _, x := range f {
		of := 0
		if x.Ours {
			of = 1
		}
		n[of][x.Answer]++
	}
	return n
}

// All is the number of findings.
func (n Counts) All() int { return n[Unseen] + n[Agrees] + n[Contradicts] }

func (n Counts) says(claimant string) string {
	noun := "findings"
	if n.All() == 1 {
		noun = "finding"
	}
	return fmt.Sprintf("Of %d %s of %s this run agrees with %d, contradicts %d, and is too small to see %d.", n.All(),
		noun, claimant, n[Agrees], n[Contradicts], n[Unseen])
}
