package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/rendertest"
	"logzlab/render/stage"
)

// bounded are the frames of a run whose rungs overlap as given, on an even ladder.
func bounded(overlap ...float64) *stage.Stage {
	l := frame.Ladder{Method: "rts", Overlap: overlap}
	for k := range len(overlap) + 1 {
		l.Beta = append(l.Beta, float64(k)/float64(len(overlap)))
	}
	return rendertest.Stage(&frame.Frame{Curves: []frame.Curve{{Method: "rts"}}, Ladders: []frame.Ladder{l}})
}

// TestOverlapBars: heights are overlaps, on a scale whose 0.2 is the line; bars below it
// carry a sign, and how far they stay below is drawn.
func TestOverlapBars(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	ls := rendertest.Draw("overlaps", a, bounded(0.5, 0.25, 0.1, math.NaN(), 1))
	var tall []float64
	missing := 0
	for _, m := range ls[1].Marks {
		switch m.Color {
		case paint.Mix(paint.Light.Ground, paint.Light.Caution, 0.28):
			missing++
		default:
			tall = append(tall, m.Box.H)
		}
	}
	if len(tall) != 4 || missing != 1 {
		t.Fatalf("%d bars and %d that are short, want 4 and 1", len(tall), missing)
	}
	for i, o := range []float64{0.5, 0.25, 0.1} {
		if math.Abs(tall[i]/tall[3]-o) > 0.01 {
			t.Errorf("bar %d is %v of one that is whole, want %v", i, tall[i]/tall[3], o)
		}
	}
	line := rendertest.All(ls, paint.Stroke)[0].Pts[0].Y
	if base := ls[1].Marks[0].Box.Y + ls[1].Marks[0].Box.H; math.Abs((base-line)/tall[3]-lowOverlap) > 0.01 {
		t.Errorf("the line is at %v", (base-line)/tall[3])
	}
	if n := len(rendertest.All(ls, paint.Triangle)); n != 1 {
		t.Errorf("%d signs, want 1", n)
	}
	if s := rendertest.Reads(ls); !strings.Contains(s, "lowest|") || !strings.Contains(s, "0.10|") ||
		!strings.Contains(s, "0.25|") || !strings.Contains(s, "6 rungs|") {
		t.Errorf("words %q", s)
	}
	if s := rendertest.Reads(rendertest.Draw("overlaps", a, bounded(0.5, 1e-4))); !strings.Contains(s, "< 0.01|") {
		t.Errorf("a tiny overlap is written as %q", s)
	}
	if s := rendertest.Reads(rendertest.Draw("overlaps", a, bounded(0.5, 0.9))); strings.Contains(s, "0.2|0.2") ||
		len(rendertest.All(rendertest.Draw("overlaps", a, bounded(0.5, 0.9)), paint.Triangle)) != 0 {
		t.Errorf("a good ladder has a sign: %q", s)
	}
}

// TestOverlapGroups: of pairs too many to be told apart the lowest of each group is drawn.
func TestOverlapGroups(t *testing.T) {
	many := make([]float64, 999)
	for k := range many {
		many[k] = 0.5
	}
	many[500] = 0.05
	ls := rendertest.Draw("overlaps", rendertest.Area(390, 456, 2), bounded(many...))
	if n := len(rendertest.All(ls, paint.Triangle)); n != 1 {
		t.Errorf("%d signs, want 1", n)
	}
	if n := len(ls[1].Marks); n > 150 {
		t.Errorf("%d bars on a phone", n)
	}
	if s := rendertest.Reads(ls); !strings.Contains(s, "0.05|") || !strings.Contains(s, "1,000 rungs, each bar the lowest of ") {
		t.Errorf("words %q", s)
	}
}

// TestOverlapReads: the pointer reads the pair that it is at.
func TestOverlapReads(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	a.Pointer = paint.NewPointer(paint.Pt(600, 200))
	rendertest.Draw("overlaps", a, bounded(0.5, 0.25, 0.1, 0.3))
	if _, text := a.Tooltip(); text != "Rungs 4 – 5, β = 0.75 – 1, overlap 0.30" {
		t.Errorf("it reads %q", text)
	}
}

// TestOverlapsFit: no two words lie on each other, and none leaves the canvas.
func TestOverlapsFit(t *testing.T) {
	for _, rungs := range []int{2, 8, 24, 300} {
		for _, size := range [][2]float64{{390, 300}, {390, 456}, {704, 456}, {1280, 720}} {
			a := rendertest.Area(size[0], size[1], 1)
			var boxes []paint.Rect
			for _, m := range rendertest.All(rendertest.Draw("overlaps", a, rendertest.Stage(rendertest.Overlapping(rungs, rungs/2)...)), paint.Text) {
				wd := a.Fonts.Width(m.Text, m.Style)
				x := m.At.X
				switch m.Align {
				case paint.Centre:
					x -= wd / 2
				case paint.Right:
					x -= wd
				}
				b := paint.XYWH(x, m.At.Y-9, wd, 10)
				if b.X < 0 || b.X+b.W > a.W || b.Y < 0 || b.Y+b.H > a.H {
					t.Errorf("%d rungs at %v: %q leaves the canvas", rungs, size, m.Text)
				}
				for _, o := range boxes {
					if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
						t.Errorf("%d rungs at %v: %q lies on another word", rungs, size, m.Text)
					}
				}
				boxes = append(boxes, b)
			}
		}
	}
}
