package gpu

import (
	"logzlab/render/paint"
	"math"
	"testing"
)

func TestDashes(t *testing.T) {
	got := dashes([]paint.Point{{X: 0, Y: 0}, {X: 10, Y: 0}}, 2, 3)
	if len(got) != 2 || got[0][1] != paint.Pt(2, 0) || got[1][0] != (paint.Pt(5, 0)) || got[1][1] != (paint.Pt(7, 0)) {
		t.Errorf("dashes of a line of length 10 = %v", got)
	}
	if got := dashes([]paint.Point{{X: 0, Y: 0}, {X: 10, Y: 0}}, 0, 0); len(got) != 1 {
		t.Errorf("dashes of a solid line = %v", got)
	}
}

// coverage returns the opacity-weighted area of a mesh.
func coverage(m *mesh) (sum float64) {
	for i := 0; i < len(m.tri); i += 3 {
		a, b, c := m.pts[m.tri[i]], m.pts[m.tri[i+1]], m.pts[m.tri[i+2]]
		sum += math.Abs((b.x-a.x)*(c.y-a.y)-(b.y-a.y)*(c.x-a.x)) / 2 * (a.a + b.a + c.a) / 3
	}
	return sum
}

func TestMeshAreas(t *testing.T) {
	var line, box, area mesh
	line.strip([]paint.Point{{X: 0, Y: 0}, {X: 100, Y: 0}}, 2)
	box.convex([]paint.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}, {X: 0, Y: 10}})
	area.between([]paint.Point{{X: 0, Y: 0}, {X: 100, Y: 0}}, []paint.Point{{X: 0, Y: 10}, {X: 100, Y: 10}})
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"line", coverage(&line), 200}, {"square", coverage(&box), 100}, {"area", coverage(&area), 1000}} {
		if math.Abs(c.got-c.want) > 0.01*c.want {
			t.Errorf("area of %s = %v, want %v", c.name, c.got, c.want)
		}
	}
	var sharp mesh
	sharp.strip([]paint.Point{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 0, Y: 1}}, 2)
	for _, p := range sharp.pts {
		if p.x > 103 {
			t.Errorf("a sharp turn extends to x = %v", p.x)
		}
	}
}
