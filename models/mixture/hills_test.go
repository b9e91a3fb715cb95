package mixture

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/models"
)

// openHills opens the built-in mixture of the plane with other hills.
func openHills(t *testing.T, text string) (models.Model, error) {
	t.Helper()
	v := spec.Defaults(GaussianKind.Params)
	v["hills"] = text
	return GaussianParams{D: 2, BaseSD: 4, LogC: 3, Weights: []float64{1}, Means: [][]float64{{0, 0}}, SDs: []float64{1}}.Open(
		"mixture2", "", v, nil)
}

// TestHills checks that Z is the total mass of hills, that the model lists the hills that its parameter set, and that log Z
// along the path ends at the exact value.
func TestHills(t *testing.T) {
	const text = "-3_1_0.9_10~2_2_0.5_4"
	m, err := openHills(t, text)
	if err != nil {
		t.Fatal(err)
	}
	c := models.CapabilitiesOf(m)
	if truth := c.Exact.Truth(); truth == nil || math.Abs(truth.LogZ-math.Log(14)) > 1e-12 {
		t.Errorf("log Z is %+v, want %v", truth, math.Log(14))
	}
	if got := frame.HillsText(c.Picture.Hills()); got != text {
		t.Errorf("hills %s, want %s", got, text)
	}
	ladder, err := c.Exact.LadderLogZ([]float64{0, .5, 1})
	if err != nil || math.Abs(ladder[2]-math.Log(14)) > 1e-6 {
		t.Errorf("log Z along the path: %v, %v", ladder, err)
	}
}

// TestHillsAreChecked checks that hills are refused in other dimensions, and when they cannot be read.
func TestHillsAreChecked(t *testing.T) {
	v := spec.Defaults(GaussianKind.Params)
	v["hills"] = "0_0_1_1"
	three := GaussianParams{D: 3, BaseSD: 4, Weights: []float64{1}, Means: [][]float64{{0, 0, 0}}, SDs: []float64{1}}
	if _, err := three.Open("own", "", v, nil); err == nil || !strings.Contains(err.Error(), "own has 3 dimensions") {
		t.Error(err)
	}
	if _, err := openHills(t, "0_0_1"); err == nil || !strings.Contains(err.Error(), "is not a hill") {
		t.Error(err)
	}
	m, err := three.Open("own", "", spec.Defaults(GaussianKind.Params), nil)
	if err != nil || models.CapabilitiesOf(m).Picture.Hills != nil {
		t.Errorf("hills can be changed in three dimensions (%v)", err)
	}
}
