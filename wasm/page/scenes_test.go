package page

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/wasm/words"
)

// TestStepwiseScenes: methods that form particles show how, classifiers show their
// functions with the same key, and only methods with temperatures have a ladder.
func TestStepwiseScenes(t *testing.T) {
	brain := func(model string, kind models.File, methods ...string) *Brain {
		b := &Brain{spec: &spec.Spec{Model: model, Methods: methods}, ownID: model, src: engine.Source{File: kind}}
		return b
	}
	for _, c := range []struct {
		b        *Brain
		own      string // scene without a choice
		fourth   string
		has, not string
	}{
		{brain("@a", models.RBMParams{}, "arm"), "formation", "formation", "formation trace", "ladder units function plane"},
		{brain("@a", models.RBMParams{}, "ais", "rm"), "units", "formation", "formation ladder units", "function"},
		{brain("@a", models.RBMParams{}, "rts"), "units", "formation", "ladder units", "formation function"},
		{brain("@a", models.GPCParams{}, "arm-reseed"), "function", "function", "function trace", "formation units plane ladder"},
		{brain("@a", models.GPCParams{}, "ais"), "function", "function", "function ladder", "formation"},
		{brain("@a", models.MixtureParams{}, "ais"), "plane", "formation", "plane ladder trace", "units formation function"},
	} {
		name := fmt.Sprint(c.b.spec.Methods, c.b.src.File.Kind().Name)
		if got := c.b.scene(); got != c.own {
			t.Errorf("%s opens %s, want %s", name, got, c.own)
		}
		if got := c.b.sceneOf(4); got != c.fourth {
			t.Errorf("%s: key 4 is %s, want %s", name, got, c.fourth)
		}
		for _, s := range strings.Fields(c.has) {
			if !c.b.applies(s) {
				t.Errorf("%s has no %s", name, s)
			}
		}
		for _, s := range strings.Fields(c.not) {
			if c.b.applies(s) {
				t.Errorf("%s has %s", name, s)
			}
		}
	}
	if (&Brain{}).scene() == "" || (&Brain{}).applies("formation") {
		t.Error("no experiment, yet something is formed")
	}
}

// TestStageTable: one island, thinned, the last stage among them, what is not known
// as a dash; data with the probability of their own label.
func TestStageTable(t *testing.T) {
	g := &frame.Growth{Stages: 784}
	for n := 1; n < 784; n++ {
		g.Record = append(g.Record, frame.StageRecord{N: n, Batches: []int32{100, 100, 100}, Gamma: 0.5, LogZ: float64(n), Resampled: n == 783})
	}
	l := &frame.Latent{Label: []int32{1, -1, 1}, At: []float32{0.75, 0.25}}
	b := &Brain{looked: []*frame.Frame{{Beta: []float32{1}}, {Growth: g, Latent: l}, {First: 100, Growth: &frame.Growth{}}}, words: words.New("de")}
	p := &pane{Brain: b, w: b.words}
	rows := p.stageRows(func(x float64, digits int) string {
		if x != x {
			return "–"
		}
		return format.Fixed(x, digits)
	})
	last := strings.Join(rows[len(rows)-1], " ")
	if len(rows) > maxTable || len(rows) < maxTable/2 || last != "784 783.000 – 0.500 300 200 ja" {
		t.Errorf("%d rows, the last %q", len(rows), last)
	}
	data := p.dataRows()
	if len(data) != 2 || strings.Join(data[0], " ") != "1 1 0.750" || strings.Join(data[1], " ") != "2 −1 0.750" {
		t.Errorf("data %v", data)
	}
}
