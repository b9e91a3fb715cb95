package report

import (
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
)

// Rows with mean log f of 2 nats, log Z of 10 +- 0.1: the ends come from bounds if there are any; the lower end comes
// from the error bar if only chains from data bound log Z from above; and there is none after stop.
func TestLikelihoodOfRows(t *testing.T) {
	fromData := []diag.Flag{estimators.FlagUpperFromData}
	for _, c := range []struct {
		name         string
		report       Report
		lower, upper Number
		source       string
	}{
		{"bounds", Report{LogZ: 10, SE: .1, Lower: 9, Upper: 11, Verdict: &Verdict{Level: Trust}}, -9, -7, ByBounds},
		{"upper from data", Report{LogZ: 10, SE: .1, Lower: 9, Upper: 11, Flags: fromData,
			Verdict: &Verdict{Level: Trust}}, -8.3, -7, ByBar},
		{"none", Report{LogZ: 10, SE: .1, Lower: NaN, Upper: NaN, Floor: &Bound{LogZ: 8},
			Verdict: &Verdict{Level: Caution}}, -8.3, -6, ByBar},
		{"stop", Report{LogZ: 10, SE: .1, Lower: 9, Upper: NaN, Verdict: &Verdict{Level: Stop}}, NaN, -7, ByBounds},
		{"no error bar", Report{LogZ: 10, SE: NaN, Lower: 9, Upper: NaN, Verdict: &Verdict{Level: Caution}}, NaN, -7,
			ByBounds},
		{"exact", Report{LogZ: 10, SE: .1, Lower: 9, Upper: NaN, Truth: &Truth{LogZ: 10.5},
			Verdict: &Verdict{Level: Trust}}, -8.5, -8.5, ByExact},
	} {
		c.report.AddData(&Rows{n: 5, logf: 2, pseudo: -3})
		d := c.report.Data
		same := func(a, b Number) bool { return IsNumber(a) == IsNumber(b) && !(a-b > 1e-12 || b-a > 1e-12) }
		if !same(d.Lower, c.lower) || !same(d.Upper, c.upper) || d.Source != c.source ||
			IsNumber(d.Mean) != (c.source == ByExact) {
			t.Errorf("%s: %+v, want %v to %v by %s", c.name, *d, c.lower, c.upper, c.source)
		}
	}
}
