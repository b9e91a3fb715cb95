package verdict

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// Odds compares two models of the same data by their log evidences log Z.
type Odds struct {
	LogBF, SE Number // log Bayes factor: log Z of the first model minus log Z of the second; its standard error (nats)
	Level     string // the worse level of the verdicts on the two estimates
}

// Worse returns the worse of two levels.
func Worse(a, b string) string {
	if b == Stop || a == Trust {
		return b
	}
	return a
}

// grades of evidence ([Kass1995]), each with the largest Bayes factor to which it applies.
var grades = [...]struct {
	upTo float64
	name string
}{{3, "hardly worth a mention"}, {20, "positive evidence"}, {150, "strong evidence"},
	{math.Inf(1), "very strong evidence"}}

func grade(x float64) string {
	for _, g := range grades {
		if x <= math.Log(g.upTo) {
			return g.name
		}
	}
	return ""
}

// Grade returns the grade of evidence for the better model, or "A to B" if two standard errors less and more give different
// grades. It returns "" if the standard error is so large that the data may prefer either model.
func (c Odds) Grade() string {
	lo, hi := c.twoBars()
	if !(lo >= 0) && !(hi <= math.Log(grades[0].upTo)) {
		return ""
	}
	if low, high := grade(max(lo, 0)), grade(hi); low != high {
		return low + " to " + high
	}
	return grade(hi)
}

// twoBars returns |LogBF| minus and plus two standard errors; NaN without a standard error.
func (c Odds) twoBars() (lo, hi float64) {
	x, se := math.Abs(float64(c.LogBF)), float64(c.SE)
	return x - num.Mul(2, se), x + num.Mul(2, se)
}

// factorPhrase returns e^x as a phrase, to two significant digits.
func factorPhrase(x float64) error {
	if x < math.Log(9.95) {
		return problem.New("%s", format.Ratio(math.Exp(x)))
	}
	return ExpPhrase(x)
}

// Sentences returns translatable sentences that explain the comparison. a and b are the names of the first and the second model.
func (c Odds) Sentences(a, b string) (out []error) {
	better, worse := a, b
	if c.LogBF < 0 {
		better, worse = b, a
	}

	// The Bayes factor, or the reason why it is not known.
	lo, hi := c.twoBars()
	switch {
	case c.Level == Stop || !IsNumber(c.LogBF):
		return []error{problem.New("one of the two estimates is not to be trusted, so neither is their comparison")}
	case !num.NotNaN(lo):
		return []error{problem.New("without an error bar it cannot be told which of %s and %s the data prefer", a, b)}
	case c.Grade() == "":
		out = append(out, problem.New("the error bar is too wide to tell which of %s and %s the data prefer", a, b))
	default:
		var worth any = grade(max(lo, 0))
		if last := grade(hi); last != worth {
			worth = problem.New("%s to %s", worth, last)
		}
		factor, low, high := factorPhrase(math.Abs(float64(c.LogBF))), factorPhrase(lo), factorPhrase(hi)
		if low.Error() != high.Error() {
			factor = problem.New("%s (%s to %s, by two error bars)", factor, low, high)
		}
		out = append(out, problem.New("the data are about %s times as likely under %s as under %s: %s, on the scale of "+
			"Kass and Raftery", factor, better, worse, worth))
	}

	// Reservations.
	if c.Level == Caution {
		out = append(out, problem.New("one of the two estimates needs caution, and so does their comparison"))
	}
	return append(out, problem.New("which model is likelier also depends on the odds before the data: multiply them by "+
		"this factor"))
}

// ExpPhrase returns e^x, x >= 0, as a phrase: two significant digits up to 10^15, as in 400,000 and 360 million, and one digit
// from then on, as in 4 × 10^19.
func ExpPhrase(x float64) error {
	tens := max(x, 0) / math.Ln10
	e := int(math.Floor(tens))
	mantissa := math.Round(10*math.Pow(10, tens-float64(e))) / 10 // 1.0 to 9.9
	if mantissa == 10 {
		mantissa, e = 1, e+1
	}
	if e >= 15 {
		if m := math.Round(mantissa); m != 1 {
			return problem.New("%s × 10^%d", format.Fixed(m, 0), e)
		}
		return problem.New("10^%d", e)
	}
	part := func(exponent int) string { return format.Ratio(mantissa * math.Pow(10, float64(e-exponent))) }
	switch one := mantissa == 1; {
	case e == 12 && one:
		return problem.New("1 trillion")
	case e >= 12:
		return problem.New("%s trillion", part(12))
	case e == 9 && one:
		return problem.New("1 billion")
	case e >= 9:
		return problem.New("%s billion", part(9))
	case e == 6 && one:
		return problem.New("1 million")
	case e >= 6:
		return problem.New("%s million", part(6))
	}
	return problem.New("%s", format.Grouped(math.Round(mantissa*math.Pow(10, float64(e))), 0))
}
