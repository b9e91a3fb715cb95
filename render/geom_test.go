package render

import (
	"image/color"
	"math"
	"slices"
	"testing"
)

func TestLabels(t *testing.T) {
	for _, c := range [...][2]string{} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{10, 50}, []float64{10, 50}},
		{[]float64{50, 50}, []float64{41.5, 58.5}},
		{[]float64{2, 3}, []float64{0, 17}},
		{[]float64{99, 100}, []float64{83, 100}},
		{nil, []float64{}},
	} {
		if got := spread(c.in, 17, 0, 100); !slices.Equal(got, c.want) {
			t.Errorf("spread(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

func TestDashes(t *testing.T) {
	got := dashes([]point{{0, 0}, {10, 0}}, 2, 3)
	if len(got) != 2 || got[0][1] != (point{2, 0}) || got[1][0] != (point{5, 0}) || got[1][1] != (point{7, 0}) {
		t.Errorf("dashes of a line of 10: %v", got)
	}
	if got := dashes([]point{{0, 0}, {10, 0}}, 0, 0); len(got) != 1 {
		t.Errorf("a solid line became %v", got)
	}
}

// coverage is the opacity-weighted area of a mesh.
func coverage(m *mesh) (sum float64) {
	for i := 0; i < len(m.tri); i += 3 {
		a, b, c := m.pts[m.tri[i]], m.pts[m.tri[i+1]], m.pts[m.tri[i+2]]
		sum += math.Abs((b.x-a.x)*(c.y-a.y)-(b.y-a.y)*(c.x-a.x)) / 2 * (a.a + b.a + c.a) / 3
	}
	return sum
}

func TestMeshesCoverWhatTheyShould(t *testing.T) {
	var line, box, area mesh
	line.strip([]point{{0, 0}, {100, 0}}, 2)
	box.convex([]point{{0, 0}, {10, 0}, {10, 10}, {0, 10}})
	area.between([]point{{0, 0}, {100, 0}}, []point{{0, 10}, {100, 10}})
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"line", coverage(&line), 200}, {"square", coverage(&box), 100}, {"area", coverage(&area), 1000}} {
		if math.Abs(c.got-c.want) > 0.01*c.want {
			t.Errorf("%s covers %v, want %v", c.name, c.got, c.want)
		}
	}
	var sharp mesh
	sharp.strip([]point{{0, 0}, {100, 0}, {0, 1}}, 2)
	for _, p := range sharp.pts {
		if p.x > 103 {
			t.Errorf("a sharp turn sticks out to %v", p.x)
		}
	}
}

func TestBetaColours(t *testing.T) {
	for _, th := range []*Theme{&Light, &Dark} {
		if th.BetaColor(0) != th.Beta[0] || th.BetaColor(1) != th.Beta[8] || th.BetaColor(0.5) != th.Beta[4] ||
			th.BetaColor(-1) != th.Beta[0] || th.BetaColor(2) != th.Beta[8] || th.BetaColor(math.NaN()) != th.Absent {
			t.Error("the colour map misses its stops")
		}
	}
	if got := fade(color.RGBA{200, 100, 0, 255}, 0.5); got != (color.RGBA{100, 50, 0, 128}) {
		t.Errorf("half of (200, 100, 0) is %v", got)
	}
}
