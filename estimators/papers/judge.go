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

// Finding is a claim, in the setting of the paper, with the result of this run.
type Finding struct {
	Panel       string // the plot that the claim is about; "": several
	Paper, Here string // the claim, and a sentence with the result of this run
	Answer      Answer
	Ours        bool // a claim of this lab, or about other models than the paper's (Experiment.OtherModels)
	// Measured is the value, with standard error SE, in the unit Unit, that the claim says is negative (see Below). Unit
	// is "" if no value was judged. Predicted is the value that theory predicts for this run, 0 if not known. Limit is
	// the limit of Within, 0 without one.
	Measured, SE, Predicted, Limit float64
	Unit                           string
	Lags                           bool // the moves mix much worse than the perfect moves that theory assumes
}

const (
	Sigmas     = 2      // number of standard errors at which a claim is decided
	chanceRate = 0.0455 // probability that a claim without any effect is decided by chance
	minVisible = 3      // number of standard errors at which a predicted effect should have been decided
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

// StudentSE returns a standard error increased for its df degrees of freedom: se times the quantile 1 - chanceRate/2 of
// Student's t with df degrees of freedom, divided by Sigmas. An estimate of 0 then exceeds Sigmas standard errors with
// probability chanceRate, as a normal estimate with known error does. It returns NaN if df < 1.
func StudentSE(se, df float64) float64 {
	if !(df >= 1) {
		return math.NaN()
	}
	return se * distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(1-chanceRate/2) / Sigmas
}

// Below answers the finding by x, with standard error se: the claim is that x is negative.
func (f Finding) Below(x, se float64, unit string) Finding {
	f.Measured, f.SE, f.Unit, f.Answer = x, se, unit, Below(x, se)
	return f
}

// Within answers the finding by x, with standard error se: the claim is that x is at most limit. It is used for the
// claim that two quantities are equal up to limit, with x the absolute difference.
func (f Finding) Within(x, limit, se float64, unit string) Finding {
	f.Limit = limit
	return f.Below(x-limit, se, unit)
}

// Undecided reports whether the claim is undecided although theory predicts an effect, or Within has a limit, of at
// least minVisible standard errors.
func (f Finding) Undecided() bool {
	return f.Answer == Unseen && !f.Lags && max(math.Abs(f.Predicted), f.Limit) >= minVisible*f.SE && f.SE > 0
}

// Theory returns, for an undecided claim, a sentence with the predicted effect or the width of the limit, in standard
// errors, and by which factor the number of runs must grow to decide the claim. It returns "" if the claim was decided
// or if neither is known.
func (f Finding) Theory() string {
	effect := max(math.Abs(f.Predicted), f.Limit) / f.SE
	if f.Answer != Unseen || !(effect > 0 && f.SE > 0) {
		return ""
	}
	text := fmt.Sprintf("Theory predicts %+.2g here (%s), %.1f standard errors", f.Predicted, f.Unit, effect)
	if f.Limit > 0 {
		text = fmt.Sprintf("The limit is %.1f standard errors wide", effect)
	}
	if f.Lags {
		return text + ", of perfect moves; real moves lag behind."
	}
	factor, remark := minVisible/effect, ""
	if f.Undecided() { // the measured effect is smaller than predicted
		factor, remark = Sigmas*f.SE/math.Abs(f.Measured), ", and yet nothing is decided"
	}
	return fmt.Sprintf("%s%s: needs %s times as many runs.", text, remark, formatTimes(factor*factor))
}

// formatTimes formats a factor as an integer, rounded up.
func formatTimes(x float64) string {
	if !(x < 1e6) {
		return "more than a million"
	}
	return format.Thousands(math.Ceil(x))
}

// An ErrorMeasure returns the error (size) of a single estimate of a row, in nats, and the variance of the logarithm of
// that error.
type ErrorMeasure func(*Row) (size, variance float64)

// BySD measures the error by the standard deviation of log Z. With u = log Z minus its mean, or minus the known value,
// the logarithm of sqrt(mean u^2) from n estimates has the variance (E[u^4] / E[u^2]^2 - 1) / 4n, to first order: 1 / 2n
// if u is normal with mean 0. A kurtosis below 3 is replaced by 3.
func BySD(r *Row) (size, variance float64) { return r.SD, r.logErrorVariance(0) }

// ByRMS measures the error by the root mean square of log Z minus the known value; see BySD for its variance.
func ByRMS(r *Row) (size, variance float64) { return r.RMS(), r.logErrorVariance(r.Mean - r.Known) }

// logErrorVariance returns the variance of the logarithm of the root mean square of u, where u is log Z minus a
// reference from which its mean differs by bias; see BySD for the formula.
func (r *Row) logErrorVariance(bias float64) float64 {
	kurtosis, skewness := 3.0, 0.0
	if r.Kurtosis > 3 {
		kurtosis = r.Kurtosis
	}
	if num.NotNaN(r.Skewness) {
		skewness = r.Skewness
	}
	relative := bias / r.SD
	square := 1 + relative*relative
	return ((kurtosis+4*relative*skewness+6*relative*relative+relative*relative*relative*relative)/(square*square) - 1) / float64(4*(r.N-1))
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

// setPaired sets Paired for the rows of several series that read the same run, by comparing each with the first row.
// With e_a and e_b the errors of estimate i by the two series, e_a^2 / mean e_a^2 - e_b^2 / mean e_b^2 is its
// contribution to the logarithm of the ratio of the mean squares; Paired is half of the standard error of that
// logarithm.
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
// order. The error of b at a cost between two rows is interpolated log-linearly; outside the range of costs of b it is
// assumed to fall with the root of the cost. If both lines have one row, from the same run, the standard error is
// Paired. The result is NaN if a line has no row with an error from at least two estimates.
func CompareAtEqualCost(a, b []Row, measure ErrorMeasure) (ratio, se float64) {
	a, b = usable(a, measure), usable(b, measure)
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN()
	}

	// Compare each row of a with line b at the same cost, weighted by the inverse variance.
	totalWeight := 0.0
	rowWeight := make([]float64, len(b)) // weight of each row of b
	for i := range a {
		size, variance := measure(&a[i])
		w := 1 / variance
		totalWeight += w
		logCost := math.Log(a[i].cost())
		ratio += w * math.Log(size)
		se += w
		subtractLog := func(k int, w float64) {
			size, _ := measure(&b[k])
			rowWeight[k] += w
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
			subtractLog(k, w)
			ratio += w * .5 * (logCost - math.Log(b[k].cost()))
		default:
			lo, hi := math.Log(b[k-1].cost()), math.Log(b[k].cost())
			fraction := (logCost - lo) / (hi - lo)
			subtractLog(k-1, w*(1-fraction))
			subtractLog(k, w*fraction)
		}
	}

	// The standard error. A row of b may be compared with several rows of a, so its weights are added up before squaring.
	for k := range b {
		_, variance := measure(&b[k])
		se += rowWeight[k] * rowWeight[k] * variance
	}
	se = math.Sqrt(se) / totalWeight
	if len(a) == 1 && len(b) == 1 && a[0].sharesRun(&b[0]) {
		se = max(a[0].Paired, b[0].Paired)
	}
	return ratio / totalWeight, se
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

// usable returns the rows that have a cost and a positive error from at least two estimates.
func usable(rows []Row, measure ErrorMeasure) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		size, variance := measure(&r)
		return r.N < 2 || !(size > 0 && variance > 0) || !num.Finite(size) || !(r.cost() > 0)
	})
}

