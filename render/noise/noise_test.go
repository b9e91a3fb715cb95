package noise

import (
	"math"
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// TestNoise: measured shares lie on the theory's lines where they are those of the theory, and measured times on the
// curve of times, whose least is marked; words say where the run is and what is picked.
func TestNoise(t *testing.T) {
	p := rendertest.Stage(rendertest.Noised(.06))
	a := rendertest.Area(900, 560, 1)
	ls := rendertest.Draw("lab", a, p)
	v := newView(a, rendertest.The[*noises](p))
	if got := v.time(v.n.Timed.Best); math.Abs(got-1) > 1e-12 {
		t.Errorf("the least time is %v", got)
	}
	for _, s := range []float64{.8, 1.25} {
		if v.time(s*v.n.Timed.Best) <= 1 {
			t.Errorf("%v times the best variance takes less", s)
		}
	}
	spots := map[paint.Point]bool{}
	for _, m := range rendertest.All(ls, paint.Disc) {
		spots[m.At] = true
	}
	for _, q := range v.tests {
		for _, at := range []paint.Point{v.kept.At(q.Var, math.Exp(-q.Var)), v.kept.At(q.Var, math.Exp(-.06*q.Var)),
			v.times.At(q.Var, v.time(q.Var))} {
			near := false
			for s := range spots {
				near = near || math.Hypot(s.X-at.X, s.Y-at.Y) < .01
			}
			if !near {
				t.Errorf("N = %d: nothing at %v", q.Draws, at)
			}
		}
	}
	if got := rendertest.Reads(ls); !strings.Contains(got, "|N = 10|") || !strings.Contains(got, "|picked (inner = 0)|12|") ||
		!strings.Contains(got, "10 \u00b5s + N \u00d7 5 \u00b5s") {
		t.Errorf("it reads %q", got)
	}
}

// TestNoiseNames: of the lines the first one says that its number counts steps.
func TestNoiseNames(t *testing.T) {
	for first, want := range map[int]string{1: "|1 step|2|5|", 5: "|5 steps|20|"} {
		f := rendertest.Noised(.2)
		for f.Noise.Steps[0] != first {
			f.Noise.Steps = f.Noise.Steps[1:]
			for i := range f.Noise.Tests {
				q := &f.Noise.Tests[i]
				q.Kept, q.KeptSE = q.Kept[1:], q.KeptSE[1:]
			}
		}
		if got := rendertest.Reads(rendertest.Draw("lab", rendertest.Area(900, 560, 1), rendertest.Stage(f))); !strings.Contains(got, want) {
			t.Errorf("it reads %q without %q", got, want)
		}
	}
}

// TestNoiseKeys: arrows go through the numbers of draws and say what was found.
func TestNoiseKeys(t *testing.T) {
	s := stage.NewStage()
	s.SetScene("lab")
	s.Take(rendertest.Noised(.06))
	s.Fit(900, 560, 1)
	said := ""
	s.OnDescribe = func(text string) { said = text }
	s.Key("ArrowRight")
	if !s.Key("ArrowRight") || !strings.HasPrefix(said, "N = 5, \u03c3\u00b2 = 3.6, this run: ") {
		t.Errorf("it says %q", said)
	}
	left := s.Key("Escape")
	if s.Key("x") || !left || s.Key("Escape") {
		t.Error("keys that mean nothing are taken, or Escape is not")
	}
}
