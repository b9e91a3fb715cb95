package render

import (
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

func benchScene(b *testing.B, show string, w, h, u float64) {
	scene, fs := rendertest.Shows[show].Scene, rendertest.Shows[show].Frames()
	p := rendertest.StageWith(fs...)
	a := rendertest.Area(w, h, u)
	a.Memory = &paint.Memory{}
	b.ReportAllocs()
	for b.Loop() {
		a.Memory.Reset()
		rendertest.Draw(scene, a, p)
	}
}

func BenchmarkPlane(b *testing.B)  { benchScene(b, "planethousand", 480, 320, 1) }
func BenchmarkRTS(b *testing.B)    { benchScene(b, "planerts", 480, 320, 1) }
func BenchmarkLadder(b *testing.B) { benchScene(b, "ladder", 704, 456, 1) }
func BenchmarkFilm(b *testing.B)   { benchScene(b, "film", 704, 456, 1) }
func BenchmarkForm(b *testing.B)   { benchScene(b, "form", 704, 620, 2) }
func BenchmarkMany(b *testing.B)   { benchScene(b, "formmany", 704, 620, 2) }
func BenchmarkCrowd(b *testing.B)  { benchScene(b, "formall", 704, 620, 2) }
func BenchmarkLines(b *testing.B)  { benchScene(b, "funcline", 704, 620, 2) }
func BenchmarkTrace(b *testing.B)  { benchScene(b, "live", 704, 456, 1) }

func BenchmarkTake(b *testing.B) {
	fs := rendertest.AnnealedRun(1000, 1)
	p := stage.NewStage()
	b.ReportAllocs()
	for i := range b.N {
		p.Add(fs[1+i%(len(fs)-1)])
	}
}
