package plane

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/stage"
)

func TestOddPlanes(t *testing.T) {
	nan := float32(math.NaN())
	flat := &frame.Field{X0: -1, X1: 1, Y0: -1, Y1: 1, W: 2, H: 2, Log0: make([]float32, 4),
		Log1: []float32{nan, nan, nan, nan}}
	narrow := rendertest.ThreeGaussians()
	for i := range narrow.Log1 {
		if i != 40 {
			narrow.Log1[i] = float32(math.Inf(-1))
		}
	}
	one := &frame.Frame{Model: "m", Method: "ais", N: 1, Total: 5000, Points: []float32{0, 0}, Beta: []float32{nan},
		LogW: []float32{nan}}
	lost := &frame.Frame{Model: "m", Method: "ais", N: 2, Points: []float32{nan, 0, 1e30, float32(math.Inf(1))},
		Beta: []float32{0, 2}, LogW: []float32{nan, float32(math.Inf(-1))}}
	for name, fs := range map[string][]*frame.Frame{
		"one point": {one}, "one point on flat": {{Field: flat}, one}, "narrow": {{Field: narrow}, one},
		"lost":       {{Field: rendertest.ThreeGaussians()}, lost},
		"lost alone": {lost}, "field alone": {{Field: rendertest.ThreeGaussians()}}, "flat alone": {{Field: flat}},
	} {
		p := rendertest.StageWith(fs...)
		for _, w := range []float64{704, 390} {
			a := rendertest.Area(w, 456, 1)
			rendertest.CheckMarks(t, name, a, rendertest.Draw("plane", a, p))
		}
	}
}

func TestPlaneMarks(t *testing.T) {
	p := rendertest.StageWith(rendertest.AnnealedRun(400, 1)...)
	a := rendertest.Area(704, 456, 1)
	ls := rendertest.Draw("plane", a, p)
	d := rendertest.MarksOfKind(ls, paint.Dots)[0]
	if len(d.Pts) != 400 {
		t.Fatalf("%d dots, want 400", len(d.Pts))
	}
	for i := 1; i < len(d.Radii); i++ {
		if d.Radii[i] > d.Radii[i-1] {
			t.Fatal("a light particle is below a heavier one")
		}
	}
	// Estimated masses sum to 100 %; the exact ones are those of the components.
	found, exact := 0, regexp.MustCompile(`exact (\d+)\x{a0}%`).FindAllStringSubmatch(rendertest.Texts(ls), -1)
	for _, m := range regexp.MustCompile(`(\d+)\x{a0}% of the mass`).FindAllStringSubmatch(rendertest.Texts(ls), -1) {
		share, _ := strconv.Atoi(m[1])
		found += share
	}
	if found < 99 || found > 101 || len(exact) != 3 || exact[0][1] != "52" || exact[1][1] != "33" || exact[2][1] != "15" {
		t.Errorf("masses sum to %v, exact %v", found, exact)
	}
	// The relief is reused while beta is constant, and computed again when it changes.
	g := rendertest.MarksOfKind(ls, paint.Ground)[0].Relief
	if rendertest.MarksOfKind(rendertest.Draw("plane", a, p), paint.Ground)[0].Relief != g {
		t.Error("the relief of the same density was computed twice")
	}
	next := rendertest.AnnealedRun(400, 0.5)
	p.Add(next[len(next)-1])
	p.Add(next[len(next)-2])
	if rendertest.MarksOfKind(rendertest.Draw("plane", a, p), paint.Ground)[0].Relief != g ||
		!rendertest.SceneOf[*plane](p).background.Density().ReliefPending {
		t.Error("the relief was computed twice at one time")
	}
	p.Run.Now++
	if rendertest.MarksOfKind(rendertest.Draw("plane", a, p), paint.Ground)[0].Relief == g {
		t.Error("the relief was not computed again when beta changed")
	}
}

// TestAreaIsWeight checks that the area of a dot is its weight, even if a few of many points have nearly all the
// weight.
func TestAreaIsWeight(t *testing.T) {
	const n = 2000
	f := &frame.Frame{Model: "hills", Method: "is", N: n, Total: n, Points: make([]float32, 2*n),
		Beta: slices.Repeat([]float32{1}, n), LogW: make([]float32, n)}
	f.LogW[0], f.LogW[1] = float32(math.Log(4000)), float32(math.Log(400))
	a := rendertest.Area(704, 456, 1)
	p := rendertest.StageWith(&frame.Frame{Model: "hills", Field: rendertest.ThreeGaussians()}, f)
	r := rendertest.MarksOfKind(rendertest.Draw("plane", a, p), paint.Dots)[0].Radii
	if got := r[0] / r[1]; math.Abs(got-math.Sqrt(10)) > 1e-3 || r[0] > 20 || r[0] < 15 {
		t.Errorf("radii of weights 10:1 are %g and %g", r[0], r[1])
	}
}

