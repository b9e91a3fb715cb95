package noise

import (
	"math"
	"strings"
	"testing"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// TestNoise checks that measured fractions are on the theoretical lines if they agree with the theory, and measured
// times on the curve of times, whose minimum is 1; the texts contain the number of draws of the run and the default.
func TestNoise(t *testing.T) {
	p := rendertest.StageWith(rendertest.NoiseFrame(.06))
	a := rendertest.Area(900, 560, 1)
	ls := rendertest.Draw("lab", a, p)
	v := newView(a, rendertest.SceneOf[*noises](p))
	if got := v.time(v.n.Timed.BestVar); math.Abs(got-1) > 1e-12 {
		t.Errorf("the minimum time is %v, want 1", got)
	}
	for _, s := range []float64{.8, 1.25} {
		if v.time(s*v.n.Timed.BestVar) <= 1 {
			t.Errorf("%v times the best variance takes less time than the minimum", s)
		}
	}
	spots := map[paint.Point]bool{}
	for _, m := range rendertest.MarksOfKind(ls, paint.Disc) {
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
				t.Errorf("N = %d: no mark at %v", q.Draws, at)
			}
		}
	}
	if got := rendertest.Texts(ls); !strings.Contains(got, "|N = 10|") || !strings.Contains(got, "|picked (inner = 0)|12|") ||
		!strings.Contains(got, "10 \u00b5s + N \u00d7 5 \u00b5s") {
		t.Errorf("texts %q", got)
	}
}

// TestNoiseNames checks that the label of the first line says that its number is one of steps.
func TestNoiseNames(t *testing.T) {
	for first, want := range map[int]string{1: "|1 step|2|5|", 5: "|5 steps|20|"} {
		f := rendertest.NoiseFrame(.2)
		for f.Noise.Steps[0] != first {
			f.Noise.Steps = f.Noise.Steps[1:]
			for i := range f.Noise.Tests {
				q := &f.Noise.Tests[i]
				q.ESSRatio, q.ESSRatioSE = q.ESSRatio[1:], q.ESSRatioSE[1:]
			}
		}
		got := rendertest.Texts(rendertest.Draw("lab", rendertest.Area(900, 560, 1), rendertest.StageWith(f)))
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

// TestNoiseKeys checks that arrows select a test and describe it.
func TestNoiseKeys(t *testing.T) {
	s := stage.NewStage()
	s.SetScene("lab")
	s.Take(rendertest.NoiseFrame(.06))
	s.Fit(900, 560, 1)
	said := ""
	s.OnDescribe = func(text string) { said = text }
	s.Key("ArrowRight")
	if !s.Key("ArrowRight") || !strings.HasPrefix(said, "N = 5, \u03c3\u00b2 = 3.6, this run: ") {
		t.Errorf("description %q", said)
	}
	left := s.Key("Escape")
	if s.Key("x") || !left || s.Key("Escape") {
		t.Error("unknown keys are used, or Escape is not")
	}
}
