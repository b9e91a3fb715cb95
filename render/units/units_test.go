package units

import (
	"math"
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

func TestArrangeFillsAndFits(t *testing.T) {
	for _, size := range [][2]float64{{704, 456}, {536, 400}, {390, 456}, {320, 300}} {
		for _, scale := range []float64{1, 1.5, 2, 3} {
			for n := 1; n <= record.MaxSlots; n++ {
				b := paint.XYWH(24, 36, (size[0]-48)*scale, (size[1]-60)*scale)
				gap := 8 * scale
				g := paint.Arrange(n, 28, 28, b, gap, 6*scale, 11*scale, 40*scale)
				if g.Cell >= 1 && g.Cell != math.Floor(g.Cell) {
					t.Fatalf("n=%d: %v device pixels per cell", n, g.Cell)
				}
				x, y := g.Origin(n - 1)
				last := g.X + float64(min(n, g.Cols)-1)*g.PitchX + g.TileW
				if last > b.X+b.W+1 || y+g.TileH > b.Y+b.H+1 || x < b.X {
					t.Fatalf("n=%d in %v: the last tile ends at %v, %v", n, b, last, y+g.TileH)
				}
				if g.Cols > 1 && g.PitchX < g.TileW+gap-1 || g.Rows > 1 && g.PitchY < g.TileH+gap-1 {
					t.Fatalf("n=%d: pitch %v x %v for pictures of %v x %v", n, g.PitchX, g.PitchY, g.TileW, g.TileH)
				}
			}
		}
	}
}

func TestUnitsMarks(t *testing.T) {
	f := rendertest.Rings("ais", 0, 10, 16, 16, false)
	for i := range f.LogW {
		f.LogW[i] = float32(-i) // weights decrease by a factor e
	}
	late := rendertest.Rings("ais", 20, 10, 16, 16, false)
	late.LogW = nil
	p := rendertest.StageWith(f, late)
	rendertest.SceneOf[*units](p).showTiles = true
	ls := rendertest.Draw("units", rendertest.Area(704, 456, 2), p)
	if n := len(rendertest.MarksOfKind(ls, paint.Cells)); n != 20 {
		t.Errorf("%d pictures, want 20", n)
	}
	absent := 0
	for _, m := range rendertest.MarksOfKind(ls, paint.Fill) {
		if m.Color == paint.Light.Absent {
			absent++
		}
	}
	if absent != 10 {
		t.Errorf("%d absent slots, want 10", absent)
	}
	dots := rendertest.MarksOfKind(ls, paint.Disc)
	if len(dots) != 10 {
		t.Fatalf("%d weight dots, want 10", len(dots))
	}
	if ratio := dots[0].R * dots[0].R / (dots[1].R * dots[1].R); math.Abs(ratio-math.E) > 1e-6 {
		t.Errorf("areas of dots one nat apart have ratio %v, want e", ratio)
	}
	for _, m := range rendertest.MarksOfKind(ls, paint.Cells) {
		if m.Box.X != math.Round(m.Box.X) || m.Box.Y != math.Round(m.Box.Y) {
			t.Fatalf("a picture at %v is not on whole pixels", m.Box)
		}
	}
	for _, want := range []string{"AIS|", "forward|", "update 4,210 of 10,000|", "20 particles|", "\u03b2 = 0.92|"} {
		if !strings.Contains(rendertest.Texts(ls), want) {
			t.Errorf("%q is missing in the status line %q", want, rendertest.Texts(ls))
		}
	}
}

func TestUnitsKeepsPicturesLegible(t *testing.T) {
	a := rendertest.Area(390, 456, 3)
	p := rendertest.StageWith(rendertest.Rings("ais", 0, 100, 28, 28, false), rendertest.Rings("rts", 0, 100, 28, 28, true))
	rendertest.SceneOf[*units](p).showTiles = true
	ls := rendertest.Draw("units", a, p)
	ps := rendertest.MarksOfKind(ls, paint.Cells)
	if len(ps) == 0 || len(ps) > 100 || ps[0].Box.W < 56*a.Unit {
		t.Errorf("%d pictures, the first of width %v", len(ps), ps[0].Box.W)
	}
	if s := rendertest.Texts(ls); !strings.Contains(s, "AIS|") || !strings.Contains(s, "RTS|") {
		t.Errorf("a method has no name: %q", s)
	}
}

func TestScatter(t *testing.T) {
	a := rendertest.Area(536, 400, 1)
	f := rendertest.MixturePoints(100)
	f.Points[7] = float32(math.NaN())
	ls := rendertest.Draw("units", a, rendertest.StageWith(f))
	n := 0
	for _, m := range rendertest.MarksOfKind(ls, paint.Disc) {
		if !(m.At.X >= 0 && m.At.X <= a.W && m.At.Y >= 0 && m.At.Y <= a.H) {
			t.Fatalf("a dot at %v is off the canvas", m.At)
		}
		if m.Color == paint.Light.BetaColor(float64(float32(0.62))) {
			n++
		}
	}
	if n != 99 {
		t.Errorf("%d dots, want 99 of finite points", n)
	}
}

// TestUnitsFilm checks that a method that goes from base to target in one step has no film.
func TestUnitsFilm(t *testing.T) {
	for rungs, want := range map[int]bool{2: false, 20: true} {
		f := rendertest.Rings("is", 0, 10, 16, 16, false)
		f.Rungs = rungs
		text := rendertest.Texts(rendertest.Draw("units", rendertest.Area(704, 456, 1), rendertest.StageWith(f)))
		if got := strings.Contains(text, "Side by side"); got != want {
			t.Errorf("%d rungs: has film = %v, want %v", rungs, got, want)
		}
	}
}
