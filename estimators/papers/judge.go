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

// Answer is the result of a run for a claim.
type Answer int

// Answers.
const (
	Unseen      Answer = iota // the run is too small to decide
	Agrees                    // by at least Sigmas standard errors
	Contradicts               // by at least Sigmas standard errors in the other direction
)

// String returns the answer as text.
func (a Answer) String() string {
	return [...]string{"too small to see", "agrees", "contradicts"}[a]
}

// Finding is a claim of the paper, in the paper's setting, with the result of this run.
type Finding struct {
	Panel       string // the plot that it is about; "": several
	Paper, Here string
	Answer      Answer
	Ours        bool // a claim of this lab, or about other models than the paper's (Experiment.OtherModels)
	// Measured, with standard error SE and in the unit Unit, is the value that Below judged; the claim is that it is
	// negative. Unit is "" if nothing was judged. Predicted is the value that theory predicts for this run, 0 if not
	// known. Limit is the limit of Within.
	Measured, SE, Predicted, Limit float64
	Unit                           string
	Lags                           bool // real moves are far from the perfect moves that theory assumes
}

// Sigmas is the number of standard errors that decides a claim, chanceRate the probability that a false claim is
// decided by chance, and minVisible the number of standard errors at which a predicted effect must be seen.
const (
	Sigmas     = 2
	chanceRate = 0.0455
	minVisible = 3
)

// Below answers the claim that x, with standard error se, is negative.
func Below(x, se float64) Answer {
	switch {
	case !num.NotNaN(x) || !num.NotNaN(se):
		return Unseen
	case x+Sigmas*se < 0:
		return Agrees
	case x-Sigmas*se > 0:
		return Contradicts
	}
	return Unseen
}

// StudentSE increases a standard error with few degrees of freedom (free) by Student's t, so that an estimate of 0
// exceeds Sigmas standard errors with probability chanceRate, as a normal one does.
func StudentSE(se, free float64) float64 {
	if !(free >= 1) {
		return math.NaN()
	}
	return se * distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(1-chanceRate/2) / Sigmas
}

// Below answers the finding by x, with standard error se: the claim is that x is negative.
func (f Finding) Below(x, se float64, unit string) Finding {
	f.Measured, f.SE, f.Unit, f.Answer = x, se, unit, Below(x, se)
	return f
}

// Within answers the finding by x, with standard error se: the claim is that x is at most limit. It is used for claims
// that two quantities are equal, which leave a margin of limit.
func (f Finding) Within(x, limit, se float64, unit string) Finding {
	f.Limit = limit
	return f.Below(x-limit, se, unit)
}

// Undecided reports whether theory predicts an effect that this run should have seen but did not.
func (f Finding) Undecided() bool {
	return f.Answer == Unseen && !f.Lags && max(math.Abs(f.Predicted), f.Limit) >= minVisible*f.SE && f.SE > 0
}

// Theory describes the predicted effect of an unseen claim, or the width of its limit, and how many times as many runs
// would see it. It is "" if the claim was decided or neither is known.
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
	need, yet := minVisible/size, ""
	if f.Undecided() { // the measured effect is smaller than predicted
		need, yet = Sigmas*f.SE/math.Abs(f.Measured), ", and yet nothing is decided"
	}
	return fmt.Sprintf("%s%s: needs %s times as many runs.", says, yet, formatTimes(need*need))
}

// formatTimes formats a factor as an integer.
func formatTimes(x float64) string {
	if !(x < 1e6) {
		return "more than a million"
	}
	return format.Thousands(math.Ceil(x))
}

// An ErrorMeasure returns the error of a single estimate, and the variance of the logarithm of that error.
type ErrorMeasure func(*Row) (size, variance float64)

