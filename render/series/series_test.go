package series

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/stage"
)

// TestBandsHoldTheExactMean checks that the filter's mean agrees with the exact one within its error at every datum.
func TestBandsHoldTheExactMean(t *testing.T) {
	p := rendertest.StageWith(rendertest.RealRuns()["lgssm"]...)
	q := p.Run.Particles[0].Flows.Next
	if q == nil || len(q.Exact) != len(q.Y) || q.Beta != 1 {
		t.Fatalf("the last flow is not at the target, or has no exact means: %+v", q)
	}
	off, squares := 0, 0.0
	for k, exact := range q.Exact {
		z := (q.Mean[k] - float64(exact)) / (q.Sd[k] / math.Sqrt(q.ESS[k]*float64(q.N)))
		squares += z * z
		if math.Abs(q.Mean[k]-float64(exact)) > wide*q.Sd[k] {
			off++
		}
	}
	// Resampling adds to the error of independent particles.
	if rms := math.Sqrt(squares / float64(len(q.Y))); off > 1 || rms > 3 {
		t.Errorf("%d of %d exact means are outside the bands; rms error %.1f standard errors", off, len(q.Y), rms)
	}
}

// TestTrajectories checks that each particle has one line, that the numbers of lines with and without descendants at
// the front are correct, and the number of particles with children.
func TestTrajectories(t *testing.T) {
	for _, name := range []string{"sv", "lgssm", "long"} {
		p := rendertest.StageWith(rendertest.RealRuns()[name]...)
		a := rendertest.Area(704, 620, 1)
		a.Still = true
		ls := rendertest.Draw("series", a, p)
		q := p.Run.Particles[0].Flows.Shown
		v := &view{a: a, p: &p.Run, w: p.Run.Particles[0], q: q}
		v.window()
		living, dead := 0, 0
		for _, m := range rendertest.MarksOfKind(ls, paint.Segments) {
			switch {
			case len(m.Colors) == 0 || m.Colors[0] == paint.Light.Line2: // the lens
			case m.Colors[0] == paint.Light.Methods[0]:
				living += len(m.Colors)
			default:
				dead += len(m.Colors)
			}
		}
		ancestors := map[int]bool{}
		for i := range q.N {
			ancestors[i] = true
		}
		want := 0
		for k := v.hi; k > v.lo; k-- {
			want += len(ancestors)
			before := map[int]bool{}
			for i := range ancestors {
				before[q.ParentOf(k, i)] = true
			}
			if k == v.hi && len(before) != q.CountParents(k-1) {
				t.Errorf("%s: CountParents = %d, want %d", name, q.CountParents(k-1), len(before))
			}
			ancestors = before
		}
		if living != want || living+dead != q.N*(v.hi-v.lo) {
			t.Errorf("%s: %d living and %d extinct lines, want %d and %d", name, living, dead, want, q.N*(v.hi-v.lo)-want)
		}
		if got := v.isPart(); got != (name == "long") {
			t.Errorf("%s: isPart = %v", name, got)
		}
	}
}

// TestSweep checks that a flow is drawn from left to right, that the newest flow follows it, that without animations
// the newest is shown at once, and that the animation ends.
func TestSweep(t *testing.T) {
	p := stage.NewStage()
	tell := func(y float32, now float64) {
		p.Run.Now = now
		p.Add(&frame.Frame{Model: "m", Method: "aisel", N: 1, Total: 1, Points: []float32{0, 0}, Beta: []float32{1},
			LogW: []float32{0}, Flow: &frame.Flow{Y: []float32{y, 1}, N: 1, X: []float32{1, 2}, W: []float32{1, 1},
				Parents: []int32{0}}})
	}
	shown := func() float32 { return p.Run.Particles[0].Flows.Shown.Y[0] }
	tell(1, 10)
	tell(2, 11)
	tell(3, 12)
	f := &p.Run.Particles[0].Flows
	if s := f.Advance(10+record.SweepTime/2, false); math.Abs(s-0.5) > 1e-9 || shown() != 1 {
		t.Errorf("halfway: fraction %g of flow %g", s, shown())
	}
	if p.Run.Now = 11; !p.Run.FlowIsAnimating(false) || p.Run.FlowIsAnimating(true) {
		t.Error("FlowIsAnimating is wrong while a flow is drawn")
	}
	if s := f.Advance(30, false); s != 0 || shown() != 3 {
		t.Errorf("next flow: fraction %g of flow %g", s, shown())
	}
	if s := f.Advance(30+record.SweepTime, false); s != 1 || shown() != 3 {
		t.Errorf("at the end: fraction %g of flow %g", s, shown())
	}
	if p.Run.Now = 30 + record.SweepTime; p.Run.FlowIsAnimating(false) {
		t.Error("the animation does not end")
	}
	tell(4, 40)
	if s := f.Advance(40, true); s != 1 || shown() != 4 {
		t.Errorf("without animation: fraction %g of flow %g", s, shown())
	}
}

// TestLens checks that a drag in the panel of all data, and Page Down and Page Up, move the part that is shown below.
func TestLens(t *testing.T) {
	s := stage.NewStage()
	for _, f := range rendertest.RealRuns()["long"] {
		s.Take(f)
	}
	s.SetScene("series")
	s.SetStill(true)
	s.Fit(704, 620, 1)
	s.W, s.H = 704, 620
	first := func() string {
		ls, _ := s.Layers()
		return rendertest.Texts(ls)
	}
	before := first()
	s.Press(60, 60, false)
	s.Release()
	dragged := first()
	if dragged == before || !strings.Contains(dragged, "|20|") {
		t.Errorf("after a press at the left: %s", dragged)
	}
	if !s.Key("PageDown") || first() == dragged || !s.Key("PageUp") || first() != dragged {
		t.Errorf("after Page Down and Page Up: %s", first())
	}
}
