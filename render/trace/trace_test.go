package trace

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

func TestTraceCutsEarlyValues(t *testing.T) {
	f := rendertest.Histories(true, "ais", "rts")
	f.Curves[0].Points[0].LogZ = -500
	a := rendertest.Area(704, 456, 1)
	p := rendertest.StageWith(f)
	lo, hi := valueRange(&p.Run, curves(&p.Run, a))
	if lo < 200 || hi > 240 {
		t.Errorf("one early value extended the range to [%v, %v]", lo, hi)
	}
	if lo > 220.2 || hi < 221.5 {
		t.Errorf("[%v, %v] does not contain the bounds at the end", lo, hi)
	}
	for _, m := range rendertest.MarksOfKind(rendertest.Draw("trace", a, p), paint.Stroke) {
		for _, q := range m.Pts {
			if q.Y > 4*a.H {
				t.Fatalf("a line extends to %v, far below the canvas", q)
			}
		}
	}
	if s := rendertest.Texts(rendertest.Draw("trace", a, p)); !strings.Contains(s, "exact|221.07|") ||
		!strings.Contains(s, "work: updates of all chains, or draws|") ||
		!strings.Contains(s, "10\u00a0k|") {
		t.Errorf("texts %q", s)
	}
}

// TestTraceOnSlides checks that a slide can show log Z without error bars, and that large screens have a large zoom.
func TestTraceOnSlides(t *testing.T) {
	p := rendertest.StageWith(rendertest.Histories(true, "ais"))
	for _, hidden := range [][]string{nil, {"errors"}} {
		a := rendertest.Area(560, 456, 1)
		a.Hidden = hidden
		if got := strings.Contains(rendertest.Texts(rendertest.Draw("trace", a, p)), "Error bar"); got != (hidden == nil) {
			t.Errorf("hidden %v: has error bars = %v", hidden, got)
		}
	}
	s := stage.NewStage()
	for _, screen := range []float64{720, 1440, 2160} {
		if s.SetTheme("light", screen/300); s.Zoom != screen/300 {
			t.Errorf("zoom of a screen of %v pixels = %v", screen, s.Zoom)
		}
	}
}

func TestTraceLabelsApart(t *testing.T) {
	f := rendertest.Histories(true, "ais", "rts", "is")
	for i := range f.Curves {
		f.Curves[i].Points[72].LogZ = f.Truth
	}
	a := rendertest.Area(704, 456, 2)
	var ys []float64
	for _, m := range rendertest.MarksOfKind(rendertest.Draw("trace", a, rendertest.StageWith(f)), paint.Text) {
		if m.Style == paint.Strong && m.Align == paint.Left && m.At.X > a.W/2 {
			ys = append(ys, m.At.Y)
		}
	}
	if len(ys) != 4 {
		t.Fatalf("%d bold labels at the right, want 4: three methods and exact", len(ys))
	}
	for i := 1; i < len(ys); i++ {
		if ys[i]-ys[i-1] < 17*a.Unit-1e-6 {
			t.Errorf("labels at %v and %v are too close", ys[i-1], ys[i])
		}
	}
}

// TestTraceNamesKeepValues checks that on a wide canvas every label has its value, even if one name is long.
func TestTraceNamesKeepValues(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	a.Words = map[string]string{"ais": "cooled little by little"}
	values := 0
	ls := rendertest.Draw("trace", a, rendertest.StageWith(rendertest.Histories(true, "ais", "rts")))
	for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
		if m.Align == paint.Right && m.At.X > 0.8*a.W && m.Style == paint.Plain {
			values++
		}
	}
	if values != 5 {
		t.Errorf("%d values, want 5: two methods, two bounds and exact", values)
	}
}

