package render

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/bound"
	"logzlab/core/frame"
	"logzlab/render/paint"
)

func testArea(w, h, scale float64) *paint.Area {
	return &paint.Area{W: w * scale, H: h * scale, Unit: scale, Theme: &paint.Light, Fonts: paint.NewFonts(scale, false)}
}

func picturing(fs ...*frame.Frame) *Picture {
	p := &Picture{}
	for _, f := range fs {
		p.Take(f)
	}
	return p
}

func all(ls []paint.Layer, k paint.Kind) (out []paint.Mark) {
	for _, l := range ls {
		for _, m := range l.Marks {
			if m.Kind == k {
				out = append(out, m)
			}
		}
	}
	return out
}

// reads joins all words of a picture.
func reads(ls []paint.Layer) string {
	var b strings.Builder
	for _, m := range all(ls, paint.Text) {
		b.WriteString(m.Text + "|")
	}
	return b.String()
}

func TestNewestWins(t *testing.T) {
	old, new := rings("ais", 0, 10, 8, 8, false), rings("ais", 0, 10, 8, 8, false)
	new.Beta[3] = 0.5
	other := rings("ais", 20, 10, 8, 8, false)
	p := picturing(old, other, new)
	w := p.walls[0]
	if len(p.walls) != 1 || len(w.slots) != 30 || w.filled() != 20 || w.slots[3].beta != 0.5 || w.slots[12].filled {
		t.Fatalf("wall has %d slots, %d filled, slot 3 at %v", len(w.slots), w.filled(), w.slots[3].beta)
	}
	p.Take(rings("ais", 95, 10, 8, 8, false))
	if len(w.slots) != maxSlots {
		t.Errorf("a lane past the end made %d slots, want %d", len(w.slots), maxSlots)
	}
	for _, first := range []int{-5, maxSlots, math.MaxInt} {
		p.Take(&frame.Frame{Model: "rings", Method: "ais", First: first, N: 1, W: 8, H: 8, Pixels: make([]byte, 64)})
	}
	if len(w.slots) != maxSlots {
		t.Errorf("lanes out of range changed the wall to %d slots", len(w.slots))
	}
	p.Take(rings("ais", 0, 3, 4, 4, false))
	if len(w.slots) != 3 {
		t.Errorf("another shape left %d slots, want 3", len(w.slots))
	}
}

func TestArrangeFillsAndFits(t *testing.T) {
	for _, size := range [][2]float64{{704, 456}, {536, 400}, {390, 456}, {320, 300}} {
		for _, scale := range []float64{1, 1.5, 2, 3} {
			for n := 1; n <= maxSlots; n++ {
				b := paint.XYWH(24, 36, (size[0]-48)*scale, (size[1]-60)*scale)
				gap := 8 * scale
				g := paint.Arrange(n, 28, 28, b, gap, 6*scale, 11*scale, 40*scale)
				if g.Cell >= 1 && g.Cell != math.Floor(g.Cell) {
					t.Fatalf("n=%d: %v device pixels a cell", n, g.Cell)
				}
				x, y := g.Origin(n - 1)
				last := g.X + float64(min(n, g.Cols)-1)*g.PitchX + g.TileW
				if last > b.X+b.W+1 || y+g.TileH > b.Y+b.H+1 || x < b.X {
					t.Fatalf("n=%d in %v: the last picture ends at %v, %v", n, b, last, y+g.TileH)
				}
				if g.Cols > 1 && g.PitchX < g.TileW+gap-1 || g.Rows > 1 && g.PitchY < g.TileH+gap-1 {
					t.Fatalf("n=%d: pitch %v x %v for pictures of %v x %v", n, g.PitchX, g.PitchY, g.TileW, g.TileH)
				}
			}
		}
	}
}

