package report

import "logzlab/estimators/verdict"

// Types of package verdict.
type (
	Number       = verdict.Number
	Numbers      = verdict.Numbers
	Verdict      = verdict.Verdict
	VerdictCheck = verdict.Check
)

// NaN is an unknown number.
var NaN = verdict.NaN

// Levels of a verdict.
const (
	Trust   = verdict.Trust
	Caution = verdict.Caution
	Stop    = verdict.Stop
)

// IsNumber reports whether x is finite. Other values are null in JSON.
func IsNumber(x Number) bool { return verdict.IsNumber(x) }

// JSON encodes one report as an object, several as an array.
func JSON(reports []*Report) []byte {
	if len(reports) == 1 {
		return Encode(reports[0])
	}
	return Encode(reports)
}

// MarshalJSON writes the fields of a report in order. The hash of an unfinished run is null.
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

// Encode encodes x as JSON on one line, by its struct tags.
func Encode(x any) []byte { return verdict.Encode(x) }
