package rbm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/internal/labtest"
)

// barsAndStripes is every 4x4 picture whose rows are constant or whose columns
// are constant: 30 pictures.
func barsAndStripes() (bits []uint8) {
	for s := range 16 {
		for i := range 16 {
			bits = append(bits, uint8(s>>(i/4)&1))
		}
	}
	for s := 1; s < 15; s++ {
		for i := range 16 {
			bits = append(bits, uint8(s>>(i%4)&1))
		}
	}
	return bits
}

// tiny are training parameters that take milliseconds.
var tiny = Training{Hidden: 4, Persistent: true, Steps: 2, Updates: 60, Batch: 15, Rate: 0.1, Decay: 1e-4,
	InitSD: 0.05, Seed: 7}

// fingerprint returns the SHA-256 of the bits of W, c and b, little endian.
func fingerprint(w *Weights) string {
	var buf []byte
	for _, p := range [][]float64{w.W, w.C, w.B} {
		for _, x := range p {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
		}
	}
	sum := sha256.Sum256(buf)
	return hex.EncodeToString(sum[:])
}

// TestTrainBytes retrains tiny models and compares their bytes with committed ones, for several numbers of processors.
func TestTrainBytes(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(labtest.Root(t), "models/testdata/rbm_train.sha256"))
	if err != nil {
		t.Fatal(err)
	}
	cd := tiny
	cd.Persistent, cd.Steps, cd.Ramp = false, 5, 0.5
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		var got []string
		for _, recipe := range []Training{tiny, cd} {
			w, err := Train(barsAndStripes(), 16, recipe, nil)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fingerprint(w))
		}
		if strings.Join(got, "\n") != strings.TrimSpace(string(want)) {
			t.Errorf("%d processors: fingerprints of the PCD and the CD model\n%s\nwant\n%s", procs, strings.Join(got, "\n"),
				want)
		}
	}
}

// meanLogLikelihood is exact: log Z sums log f(v) over all v.
func meanLogLikelihood(w *Weights, bits []uint8) float64 {
	logF := func(v []uint8) float64 {
		x := append([]float64(nil), w.B...)
		out := 0.0
		for i, on := range v {
			if on == 1 {
				out += w.C[i]
				for j := range x {
					x[j] += w.W[i*w.J+j]
				}
			}
		}
		for _, a := range x {
			out += num.Softplus(a)
		}
		return out
	}
	all := make([]float64, 1<<w.M)
	v := make([]uint8, w.M)
	for s := range all {
		for i := range v {
			v[i] = uint8(s >> i & 1)
		}
		all[s] = logF(v)
	}
	n := len(bits) / w.M
	mean := 0.0
	for k := range n {
		mean += logF(bits[k*w.M:(k+1)*w.M]) / float64(n)
	}
	return mean - num.LogSumExp(all)
}