func TestUnitsMarks(t *testing.T) {
	f := rings("ais", 0, 10, 16, 16, false)
	for i := range f.LogW {
		f.LogW[i] = float32(-i) // weights fall by a factor e
	}
	late := rings("ais", 20, 10, 16, 16, false)
	late.LogW = nil
	p := picturing(f, late)
	p.tiled = true
	ls := units(testArea(704, 456, 2), p)
	if n := len(all(ls, paint.Cells)); n != 20 {
		t.Errorf("%d pictures, want 20", n)
	}
	absent := 0
	for _, m := range all(ls, paint.Fill) {
		if m.Color == paint.Light.Absent {
			absent++
		}
	}
	if absent != 10 {
		t.Errorf("%d absent slots, want 10", absent)
	}
	dots := all(ls, paint.Disc)
	if len(dots) != 10 {
		t.Fatalf("%d weight dots, want 10", len(dots))
	}
	if ratio := dots[0].R * dots[0].R / (dots[1].R * dots[1].R); math.Abs(ratio-math.E) > 1e-6 {
		t.Errorf("areas of dots one nat apart have ratio %v, want e", ratio)
	}
	for _, m := range all(ls, paint.Cells) {
		if m.Box.X != math.Round(m.Box.X) || m.Box.Y != math.Round(m.Box.Y) {
			t.Fatalf("a picture at %v is not on whole pixels", m.Box)
		}
	}
	for _, want := range []string{"AIS|", "forward|", "update 4,210 of 10,000|", "20 particles|", "\u03b2 = 0.92|"} {
		if !strings.Contains(reads(ls), want) {
			t.Errorf("the status line %q lacks %q", reads(ls), want)
		}
	}
}

func TestUnitsKeepsPicturesReadable(t *testing.T) {
	a := testArea(390, 456, 3)
	p := picturing(rings("ais", 0, 100, 28, 28, false), rings("rts", 0, 100, 28, 28, true))
	p.tiled = true
	ls := units(a, p)
	ps := all(ls, paint.Cells)
	if len(ps) == 0 || len(ps) > 100 || ps[0].Box.W < smallest*a.Unit {
		t.Errorf("%d pictures, the first %v wide", len(ps), ps[0].Box.W)
	}
	if s := reads(ls); !strings.Contains(s, "AIS|") || !strings.Contains(s, "RTS|") {
		t.Errorf("a wall has no name: %q", s)
	}
}

func TestScatter(t *testing.T) {
	a := testArea(536, 400, 1)
	f := hills(100)
	f.Points[7] = float32(math.NaN())
	ls := units(a, picturing(f))
	n := 0
	for _, m := range all(ls, paint.Disc) {
		if !(m.At.X >= 0 && m.At.X <= a.W && m.At.Y >= 0 && m.At.Y <= a.H) {
			t.Fatalf("a dot at %v is off the canvas", m.At)
		}
		if m.Color == paint.Light.BetaColor(float64(float32(0.62))) {
			n++
		}
	}
	if n != 99 {
		t.Errorf("%d dots for 99 finite points", n)
	}
}

func TestTraceCutsEarlyValues(t *testing.T) {
	f := histories(true, "ais", "rts")
	f.Curves[0].Points[0].LogZ = -500
	a := testArea(704, 456, 1)
	p := picturing(f)
	d := newChart(a, p, []curve{{pts: usable(f.Curves[0].Points)}, {pts: usable(f.Curves[1].Points)}})
	if d.value.D0 < 200 || d.value.D1 > 240 {
		t.Errorf("one early value stretched the axis to [%v, %v]", d.value.D0, d.value.D1)
	}
	if d.value.D0 > 220.2 || d.value.D1 < 221.5 {
		t.Errorf("[%v, %v] does not hold the sandwich at the end", d.value.D0, d.value.D1)
	}
	if len(d.valueTicks) > 7 || len(d.valueTicks) < 3 || len(d.costTicks) > 7 {
		t.Errorf("ticks %v, %v", d.valueTicks, d.costTicks)
	}
	for _, m := range all(trace(a, p), paint.Stroke) {
		for _, q := range m.Pts {
			if q.Y > 4*a.H {
				t.Fatalf("a line goes on to %v, far below the canvas", q)
			}
		}
	}
	if s := reads(trace(a, p)); !strings.Contains(s, "exact|221.07|") ||
		!strings.Contains(s, "work: updates of all chains, or draws|") ||
		!strings.Contains(s, "10\u00a0k|") {
		t.Errorf("words %q", s)
	}
}

