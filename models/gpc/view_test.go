package gpc

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
)

// decodeFrame returns the latent part of an encoded and decoded frame with 5 particles of stage n, or with 5 rows of
// the path if n is 0. row returns the values of a particle.
func decodeFrame(t *testing.T, m *Classifier, n int, logw []float32) (latent *frame.Latent, row func(r int) []float64) {
	t.Helper()
	f := frame.Frame{N: 5, LogW: logw}
	if n > 0 {
		p := m.NewParticles().(*particles)
		p.Resize(5)
		p.SetStage(n)
		p.Reseed(rng.At{}, 0, 5, 3)
		p.Read(5, &f)
		row = p.row
	} else {
		c := m.New(5, []float64{0, 1}).(*chains)
		c.Draw(rng.At{})
		c.Read(5, &f)
		row = func(r int) []float64 { c.toLatent(c.row(r), c.scratch.x, c.scratch.tmp); return c.scratch.x }
	}
	g, err := frame.Decode(f.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	return g.Latent, row
}

// For inputs in one dimension every particle is a function: at a datum it equals the conditional mean, and the
// probabilities are weighted means over particles.
func TestGPCLine(t *testing.T) {
	f := lineData("rbf", 1)
	for _, n := range []int{0, 1, 7, 30} {
		m := newGPC(t, *f, nil)
		logw := []float32{0, -1, 2, 0.5, -3}
		l, row := decodeFrame(t, m, n, logw)
		if l.D != 1 || l.GW != 64 || l.GH != 1 || len(l.Values) != 5*64 || len(l.Mean) != 64 || len(l.Label) != 30 ||
			len(l.X) != 30 {
			t.Fatalf("n = %d: %+v", n, l)
		}
		count := n
		if n == 0 {
			count = 30
		}
		if len(l.ProbAtData) != count {
			t.Fatalf("n = %d: probabilities at %d data", n, len(l.ProbAtData))
		}
		total, norm := 0.0, 0.0
		for _, w := range logw {
			norm += math.Exp(float64(w))
		}
		for r := range 5 {
			x := row(r)
			for i := range x { // linear interpolation between the grid points around datum i
				at := (m.data.x[i] - float64(l.X0)) / float64(l.X1-l.X0) * 63
				k := int(at)
				a, b := float64(l.Values[r*64+k]), float64(l.Values[r*64+k+1])
				want := x[i]
				if n > 0 { // E[x|z] = z - S z
					b := m.stage(n)
					want -= num.Dot(x, b.s[i*n:])
				}
				if got := a + (at-float64(k))*(b-a); math.Abs(got-want) > .1 { // a straight line between grid points
					t.Errorf("n = %d: particle %d at datum %d is %.3f, want %.3f", n, r, i, got, want)
				}
				if i > 0 {
					continue
				}
				v := 1.0
				if n > 0 {
					v = 2 - m.stage(n).s[0]
				}
				total += math.Exp(float64(logw[r])) / norm * num.Phi(want/math.Sqrt(v))
			}
		}
		labtest.Near(t, "probability at datum 0", float64(l.ProbAtData[0]), total, 1e-6)
	}
}

// For inputs in two dimensions the frame has the mean probability on a grid, and K alone gives probabilities at the
// data only. For more data the grid is coarser, so that a frame takes little time.
func TestGPCField(t *testing.T) {
	m := newGPC(t, *moonData(), nil)
	l, _ := decodeFrame(t, m, 60, nil)
	if l.D != 2 || l.GW != 40 || l.GH != 40 || len(l.Values) != 0 || len(l.Mean) != 1600 {
		t.Fatalf("%d-D, %d x %d, %d values, %d means", l.D, l.GW, l.GH, len(l.Values), len(l.Mean))
	}
	agree := 0
	for i, y := range m.y {
		gx := int(math.Round((m.data.x[2*i] - float64(l.X0)) / float64(l.X1-l.X0) * 39))
		gy := int(math.Round((m.data.x[2*i+1] - float64(l.Y0)) / float64(l.Y1-l.Y0) * 39))
		p := float64(l.Mean[gy*40+gx])
		if math.Abs(p-float64(l.ProbAtData[i])) > .2 {
			t.Errorf("datum %d: on the grid %.2f, at the datum %.2f", i, p, l.ProbAtData[i])
		}
		if (p > .5) == (y > 0) {
			agree++
		}
	}
	if agree < 55 {
		t.Errorf("%d of 60 labels have a probability above 1/2, want nearly all", agree)
	}
	m = newGPC(t, threeData(), nil)
	if l, _ := decodeFrame(t, m, 3, nil); l.D != 0 || l.GW != 0 || len(l.ProbAtData) != 3 {
		t.Errorf("of K alone: %+v", l)
	}
	big := discs(300, "rbf", 1)
	if l, _ := decodeFrame(t, newGPC(t, big, nil), 300, nil); l.GW != 16 {
		t.Errorf("%d x %d points for 300 data", l.GW, l.GH)
	}
}

func TestGPCPictures(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(labtest.Root(t), "site/models/gpc-mnist35.bin"))
	if err != nil {
		t.Fatal(err)
	}
	load := func(string) ([]byte, error) { return b, nil }
	open := func(v spec.Values) *Classifier {
		m, err := kinds.Open("gpc-mnist35", v, load, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*Classifier)
	}
	m := open(nil)
	threes := 0
	for _, y := range m.y {
		if y > 0 {
			threes++
		}
	}
	l, _ := decodeFrame(t, m, 50, nil)
	if m.n != 200 || threes != 100 || l.W != 16 || l.H != 16 || len(l.Pictures) != 200*256 || len(l.ProbAtData) != 50 || l.D != 0 {
		t.Errorf("%d data, %d threes, %d x %d, %d bytes", m.n, threes, l.W, l.H, len(l.Pictures))
	}
	// Pictures belong to their inputs in any order, and equal those of the file.
	o := open(spec.Values{"order": "random"})
	l, _ = decodeFrame(t, o, 50, nil)
	sum := 0
	for i, ink := range l.Pictures {
		sum += int(ink)
		if float64(ink)/127.5-1 != o.data.x[i] {
			t.Fatal("pictures do not belong to their inputs")
		}
	}
	_, ink, _ := bytes.Cut(b, []byte("\n"))
	for i, x := range ink {
		if i%257 > 0 {
			sum -= int(x)
		}
	}
	if sum != 0 {
		t.Errorf("sum of ink differs by %d", sum)
	}
	for _, bad := range [][]byte{nil, []byte("{}"), []byte("{}\n"), b[:len(b)-1]} {
		if _, err := kinds.Open("gpc-mnist35", nil, func(string) ([]byte, error) { return bad, nil }, nil); err == nil {
			t.Errorf("picturesData accepts %d bytes", len(bad))
		}
	}
}

func BenchmarkGPCSweep(b *testing.B) {
	m, err := New(discs(200, "rbf", 3), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := m.NewParticles()
	p.Resize(100)
	p.SetStage(200)
	p.Reseed(rng.At{}, 0, 100, 1)
	b.ResetTimer()
	for i := range b.N {
		p.Move(rng.At{Step: uint32(i)}, 0, 100, 1)
	}
}

func BenchmarkGPCRead(b *testing.B) {
	m, err := New(*moonData(), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := m.NewParticles()
	p.Resize(100)
	p.SetStage(60)
	p.Reseed(rng.At{}, 0, 100, 1)
	var f frame.Frame
	b.ResetTimer()
	for range b.N {
		p.Read(100, &f)
	}
}