// FormatVarianceRatio formats the ratio of variances exp(2 ratio), where ratio is the log of a ratio of errors with
// standard error se, followed by its range of +- Sigmas standard errors: "1.1 (0.91 to 1.3)".
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

// FormatErrorRatio formats the ratio of errors exp(ratio) with its range, like FormatVarianceRatio.
func FormatErrorRatio(ratio, se float64) string { return FormatVarianceRatio(ratio/2, se/2) }

// Values of Finding.Unit for logarithms of ratios.
const (
	UnitVariances = "log of a ratio of variances"
	UnitErrors    = "log of a ratio of errors"
	UnitSizes     = "log of a ratio of effective sample sizes"
	UnitTimes     = "log of a ratio of times"
)

// SmallerVariance returns the finding that the variance of series a at equal cost is smaller than that of series b.
func SmallerVariance(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, BySD, "variance")
}

// SmallerMSE returns the finding that the mean squared error of series a at equal cost is smaller than that of series
// b.
func SmallerMSE(rows []Row, panel, a, b, paper string) (Finding, bool) {
	return atEqualCost(rows, panel, a, b, paper, ByRMS, "mean squared error")
}

// atEqualCost returns the finding that the error of series a is smaller at equal cost than that of series b; quantity
// is the name of the squared error. ok is false if a series has no rows.
func atEqualCost(rows []Row, panel, a, b, paper string, measure ErrorMeasure, quantity string) (Finding, bool) {
	rowsA, rowsB := Series(rows, panel, a), Series(rows, panel, b)
	if len(rowsA) == 0 || len(rowsB) == 0 {
		return Finding{}, false
	}
	ratio, se := CompareAtEqualCost(rowsA, rowsB, measure)
	return Finding{Panel: panel, Paper: paper, Here: fmt.Sprintf("at equal processor time the %s of %s is %s times that "+
		"of %s.", quantity, a, FormatVarianceRatio(ratio, se), b)}.Below(2*ratio, 2*se, UnitVariances), true
}

