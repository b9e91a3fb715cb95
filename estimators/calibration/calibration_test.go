package calibration

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
)

// The counts, shares and rms z of known deviations are those computed by hand; rms z leaves out deviations above
// FarBars and NaN.
func TestCountsOfKnownDistances(t *testing.T) {
	var c Counts
	for _, z := range []float64{-.5, 1, 2, -3, 1000, math.Inf(1), math.NaN()} {
		c.Observe(z)
	}
	want := Counts{Runs: 7, Within1: 2, Within2: 3, Far: 3, Squares: .25 + 1 + 4 + 9}
	if c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	c.Add(want)
	if c.Runs != 14 || c.Squares != 2*want.Squares || c.Share2() != 3./7 || c.RMSZ() != math.Sqrt(want.Squares/4) {
		t.Errorf("%+v: %v, %v", c, c.Share2(), c.RMSZ())
	}
	for _, x := range []struct {
		c      Counts
		isHeld bool
	}{{Counts{100, 68, 95, 0, 100}, true}, {Counts{100, 60, 84, 0, 150}, false}, {Counts{100, 68, 95, 2, 290}, false}} {
		if x.c.Held() != x.isHeld {
			t.Errorf("%+v held: %v", x.c, !x.isHeld)
		}
	}
}

// A run looks up similar runs from the finest class to the coarsest, always with the same level, method and kind of
// error bar.
func TestLookupOfSimilarRuns(t *testing.T) {
	s := Situation{Method: "rts", SEMethod: estimators.SEChains, Kind: "rbm", Level: "trust", SE: .05,
		Number: func(name diag.Number) float64 {
			if name == estimators.DiagRoundTrips {
				return 250
			}
			return math.NaN()
		}}
	if s.Class() != "t21" {
		t.Errorf("class %s", s.Class())
	}
	got := strings.Join(SimilarClasses(s.Method, s.SEMethod, s.Kind, s.Class()), "; ")
	want := "rts between_chains rbm t21; rts between_chains * t21; rts between_chains rbm t2*; " +
		"rts between_chains * t2*"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	s.Method = "nosuch"
	if _, ok := Lookup(s); ok {
		t.Error("a method without runs has counts")
	}
}

// Every line of the table has a name that can be looked up and enough runs, and does not change when it is decoded and
// encoded.
func TestTableLinesAreValid(t *testing.T) {
	for line := range strings.Lines(tableText) {
		name, c, ok := ParseLine(line)
		if !ok {
			if line[0] != '#' {
				t.Errorf("%q is not read", line)
			}
			continue
		}
		f := strings.Fields(name)
		if len(f) != 4 || len(f[3]) != 3 || Line(name, c) != line || c.Runs < MinRuns || c.Within1 > c.Within2 ||
			c.Within2 > c.Runs-c.Far {
			t.Errorf("%q: %+v", line, c)
		}
		if estimators.SEMeans[strings.ReplaceAll(f[1], "_", " ")] == "" {
			t.Errorf("%q: no such way to make an error bar", line)
		}
	}
}
