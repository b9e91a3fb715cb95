package render

import (
	"slices"
	"testing"

	"logzlab/render/paint"
	page "logzlab/wasm/page/scene"
)

// TestPageKnowsScenes: the page offers the scenes that can be drawn, each once.
func TestPageKnowsScenes(t *testing.T) {
	var drawn []string
	for _, s := range scenes {
		drawn = append(drawn, s.name)
	}
	offered := page.Names()
	slices.Sort(drawn)
	slices.Sort(offered)
	if !slices.Equal(drawn, offered) {
		t.Errorf("drawn %v, offered %v", drawn, offered)
	}
}

// TestSceneOfItsOwn: a scene is its descriptor; the canvas asks nothing else.
func TestSceneOfItsOwn(t *testing.T) {
	before := slices.Clone(scenes)
	defer func() { scenes = before }()
	drawn, keys, missed := 0, "", 0
	register(scene{name: "own",
		draw:  func(a *paint.Area, p *Picture) []paint.Layer { drawn++; return nil },
		moves: func(*Picture, bool) bool { return true },
		key:   func(_ *Picture, key string) bool { keys += key; return key == "x" },
		miss:  func(*Picture) { missed++ }})
	s := NewCanvas()
	if s.SetScene("others") || !s.SetScene("own") {
		t.Fatal("the scene is not known by its name")
	}
	s.fit(300, 200, 1)
	s.w, s.h = 300, 200
	s.layers()
	if s.Tap(9, 9); !s.Key("x") || s.Key("y") || keys != "xy" || missed != 1 || drawn != 1 {
		t.Errorf("drawn %d times, keys %q, %d taps on nothing", drawn, keys, missed)
	}
}