// TestTrainRaisesLikelihood trains on bars and stripes, where the best model
// reaches -log 30 = -3.4 nats, independent pixels -16 log 2 = -11.1. The runs
// are fixed, so the tolerances are tight. Planted bugs they catch: hidden
// probabilities not updated after the last visible draw (cd10 -4.8), chains of
// PCD restarted at the data (pcd -4.2) or chains of CD not (cd1 -6.7), one
// stream for all chains (all), no gradient of the visible biases (all), a sum
// of v ph' not cleared (all).
func TestTrainRaisesLikelihood(t *testing.T) {
	bits := barsAndStripes()
	for name, recipe := range map[string]struct {
		Training
		least float64
	}{
		"cd1":  {Training{Hidden: 12, Steps: 1}, -4.5},
		"cd10": {Training{Hidden: 12, Steps: 10, Ramp: 0.5}, -4},
		"pcd":  {Training{Hidden: 12, Steps: 1, Persistent: true}, -4},
	} {
		r := recipe.Training
		r.Updates, r.Batch, r.Rate, r.Decay, r.InitSD, r.Seed = 6000, 30, 0.1, 1e-4, 0.05, 1
		w, err := Train(bits, 16, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := meanLogLikelihood(w, bits)
		t.Logf("%s: mean log-likelihood %.2f", name, got)
		if !(got > recipe.least) {
			t.Errorf("%s: mean log-likelihood %.2f, want above %.2f", name, got, recipe.least)
		}
	}
}

// TestGradient compares one step with the centred gradient as Melchior, Fischer and Wiskott write it, mean over data
// minus mean over chains of (v - mu)(ph - lambda)', and with the plain one, whose centres are 0. It catches a wrong
// sign or term of the centring, which would change the path of a run but not its limit.
func TestGradient(t *testing.T) {
	for _, plain := range []bool{false, true} {
		testGradient(t, plain)
	}
}

func testGradient(t *testing.T, plain bool) {
	const m, J, rate, decay = 16, 4, 0.5, 0.01
	recipe := tiny
	recipe.Decay, recipe.Plain = decay, plain
	r := newTrainer(barsAndStripes(), m, recipe)
	r.drawBatch(0)
	if err := r.pack(); err != nil {
		t.Fatal(err)
	}
	mu, lambda := r.mu, r.lambda
	if plain {
		mu, lambda = make([]float64, m), make([]float64, J)
	}
	for j := range r.lambda {
		if !plain {
			r.lambda[j] = 0.2 + float64(j)/10
		}
	}
	for _, c := range r.chains {
		c.run(r, 0)
	}
	n := float64(len(r.chains))
	p := func(x int32) float64 { return float64(x) / (1 << probBits) }
	gw, gc, gb := make([]float64, m*J), make([]float64, m), make([]float64, J)
	for _, c := range r.chains {
		for i := range m {
			for j := range J {
				d := (float64(c.data[i]) - mu[i]) * (p(c.pd[j]) - lambda[j])
				gw[i*J+j] += (d - (float64(c.v[i])-mu[i])*(p(c.pm[j])-lambda[j])) / n
			}
			gc[i] += (float64(c.data[i]) - float64(c.v[i])) / n
		}
		for j := range J {
			gb[j] += (p(c.pd[j]) - p(c.pm[j])) / n
		}
	}
	for i := range m {
		for j := range J {
			gc[i] -= gw[i*J+j] * lambda[j]
			gb[j] -= gw[i*J+j] * mu[i]
		}
	}
	near := func(name string, i int, was, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s[%d] went from %v to %v, want %v", name, i, was, got, want)
		}
	}
	w := Weights{W: slices.Clone(r.w.W), C: slices.Clone(r.w.C), B: slices.Clone(r.w.B)}
	r.ascend(rate)
	for i, x := range w.W {
		near("W", i, x, r.w.W[i], x*(1-rate*decay)+rate*gw[i])
	}
	for i, x := range w.C {
		near("c", i, x, r.w.C[i], x+rate*gc[i])
	}
	for j, x := range w.B {
		near("b", j, x, r.w.B[j], x+rate*gb[j])
	}
}

// TestTracked passes the ends of the chains of PCD as samples, with equal shares: the step is identical, bit for bit.
// Unequal shares weight a sample as if it occurred several times.
func TestTracked(t *testing.T) {
	own := newTrainer(barsAndStripes(), 16, tiny)
	if err := own.Step(nil); err != nil {
		t.Fatal(err)
	}
	given := tiny
	given.Tracked = true
	var same, weighted []ModelSample
	for i, c := range own.chains {
		same = append(same, ModelSample{c.v, 1 / float64(len(own.chains))})
		if i < 2 {
			weighted = append(weighted, ModelSample{c.v, []float64{.2, .8}[i]})
		}
	}
	step := func(samples []ModelSample) *Weights {
		r := newTrainer(barsAndStripes(), 16, given)
		if err := r.Step(samples); err != nil {
			t.Fatal(err)
		}
		return r.w
	}
	if fingerprint(step(same)) != fingerprint(own.w) {
		t.Error("samples with equal shares give another step than their chains")
	}
	repeated := []ModelSample{{weighted[0].V, .2}}
	for range 4 {
		repeated = append(repeated, ModelSample{weighted[1].V, .2})
	}
	a, b := step(weighted), step(repeated)
	for i := range a.W {
		if math.Abs(a.W[i]-b.W[i]) > 1e-5 {
			t.Fatalf("W[%d] is %v with a share of 0.8, %v with four of 0.2", i, a.W[i], b.W[i])
		}
	}
}

func TestTrainErrors(t *testing.T) {
	bits := barsAndStripes()
	wild := tiny
	wild.Rate, wild.Updates = 1e9, 10
	for name, c := range map[string]struct {
		bits []uint8
		m    int
		Training
	}{
		"no data":     {nil, 16, tiny},
		"ragged data": {bits[:20], 16, tiny},
		"no hidden":   {bits, 16, Training{Batch: 1, Steps: 1}},
		"big batch":   {bits, 16, Training{Hidden: 1, Batch: 31, Steps: 1}},
		"divergence":  {bits, 16, wild},
	} {
		if _, err := Train(c.bits, c.m, c.Training, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRound(t *testing.T) {
	w := &Weights{M: 1, J: 1, W: []float64{0.3}, C: []float64{-0.126}, B: []float64{5}}
	w.Round(2)
	if w.W[0] != 0.25 || w.C[0] != -0.25 || w.B[0] != 5 {
		t.Errorf("rounded to quarters: %v %v %v, want 0.25 -0.25 5", w.W, w.C, w.B)
	}
}