// BySD measures the error by the standard deviation of log Z. With u = log Z minus its mean, or minus the known value,
// the logarithm of sqrt(mean u^2) from n estimates has the variance (E[u^4] / E[u^2]^2 - 1) / 4n, to first order: 1 / 2n
// if u is normal with mean 0. A kurtosis below 3 is replaced by 3.
func BySD(r *Row) (size, variance float64) { return r.SD, r.logErrorVariance(0) }

// ByRMS measures the error by the root mean square of log Z minus the known value; see BySD for its variance.
func ByRMS(r *Row) (size, variance float64) { return r.RMS(), r.logErrorVariance(r.Mean - r.Known) }

// logErrorVariance returns the variance of the logarithm of the error, for estimates that are off in the mean.
func (r *Row) logErrorVariance(off float64) float64 {
	kurtosis, skewness := 3.0, 0.0
	if r.Kurtosis > 3 {
		kurtosis = r.Kurtosis
	}
	if num.NotNaN(r.Skewness) {
		skewness = r.Skewness
	}
	b := off / r.SD
	square := 1 + b*b
	return ((kurtosis+4*b*skewness+6*b*b+b*b*b*b)/(square*square) - 1) / float64(4*(r.N-1))
}

// Shape returns the skewness and the kurtosis of a sample.
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

// setPaired sets Paired for the series of one run, by comparing their errors with those of the first: with e the errors
// of estimate i, e_a^2 / mean e_a^2 - e_b^2 / mean e_b^2 is its contribution to the logarithm of the ratio of the mean
// squares.
func setPaired(rows []Row) {
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

// CompareAtEqualCost compares the errors of two lines at equal cost (Row.cost). It returns the mean over the rows of a
// of log(error of a / error of b at the cost of a), weighted by the inverse variance, and its standard error to first
// order. Errors of b at other costs are interpolated log-linearly; outside the range of costs they fall with the root
// of the cost. If both lines have one row from the same run, they are compared estimate by estimate. The result is NaN
// if a line has no row with an error from at least two estimates.
func CompareAtEqualCost(a, b []Row, of ErrorMeasure) (ratio, se float64) {
	a, b = usable(a, of), usable(b, of)
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN()
	}

	// Compare each row of a with line b at the same cost.
	all := 0.0
	part := make([]float64, len(b)) // weight of each row of b
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

		// Interpolate between rows of b, or extrapolate from its end.
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

	// The standard error; a row of b may count several times.
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

// sharesRun reports whether the rows are the first and another series of the same run, so that Paired is the standard
// error of their ratio.
func (r *Row) sharesRun(other *Row) bool {
	first, second := r, other
	if first.Paired > 0 {
		first, second = other, r
	}
	return first.Paired == 0 && second.Paired > 0 && first.At > 0 && first.At == second.At && first.Panel == second.Panel
}

// usable returns the rows with an error from at least two estimates.
func usable(rows []Row, of ErrorMeasure) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		e, v := of(&r)
		return r.N < 2 || !(e > 0 && v > 0) || !num.Finite(e) || !(r.cost() > 0)
	})
}

// FormatVarianceRatio formats exp(2 ratio), a ratio of variances, with its range.
func FormatVarianceRatio(ratio, se float64) string {
	if !num.NotNaN(ratio) {
		return "not measured"
	}
	if math.Exp(2*(ratio-Sigmas*se)) > 1000 {
		return "more than 1,000"
	}
	// Use more digits if an end of a narrow range would be rounded to 1.
	lo, hi, digits := math.Exp(2*(ratio-Sigmas*se)), math.Exp(2*(ratio+Sigmas*se)), 2
	for digits < 4 && hi < 2*lo && (fmt.Sprintf("%.*g", digits, lo) == "1" || fmt.Sprintf("%.*g", digits, hi) == "1") {
		digits++
	}
	return fmt.Sprintf("%.*g (%.*g to %.*g)", digits, math.Exp(2*ratio), digits, lo, digits, hi)
}

// FormatErrorRatio formats exp(ratio), a ratio of errors, with its range.
func FormatErrorRatio(ratio, se float64) string { return FormatVarianceRatio(ratio/2, se/2) }

