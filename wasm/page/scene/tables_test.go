package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/training"
	"logzlab/models"
	"logzlab/models/gpc"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
	"logzlab/wasm/page/state"
	"logzlab/wasm/tool/translations"
)

// TestStepwiseScenes: methods that form particles show how, classifiers show their
// functions with the same key, and only methods with temperatures have a ladder.
func TestStepwiseScenes(t *testing.T) {
	controller := func(model string, kind models.File, methods ...string) *state.Snapshot {
		return &state.Snapshot{Experiment: state.Experiment{Spec: &spec.Spec{Model: model, Methods: methods},
			Own: state.OwnModel{ID: model, File: kind}}}
	}
	for _, c := range []struct {
		b        *state.Snapshot
		own      string // scene without a choice
		fourth   string
		has, not string
	}{
		{controller("@a", rbm.Params{}, "arm"), "formation", "formation", "formation trace", "ladder units function plane"},
		{controller("@a", rbm.Params{}, "ais", "rm"), "units", "formation", "formation ladder units", "function"},
		{controller("@a", rbm.Params{}, "rts"), "units", "formation", "ladder units", "formation function"},
		{controller("@a", gpc.Params{X: []float64{0}, D: 1}, "arm-reseed"), "function", "function", "function trace",
			"formation units plane ladder"},
		{controller("@a", gpc.Params{X: []float64{0}, D: 1}, "ais"), "function", "function", "function ladder", "formation"},
		{controller("@a", mixture.GaussianParams{}, "ais"), "plane", "formation", "plane ladder trace",
			"units formation function"},
	} {
		name := fmt.Sprint(c.b.Spec.Methods, c.b.Own.File.Kind().Name)
		if got := On(c.b).Name; got != c.own {
			t.Errorf("%s opens %s, want %s", name, got, c.own)
		}
		if got := OfKey(c.b, 4).Name; got != c.fourth {
			t.Errorf("%s: key 4 is %s, want %s", name, got, c.fourth)
		}
		for _, s := range strings.Fields(c.has) {
			if !Named(s).Shows(c.b) {
				t.Errorf("%s has no %s", name, s)
			}
		}
		for _, s := range strings.Fields(c.not) {
			if Named(s).Shows(c.b) {
				t.Errorf("%s has %s", name, s)
			}
		}
	}
	if On(&state.Snapshot{}) == nil || Named("formation").Shows(&state.Snapshot{}) {
		t.Error("no experiment, yet something is formed")
	}
}

// TestStageTable: one island, thinned, the last stage among them, what is not known
// as a dash; data with the probability of their own label.
func TestStageTable(t *testing.T) {
	g := &frame.Growth{Stages: 784}
	for n := 1; n < 784; n++ {
		g.Record = append(g.Record, frame.StageRecord{N: n, Batches: []int32{100, 100, 100}, Gamma: 0.5,
			LogZ: float64(n), Resampled: n == 783})
	}
	l := &frame.Latent{Label: []int32{1, -1, 1}, ProbAtData: []float32{0.75, 0.25}}
	frames := []*frame.Frame{{Beta: []float32{1}}, {Growth: g, Latent: l}, {First: 100, Growth: &frame.Growth{}}}
	p := &state.Snapshot{Frames: frames, Appearance: state.Appearance{Words: german(t)}}
	rows := stageRows(p)
	last := strings.Join(rows[len(rows)-1], " ")
	if len(rows) > MaxTable || len(rows) < MaxTable/2 || last != "784 783,000 – 0,500 0,001 300 200 ja" {
		t.Errorf("%d rows, the last %q", len(rows), last)
	}
	data := dataRows(p)
	if len(data) != 2 || strings.Join(data[0], " ") != "1 1 0,750" || strings.Join(data[1], " ") != "2 −1 0,750" {
		t.Errorf("data %v", data)
	}
}

// TestPosteriorTables: parameters with their weighted mean and deviation, and the data of a series with what the newest
// filter says of each state.
func TestPosteriorTables(t *testing.T) {
	long := &frame.Flow{N: 2, First: 7}
	for k := range 401 {
		long.Y = append(long.Y, float32(k))
		long.X, long.W = append(long.X, 1, 3), append(long.W, .5, .5)
	}
	frames := []*frame.Frame{{Method: "aisel", N: 2, Beta: []float32{.25, .25}, Flow: long,
		LogW:       []float32{float32(math.Log(3)), 0},
		Parameters: &frame.Parameters{Names: []string{"μ", "log q"}, X: []float32{0, 10, 4, 10}}},
		{Method: "aisel", First: 2, N: 2, Beta: []float32{1, 1}, Parameters: &frame.Parameters{Names: []string{"μ"},
			X: []float32{0, 4}}}, {}}
	p := &state.Snapshot{Frames: frames, Appearance: state.Appearance{Words: german(t)}}
	var text []string
	for _, row := range parameterRows(p) {
		text = append(text, strings.Join(row, " "))
	}
	if got := strings.Join(text, "|"); got != "μ (AISEL 1–2) 0,2500 1,000 1,732|log q (AISEL 1–2) 0,2500 10,000 0,000|"+
		"μ (AISEL 3–4) 1,0000 2,000 2,000" {
		t.Errorf("parameters: %s", got)
	}
	rows := flowRows(p)
	if len(rows) < 100 || len(rows) > 201 || strings.Join(rows[1], " ") != "11 3,000 2,000 1,000 1,00" {
		t.Errorf("%d data, the second %v", len(rows), rows[1])
	}
}

// TestTrainingTables: points thinned, the best one among them, with the gap; checks with how far log Z as it is
// followed lies from them. The scene is there while there is a training run.
func TestTrainingTables(t *testing.T) {
	g := &training.Log{Best: 175}
	for u := 25; u <= 25_000; u += 25 {
		g.Points = append(g.Points, frame.TrainingPoint{Update: u, LogZ: 100, SE: .25, Train: -90, Validation: -91.5})
	}
	g.Points[len(g.Points)-1].Validation = math.NaN()
	g.Checks = []frame.TrainingCheck{{Update: 1000, LogZ: 100.5, SE: .125, Lower: 99, Upper: math.NaN()}}
	p := &state.Snapshot{Appearance: state.Appearance{Words: german(t)}}
	s := Named("training")
	if s.Shows(p) {
		t.Error("there is a training before its first frame")
	}
	p.Training = state.Training{Begun: true, Log: *g}
	var text []string
	for _, row := range trainingRows(p) {
		text = append(text, strings.Join(row, " "))
	}
	all := strings.Join(text, "|")
	for _, want := range []string{"175 (beste) -90,000 -91,500 1,500 100,000 0,250|", "–"} {
		if !strings.Contains(strings.ReplaceAll(all, "−", "-"), want) {
			t.Errorf("%q is missing in %s", want, all)
		}
	}
	if n := len(text); n < 100 || n > MaxTable+2 || !strings.HasPrefix(text[n-1], p.Count(25_000)+" ") {
		t.Errorf("%d rows, the last %q", n, text[n-1])
	}
	rows := trainingChecks(p)
	if len(rows) != 1 || strings.ReplaceAll(strings.Join(rows[0][1:], " "), "−", "-") != "100,500 0,125 99,000 – -0,500" {
		t.Errorf("checks %v", rows)
	}
	if !s.Shows(p) {
		t.Error("a training run has no scene")
	}
}

// german is the language that the page fetches, from its catalogue.
func german(t *testing.T) *words.Language {
	t.Helper()
	all, err := translations.All("../../..")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(c *translations.Translation) bool { return c.Lang == "de" })
	w, err := words.Read("de", all[i].Data)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