// SmallerRMSE returns the finding that the RMSE of line a at equal cost is smaller than that of line b, and false if a
// line has no rows. paper is the claim.
func SmallerRMSE(paper string, a, b []Row) (Finding, bool) {
	if len(a) == 0 || len(b) == 0 {
		return Finding{}, false
	}
	ratio, se := CompareAtEqualCost(a, b, ByRMS)
	here := fmt.Sprintf("the RMSE of %s is %s times that of %s.", a[0].Series, FormatErrorRatio(ratio, se), b[0].Series)
	return Finding{Paper: paper, Here: here}.Below(ratio, se, UnitErrors), true
}

// BiasFinding returns the finding that the estimates of r are biased downwards (sign -1) or upwards (sign 1), relative
// to the log Z ref with standard error refSE. paper is the claim.
func BiasFinding(paper string, r *Row, ref float64, refSE float64, sign float64) Finding {
	bias, se := r.Mean-ref, math.Hypot(r.SD/math.Sqrt(float64(r.N)), refSE)
	here := fmt.Sprintf("the mean of %d estimates lies %+.2f +- %.2f nats from it at %.0f sweeps.", r.N, bias, se, r.At)
	return Finding{Paper: paper, Here: here}.Below(-sign*bias, se, "nats")
}

// AppendFinding sets the panel of f and appends f to out if ok is set; else it returns out unchanged.
func AppendFinding(panel string, out []Finding, f Finding, ok bool) []Finding {
	if !ok {
		return out
	}
	f.Panel = panel
	return append(out, f)
}

// AllPanels is the value of OtherModels for an experiment that uses other models than the paper in all panels.
func AllPanels(string) bool { return true }

// Claim returns the claim, preceded by the name of the panel if there is one.
func (f Finding) Claim() string {
	if f.Panel == "" {
		return f.Paper
	}
	return f.Panel + ": " + f.Paper
}

// summarize returns a sentence with the numbers of findings by answer: first those of the claimant, then those of this
// lab.
func summarize(f []Finding, claimant string) string {
	if len(f) == 0 {
		return "Nothing to compare yet."
	}
	n := Tally(f)
	var sentences []string
	for ours, by := range []string{claimant, "this lab or on other models"} {
		if n[ours].All() > 0 {
			sentences = append(sentences, n[ours].text(by))
		}
	}
	return strings.Join(sentences, " ")
}

// Counts holds the number of findings, indexed by Answer.
type Counts [3]int

// Tally counts findings by answer: n[0] of the paper, n[1] of this lab (Finding.Ours).
func Tally(f []Finding) (n [2]Counts) {
	for _, x := range f {
		ours := 0
		if x.Ours {
			ours = 1
		}
		n[ours][x.Answer]++
	}
	return n
}

// All returns the number of findings.
func (n Counts) All() int { return n[Unseen] + n[Agrees] + n[Contradicts] }

// text returns a sentence with the counts.
func (n Counts) text(claimant string) string {
	noun := "findings"
	if n.All() == 1 {
		noun = "finding"
	}
	return fmt.Sprintf("Of %d %s of %s this run agrees with %d, contradicts %d, and is too small to see %d.", n.All(),
		noun, claimant, n[Agrees], n[Contradicts], n[Unseen])
}
