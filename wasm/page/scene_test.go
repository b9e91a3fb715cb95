package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/gpc"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// TestStepwiseScenes: methods that form particles show how, classifiers show their
// functions with the same key, and only methods with temperatures have a ladder.
func TestStepwiseScenes(t *testing.T) {
	brain := func(model string, kind models.File, methods ...string) *Brain {
		return &Brain{experiment: experiment{spec: &spec.Spec{Model: model, Methods: methods},
			own: ownModel{id: model, file: kind}}}
	}
	for _, c := range []struct {
		b        *Brain
		own      string // scene without a choice
		fourth   string
		has, not string
	}{
		{brain("@a", rbm.Params{}, "arm"), "formation", "formation", "formation trace", "ladder units function plane"},
		{brain("@a", rbm.Params{}, "ais", "rm"), "units", "formation", "formation ladder units", "function"},
		{brain("@a", rbm.Params{}, "rts"), "units", "formation", "ladder units", "formation function"},
		{brain("@a", gpc.Params{X: []float64{0}, D: 1}, "arm-reseed"), "function", "function", "function trace",
			"formation units plane ladder"},
		{brain("@a", gpc.Params{X: []float64{0}, D: 1}, "ais"), "function", "function", "function ladder", "formation"},
		{brain("@a", mixture.GaussianParams{}, "ais"), "plane", "formation", "plane ladder trace",
			"units formation function"},
	} {
		name := fmt.Sprint(c.b.spec.Methods, c.b.own.file.Kind().Name)
		if got := c.b.scene().name; got != c.own {
			t.Errorf("%s opens %s, want %s", name, got, c.own)
		}
		if got := c.b.sceneOf(4).name; got != c.fourth {
			t.Errorf("%s: key 4 is %s, want %s", name, got, c.fourth)
		}
		for _, s := range strings.Fields(c.has) {
			if !sceneNamed(s).shows(c.b) {
				t.Errorf("%s has no %s", name, s)
			}
		}
		for _, s := range strings.Fields(c.not) {
			if sceneNamed(s).shows(c.b) {
				t.Errorf("%s has %s", name, s)
			}
		}
	}
	if (&Brain{}).scene() == nil || sceneNamed("formation").shows(&Brain{}) {
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
	l := &frame.Latent{Label: []int32{1, -1, 1}, At: []float32{0.75, 0.25}}
	frames := []*frame.Frame{{Beta: []float32{1}}, {Growth: g, Latent: l}, {First: 100, Growth: &frame.Growth{}}}
	b := &Brain{looked: looked{frames: frames}, appearance: appearance{words: wordsOf("de")}}
	p := &pane{Brain: b, w: b.words}
	rows := p.stageRows()
	last := strings.Join(rows[len(rows)-1], " ")
	if len(rows) > maxTable || len(rows) < maxTable/2 || last != "784 783,000 – 0,500 300 200 ja" {
		t.Errorf("%d rows, the last %q", len(rows), last)
	}
	data := p.dataRows()
	if len(data) != 2 || strings.Join(data[0], " ") != "1 1 0,750" || strings.Join(data[1], " ") != "2 −1 0,750" {
		t.Errorf("data %v", data)
	}
}

// TestSceneOfItsOwn: a scene is its descriptor; links, keys, tabs, captions, tables and the
// help take it up from there.
func TestSceneOfItsOwn(t *testing.T) {
	before := slices.Clone(scenes)
	defer func() { scenes = before }()
	own := register(scene{name: "own", key: 9, label: "Own scene", about: "Its tables.",
		captions: sayings{{"Not now.", func(*Brain) bool { return false }}, {text: "Its caption."}},
		missing:  sayings{{text: "Why not."}},
		applies:  func(b *Brain) bool { return b.heated() },
		tables: []sceneTable{{[]string{"method", "Of its own"},
			func(*pane) [][]string { return [][]string{{"AIS", "7"}} }}}})
	p := newPage(t, 1)
	p.brain.Start(Page{Link: smallLink + "&view.scene=own", Base: "https://lab.example/"})
	p.finish()
	if p.brain.scene() != own {
		t.Fatalf("the link opens %s", p.brain.scene().name)
	}
	p.brain.Event(Event{Name: "key", Value: "5"})
	p.brain.Event(Event{Name: "key", Value: "9"})
	p.brain.Event(Event{Name: "sheet", Value: "table"})
	p.show()
	all := ""
	for _, part := range p.parts {
		all += string(part)
	}
	for _, want := range []string{`data-scene="own"`, ">Own scene<", "Its caption.", "Its tables.", ">Of its own<",
		"<td>7</td>", "Own scene as a table"} {
		if !strings.Contains(all, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if link := p.view.Link; !strings.Contains(link, "view.scene=own") {
		t.Errorf("the link is %s", link)
	}
	p.brain.Event(Event{Name: "sheet", Value: "help"})
	p.show()
	if help := string(p.parts["sheet"]); !strings.Contains(help, "1 – 9") || !strings.Contains(help, ", Own scene<") {
		t.Errorf("the help is %s", help)
	}
	if own.shows(&Brain{experiment: experiment{spec: &spec.Spec{Methods: []string{"arm"}}}}) ||
		own.missing.of(nil) != "Why not." {
		t.Error("it applies where it does not")
	}
}
