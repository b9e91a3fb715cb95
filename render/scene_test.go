package render

import (
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
	"logzlab/render/stage"
	page "logzlab/wasm/page/scene"
)

// TestPageKnowsScenes: the page offers the scenes that can be drawn, each once.
func TestPageKnowsScenes(t *testing.T) {
	var drawn []string
	for name := range scene.Makers {
		drawn = append(drawn, name)
	}
	offered := page.Names()
	slices.Sort(drawn)
	slices.Sort(offered)
	if !slices.Equal(drawn, offered) {
		t.Errorf("drawn %v, offered %v", drawn, offered)
	}
}

// ownScene is a scene that notes what it is asked for.
type ownScene struct {
	scene.Base
	drawn, missed, frames int
	keys                  string
}

func (s *ownScene) Take(*frame.Frame) { s.frames++ }

func (s *ownScene) Draw(a *paint.Area) []paint.Layer {
	s.drawn++
	a.OnBackground(func() { s.missed++ })
	return nil
}

func (s *ownScene) Key(key string) bool {
	s.keys += key
	return key == "x"
}

// TestSceneOfItsOwn: a canvas knows a scene by its interface alone.
func TestSceneOfItsOwn(t *testing.T) {
	own := &ownScene{}
	scene.Register("own", func(*record.Run) scene.Scene { return own })
	defer delete(scene.Makers, "own")
	s := stage.NewStage()
	if s.SetScene("others") || !s.SetScene("own") {
		t.Fatal("the scene is not known by its name")
	}
	s.Fit(300, 200, 1)
	s.W, s.H = 300, 200
	s.Take(&frame.Frame{})
	s.Layers()
	if s.Tap(9, 9); !s.Key("x") || s.Key("y") || own.keys != "xy" || own.missed != 1 || own.drawn != 1 || own.frames != 1 {
		t.Errorf("%+v", own)
	}
}
