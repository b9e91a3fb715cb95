package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators/training"
)

// TestTrainingTables: points thinned, the best one among them, with the gap; checks with how far log Z as it is
// followed lies from them. The scene is there while there is a training run.
func TestTrainingTables(t *testing.T) {
	g := &training.Log{Best: 175}
	for u := 25; u <= 25_000; u += 25 {
		g.Points = append(g.Points, frame.TrainingPoint{Update: u, LogZ: 100, SE: .25, Train: -90, Validation: -91.5})
	}
	g.Points[len(g.Points)-1].Validation = math.NaN()
	g.Checks = []frame.TrainingCheck{{Update: 1000, LogZ: 100.5, SE: .125, Lower: 99, Upper: math.NaN()}}
	b := &Brain{appearance: appearance{words: wordsOf("de")}}
	s := sceneNamed("training")
	if s.shows(b) {
		t.Error("there is a training before its first frame")
	}
	b.trainer.run = &training.Run{Log: *g}
	p := &pane{Brain: b, w: b.words}
	var text []string
	for _, row := range p.trainingRows() {
		text = append(text, strings.Join(row, " "))
	}
	all := strings.Join(text, "|")
	for _, want := range []string{"175 (beste) -90,000 -91,500 1,500 100,000 0,250|", "–"} {
		if !strings.Contains(strings.ReplaceAll(all, "−", "-"), want) {
			t.Errorf("%q is missing in %s", want, all)
		}
	}
	if n := len(text); n < 100 || n > maxTable+2 || !strings.HasPrefix(text[n-1], p.count(25_000)+" ") {
		t.Errorf("%d rows, the last %q", n, text[n-1])
	}
	rows := p.trainingChecks()
	if len(rows) != 1 || strings.ReplaceAll(strings.Join(rows[0][1:], " "), "−", "-") != "100,500 0,125 99,000 – -0,500" {
		t.Errorf("checks %v", rows)
	}
	if !s.shows(b) {
		t.Error("a training run has no scene")
	}
}