func TestTraceLabelsApart(t *testing.T) {
	f := histories(true, "ais", "rts", "is")
	for i := range f.Curves {
		f.Curves[i].Points[72].LogZ = f.Truth
	}
	a := testArea(704, 456, 2)
	var ys []float64
	for _, m := range all(trace(a, picturing(f)), paint.Text) {
		if m.Style == paint.Strong && m.Align == paint.Left && m.At.X > a.W/2 {
			ys = append(ys, m.At.Y)
		}
	}
	if len(ys) != 4 {
		t.Fatalf("%d bold labels at the right, want three methods and exact", len(ys))
	}
	for i := 1; i < len(ys); i++ {
		if ys[i]-ys[i-1] < 17*a.Unit-1e-6 {
			t.Errorf("labels %v and %v are too near", ys[i-1], ys[i])
		}
	}
}

func TestTraceProvisionalIsThinAndHollow(t *testing.T) {
	a := testArea(704, 456, 1)
	for _, final := range []bool{false, true} {
		ls := trace(a, picturing(histories(final, "ais")))
		for _, m := range all(ls, paint.Stroke) {
			if m.Color == paint.Light.Methods[0] && (m.Width == 2) != final {
				t.Errorf("final %v: a line of width %v", final, m.Width)
			}
		}
		solid := 0
		for _, m := range all(ls, paint.Disc) {
			if m.Hollow == 0 {
				solid++
			}
		}
		// The mark of the label and the end marks of both panels.
		if want := map[bool]int{false: 0, true: 3}[final]; solid != want {
			t.Errorf("final %v: %d solid marks, want %d", final, solid, want)
		}
	}
}

func TestTraceGaps(t *testing.T) {
	f := histories(true, "ais")
	for i := range f.Curves[0].Points {
		f.Curves[0].Points[i].SE = math.NaN()
	}
	f.Curves[0].Points[30].LogZ = math.Inf(-1)
	ls := trace(testArea(704, 456, 1), picturing(f))
	for _, m := range ls {
		for _, q := range m.Marks {
			for _, v := range q.Pts {
				if !finite(v.X) || !finite(v.Y) {
					t.Fatalf("a mark has a corner at %v", v)
				}
			}
		}
	}
	if strings.Contains(reads(ls), "Error bar") {
		t.Error("a panel of error bars without any error bar")
	}
}

// FuzzFrame feeds damaged messages: an error or a picture with finite marks,
// never a panic.
func FuzzFrame(f *testing.F) {
	for _, x := range []*frame.Frame{rings("ais", 90, 10, 5, 3, false), hills(4), histories(true, "ais", "rts"),
		{Method: "x", First: -1, N: 1, W: 1, H: 1, Pixels: []byte{7}}, {},
		formed(run{R: 4, islands: 1, stages: 8, to: 6, w: 4, h: 2, exact: true, method: "arm"})[9], learning(1, 3, 4, 3)[2],
		learning(2, 2, 4, 3)[2], overtrained(1000, 4, 4, 16, 3)} {
		f.Add(x.Append(nil))
	}
	a := testArea(390, 456, 1)
	hook := paint.SayHook
	f.Cleanup(func() { paint.SayHook = hook })
	paint.SayHook = nil // damaged frames say anything
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, err := frame.Decode(b)
		if err != nil {
			return
		}
		p := picturing(x)
		for _, scene := range scenes {
			for _, l := range scene.draw(a, p) {
				for _, m := range l.Marks {
					if v := m.At.X + m.At.Y + m.R + m.Box.X + m.Box.Y + m.Box.W + m.Box.H; !finite(v) {
						t.Fatalf("%s has a mark %+v", scene.name, m)
					}
				}
			}
		}
	})
}
