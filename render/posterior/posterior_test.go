package posterior

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

// TestSmooth checks that a kernel density estimate has mass 1 and the mean and standard deviation of the sample, and
// that a sample with one heavy point has a narrow kernel.
func TestSmooth(t *testing.T) {
	for name, s := range map[string]sample{
		"even": {[]float64{-1, 0, 0.5, 2}, []float64{.25, .25, .25, .25}},
		"one":  {[]float64{-1, 0.5}, []float64{0, 1}},
		"odd":  {[]float64{0, 1e9, math.Inf(-1)}, []float64{1, 0, 0}},
	} {
		if name == "odd" { // checks only that it ends
			s.smooth(-1, 1, 50, 1)
			continue
		}
		const n, lo, hi = 400, -8, 9
		mass, mean, square := 0.0, 0.0, 0.0
		for i, d := range s.smooth(lo, hi, n, 1) {
			x, step := lo+(hi-lo)*float64(i)/(n-1), (hi-lo)/float64(n-1)
			mass, mean, square = mass+d*step, mean+x*d*step, square+x*x*d*step
		}
		want, sd := s.moments()
		if got := math.Sqrt(square - mean*mean); math.Abs(mass-1) > .02 || math.Abs(mean-want) > .05 ||
			math.Abs(got-max(sd, .07)) > .1 {
			t.Errorf("%s: mass %.3f, mean %.3f, standard deviation %.3f, want 1, %.3f, %.3f", name, mass, mean, got, want, sd)
		}
	}
}

// TestPosteriorSharpens checks that during a run the window becomes narrower and the curve higher, and that at the end
// the particles have the exact mean and standard deviation, within the error of 80 particles.
func TestPosteriorSharpens(t *testing.T) {
	fs := rendertest.RealRuns()["linreg"]
	show := func(fs []*frame.Frame) (*posteriorView, string) {
		p := rendertest.StageWith(fs...)
		a := rendertest.Area(704, 456, 1)
		v := &posteriorView{a: a, p: &p.Run, pages: &pages{}, w: p.Run.Particles[0], names: p.Run.Particles[0].Parameters.Names}
		text := rendertest.Texts(rendertest.Draw("posterior", a, p))
		v.chooseRows()
		return v, text
	}
	first, _ := show(fs[:2])
	last, text := show(fs)
	for k := range last.names {
		_, wide := first.column(k).moments()
		mean, sd := last.column(k).moments()
		exact, narrow := last.quantiles(last.w.Parameters.Target, k).moments()
		if wide < 5*sd || math.Abs(mean-exact) > 3*narrow/math.Sqrt(20) || math.Abs(sd/narrow-1) > .4 {
			t.Errorf("%s: %.2f ± %.2f, first ± %.2f, exact %.2f ± %.2f", last.names[k], mean, sd, wide, exact, narrow)
		}
		if s := record.WithError(mean, sd); !strings.Contains(text, s) {
			t.Errorf("%q is missing in %q", s, text)
		}
		lo, hi := window(last.column(k), last.quantiles(last.w.Parameters.Base, k))
		if hi-lo > 12.1*sd || mean < lo || mean > hi {
			t.Errorf("%s: the window is %.2f to %.2f", last.names[k], lo, hi)
		}
	}
	if last.dots != len(last.rows) || len(last.rows) != 80 {
		t.Errorf("%d of %d particles are drawn at the end, want 80", last.dots, len(last.rows))
	}
}

// TestPilotIsForgotten checks that a run with fewer particles than its pilot has no rows of the pilot.
func TestPilotIsForgotten(t *testing.T) {
	fs := rendertest.RealRuns()["pilot"]
	if w := rendertest.StageWith(fs[:2]...).Run.Particles[0]; len(w.Slots) != 100 {
		t.Errorf("%d rows in the pilot, want 100", len(w.Slots))
	}
	if w := rendertest.StageWith(fs...).Run.Particles[0]; len(w.Slots) != 80 {
		t.Errorf("%d rows at the end, want 80", len(w.Slots))
	}
}

// TestAreaIsWeight checks that without resampling the area of a dot is its weight.
func TestAreaIsWeight(t *testing.T) {
	p := rendertest.StageWith(rendertest.RealRuns()["is2"]...)
	a := rendertest.Area(704, 456, 1)
	ls := rendertest.Draw("posterior", a, p)
	v := &posteriorView{a: a, p: &p.Run, pages: &pages{}, w: p.Run.Particles[0], names: p.Run.Particles[0].Parameters.Names}
	v.chooseRows()
	heavy := 0.0
	for _, s := range v.share {
		heavy = max(heavy, s)
	}
	sum := 0.0
	for _, s := range v.share {
		sum += s
	}
	if math.Abs(sum-1) > 1e-9 || heavy < 3/float64(len(v.rows)) {
		t.Errorf("weights sum to %g, the largest is %g", sum, heavy)
	}
	m := rendertest.MarksOfKind(ls, paint.Dots)[0]
	most, least := m.Radii[0], m.Radii[len(m.Radii)-1]
	if !(most > 2.5*least) {
		t.Errorf("radii from %g to %g", least, most)
	}
}

// TestManyParameters checks that six of twelve parameters are shown, and that Page Down shows the others.
func TestManyParameters(t *testing.T) {
	s := stage.NewStage()
	f := &frame.Frame{Model: "m", Method: "aisel", N: 3, Total: 3, Points: make([]float32, 6), Beta: []float32{1, 1, 1},
		Parameters: &frame.Parameters{}}
	for k := range 12 {
		f.Parameters.Names = append(f.Parameters.Names, "p"+string(rune('a'+k)))
		f.Parameters.X = append(f.Parameters.X, float32(k), 1, 2)
	}
	s.Take(f)
	s.SetScene("posterior")
	s.Fit(704, 456, 1)
	s.W, s.H = 704, 456
	names := func() string {
		ls, _ := s.Layers()
		return rendertest.Texts(ls)
	}
	if got := names(); !strings.Contains(got, "pa|") || strings.Contains(got, "pg|") || !strings.Contains(got, "6 of 12") {
		t.Errorf("first page: %s", got)
	}
	if got := ""; !s.Key("PageDown") || s.Key("PageDown") {
		t.Error("Page Down does not lead to exactly one more page")
	} else if got = names(); strings.Contains(got, "pa|") || !strings.Contains(got, "pl|") {
		t.Errorf("second page: %s", got)
	}
}
