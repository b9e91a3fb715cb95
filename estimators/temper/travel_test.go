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
	if v == nil || len(v.FractionUp) != 4 || v.FractionUp[0] != 1 || v.FractionUp[3] != 0 || v.Chains != 40 || len(v.Trips) != travelChains {
		t.Fatalf("travel %+v", v)
	}
	for k := 1; k < 4; k++ {
		if !(v.FractionUp[k] < v.FractionUp[k-1]) {
			t.Errorf("%.2f of the visits at rung %d are on the way up, %.2f one below", v.FractionUp[k], k+1, v.FractionUp[k-1])
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
		c.LaneSize, c.RoundSweeps = size, cut
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

// The moves of the first chain in the frames are those of the run: after an accepted proposal the chain is there, after
// a rejected one it is where it was, and its temperature is that of the frame before. The round trips agree, too.
func TestFramesFollowFirstChain(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	c := methodtest.Config(t, RTS, m, 1, "chains=3", "temperatures=4", "sweeps=400", "init_rounds=1")
	method, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	var partials, states [][]byte
	accepted, rejected, compared := 0, 0, 0
	for {
		round, err := method.Next(partials, states)
		if err != nil {
			t.Fatal(err)
		}
		if round == nil {
			break
		}
		partials, states = nil, nil
		for lane := range round.Lanes {
			u := round.Unit(lane)
			u.Watched = true
			var before *frame.Frame
			counted := trip{}
			for f := range method.Lane(u) {
				if f.Phase == "annealing pass" { // it changes the temperature before each sweep
					continue
				}
				if f.First != 0 || f.Chain == nil || len(f.Rung) == 0 {
					continue
				}
				if before != nil {
					at := [2]float32{before.Points[0], before.Points[1]}
					for _, m := range f.Chain.Moves { // a sweep may have several moves
						if m.Step != f.Step {
							continue
						}
						if m.Accepted {
							at = [2]float32{m.X, m.Y}
							accepted++
						} else {
							rejected++
						}
						if m.Beta != before.Beta[0] || m.Rung != int(before.Rung[0]) {
							t.Fatalf("sweep %d: move %+v at beta %v", f.Step, m, before.Beta[0])
						}
					}
					if at != [2]float32{f.Points[0], f.Points[1]} {
						t.Fatalf("sweep %d: the moves lead to %v, the chain is at %v", f.Step, at, f.Points[:2])
					}
					compared++
				}
				counted.visit(int(f.Rung[0]), 4)
				if f.Step > 1 && f.Chain.Trips < counted.n { // those of earlier units count, too
					t.Fatalf("sweep %d: %d round trips, counted %d", f.Step, f.Chain.Trips, counted.n)
				}
				b, err := frame.Decode(f.Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				before = b
			}
			partials, states = append(partials, u.Partial), append(states, u.State)
		}
	}
	if accepted == 0 || rejected == 0 || compared < 300 {
		t.Errorf("%d accepted and %d rejected moves were compared", accepted, rejected)
	}
}
