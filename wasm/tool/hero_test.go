package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// site/hero.bin has the frames of the run of state.HeroLink, and state.HeroResult has its results.
func TestHero(t *testing.T) {
	film, r, err := heroRun("../../site/models")
	if err != nil {
		t.Fatal(err)
	}
	data, err := packHero(film)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../site/hero.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, kept) {
		t.Error("site/hero.bin holds other frames than the run of its link: go run ./wasm/tool hero")
	}
	if len(data) > 35_000 {
		t.Errorf("site/hero.bin has %d bytes", len(data))
	}
	want := state.Odds{Known: true, LogP: float64(r.LogP.LogP), SE: float64(r.LogP.SE), LogZWithDrawing: float64(r.LogZ),
		LogZFree: float64(r.LogP.Free), FreeIsExact: r.LogP.Source != report.FreeEstimate, HasExact: true,
		Exact: float64(r.Truth.LogZ - r.LogP.Free), Level: r.Verdict.Level}
	if got := state.HeroResult; got != want || math.Abs(got.LogP-got.Exact) > 3*got.SE {
		t.Errorf("the hero says %+v, its run %+v", got, want)
	}
	if clamp := strokeClamp(); !strings.Contains(state.HeroLink, "&clamp="+clamp+"&") {
		t.Errorf("the hand draws %s, the link has another stroke", clamp)
	}
}

// strokeClamp returns the stroke as a value of the parameter clamp.
func strokeClamp() string {
	d := frame.Drawing{}
	for _, p := range strokePixels() {
		d[int(p)] = 1
	}
	return d.String()
}
