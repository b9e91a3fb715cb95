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

// TestPageKnowsScenes checks that the page offers all scenes that can be drawn, each once.
func TestPageKnowsScenes(t *testing.T) {
	var drawn []string
	for name := range scene.Makers {
		drawn = append(drawn, name)
	}
	offered := page.Names()
	slices.Sort(drawn)
	slices.Sort(offered)
	if !slices.Equal(drawn, offered) {
		t.Errorf("scenes of render %v, of the page %v", drawn, offered)
	}
}

// ownScene is a scene that counts calls of its methods.
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

// TestRegisteredScene checks that a stage uses a scene only through its interface.
func TestRegisteredScene(t *testing.T) {
	own := &ownScene{}
	scene.Register("own", func(*record.Run) scene.Scene { return own })
	defer delete(scene.Makers, "own")
	s := stage.NewStage()
	if s.SetScene("others") || !s.SetScene("own") {
		t.Fatal("SetScene accepts an unknown scene, or not a registered one")
	}
	s.Fit(300, 200, 1)
	s.W, s.H = 300, 200
	s.Take(&frame.Frame{})
	s.Layers()
	if s.Tap(9, 9); !s.Key("x") || s.Key("y") || own.keys != "xy" || own.missed != 1 || own.drawn != 1 || own.frames != 1 {
		t.Errorf("%+v", own)
	}
}
