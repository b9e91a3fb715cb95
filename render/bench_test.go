package render

import (
	"testing"

	"logzlab/render/paint"
)

func benchScene(b *testing.B, show string, w, h, u float64) {
	scene, fs := shows[show]()
	p := picturing(fs...)
	a := testArea(w, h, u)
	a.Memory = &paint.Memory{}
	b.ReportAllocs()
	for b.Loop() {
		a.Memory.Reset()
		draw(scene, a, p)
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

func BenchmarkRelief(b *testing.B) {
	p := picturing(annealed(100, 1)...)
	v := newPlane(testArea(480, 320, 1), &p.run, the[*plane](p).ground.density(), p.run.walls[0])
	b.ReportAllocs()
	for i := range b.N {
		the[*plane](p).ground.density().relief(0, v.box, v.sx, v.sy, 0.3+0.02*float64(i%20), 6, float64(i))
	}
}

func BenchmarkTake(b *testing.B) {
	fs := annealed(1000, 1)
	p := NewCanvas()
	b.ReportAllocs()
	for i := range b.N {
		p.take(fs[1+i%(len(fs)-1)])
	}
}

// BenchmarkTree lays a record of a thousand lines out anew, as after every frame.
func BenchmarkTree(b *testing.B) {
	p := picturing(formed(run{R: 1000, islands: 4, stages: 784, to: 452, w: 28, h: 28, every: 3, exact: true,
		method: "arm"})...)
	v := newForming(testArea(704, 620, 2), &p.run, p.run.walls[0])
	v.gutters()
	b.ReportAllocs()
	for b.Loop() {
		v.is.tree = tree{}
		v.is.descent(len(v.is.moments)-1, treeLayout{x: v.x, gap: 18, room: [2]int{20, 40}})
	}
}
