package report

import "logzlab/estimators/verdict"

// What all verdicts and their JSON are made of.
type (
	Number       = verdict.Number
	Numbers      = verdict.Numbers
	Verdict      = verdict.Verdict
	VerdictCheck = verdict.Check
)

// NaN is a number that is not known.
var NaN = verdict.NaN

// Levels of a verdict.
const (
	Trust   = verdict.Trust
	Caution = verdict.Caution
	Stop    = verdict.Stop
)

// IsNumber reports whether x is finite, so not null in JSON.
func IsNumber(x Number) bool { return verdict.IsNumber(x) }

// JSON is one object, or an array where there are several methods.
func JSON(reports []*Report) []byte {
	if len(reports) == 1 {
		return Encode(reports[0])
	}
	return Encode(reports)
}

// MarshalJSON writes a report with the names and order of its tags; a hash that is empty, because
// the run did not end, is null.
func (r *Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	out := struct {
		*plain
		Hash *string `json:"hash"`
	}{plain: (*plain)(r)}
	if r.Hash != "" {
		out.Hash = &r.Hash
	}
	return Encode(out), nil
}

// Encode is x as JSON on one line, by its struct tags.
func Encode(x any) []byte { return verdict.Encode(x) }
