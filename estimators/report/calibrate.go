package report

import (
	"fmt"
	"math"

	"logzlab/core/diag"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
)

// minReplicates is the number of replicates from which the error bar behaves like the counted ones.
const minReplicates = 10

// Situation returns the properties of the run that calibration depends on; the exact value is not used.
func (r *Report) Situation() calibration.Situation {
	method := r.Method
	if r.byGrowing() {
		method = r.info().Name
	}
	return calibration.Situation{Method: method, SEMethod: r.SEMethod, Kind: r.Kind, Level: r.Own, SE: float64(r.SE),
		Number: r.number}
}

// number returns a diagnostic, or NaN if the report lacks it.
func (r *Report) number(name diag.Number) float64 {
	if x, ok := r.Diagnostics[name]; ok {
		return float64(x)
	}
	return math.NaN()
}

// calibrate records the coverage of the error bars of comparable runs, and judges it. ok is false if it is not known.
func (r *Report) calibrate() (c VerdictCheck, ok bool) {
	r.Calibration = nil
	if r.Provisional || !IsNumber(r.SE) || r.SEMethod == estimators.SEReplicates && len(r.Replicates) < minReplicates {
		return c, false
	}
	s := r.Situation()
	if !calibration.HasCounts(s.Method) {
		return notCounted, true
	}
	like, ok := calibration.Lookup(s)
	if !ok {
		return c, false
	}
	r.Calibration = &Calibration{like.Runs, Number(like.Share1()), Number(like.Share2()), Number(like.RMSZ())}
	c = CoverageCheck(like)
	if r.SEMethod == estimators.SEIslands {
		c.Do = "Use more groups (islands)."
	}
	return c, true
}

// notCounted is the check of methods whose error bars have not been compared with exact values yet.
var notCounted = VerdictCheck{Name: "Bars that held", Value: Number(math.NaN()), Text: "not counted",
	Needs: "counted",
	Means: "The coverage of this method's error bars has not been measured yet.",
	Do:    "Treat the error bar with caution, or also run a method whose coverage is known."}

// CoverageCheck judges the coverage of error bars.
func CoverageCheck(like calibration.Counts) VerdictCheck {
	share := 100 * like.Share2()
	least := 100 * calibration.MinShare2
	c := VerdictCheck{Name: "Bars that held", Value: Number(like.Share2()),
		Text: estimators.FormatAgainst(share, least, 0) + " %", Needs: fmt.Sprintf("≥ %.0f %%", least), OK: like.Held(),
		Means: "This error bar is probably too short: in similar test runs, two standard errors covered the exact " +
			"value too rarely, or missed it by too much.",
		Do: "Expect an error larger than the error bar, or give the method more work."}
	if share >= least && !c.OK {
		c.Value, c.Text, c.Needs = Number(like.RMSZ()), estimators.FormatAgainst(like.RMSZ(), calibration.MaxRMSZ, 1)+" rms",
			fmt.Sprintf("≤ %.1f", calibration.MaxRMSZ)
	}
	return c
}
