package temper

import (
	"bytes"
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/methodtest"
)

// The overlap of every two rungs is the mean of q(l|x) = p_l / sum_j p_j under the density p_k of rung k, here of a
// mixture on a line, by a sum over a grid. 0.03 catches rows taken for columns, and rows that are not divided by the
// share of their rung. Trips and turns must fit together.
func TestTravel(t *testing.T) {
	m := methodtest.Mixture(t, 1, 0)
	ladder := []float64{0, 1. / 9, 4. / 9, 1}
	_, res := methodtest.Drive(t, RTS, methodtest.Config(t, RTS, m, 1, "chains=40", "temperatures=4", "sweeps=3000",
		"schedule=power:2"))
	pop, logf := m.New(1, ladder), make([]float64, 4)
	const step = .01
	density, z := make([][]float64, 4), make([]float64, 4)
	for x := -12.0; x < 12; x += step {
		var w wire.Writer
		w.Float(x)
		pop.Load(0, &wire.Reader{B: w.B})
		pop.LogF(0, 4, logf)
		for k := range logf {
			density[k] = append(density[k], math.Exp(logf[k]))
			z[k] += step * math.Exp(logf[k])
		}
	}
	v := res.Travel
	if v == nil || v.Size() != 4 || len(v.Up) != 4 {
		t.Fatalf("travel %+v", v)
	}
	for k := range 4 {
		for l := range 4 {
			want := 0.0
			for i := range density[k] {
				all := 0.0
				for j := range 4 {
					all += density[j][i] / z[j]
				}
				want += step * density[k][i] / z[k] * density[l][i] / z[l] / all
			}
			if got := v.Matrix[4*k+l]; !(math.Abs(got-want) < .03) {
				t.Errorf("overlap of rungs %d and %d is %.3f, want %.3f", k+1, l+1, got, want)
			}
		}
	}
	if v.Up[0] != 1 || v.Up[3] != 0 || v.Chains != 40 || len(v.Trips) != travelChains || v.Steps != 3300 {
		t.Errorf("up %v, %d chains, trips %v, %d steps", v.Up, v.Chains, v.Trips, v.Steps)
	}
	seen := 0
	for i, path := range v.Paths {
		seen += int(v.Trips[i])
		if len(path) != v.Steps/v.Every || len(path) > travelPath {
			t.Errorf("chain %d has %d rungs, one every %d sweeps", i, len(path), v.Every)
		}
		turns := v.Turns[i]
		for j := 1; j < len(turns); j++ {
			if turns[j] <= turns[j-1] {
				t.Errorf("chain %d turns at %v", i, turns)
			}
		}
		if len(turns) < travelTurns-1 && int(v.Trips[i]) != (len(turns)-1)/2 {
			t.Errorf("chain %d has %d trips with turns at %v", i, v.Trips[i], turns)
		}
	}
	if trips := res.Diagnostics[estimators.DiagRoundTrips]; float64(v.Total) != trips || seen > v.Total {
		t.Errorf("%d trips in all, %v diagnosed, %d of the first chains", v.Total, trips, seen)
	}
}

// TestTravelAlike: neither the size of lanes nor cuts change what is told of chains, nor does a second reader; chains
// that stay at their rungs tell nothing, and with one rung of many without samples nothing is infinite.
func TestTravelAlike(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	told := func(size, cut int, info estimators.Info, set ...string) []byte {
		c := methodtest.Config(t, info, m, 3, append(set, "temperatures=50", "sweeps=90", "init_rounds=1")...)
		c.LaneSize, c.Cut = size, cut
		_, res := methodtest.Drive(t, info, c)
		if res.Travel == nil {
			return nil
		}
		for _, x := range res.Travel.Matrix {
			if math.IsInf(x, 0) {
				t.Errorf("the matrix has %v", x)
			}
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