func TestTraceProvisionalIsThinAndHollow(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	for _, final := range []bool{false, true} {
		ls := rendertest.Draw("trace", a, rendertest.StageWith(rendertest.Histories(final, "ais")))
		for _, m := range rendertest.MarksOfKind(ls, paint.Stroke) {
			if m.Color == paint.Light.Methods[0] && (m.Width == 2) != final {
				t.Errorf("final %v: line width %v", final, m.Width)
			}
		}
		solid := 0
		for _, m := range rendertest.MarksOfKind(ls, paint.Disc) {
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
	f := rendertest.Histories(true, "ais")
	for i := range f.Curves[0].Points {
		f.Curves[0].Points[i].SE = math.NaN()
	}
	f.Curves[0].Points[30].LogZ = math.Inf(-1)
	ls := rendertest.Draw("trace", rendertest.Area(704, 456, 1), rendertest.StageWith(f))
	for _, m := range ls {
		for _, q := range m.Marks {
			for _, v := range q.Pts {
				if !num.Finite(v.X) || !num.Finite(v.Y) {
					t.Fatalf("a mark has a point at %v", v)
				}
			}
		}
	}
	if strings.Contains(rendertest.Texts(ls), "Error bar") {
		t.Error("there is a panel of error bars without error bars")
	}
}

// TestTraceMany checks that nine methods are all labelled, that readers of one run are grouped below its cost, that
// one is highlighted, and that a tap or the arrow keys select which.
func TestTraceMany(t *testing.T) {
	for _, size := range [][2]float64{{390, 300}, {390, 456}, {390, 500}, {536, 536}, {704, 420}, {820, 520}, {1280, 720}} {
		for _, final := range []bool{true, false} {
			a := rendertest.Area(size[0], size[1], 1)
			p := rendertest.StageWith(rendertest.NineMethods(final)...)
			ls := rendertest.Draw("trace", a, p)
			rendertest.CheckMarks(t, "nine methods", a, ls)
			s := rendertest.Texts(ls)
			for _, want := range []string{"AIS|", "RTS|", "TS|", "TI|", "TI-RB|", "BAR|", "MBAR|", "RTS-STATIONARY|", "SAMS|",
				"exact|", "one run|"} {
				if !strings.Contains("|"+s, "|"+want) {
					t.Errorf("%v: %q is missing in %q", size, want, s)
				}
			}
		}
	}
	spike := rendertest.NineMethods(true)
	spike[0].Curves[3].Points[70].LogZ = -500
	q := rendertest.StageWith(spike...)
	if lo, hi := valueRange(&q.Run, curves(&q.Run, rendertest.Area(704, 456, 1))); lo < 205 || hi > 235 {
		t.Errorf("one late value of one of many extended the range to [%v, %v]", lo, hi)
	}
	p := rendertest.StageWith(rendertest.NineMethods(true)...)
	highlighted := func() (out int) {
		a := rendertest.Area(704, 456, 1)
		return newView(rendertest.SceneOf[*trace](p), a, curves(&p.Run, a)).highlightIndex
	}
	p.Run.Focus = "mbar"
	if highlighted() != 6 {
		t.Errorf("curve %d is highlighted, want 6 (mbar)", highlighted())
	}
	rendertest.SceneOf[*trace](p).Key("ArrowDown")
	if highlighted() != 7 {
		t.Errorf("after the arrow curve %d is highlighted, want 7", highlighted())
	}
	if !rendertest.SceneOf[*trace](p).Key("Escape") || highlighted() != 6 || rendertest.SceneOf[*trace](p).Key("Escape") {
		t.Error("Escape does not end the selection")
	}
	s := stage.NewStage()
	s.SetScene("trace")
	s.Fit(704, 456, 1)
	s.W, s.H = 704, 456
	for _, f := range rendertest.NineMethods(true) {
		s.Take(f)
	}
	s.Layers()
	for _, tap := range s.Taps {
		s.Tap(tap.Box.X+tap.Box.W/2, tap.Box.Y+tap.Box.H/2)
		break
	}
	if rendertest.SceneOf[*trace](s).selected == "" {
		t.Error("a tap on a name selects nothing")
	}
}