// Units of ratios.
const (
	UnitVariances = "log of a ratio of variances"
	UnitErrors    = "log of a ratio of errors"
	UnitSizes     = "log of a ratio of effective sample sizes"
	UnitTimes     = "log of a ratio of times"
)

// SmallerVariance is the finding that the variance of series a at equal cost is smaller than that of series b.
func SmallerVariance(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, BySD, "variance")
}

// SmallerMSE is the finding that the mean squared error of series a at equal cost is smaller than that of series b.
func SmallerMSE(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, ByRMS, "mean squared error")
}

// atEqualCost is the finding that an error of series a is smaller at equal cost than that of series b.
func atEqualCost(rows []Row, panel, a, b, paper string, of ErrorMeasure, what string) (Finding, bool) {
	x, y := Series(rows, panel, a), Series(rows, panel, b)
	if len(x) == 0 || len(y) == 0 {
		return Finding{}, false
	}
	ratio, se := CompareAtEqualCost(x, y, of)
	return Finding{Panel: panel, Paper: paper, Here: fmt.Sprintf("at equal processor time the %s of %s is %s times that "+
		"of %s.", what, a, FormatVarianceRatio(ratio, se), b)}.Below(2*ratio, 2*se, UnitVariances), true
}

// SmallerRMSE is the finding that the RMSE of one line is smaller than that of another.
func SmallerRMSE(paper string, a, b []Row) (Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return Finding{}, false
	}
	ratio, se := CompareAtEqualCost(a, b, ByRMS)
	here := fmt.Sprintf("the RMSE of %s is %s times that of %s.", a[0].Series, FormatErrorRatio(ratio, se), b[0].Series)
	return Finding{Paper: paper, Here: here}.Below(ratio, se, UnitErrors), true
}

// BiasFinding is the finding that estimates are biased downwards (sign -1) or upwards (+1).
func BiasFinding(paper string, r *Row, ref float64, refSE float64, sign float64) Finding {
	off, se := r.Mean-ref, math.Hypot(r.SD/math.Sqrt(float64(r.N)), refSE)
	here := fmt.Sprintf("the mean of %d estimates lies %+.2f +- %.2f nats from it at %.0f sweeps.", r.N, off, se, r.At)
	return Finding{Paper: paper, Here: here}.Below(-sign*off, se, "nats")
}

// AppendFinding appends a finding about a panel, if ok.
func AppendFinding(panel string, out []Finding, f Finding, ok bool) []Finding {
	if !ok {
		return out
	}
	f.Panel = panel
	return append(out, f)
}

// AllPanels is the OtherModels of an experiment that has none of the paper's models.
func AllPanels(string) bool { return true }

// Claim returns the claim, after the name of the panel.
func (f Finding) Claim() string {
	if f.Panel == "" {
		return f.Paper
	}
	return f.Panel + ": " + f.Paper
}

// summarize states how the run answers the findings of the claimant, and this lab's own.
func summarize(f []Finding, claimant string) string {
	if len(f) == 0 {
		return "Nothing to compare yet."
	}
	n := Tally(f)
	var says []string
	for ours, of := range []string{claimant, "this lab or on other models"} {
		if n[ours].All() > 0 {
			says = append(says, n[ours].text(of))
		}
	}
	return strings.Join(says, " ")
}

// Counts holds the number of findings by answer.
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

// All returns the number of findings.
func (n Counts) All() int { return n[Unseen] + n[Agrees] + n[Contradicts] }

// text states the counts.
func (n Counts) text(claimant string) string {
	noun := "findings"
	if n.All() == 1 {
		noun = "finding"
	}
	return fmt.Sprintf("Of %d %s of %s this run agrees with %d, contradicts %d, and is too small to see %d.", n.All(),
		noun, claimant, n[Agrees], n[Contradicts], n[Unseen])
}
