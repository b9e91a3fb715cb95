package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// learning are the frames of a run that classifies data on a line (d 1), in the
// plane (d 2), or pictures (d 0), up to n of them.
func learning(d, R, data, n int) (fs []*frame.Frame) {
	rnd := rand.New(rand.NewPCG(3, uint64(d)))
	truth := func(x, y float64) float64 {
		if d == 2 {
			return 2.2 * (math.Sin(1.1*x) - 0.7*y + 0.3*math.Cos(2*y))
		}
		return 2.4*math.Sin(1.3*x) + 0.8*math.Cos(0.6*x)
	}
	l := frame.Latent{D: d, X0: -4, X1: 4}
	for range data {
		x, y := -3.8+7.6*rnd.Float64(), -2.4+4.8*rnd.Float64()
		label := int32(1)
		if rnd.Float64() > phi(truth(x, y)) {
			label = -1
		}
		l.Label = append(l.Label, label)
		l.X = append(l.X, []float32{float32(x), float32(y)}[:d]...)
	}
	switch d {
	case 1:
		l.GW, l.GH = 64, 1
	case 2:
		l.GW, l.GH, l.Y0, l.Y1 = 40, 40, -2.6, 2.6
	default:
		l.W, l.H = 16, 16
		ds := digits()
		for i := range data {
			for c := range 256 {
				x, y, s := c%16*28/16, c/16*28/16, 0
				for _, j := range [...]int{y*28 + x, y*28 + min(x+1, 27), min(y+1, 27)*28 + x, min(y+1, 27)*28 + min(x+1, 27)} {
					s += int(ds[i][j/8]>>(7-j%8)&1) * 63
				}
				l.Pictures = append(l.Pictures, byte(s))
			}
		}
	}
	parents := identity(R)
	logW := make([]float32, R)
	var record []frame.StageRecord
	wave := make([][6]float64, R)
	for r := range wave {
		for k := range 6 {
			wave[r][k] = rnd.NormFloat64()
		}
	}
	logZ := 0.0
	for stage := 1; stage <= n; stage++ {
		v := l
		v.Values, v.Mean = nil, nil
		known := float64(stage) / float64(data)
		f := &frame.Frame{Model: "gpc-1d", Method: "arm", Phase: "augment", Step: stage, Steps: data, N: R, Total: 2 * R}
		v.Mean = make([]float32, l.GW*l.GH)
		for r := range R {
			logW[r] = float32(rnd.NormFloat64() * 0.5)
			for g := range l.GW {
				if d != 1 {
					break
				}
				x := -4 + 8*float64(g)/63
				s := truth(x, 0) * math.Sqrt(known)
				for k := range 3 {
					s += 1.1 * math.Sqrt(1.02-0.85*known) * (wave[r][2*k]*math.Sin(float64(k+1)*0.55*x) +
						wave[r][2*k+1]*math.Cos(float64(k+1)*0.55*x)) / math.Sqrt(float64(k+1))
				}
				v.Values = append(v.Values, float32(s))
				v.Mean[g] += float32(phi(s)) / float32(R)
			}
		}
		for g := range v.Mean {
			if d == 2 {
				v.Mean[g] = float32(phi(truth(-4+8*float64(g%40)/39, -2.6+5.2*float64(g/40)/39) * 0.8 * math.Sqrt(known)))
			}
		}
		for i := range stage {
			p := 0.5 + 0.49*math.Tanh(2*rnd.NormFloat64()+1.5)*float64(l.Label[i])
			if d > 0 {
				y := 0.0
				if d == 2 {
					y = float64(l.X[2*i+1])
				}
				p = phi(truth(float64(l.X[d*i]), y) * math.Sqrt(known))
			}
			v.At = append(v.At, float32(p))
		}
		f.LogW, f.Latent = slices.Clone(logW), &v
		g := &frame.Growth{Stage: stage, Stages: data, R: R, Threshold: 0.7, Record: slices.Clone(record), Parents: parents}
		f.Growth = g
		fs = append(fs, f)
		gamma := 0.95 - 0.4*rnd.Float64()*rnd.Float64()
		rec := frame.StageRecord{N: stage, Batches: []int32{int32(R)}, Gamma: float32(gamma),
			ESS: float32(gamma) * float32(R)}
		parents = identity(R)
		if gamma < 0.7 {
			rec.Batches = append(rec.Batches, int32(R))
			next := slices.Clone(wave)
			k := 0
			for i := range parents {
				if rnd.Float64() < 0.6 || k < i-3 {
					k = min(max(k+1, i-2+rnd.IntN(4)), R-1)
				}
				parents[i], next[i] = int32(k), wave[k]
				for j := range 6 {
					next[i][j] += 0.25 * rnd.NormFloat64()
				}
			}
			wave = next
		}
		logZ -= 0.35 + 0.2*rnd.Float64()
		rec.LogZ = logZ
		record = append(record, rec)
	}
	return fs
}

// Functions that nothing can be drawn over say so, and leave their room to the strips.
func TestFunctionsWithoutPicture(t *testing.T) {
	fs := learning(0, 20, 30, 20)
	for _, f := range fs {
		f.Latent.W, f.Latent.H, f.Latent.Pictures = 0, 0, nil
	}
	p := picturing(fs...)
	for _, size := range [][2]float64{{704, 590}, {360, 456}} {
		a := testArea(size[0], size[1], 1)
		ls := draw("function", a, p)
		if s := reads(ls); !strings.Contains(s, "cannot be drawn|Only functions of one or two inputs") ||
			strings.Contains(s, "No functions yet") {
			t.Errorf("words %q", s)
		}
		for _, m := range all(ls, paint.Text) {
			if m.Text == "Evidence" && m.At.Y > 0.5*a.H {
				t.Errorf("at %v the evidence begins at %v", size, m.At.Y)
			}
		}
	}
}
