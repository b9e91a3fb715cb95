package report

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
	"logzlab/models"
)

// Bayes is the comparison of two models of the same data by their log evidences log Z.
type Bayes struct {
	V       int     `json:"v"`
	LogBF   Number  `json:"log_bayes_factor"` // log Z of A minus log Z of B
	SE      Number  `json:"se"`               // standard error of LogBF, from both standard errors
	Exact   Number  `json:"exact"`            // LogBF from the exact values; null if one of them is not known
	Grade   string  `json:"evidence"`         // grade of evidence (verdict.Odds.Grade)
	Verdict string  `json:"verdict"`          // the worse level of both verdicts; "stop" if a model lacks a prior
	A       *Report `json:"a"`
	B       *Report `json:"b"`
}

// SameData returns an error unless log Z of both models is the log evidence of the same data.
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

// lacksPrior reports whether a parameter of the model lacks a proper prior, so that its evidence has an arbitrary
// factor.
func (r *Report) lacksPrior() bool { return slices.Contains(r.Flags, models.FlagImproper) }

// Compare compares the models of two reports. They must be models of the same data (SameData).
func Compare(a, b *Report) *Bayes {
	c := &Bayes{V: a.V, LogBF: a.LogZ - b.LogZ, SE: Number(math.Sqrt(float64(a.SE*a.SE) + float64(b.SE*b.SE))), Exact: NaN,
		Verdict: verdict.Worse(a.Verdict.Level, b.Verdict.Level), A: a, B: b}
	if a.lacksPrior() || b.lacksPrior() {
		c.Verdict = Stop
		return c
	}
	if c.truncationDiffers() {
		c.Verdict = verdict.Worse(c.Verdict, Caution)
	}
	if a.Truth != nil && b.Truth != nil {
		c.Exact = a.Truth.LogZ - b.Truth.LogZ
	}
	c.Grade = c.odds().Grade()
	return c
}

// truncation returns the number of nats by which log Z is too low because truncated priors are not normalised; NaN if
// unknown, 0 if there are none.
func (r *Report) truncation() Number {
	if !slices.Contains(r.Flags, models.FlagTruncated) {
		return 0
	}
	if nats, ok := r.Diagnostics[models.DiagTruncation]; ok {
		return nats
	}
	return NaN
}

// truncationDiffers reports whether truncated priors that are not normalised change the Bayes factor, or may change it.
func (c *Bayes) truncationDiffers() bool {
	return !(math.Abs(float64(c.A.truncation()-c.B.truncation())) < 1e-9)
}

func (c *Bayes) odds() verdict.Odds { return verdict.Odds{LogBF: c.LogBF, SE: c.SE, Level: c.Verdict} }

// Sentences returns translatable sentences that explain the comparison. a and b are the names of the models.
func (c *Bayes) Sentences(a, b string) []error {
	modelWithoutPrior := a
	switch {
	case c.A.lacksPrior():
	case c.B.lacksPrior():
		modelWithoutPrior = b
	case c.truncationDiffers():
		note := problem.New("priors are not normalised by their declarations, so that the Bayes factor has a factor that " +
			"is no evidence")
		if normalized := c.LogBF + c.A.truncation() - c.B.truncation(); IsNumber(normalized) {
			note = problem.New("priors are not normalised by their declarations; with normalised priors the log Bayes factor "+
				"would be %s", format.Fixed(float64(normalized), format.Decimals(float64(c.SE))))
		}
		o := c.odds()
		o.Level = verdict.Worse(c.A.Verdict.Level, c.B.Verdict.Level) // the estimates themselves may be right
		return append(o.Sentences(a, b), note)
	default:
		return c.odds().Sentences(a, b)
	}
	return []error{problem.New("%s states no prior for a parameter; its evidence has a factor that nobody chose, so the "+
		"Bayes factor means nothing", modelWithoutPrior)}
}
