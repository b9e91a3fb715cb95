package report

import (
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
	"logzlab/internal/testmodels"
)

// Sufficient coverage changes nothing; error bars that cover too rarely, or are too far off, give caution and no more.
func TestCoverageCheck(t *testing.T) {
	t.Parallel()
	for want, like := range map[string]calibration.Counts{
		"95 % ≥ 85 %": {Runs: 400, Within2: 380, Squares: 420}, "84.9 % ≥ 85 %": {Runs: 1000, Within2: 849, Squares: 1500},
		"1.6 rms ≤ 1.5": {Runs: 100, Within2: 90, Squares: 256}, "0 % ≥ 85 %": {Runs: 100, Far: 100},
	} {
		c := CoverageCheck(like)
		v := Verdict{Level: Trust}
		v.Add(c)
		level := map[bool]string{true: Trust, false: Caution}[like.Held()]
		if c.Text+" "+c.Needs != want || v.Level != level {
			t.Errorf("%+v: %s %s, %s, want %s", like, c.Text, c.Needs, v.Level, want)
		}
	}
}

// A replicate is reported as if it had been run alone, and its situation does not contain the exact value.
func TestEach(t *testing.T) {
	t.Parallel()
	m := testmodels.HillsModel(t, 2, 3, 3, 1, 1)
	j := newJob(t, m, "ais&ais.chains=10&ais.temperatures=8&replicates=3")
	all := finished(t, j, 2)[0]
	plain := finished(t, newJob(t, m, "ais&ais.chains=10&ais.temperatures=8"), 2)[0]
	each := New(j).PerReplicate("ais")
	if len(each) != 3 || each[0].LogZ != plain.LogZ || each[0].SE != plain.SE || each[0].OwnLevel != plain.OwnLevel {
		t.Fatalf("%d reports, the first %+v, alone %+v", len(each), each[0], plain)
	}
	for i, r := range each {
		if r.Truth != nil || r.LogZ != all.Replicates[i] || r.SEMethod != estimators.SEDelta {
			t.Errorf("replicate %d: %+v", i, r)
		}
	}
	if s := all.Situation(); s.SEMethod != estimators.SEReplicates || s.Kind != "gmm" {
		t.Errorf("the replicates together are %+v", s)
	}
}

// If no similar run was counted, or the run is not finished, there is no calibration.
func TestNoCalibration(t *testing.T) {
	t.Parallel()
	for _, r := range []*Report{
		{Method: "nosuch", LogZ: 1, SE: .1, SEMethod: estimators.SEDelta},
		{Method: "rts", LogZ: 1, SE: .1, SEMethod: estimators.SEChains, Provisional: true},
		{Method: "rts", LogZ: 1, SE: NaN, SEMethod: estimators.SEChains},
		{Method: "rts", LogZ: 1, SE: .1, SEMethod: estimators.SEReplicates, Replicates: make([]Number, 9)},
	} {
		r.Diagnostics, r.Calibration = map[diag.Number]Number{}, &Calibration{}
		if v := r.Judge(); r.Calibration != nil {
			t.Errorf("%+v: %+v", r, v)
		}
	}
}
