package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestSceneOfItsOwn: a scene is its descriptor; links, keys, tabs, captions, tables and the
// help take it up from there.
func TestSceneOfItsOwn(t *testing.T) {
	before := slices.Clone(scene.All)
	defer func() { scene.All = before }()
	own := scene.Register(scene.Scene{Name: "own", Key: 9, Label: "Own scene", About: "Its tables.",
		Captions: scene.Texts{{Text: "Not now.", When: func(*state.Snapshot) bool { return false }},
			{Text: "Its caption."}},
		Missing: scene.Texts{{Text: "Why not."}},
		Applies: func(s *state.Snapshot) bool { return s.UsesTemperatures() },
		Tables: []scene.Table{{Heads: []string{"method", "Of its own"},
			Rows: func(*state.Snapshot) [][]string { return [][]string{{"AIS", "7"}} }}}})
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: smallLink + "&view.scene=own", Base: "https://lab.example/"})
	p.finish()
	if scene.On(p.controller.Outline()) != own {
		t.Fatalf("the link opens %s", scene.On(p.controller.Outline()).Name)
	}
	p.controller.Event(state.Event{Name: "key", Value: "5"})
	p.controller.Event(state.Event{Name: "key", Value: "9"})
	p.controller.Event(state.Event{Name: "sheet", Value: "table"})
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
	p.controller.Event(state.Event{Name: "sheet", Value: "help"})
	p.show()
	if help := string(p.parts["sheet"]); !strings.Contains(help, "1 – 9") || !strings.Contains(help, ", Own scene<") {
		t.Errorf("the help is %s", help)
	}
	if own.Shows(&state.Snapshot{Experiment: state.Experiment{Spec: &spec.Spec{Methods: []string{"arm"}}}}) ||
		own.Missing.Of(nil) != "Why not." {
		t.Error("it applies where it does not")
	}
}
