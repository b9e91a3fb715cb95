package rbm

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models"
)

// TestClampText checks that all texts of a drawing give the same canonical text, and that invalid texts are errors.
func TestClampText(t *testing.T) {
	for in, want := range map[string]string{"": "", "5i": "5i", "5i1-6i": "5i2", "9p-3i2-5p": "3i2-5p-9p", "5i3-6i": "5i3",
		"7p2-5p2": "5p4"} {
		if got, err := clamp.Check(in); got != want || err != nil {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
	}
	for _, bad := range []string{"x", "5", "5q", "i3", "5i0", "5i-", "-", "5i3-6p", "65535i2", "-1i",
		"5i99999999999999999999"} {
		if got, err := clamp.Check(bad); err == nil {
			t.Errorf("%q = %q, want an error", bad, got)
		}
	}
}

// TestClamp compares log Z, its blocks, ladder, stages and bounds of a clamped RBM with sums over all states of the
// free units. It also checks that pictures show the clamped pixels, and log Z of the unclamped model.
func TestClamp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := Params{M: 9, J: 3}
	for range p.M * p.J {
		p.W = append(p.W, r.NormFloat64())
	}
	for range p.M {
		p.C, p.P1 = append(p.C, r.NormFloat64()), append(p.P1, .2+.6*r.Float64())
	}
	p.B = []float64{.3, -1, .5}
	logF := func(v int) float64 { // hidden units summed out
		s := 0.0
		x := append([]float64{}, p.B...)
		for i := range p.M {
			if v>>i&1 == 1 {
				s += p.C[i]
				for j := range x {
					x[j] += p.W[i*p.J+j]
				}
			}
		}
		for _, x := range x {
			s += math.Log1p(math.Exp(x))
		}
		return s
	}
	const ink, paper = 1<<2 | 1<<3, 1<<6 | 1<<0
	sum, all := 0.0, 0.0
	for v := range 1 << p.M {
		f := math.Exp(logF(v))
		all += f
		if v&ink == ink && v&paper == 0 {
			sum += f
		}
	}
	open, err := p.Open("drawn", "", spec.Values{"clamp": "2i2-0p-6p"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := open.(*clamped)
	if models.RowCapabilitiesOf(m.New(1, []float64{0, 1})).FlipUnits == nil {
		t.Error("the population has no FlipUnits")
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%s is %.9f, want %.9f", what, got, want)
		}
	}
	near("log Z", m.Truth().LogZ, math.Log(sum))
	near("log Z of the unclamped model", models.CapabilitiesOf(m).Exact.Unclamped().LogZ, math.Log(all))
	n, _ := m.Blocks(10)
	blocks := make([]float64, n)
	m.LogBlocks(0, blocks)
	z := 0.0
	for _, b := range blocks {
		z += math.Exp(b)
	}
	near("the sum of blocks", math.Log(z), math.Log(sum))
	ladder, err := m.LadderLogZ([]float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	near("log Z(0)", ladder[0], m.LogZ0())
	near("log Z(1)", ladder[1], math.Log(sum))
	for _, absent := range []string{"off", "rates", "mean-field"} {
		s := m.Fill(absent)
		if s.Stages() != p.M-4 {
			t.Errorf("%d stages", s.Stages())
		}
		stages := s.StageLogZ()
		near("log Z of the last stage", stages[len(stages)-1], math.Log(sum))
		particles := s.NewParticles()
		particles.Resize(2)
		near("log Z_1", particles.Init(rng.At{Key: rng.NewKey(1, "t", 0)}), stages[0])
		f := frame.Frame{Growth: &frame.Growth{}}
		particles.Read(2, &f)
		present := 0
		for _, x := range f.Pixels[:f.W*f.H] {
			if x != 2 {
				present++
			}
		}
		if present != 5 || f.Pixels[2] != 1 || f.Pixels[3] != 1 || f.Pixels[0] != 0 || f.Pixels[6] != 0 {
			t.Errorf("the first picture is %v", f.Pixels[:f.W*f.H])
		}
		if c := f.Growth.Cell[0]; f.Pixels[c] == 2 {
			t.Errorf("first pixel = %d", c)
		}
	}
	if floor, _ := m.Floor(func() bool { return true }); floor > math.Log(sum) || floor < math.Log(sum)-2 {
		t.Errorf("floor = %g, log Z = %g", floor, math.Log(sum))
	}
	rows := m.New(3, []float64{0, 1})
	rows.Draw(rng.At{Key: rng.NewKey(1, "t", 0)})
	var f frame.Frame
	rows.Read(3, &f)
	for r := range 3 {
		pic := f.Pixels[r*f.W*f.H : (r+1)*f.W*f.H]
		if pic[2] != 1 || pic[3] != 1 || pic[0] != 0 || pic[6] != 0 || pic[1] > 1 || pic[8] > 1 {
			t.Errorf("row %d shows %v", r, pic)
		}
		if floor := m.FloorFrom(pic); floor > math.Log(sum) {
			t.Errorf("row %d: FloorFrom = %g, log Z = %g", r, floor, math.Log(sum))
		}
	}
	for _, bad := range []string{"9i", "0i9"} {
		if _, err := p.Open("drawn", "", spec.Values{"clamp": bad}, nil); err == nil {
			t.Errorf("clamp=%s is accepted", bad)
		}
	}
}