// TestDotsAreWhole checks that dots at the edge of the plane are drawn whole if their centre is in it, else not at
// all.
func TestDotsAreWhole(t *testing.T) {
	p := rendertest.StageWith(&frame.Frame{Model: "hills", Field: rendertest.ThreeGaussians()})
	a := rendertest.Area(390, 320, 1)
	v := NewPlane(a, &p.Run, rendertest.SceneOf[*plane](p).background.Density(), &record.Particles{Model: "hills"})
	left, y := float32(v.Sx.D0), float32((v.Sy.D0+v.Sy.D1)/2)
	nan := float32(math.NaN())
	p.Add(&frame.Frame{Model: "hills", Method: "is", N: 3, Total: 3,
		Points: []float32{left + 0.01, y, left - 0.1, y, 0, y}, Beta: []float32{1, 1, 1}, LogW: []float32{nan, nan, nan}})
	var seen []paint.Point
	for _, l := range rendertest.Draw("plane", a, p) {
		for _, m := range l.Marks {
			if m.Kind == paint.Dots {
				if seen = append(seen, m.Pts...); l.Clip.W > 0 {
					t.Errorf("dots are clipped at %v", l.Clip)
				}
			}
		}
	}
	if len(seen) != 2 {
		t.Errorf("dots at %v, want two", seen)
	}
}

// TestPlaneOfSlides checks that on a slide the labels of components above each other do not overlap, and that the bar
// of temperatures fits (mixture2).
func TestPlaneOfSlides(t *testing.T) {
	field := rendertest.MixtureField([4]float32{-7.25, 5.7, -5.25, 5.2}, 4,
		[][4]float64{{.5, -3.5, -1.5, .9}, {.3, 3, 2.5, .6}, {.2, 2.5, -3, .4}})
	p := rendertest.StageWith(rendertest.AnnealedRunOn(field, 400, 1, 20)...)
	for high := 185.; high < 260; high += 5 {
		a := rendertest.Area(533, high, 2.4)
		rendertest.CheckMarks(t, fmt.Sprint(high), a, rendertest.Draw("plane", a, p))
	}
}

// TestPlaneLow checks that a low plane, as in a lecture on a wide screen, has the bar of temperatures but no upper
// marginal.
func TestPlaneLow(t *testing.T) {
	p := rendertest.StageWith(rendertest.AnnealedRun(400, 1)...)
	for high, want := range map[float64]bool{456: true, 270: true, 200: true, 170: false} {
		a := rendertest.Area(536, high, 1)
		ls := rendertest.Draw("plane", a, p)
		if got := strings.Contains(rendertest.Texts(ls), "β = 0|"); got != want {
			t.Errorf("height %v: has temperatures = %v in %s", high, got, rendertest.Texts(ls))
		}
		if box := rendertest.MarksOfKind(ls, paint.Ground)[0].Box; box.H < 80 || box.Y < 0 || box.Y+box.H > high {
			t.Errorf("height %v: the plane is %v", high, box)
		}
	}
}

// TestReliefAreas compares the area inside a contour of a normal density with its formula: log density falls by L at
// r^2 = 2 L s^2.
func TestReliefAreas(t *testing.T) {
	f := &frame.Field{X0: -5, X1: 5, Y0: -5, Y1: 5, W: 40, H: 40}
	for k := range 1600 {
		x, y := -5+(float64(k%40)+0.5)/4, 5-(float64(k/40)+0.5)/4
		f.Log0 = append(f.Log0, 0)
		f.Log1 = append(f.Log1, float32(-(x*x+y*y)/2))
	}
	d := newDensity(f)
	b := paint.XYWH(0, 0, 400, 400)
	r := d.Relief(0, b, paint.NewAxis(-5, 5, 0, 400), paint.NewAxis(-5, 5, 400, 0), 1, 5, 1)
	for k, l := range paint.Contours {
		area := 0.0
		for i := 0; i+2 < len(r.Bands[k]); i += 3 {
			p, q, s := r.Bands[k][i], r.Bands[k][i+1], r.Bands[k][i+2]
			area += math.Abs((q.X-p.X)*(s.Y-p.Y)-(q.Y-p.Y)*(s.X-p.X)) / 2
		}
		if want := math.Pi * 2 * l * 1600; math.Abs(area-want) > 0.02*want+20 {
			t.Errorf("area inside %v nats = %v square pixels, want %v", l, area, want)
		}
	}
	s := d.at(knots)
	if math.Abs(s.x[20]-0.25*0.396) > 0.002 {
		t.Errorf("marginal mass of a central cell = %v, want 0.099", s.x[20])
	}
}

