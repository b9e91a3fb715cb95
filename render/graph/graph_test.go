package graph

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// triangleOf returns a stage with a frustrated triangle and one row of spins.
func triangleOf(cells []byte) (*stage.Stage, *frame.Graph) {
	g := &frame.Graph{Model: "triangle3", States: []int32{2, 2, 2}, W: 2, H: 2, Edges: []int32{0, 1, 0, 2, 1, 2},
		J: []float32{-1, -1, -1}}
	p := stage.NewStage()
	p.Add(&frame.Frame{Model: "triangle3", Graph: g})
	p.Add(&frame.Frame{Model: "triangle3", Method: "ais", N: 1, Total: 1, W: 2, H: 2, Pixels: cells, Beta: []float32{1}})
	return p, g
}

// TestGraphScene checks that unsatisfied couplings are found, that a flip is shown at once and reported, and that the
// graph of the page is not modified.
func TestGraphScene(t *testing.T) {
	p, g := triangleOf([]byte{1, 1, 0, 2})
	a := rendertest.Area(640, 480, 1)
	var taps []paint.Tap
	a.Taps = &taps
	layers := rendertest.Draw("graph", a, p)
	rendertest.CheckMarks(t, "graph", a, layers)
	v := &graphView{a: a, s: rendertest.SceneOf[*graphScene](p), w: p.Run.Particles[0], g: rendertest.SceneOf[*graphScene](p).places.graph}
	bad := 0
	for e := range 3 {
		if v.unsatisfied(v.cells(), e) {
			bad++
		}
	}
	if bad != 1 || len(layers) == 0 {
		t.Fatalf("%d unsatisfied couplings in a triangle with one odd spin, want 1", bad)
	}
	none := *v.g
	none.J = make([]float32, len(v.g.J))
	if w := (&graphView{a: a, s: rendertest.SceneOf[*graphScene](p), w: v.w, g: &none}); w.satisfied(v.cells()) != 1 {
		t.Error("couplings of 0 count as unsatisfied")
	}
	rendertest.SceneOf[*graphScene](p).flip(1)
	if text := rendertest.SceneOf[*graphScene](p).TakeEdit(); text != "flips=1" {
		t.Errorf("edit = %q, want flips=1", text)
	}
	if rendertest.SceneOf[*graphScene](p).places.graph.J[1] != 1 || g.J[1] != -1 {
		t.Error("the flip is not shown at once, or modified the graph of the page")
	}
	rendertest.SceneOf[*graphScene](p).flip(1)
	if text := rendertest.SceneOf[*graphScene](p).TakeEdit(); text != "flips=" {
		t.Errorf("edit after flipping back = %q, want flips=", text)
	}
}

// TestGraphKeys checks that e starts selecting, arrows select, Enter flips, and Escape ends.
func TestGraphKeys(t *testing.T) {
	p, _ := triangleOf([]byte{1, 0, 0, 2})
	for _, key := range []string{"e", "ArrowLeft", "Enter", "Escape"} {
		if !rendertest.SceneOf[*graphScene](p).Key(key) {
			t.Errorf("key %s is not used", key)
		}
	}
	if text := rendertest.SceneOf[*graphScene](p).TakeEdit(); text != "flips=2" || rendertest.SceneOf[*graphScene](p).keysActive {
		t.Errorf("edit = %q, want flips=2", text)
	}
}

// TestSprings checks that neighbours are closer than others but not at the same position, and that the layout is
// deterministic.
func TestSprings(t *testing.T) {
	var chain []int32
	for v := int32(1); v < 30; v++ {
		chain = append(chain, v-1, v)
	}
	at, again := springs(30, chain), springs(30, chain)
	far := func(a, b int) float64 {
		x, y := at[a].X-at[b].X, at[a].Y-at[b].Y
		return x*x + y*y
	}
	for v := 1; v < 30; v++ {
		if at[v] != again[v] {
			t.Fatal("two layouts of the same graph differ")
		}
		if far(v, v-1) > far(0, 29) || far(v, v-1) == 0 {
			t.Errorf("squared distance of neighbours %d is %v, of the ends %v", v, far(v, v-1), far(0, 29))
		}
	}
}
