package report

import (
	"fmt"
	"math"

	"logzlab/core/diag"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
)

// minReplicates is the smallest number of replicates with which an error bar from their spread has the coverage of the
// test runs.
const minReplicates = 10

// Situation returns the properties of the run by which comparable test runs are found. It does not use the exact value.
func (r *Report) Situation() calibration.Situation {
	method := r.Method
	if r.isByGrowing() {
		method = r.info().Name
	}
	return calibration.Situation{Method: method, SEMethod: r.SEMethod, Kind: r.Kind, Level: r.OwnLevel, SE: float64(r.SE),
		Number: r.diagnostic}
}

// diagnostic returns a diagnostic, or NaN if the report lacks it.
func (r *Report) diagnostic(name diag.Number) float64 {
	if x, ok := r.Diagnostics[name]; ok {
		return float64(x)
	}
	return math.NaN()
}

// calibrate sets Calibration to the coverage of the error bars of comparable test runs, and judges it. ok is false if it
// is not known.
func (r *Report) calibrate() (c VerdictCheck, ok bool) {
	r.Calibration = nil
	if r.Provisional || !IsNumber(r.SE) || r.SEMethod == estimators.SEReplicates && len(r.Replicates) < minReplicates {
		return c, false
	}
	s := r.Situation()
	if !calibration.HasCounts(s.Method) {
		return notCounted, true
	}
	counts, ok := calibration.Lookup(s)
	if !ok {
		return c, false
	}
	r.Calibration = &Calibration{counts.Runs, Number(counts.Share1()), Number(counts.Share2()), Number(counts.RMSZ())}
	c = CoverageCheck(counts)
	if r.SEMethod == estimators.SEIslands {
		c.Advice = "Use more groups (islands)."
	}
	return c, true
}

// notCounted is the check for methods without test runs.
var notCounted = VerdictCheck{Name: "Bars that held", Value: Number(math.NaN()), Text: "not counted",
	Needs:   "counted",
	Meaning: "The coverage of this method's error bars has not been measured yet.",
	Advice:  "Treat the error bar with caution, or also run a method whose coverage is known."}

// CoverageCheck judges the coverage of the error bars of comparable test runs.
func CoverageCheck(counts calibration.Counts) VerdictCheck {
	share := 100 * counts.Share2()
	limit := 100 * calibration.MinShare2
	c := VerdictCheck{Name: "Bars that held", Value: Number(counts.Share2()),
		Text: estimators.FormatAgainst(share, limit, 0) + " %", Needs: fmt.Sprintf("≥ %.0f %%", limit), OK: counts.Held(),
		Meaning: "This error bar is probably too short: in similar test runs, two standard errors covered the exact " +
			"value too rarely, or missed it by too much.",
		Advice: "Expect an error larger than the error bar, or give the method more work."}
	if share >= limit && !c.OK {
		c.Value, c.Text, c.Needs = Number(counts.RMSZ()), estimators.FormatAgainst(counts.RMSZ(), calibration.MaxRMSZ, 1)+" rms",
			fmt.Sprintf("≤ %.1f", calibration.MaxRMSZ)
	}
	return c
}
