package page

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/format"
	"logzlab/core/words"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// sampleTruths are log Z of the examples (wasm/tool/samples.go), those of the spring in kJ/mol as minus a free energy.
var sampleTruths = map[string]float64{"power-good": -37.0668, "power-rival": -38.3811, "power-starved": -37.0668,
	"windows": -math.Log(16) / 2 * samples.GasConstant * 300, "nested": math.Log(2. / 2500)}

var sampleLink = regexp.MustCompile(`<a (?:class="button" )?id="([a-z0-9-]+)" href="[^"]*view\.samples=([a-z-]+)`)

// readings are reports of examples by their names and methods.
type lessonReadings map[string]map[string]*external.Report

func (all lessonReadings) of(t *testing.T, name string) map[string]*external.Report {
	t.Helper()
	if all[name] != nil {
		return all[name]
	}
	all[name] = map[string]*external.Report{}
	for _, set := range state.SampleSets {
		if set.Name != name {
			continue
		}
		var files []samples.File
		for _, f := range set.Files {
			b, err := os.ReadFile("../../site/samples/" + f)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, samples.File{Name: f, Data: b})
		}
		o, err := external.ParseOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := external.Read(files, nil, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			all[name][r.Method] = r
		}
	}
	return all[name]
}

// quoted returns the text that a lesson should have about an example: "read METHOD logz", "kj" or "verdict", or
// "truth".
func (all lessonReadings) quoted(t *testing.T, name, quote, says string, w *words.Language) string {
	t.Helper()
	digits := 0
	if _, after, ok := strings.Cut(strings.ReplaceAll(says, ",", "."), "."); ok {
		digits = len(after)
	}
	p := &state.Appearance{Words: w}
	words := strings.Fields(quote)[1:]
	if words[0] == "truth" {
		x := sampleTruths[name]
		if len(words) > 1 {
			x = math.Abs(x - sampleTruths[words[1]])
		}
		if name == "windows" {
			x = -x
		}
		return p.Num(format.Fixed(x, digits))
	}
	r := all.of(t, name)[words[0]]
	if r == nil {
		return "no report"
	}
	x, se := r.LogZ, r.SE
	switch words[1] {
	case "verdict":
		level := w.T("verdict." + r.Verdict.Level)
		if w.Lang == "en" { // within a sentence
			level = strings.ToLower(level)
		}
		return level
	case "kj":
		x, se = r.FreeEnergy.KJ, r.FreeEnergy.SEKJ
	}
	if !strings.Contains(says, "±") {
		return p.Num(format.Fixed(float64(x), digits))
	}
	if !report.IsNumber(se) {
		return "no error bar"
	}
	return p.FormatEstimate(float64(x), float64(se))
}
