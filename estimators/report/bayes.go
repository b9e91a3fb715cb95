package report

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models"
)

// Bayes compares two models of the same data by their log evidences.
type Bayes struct {
	V       int     `json:"v"`
	LogBF   Number  `json:"log_bayes_factor"` // log Z of A less log Z of B
	SE      Number  `json:"se"`               // the error bars of both, added in squares
	Exact   Number  `json:"exact"`            // of exact values; null where one is not known
	Grade   string  `json:"evidence"`         // what both ends of two error bars are worth, or ""
	Verdict string  `json:"verdict"`          // the worse one of both; "stop" where one lacks a prior
	A       *Report `json:"a"`
	B       *Report `json:"b"`
}

// SameData is an error where log Z of two models cannot be compared: it must be the log evidence of the same data.
func SameData(a, b models.Info) error {
	for _, m := range []models.Info{a, b} {
		if m.Data == "" {
			return problem.New("log Z of %s is no evidence of data, so nothing can be compared with it", m.Name)
		}
	}
	if a.Data != b.Data {
		return problem.New("%s and %s are not models of the same data, the same numbers in the same order, so their "+
			"evidences cannot be compared", a.Name, b.Name)
	}
	return nil
}

// grades of evidence ([Kass1995]) up to how many times as likely the data are.
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

// improper reports whether the model lacks a prior, so that its evidence means nothing beside that of another one.
func (r *Report) improper() bool { return slices.Contains(r.Flags, models.FlagImproper) }

// Compare is the comparison of the models behind two reports, of the same data. Its verdict is the worse one of both.
func Compare(a, b *Report) *Bayes {
	c := &Bayes{V: a.V, LogBF: a.LogZ - b.LogZ, SE: Number(math.Sqrt(float64(a.SE*a.SE) + float64(b.SE*b.SE))), Exact: NaN,
		Verdict: a.Verdict.Level, A: a, B: b}
	if b.Verdict.Level == Stop || c.Verdict == Trust {
		c.Verdict = b.Verdict.Level
	}
	if a.improper() || b.improper() {
		c.Verdict = Stop
		return c
	}
	if a.Truth != nil && b.Truth != nil {
		c.Exact = a.Truth.LogZ - b.Truth.LogZ
	}
	if lo, hi := c.range2(); lo >= 0 || hi <= math.Log(grades[0].upTo) {
		if c.Grade = grade(max(lo, 0)); grade(hi) != c.Grade {
			c.Grade += " to " + grade(hi)
		}
	}
	return c
}

// range2 is what two error bars around the size of the log Bayes factor span; NaN without error bars.
func (c *Bayes) range2() (lo, hi float64) {
	x, se := math.Abs(float64(c.LogBF)), float64(c.SE)
	return x - num.Mul(2, se), x + num.Mul(2, se)
}

// times is e^x for people, in two digits.
func times(x float64) string {
	if x < math.Log(9.95) {
		return format.Ratio(math.Exp(x))
	}
	return (&LogP{LogP: Number(-x)}).OneIn()
}

// Says tells in sentences what the comparison means, as phrases to be translated. a and b are what people call the
// models.
func (c *Bayes) Says(a, b string) (out []error) {
	better, worse := a, b
	if c.LogBF < 0 {
		better, worse = b, a
	}
	lo, hi := c.range2()
	switch {
	case c.A.improper() || c.B.improper():
		without := a
		if !c.A.improper() {
			without = b
		}
		return []error{problem.New("%s states no prior for a parameter; its evidence has a factor that nobody chose, so the "+
			"Bayes factor means nothing", without)}
	case c.Verdict == Stop || !IsNumber(c.LogBF):
		return []error{problem.New("one of the two estimates is not to be trusted, so neither is their comparison")}
	case !num.Known(lo):
		return []error{problem.New("without an error bar it cannot be told which of %s and %s the data prefer", a, b)}
	case c.Grade == "":
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
	if c.Verdict == Caution {
		out = append(out, problem.New("one of the two estimates needs caution, and so does their comparison"))
	}
	return append(out, problem.New("which model is likelier also depends on the odds before the data: multiply them by "+
		"this factor"))
}
