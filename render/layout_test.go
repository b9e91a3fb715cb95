package render

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/bound"
	"logzlab/core/frame"
	"logzlab/core/num"
)

func testArea(w, h, scale float64) *area {
	return &area{w: w * scale, h: h * scale, u: scale, theme: &Light, fonts: newFonts(scale, false)}
}

func picturing(fs ...*frame.Frame) *Picture {
	p := &Picture{}
	for _, f := range fs {
		p.Take(f)
	}
	return p
}

func all(ls []layer, k kind) (out []mark) {
	for _, l := range ls {
		for _, m := range l.marks {
			if m.kind == k {
				out = append(out, m)
			}
		}
	}
	return out
}

// reads joins all words of a picture.
func reads(ls []layer) string {
	var b strings.Builder
	for _, m := range all(ls, words) {
		b.WriteString(m.text + "|")
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
				b := rect{24, 36, (size[0] - 48) * scale, (size[1] - 60) * scale}
				gap := 8 * scale
				g := arrange(n, 28, 28, b, gap, 6*scale, 11*scale, 40*scale)
				if g.cell >= 1 && g.cell != math.Floor(g.cell) {
					t.Fatalf("n=%d: %v device pixels a cell", n, g.cell)
				}
				x, y := g.origin(n - 1)
				last := g.x + float64(min(n, g.cols)-1)*g.px + g.tw
				if last > b.x+b.w+1 || y+g.th > b.y+b.h+1 || x < b.x {
					t.Fatalf("n=%d in %v: the last picture ends at %v, %v", n, b, last, y+g.th)
				}
				if g.cols > 1 && g.px < g.tw+gap-1 || g.rows > 1 && g.py < g.th+gap-1 {
					t.Fatalf("n=%d: pitch %v x %v for pictures of %v x %v", n, g.px, g.py, g.tw, g.th)
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
	if n := len(all(ls, picture)); n != 20 {
		t.Errorf("%d pictures, want 20", n)
	}
	absent := 0
	for _, m := range all(ls, fill) {
		if m.color == Light.Absent {
			absent++
		}
	}
	if absent != 10 {
		t.Errorf("%d absent slots, want 10", absent)
	}
	dots := all(ls, disc)
	if len(dots) != 10 {
		t.Fatalf("%d weight dots, want 10", len(dots))
	}
	if ratio := dots[0].r * dots[0].r / (dots[1].r * dots[1].r); math.Abs(ratio-math.E) > 1e-6 {
		t.Errorf("areas of dots one nat apart have ratio %v, want e", ratio)
	}
	for _, m := range all(ls, picture) {
		if m.box.x != math.Round(m.box.x) || m.box.y != math.Round(m.box.y) {
			t.Fatalf("a picture at %v is not on whole pixels", m.box)
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
	ps := all(ls, picture)
	if len(ps) == 0 || len(ps) > 100 || ps[0].box.w < smallest*a.u {
		t.Errorf("%d pictures, the first %v wide", len(ps), ps[0].box.w)
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
	for _, m := range all(ls, disc) {
		if !(m.at.x >= 0 && m.at.x <= a.w && m.at.y >= 0 && m.at.y <= a.h) {
			t.Fatalf("a dot at %v is off the canvas", m.at)
		}
		if m.color == Light.BetaColor(float64(float32(0.62))) {
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
	if d.value.d0 < 200 || d.value.d1 > 240 {
		t.Errorf("one early value stretched the axis to [%v, %v]", d.value.d0, d.value.d1)
	}
	if d.value.d0 > 220.2 || d.value.d1 < 221.5 {
		t.Errorf("[%v, %v] does not hold the sandwich at the end", d.value.d0, d.value.d1)
	}
	if len(d.valueTicks) > 7 || len(d.valueTicks) < 3 || len(d.costTicks) > 7 {
		t.Errorf("ticks %v, %v", d.valueTicks, d.costTicks)
	}
	for _, m := range all(trace(a, p), stroke) {
		for _, q := range m.pts {
			if q.y > 4*a.h {
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
	for _, m := range all(trace(a, picturing(f)), words) {
		if m.style == strong && m.align == left && m.at.x > a.w/2 {
			ys = append(ys, m.at.y)
		}
	}
	if len(ys) != 4 {
		t.Fatalf("%d bold labels at the right, want three methods and exact", len(ys))
	}
	for i := 1; i < len(ys); i++ {
		if ys[i]-ys[i-1] < 17*a.u-1e-6 {
			t.Errorf("labels %v and %v are too near", ys[i-1], ys[i])
		}
	}
}

func TestTraceProvisionalIsThinAndHollow(t *testing.T) {
	a := testArea(704, 456, 1)
	for _, final := range []bool{false, true} {
		ls := trace(a, picturing(histories(final, "ais")))
		for _, m := range all(ls, stroke) {
			if m.color == Light.Methods[0] && (m.width == 2) != final {
				t.Errorf("final %v: a line of width %v", final, m.width)
			}
		}
		solid := 0
		for _, m := range all(ls, disc) {
			if m.hollow == 0 {
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
		for _, q := range m.marks {
			for _, v := range q.pts {
				if !num.Finite(v.x) || !num.Finite(v.y) {
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
	hook := sayHook
	f.Cleanup(func() { sayHook = hook })
	sayHook = nil // damaged frames say anything
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, err := frame.Decode(b)
		if err != nil {
			return
		}
		p := picturing(x)
		for _, scene := range scenes {
			for _, l := range scene.draw(a, p) {
				for _, m := range l.marks {
					if v := m.at.x + m.at.y + m.r + m.box.x + m.box.y + m.box.w + m.box.h; !num.Finite(v) {
						t.Fatalf("%s has a mark %+v", scene.name, m)
					}
				}
			}
		}
	})
}