// TestSharesByTemperature checks that weights are compared only at the same temperature.
func TestSharesByTemperature(t *testing.T) {
	f := &frame.Frame{Model: "m", Method: "ais", N: 4, Points: make([]float32, 8),
		Beta: []float32{1, 1, 0.5, 0.5}, LogW: []float32{0, 0, 50, float32(50 + math.Log(3))}}
	for i := range f.Points {
		f.Points[i] = float32(i)
	}
	p := rendertest.StageWith(f)
	v := NewPlane(rendertest.Area(704, 456, 1), &p.Run, rendertest.SceneOf[*plane](p).background.Density(), p.Run.Particles[0])
	for i, want := range []float64{0.25, 0.25, 0.125, 0.375} {
		if math.Abs(v.weightShare[i]-want) > 1e-6 {
			t.Errorf("share of particle %d is %v, want %v", i, v.weightShare[i], want)
		}
	}
}

// TestPlaneAxes checks that axes have names of parameters and scales of their own, and that Page Down and Page Up show
// others.
func TestPlaneAxes(t *testing.T) {
	s := stage.NewStage()
	s.Take(&frame.Frame{Model: "m", Method: "aisel", N: 3, Total: 3, Points: []float32{1, 3000, 2, 3100, 3, 3200},
		Beta: []float32{1, 1, 1}, Parameters: &frame.Parameters{Names: []string{"rho", "alpha", "beta.1"},
			X: []float32{1, 3000, -5, 2, 3100, -6, 3, 3200, -7}}})
	s.SetScene("plane")
	s.Fit(704, 456, 1)
	s.W, s.H = 704, 456
	shown := func() string {
		ls, _ := s.Layers()
		return rendertest.Texts(ls)
	}
	if got := shown(); !strings.Contains(got, "rho|") || !strings.Contains(got, "alpha|") ||
		strings.Contains(got, "beta.1") || !strings.Contains(got, "|3.0|") || !strings.Contains(got, "|3,100|") {
		t.Errorf("first axes: %s", got)
	}
	for _, want := range []string{"rho beta.1", "alpha beta.1", "alpha rho"} {
		if !s.Key("PageDown") {
			t.Fatal("Page Down is not used")
		}
		got := shown()
		x, y, _ := strings.Cut(want, " ")
		if !strings.Contains(got, x+"|"+y+"|") {
			t.Errorf("axes %s are missing in %s", want, got)
		}
	}
	if !s.Key("PageUp") {
		t.Error("Page Up is not used")
	}
	if got := shown(); !strings.Contains(got, "alpha|beta.1|") {
		t.Errorf("after Page Up: %s", got)
	}
}

// TestComponentsAreWhole checks on tall and wide canvases that all cells within componentDepth of the top of their
// component are in the plane, and all contours.
func TestComponentsAreWhole(t *testing.T) {
	for _, size := range [][2]float64{{390, 700}, {1280, 420}, {704, 456}} {
		p := stage.NewStage()
		p.Add(&frame.Frame{Model: "mixture2", Field: rendertest.ThreeGaussians()})
		d := rendertest.SceneOf[*plane](p).background.Density()
		a := rendertest.Area(size[0], size[1], 1)
		v := NewPlane(a, &p.Run, rendertest.SceneOf[*plane](p).background.Density(), &record.Particles{Model: "mixture2"})
		tops := map[uint8]float64{}
		for k, z := range d.log1 {
			if top, ok := tops[d.basin[k]]; !ok || z > top {
				tops[d.basin[k]] = z
			}
		}
		if len(tops) != 3 {
			t.Fatalf("%d components, want 3", len(tops))
		}
		for k, z := range d.log1 {
			x, y := d.centre(k)
			seen := z >= tops[d.basin[k]]-4.5 || z >= -slices.Max(paint.Contours[:])
			if px, py := v.Sx.At(x), v.Sy.At(y); seen && !v.Box.Contains(paint.Pt(px, py)) {
				t.Fatalf("%v: a component is outside the plane at (%.1f, %.1f)", size, x, y)
			}
		}
	}
}

// TestReliefBeyondTheField checks that a field is extrapolated as a parabola, so that a normal density stays round on
// a canvas twice as high as the field.
func TestReliefBeyondTheField(t *testing.T) {
	in, out := make([]float64, 30), make([]float64, 1)
	for i := range in {
		in[i] = -math.Pow(float64(i)-15, 2) / 50
	}
	if cubic(in, []float64{55}, out); math.Abs(out[0]+32) > 1e-6 {
		t.Errorf("extrapolation = %g, want -32", out[0])
	}
}

func BenchmarkRelief(b *testing.B) {
	p := rendertest.StageWith(rendertest.AnnealedRun(100, 1)...)
	v := NewPlane(rendertest.Area(480, 320, 1), &p.Run, rendertest.SceneOf[*plane](p).background.Density(), p.Run.Particles[0])
	b.ReportAllocs()
	for i := range b.N {
		rendertest.SceneOf[*plane](p).background.Density().Relief(0, v.Box, v.Sx, v.Sy, 0.3+0.02*float64(i%20), 6, float64(i))
	}
}
