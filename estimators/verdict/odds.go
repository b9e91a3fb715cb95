package verdict

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// Odds compare two models of the same data by their log evidences. Level is the worse verdict of the two.
type Odds struct {
	LogBF, SE Number // log Z of the first minus log Z of the second
	Level     string
}

// Worse returns the worse of two levels.
func Worse(a, b string) string {
	if b == Stop || a == Trust {
		return b
	}
	return a
}

// grades of evidence ([Kass1995]) by the largest ratio of the probabilities of the data.
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

// Grade returns the grades of evidence at both ends of two error bars, "" if the error bar is too wide.
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

// twoBars returns the size of the log Bayes factor minus and plus two error bars; NaN without an error bar.
func (c Odds) twoBars() (lo, hi float64) {
	x, se := math.Abs(float64(c.LogBF)), float64(c.SE)
	return x - num.Mul(2, se), x + num.Mul(2, se)
}

// times formats e^x to two significant places.
func times(x float64) string {
	if x < math.Log(9.95) {
		return format.Ratio(math.Exp(x))
	}
	return Exp(x)
}

// Says returns sentences that explain the comparison, as phrases to be translated. a and b are the names of the models.
func (c Odds) Says(a, b string) (out []error) {
	better, worse := a, b
	if c.LogBF < 0 {
		better, worse = b, a
	}

	// The Bayes factor in words, as far as known.
	lo, hi := c.twoBars()
	switch {
	case c.Level == Stop || !IsNumber(c.LogBF):
		return []error{problem.New("one of the two estimates is not to be trusted, so neither is their comparison")}
	case !num.Known(lo):
		return []error{problem.New("without an error bar it cannot be told which of %s and %s the data prefer", a, b)}
	case c.Grade() == "":
		out = append(out, problem.New("the error bar is too wide to tell which of %s and %s the data prefer", a, b))
	default:
		var worth any = grade(max(lo, 0))
		if last := grade(hi); last != worth {
			worth = problem.New("%s to %s", worth, last)
		}
		var factor any = times(math.Abs(float64(c.LogBF)))
		if times(lo) != times(hi) {
			factor = problem.New("%s (%s to %s, by two error bars)", factor, times(lo), times(hi))
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

// Exp formats e^x to two significant places.
func Exp(x float64) string {
	tens := x / math.Ln10
	if tens >= 6 {
		return fmt.Sprintf("10^%.0f", tens)
	}
	x = math.Pow(10, max(tens, 0))
	unit := math.Pow(10, max(math.Floor(math.Log10(x))-1, 0))
	return format.Grouped(math.Round(x/unit)*unit, 0)
}
