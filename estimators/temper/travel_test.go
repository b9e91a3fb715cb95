package temper

import (
	"bytes"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
)

// Visits at the base are all on the way up, visits at the target never; trips of the first chains agree with those of
// all.
func TestTravel(t *testing.T) {
	m := methodtest.Mixture(t, 1, 0)
	_, res := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1, "chains=40", "temperatures=4", "sweeps=3000",
		"schedule=power:2"))
	v := res.Travel
	if v == nil || len(v.Up) != 4 || v.Up[0] != 1 || v.Up[3] != 0 || v.Chains != 40 || len(v.Trips) != travelChains {
		t.Fatalf("travel %+v", v)
	}
	for k := 1; k < 4; k++ {
		if !(v.Up[k] < v.Up[k-1]) {
			t.Errorf("%.2f of the visits at rung %d are on the way up, %.2f one below", v.Up[k], k+1, v.Up[k-1])
		}
	}
	seen := 0
	for _, n := range v.Trips {
		seen += int(n)
	}
	if trips := res.Diagnostics[estimators.DiagRoundTrips]; float64(v.Total) != trips || seen > v.Total || seen == 0 {
		t.Errorf("%d trips in all, %v diagnosed, %d of the first chains", v.Total, trips, seen)
	}
}

// TestTravelAlike: the size of lanes, cuts and a second reader do not change the recorded travel; chains that stay at
// their rungs have none.
func TestTravelAlike(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	told := func(size, cut int, info estimators.Info, set ...string) []byte {
		c := methodtest.Config(t, info, m, 3, append(set, "temperatures=50", "sweeps=90", "init_rounds=1")...)
		c.LaneSize, c.Cut = size, cut
		_, res := methodtest.Drive(t, info, c)
		if res.Travel == nil {
			return nil
		}
		f := frame.Frame{Travels: []frame.Travel{*res.Travel}}
		return f.Append(nil)
	}
	want := told(4, 0, RTS, "chains=12")
	if want == nil || !bytes.Equal(told(5, 7, RTS, "chains=12"), want) {
		t.Error("lanes or cuts change what is told")
	}
	if _, err := frame.Decode(want); err != nil {
		t.Error(err)
	}
	if ts := told(4, 0, TS, "chains=12"); len(ts) <= len(want) { // it counts visits as well
		t.Error("the count of visits is missing")
	}
	if told(4, 0, TI, "chains=50", "samples=fixed") != nil {
		t.Error("chains that stay have travelled")
	}
}
