package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// The example files on the site are up to date. The estimates of log Z are within three error bars of the exact value,
// and all examples except the starved one get the verdict trust.
func TestExampleSamples(t *testing.T) {
	t.Parallel()
	sets := map[string][]samples.File{}
	for name, text := range exampleSamples() {
		data, err := os.ReadFile("../../site/samples/" + name)
		if err != nil || string(data) != text {
			t.Errorf("site/samples/%s is not what `tool samples` writes: %v", name, err)
		}
		set, _, _ := strings.Cut(strings.TrimSuffix(name, ".csv"), "-0")
		if strings.HasPrefix(name, "windows") {
			set = "windows"
		}
		sets[set] = append(sets[set], samples.File{Name: name, Data: data})
	}
	truths := map[string]float64{"power-good": evidence([]float64{1, -.5, 2}),
		"power-rival": evidence([]float64{1, -.5, 2.6}), "power-starved": evidence([]float64{1, -.5, 2}),
		"windows": -math.Log(stiffnessRatio) / 2, "nested": math.Log(2. / 2500)}
	for set, files := range sets {
		o, err := external.ParseOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := external.Read(files, nil, o, nil)
		if err != nil {
			t.Fatal(set, err)
		}
		r := external.Best(reports)
		if off := math.Abs(float64(r.LogZ) - truths[set]); off > 3*float64(r.SE) {
			t.Errorf("%s: %v ± %v, but log Z is %v", set, r.LogZ, r.SE, truths[set])
		}
		if trusted := r.Verdict.Level == verdict.Trust; trusted != (set != "power-starved") {
			t.Errorf("%s: the verdict is %s", set, r.Verdict.Level)
		}
	}
	if len(sets) != len(truths) {
		t.Errorf("%d sets of examples", len(sets))
	}
}
