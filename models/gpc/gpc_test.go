package gpc

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// kinds reads files of the family.
var kinds = models.Kinds{&Kind}

// gpcTruth are the fields of a file of known answers: log Z_1..log Z_N, and log Z by expectation propagation.
type gpcTruth struct {
	Prefix []float64 `json:"logZ_prefix"`
	EP     float64   `json:"logZ_EP"`
}

var truthFiles = []string{"public_gpc_n2", "public_gpc_n3", "public_gpc_ou10", "public_gpc_rbf8"}

// truthGPC returns the model of a file of known answers, with the parameters set, and the answers.
func truthGPC(t testing.TB, name string, set spec.Values) (*Classifier, gpcTruth) {
	f := labtest.ReadTruth(t, name)
	var g gpcTruth
	if err := json.Unmarshal(f.Content, &g); err != nil {
		t.Fatal(err)
	}
	return labtest.Open(t, f, set, kinds.ReadFile, models.FromFile).(*Classifier), g
}

// newGPC returns the model of f, or fails the test.
func newGPC(t testing.TB, f Params, v spec.Values) *Classifier {
	t.Helper()
	m, err := New(f, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// discs returns n data in the plane; most labels inside a circle are 1.
func discs(n int, kernel string, amplitude float64) Params {
	s := rng.NewKey(9, "data", n).Stream(0, 0, 0)
	f := Params{N: n, D: 2, Kernel: Covariance{Name: kernel, Amplitude: amplitude, Length: 1}}
	for range n {
		a, b := s.Norm(), s.Norm()
		f.X = append(f.X, a, b)
		f.Y = append(f.Y, math.Copysign(1, 1.5-a*a-b*b-0.5*s.Norm()))
	}
	return f
}

// threeData returns a classification of three data whose posterior is far from Gaussian.
func threeData() Params {
	return Params{N: 3, Y: []float64{1, -1, 1}, K: []float64{9, 6, 1.5, 6, 9, 5.5, 1.5, 5.5, 9}}
}

// log Z_n of up to three data and log Z by expectation propagation equal the public known answers.
func TestGPCKnownAnswers(t *testing.T) {
	for _, name := range truthFiles {
		m, g := truthGPC(t, name, nil)
		for n, z := range m.StageLogZ() {
			if n < 3 {
				labtest.Near(t, fmt.Sprint(name, " log Z_", n+1), z, g.Prefix[n], 1e-7) // reference good to 1.5e-7
			} else if !math.IsNaN(z) {
				t.Errorf("%s: log Z_%d = %v, want NaN", name, n+1, z)
			}
		}
		if (m.Truth() != nil) != (m.n <= 3) {
			t.Errorf("%s: truth %v", name, m.Truth())
		}
		e := m.fitEP()
		if !e.converged {
			t.Errorf("%s: EP did not converge", name)
		}
		labtest.Near(t, name+" EP", e.logZ, g.EP, 1e-9)
		// The error of EP is below 0.03 here.
		labtest.Near(t, name+" EP and the truth", e.logZ, g.Prefix[m.n-1], 0.03)
	}
}

// Labels of independent data have probability 1/2 each; K may be 0 or singular.
func TestGPCIndependent(t *testing.T) {
	f := Params{N: 5, Y: []float64{1, 1, -1, 1, -1}, K: make([]float64, 25)}
	f.K[0], f.K[6] = 3, 100
	for _, sampler := range []string{"hmc", "ess", "hmc_plain", "rmhmc"} {
		for _, base := range []string{"prior", "ep"} {
			m := newGPC(t, f, spec.Values{"sampler": sampler, "base": base, "leaps": "3"})
			labtest.Near(t, "truth", m.Truth().LogZ, -5*math.Ln2, 1e-14)
			labtest.Near(t, "EP", m.fitEP().logZ, -5*math.Ln2, 1e-9)
			pop := m.New(3, []float64{0, .5, 1})
			pop.Draw(rng.At{})
			pop.Move(rng.At{Step: 1}, []int32{0, 1, 2}, false)
			out := make([]float64, 6)
			pop.LogF(0, 2, out)
			for _, x := range out {
				if math.IsNaN(x) {
					t.Errorf("%s %s: log f %v", sampler, base, out)
				}
			}
		}
	}
	m := newGPC(t, Params{N: 1, Y: []float64{-1}, K: []float64{7}}, nil)
	labtest.Near(t, "one datum", m.Truth().LogZ, -math.Ln2, 1e-15)
	zero := newGPC(t, Params{N: 40, Y: slices.Repeat([]float64{1, -1}, 20), K: make([]float64, 1600)}, nil)
	if z := estimateGPC(zero, rng.NewKey(1, "zero", 0), 5); math.Abs(z+40*math.Ln2) > 1e-12 {
		t.Errorf("K = 0: %v by stages, want %v", z, -40*math.Ln2)
	}
}

// estimateGPC returns log Z by stagesGPC.
func estimateGPC(m *Classifier, key rng.Key, R int) float64 { return stagesGPC(m, key, R)[m.n-1] }

// stagesGPC returns log Z_n, n = 1..N, by plain resample-move with R particles and two sweeps at each stage.
func stagesGPC(m *Classifier, key rng.Key, R int) []float64 {
	p := m.NewParticles()
	p.Resize(2 * R)
	z := p.Init(rng.At{Key: key})
	out := []float64{z}
	w := make([]float64, R)
	for n := 1; n < m.n; n++ {
		p.Move(rng.At{Key: key, Phase: uint32(n)}, 0, R, 2)
		p.LogW(0, R, w)
		z += num.LogMeanExp(w)
		out = append(out, z)
		s := key.Stream(uint32(n), 1<<20, 0)
		for r := range R {
			p.Copy(R+r, s.Categorical(w))
		}
		for r := range R {
			p.Copy(r, R+r)
		}
		p.Augment(rng.At{Key: key, Phase: uint32(n), Step: 100})
	}
	return out
}

// Resample-move is unbiased: E[Zhat] = Z. Faults that the test detects, with their z on ou10: half width of the slice
// without the factor 2 (22), z - mu halved (-9.6), W without its standard deviation (-17).
func TestGPCStages(t *testing.T) {
	const replicates = 40
	for _, name := range truthFiles {
		m, g := truthGPC(t, name, nil)
		w := make([]float64, tier.Draws(replicates))
		for i := range w {
			w[i] = math.Exp(estimateGPC(m, rng.NewKey(1, name, i), 200) - g.Prefix[m.n-1])
		}
		meanIsOne(t, name, w)
	}
}

// Both Gibbs samplers give unbiased estimates of the same Z_n after every label. Faults that the test detects with
// gibbs = x, with their z: sd in place of the standard deviation of x given z (6.3), W without the noise (15).
func TestGibbs(t *testing.T) {
	whole, g := truthGPC(t, "public_gpc_rbf8", nil)
	const n = 6
	f := Params{N: n, Y: whole.y[:n]}
	for i := range n {
		f.K = append(f.K, whole.k[i*whole.n:i*whole.n+n]...)
	}
	var stages [2][n][]float64 // Zhat_n / Z_n
	for k, gibbs := range []string{"z", "x"} {
		m := newGPC(t, f, spec.Values{"gibbs": gibbs})
		for i := range tier.Draws(80) {
			for j, z := range stagesGPC(m, rng.NewKey(1, gibbs, i), 200) {
				stages[k][j] = append(stages[k][j], math.Exp(z-g.Prefix[j]))
			}
		}
	}
	for j := 1; j < n; j++ {
		meanIsOne(t, fmt.Sprint("z, n = ", j+1), stages[0][j])
		meanIsOne(t, fmt.Sprint("x, n = ", j+1), stages[1][j])
		a, va := stat.MeanVariance(stages[0][j], nil)
		b, vb := stat.MeanVariance(stages[1][j], nil)
		se := math.Sqrt((va + vb) / float64(len(stages[0][j])))
		if !(math.Abs(a-b) < 4*se) || !(se < .05) {
			t.Errorf("n = %d: Zhat/Z = %.4f by z, %.4f by x, se %.4f", j+1, a, b, se)
		}
	}
}

// meanIsOne checks that the mean of weights is 1, within 4 standard errors.
func meanIsOne(t *testing.T, what string, w []float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(w, nil)
	se := stat.StdErr(sd, float64(len(w)))
	if z := (mean - 1) / se; !(math.Abs(z) < 4) && math.Abs(mean-1) > 1e-9 {
		t.Errorf("%s: E[Zhat]/Z = %.4f +- %.4f, z = %.1f", what, mean, se, z)
	}
}

// Flipped labels and permuted data have the same Z.
func TestGPCSymmetries(t *testing.T) {
	f := discs(12, "rbf", 3)
	flip, turned := f, f
	flip.Y, turned.Y, turned.X = slices.Clone(f.Y), slices.Clone(f.Y), slices.Clone(f.X)
	for i := range f.Y {
		flip.Y[i] = -f.Y[i]
		j := (5*i + 3) % 12
		turned.Y[i] = f.Y[j]
		copy(turned.X[2*i:2*i+2], f.X[2*j:2*j+2])
	}
	m := newGPC(t, f, nil)
	z := m.fitEP().logZ
	n := tier.Draws(40)
	var own []float64
	for i := range n {
		own = append(own, estimateGPC(m, rng.NewKey(1, "own", i), 200))
	}
	for name, o := range map[string]*Classifier{"flip": newGPC(t, flip, nil), "turned": newGPC(t, turned, nil),
		"random": newGPC(t, f, spec.Values{"order": "random"})} {
		labtest.Near(t, name+" EP", o.fitEP().logZ, z, 1e-9)
		a, va := stat.MeanVariance(own, nil)
		var other []float64
		for i := range n {
			other = append(other, estimateGPC(o, rng.NewKey(2, name, i), 200))
		}
		b, vb := stat.MeanVariance(other, nil)
		if d := (a - b) / math.Sqrt((va+vb)/float64(n)); !(math.Abs(d) < 4) {
			t.Errorf("%s: log Z %.3f, %.3f: z = %.1f", name, b, a, d)
		}
	}
}

// S (K + I) = I along the whole sequence with the amplitude of [ARM], and adding one datum or several at a time gives
// the same bits. The largest error is 5e-11, the rounding error of this product.
func TestGPCInverse(t *testing.T) {
	m := newGPC(t, discs(150, "rbf", math.Exp(5.1)), nil)
	b := m.stage(1)
	for b.n < m.n {
		b = m.next(b)
		n := b.n
		if n%30 != 0 && n > 3 {
			continue
		}
		inverse, sum := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			inverse.SetRow(i, b.s[i*n:i*n+n])
			sum.SetRow(i, m.k[i*m.n:i*m.n+n])
			sum.Set(i, i, sum.At(i, i)+1)
		}
		var off mat.Dense
		off.Mul(inverse, sum)
		for i := range n {
			off.Set(i, i, off.At(i, i)-1)
		}
		worst := max(mat.Max(&off), -mat.Min(&off))
		if worst > 1e-8 {
			t.Errorf("n = %d: |S (K+I) - I| = %.2g", n, worst)
		}
		o := newGPC(t, discs(150, "rbf", math.Exp(5.1)), nil)
		if c := o.stage(n); !slices.Equal(c.s, b.s) || !slices.Equal(c.a, b.a) || c.sd != b.sd {
			t.Errorf("n = %d: extending by several data gives another S", n)
		}
	}
}

// Particles are the same in any grouping, after copying, and when saved and loaded.
func TestGPCGrouping(t *testing.T) {
	m := newGPC(t, discs(9, "ou", 2), nil)
	key := rng.NewKey(4, "group", 0)
	run := func(parts []int, reload bool) []byte {
		p := m.NewParticles()
		p.Resize(11)
		p.Init(rng.At{Key: key})
		for n := 1; n < m.n; n++ {
			lo := 0
			for _, hi := range parts {
				p.Move(rng.At{Key: key, Phase: uint32(n)}, lo, hi, 2)
				lo = hi
			}
			p.Augment(rng.At{Key: key, Phase: uint32(n), Step: 9})
			if n == 5 {
				p.Reseed(rng.At{Key: key, Phase: 99}, 2, 4, 3)
			}
			if reload {
				var w wire.Writer
				for r := range 11 {
					p.Append(r, &w)
				}
				p = m.NewParticles()
				p.Resize(11)
				p.SetStage(n + 1)
				in := wire.Reader{B: w.B}
				for r := range 11 {
					p.Load(r, &in)
				}
			}
		}
		var w wire.Writer
		for r := range 11 {
			p.Append(r, &w)
		}
		return w.B
	}
	want := run([]int{11}, false)
	if !slices.Equal(run([]int{1, 4, 9, 11}, false), want) || !slices.Equal(run([]int{3, 11}, true), want) {
		t.Error("particles depend on their grouping")
	}
}

// Inversion is accurate in both tails.
func TestNormalBelow(t *testing.T) {
	for _, at := range []float64{-300, -45, -30.5, -29.5, -8, -1, 0, 2, 9} {
		for _, u := range []float64{1e-12, .01, .3, .5, .99, 1 - 1e-12} {
			e := normalBelow(at, u)
			got, want := num.LogPhi(e)-num.LogPhi(at), math.Log(u)
			if !(math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-15*at*at+1e-15) {
				t.Errorf("normalBelow(%v, %v) = %v: error of log Phi %g", at, u, e, got-want)
			}
			for _, y := range []float64{1, -1} {
				if z := truncatedNormal(y, y*at*2, 2, u); !(y*z > 0) {
					t.Errorf("truncatedNormal(%v, %v, 2, %v) = %v", y, y*at*2, u, z)
				}
			}
		}
	}
}

func TestArcSine(t *testing.T) {
	for x := -.9999; x < 1; x += .0101 {
		labtest.Near(t, "asin", asin(x), math.Asin(x), 4e-15)
	}
}

// For more than maxDiagnosedData data, log Z by expectation propagation is reported only if a run starts from it.
func TestDiagnoseManyData(t *testing.T) {
	f := discs(maxDiagnosedData+1, "rbf", 1)
	if d, _ := newGPC(t, f, nil).Diagnose(); len(d) > 0 {
		t.Errorf("from the prior: %v", d)
	}
	m := newGPC(t, f, spec.Values{"base": "ep"})
	if d, _ := m.Diagnose(); d[DiagLogZEP] != m.fitSites().logZ || d[DiagLogZEP] >= 0 {
		t.Errorf("from EP: %v", d)
	}
}

func TestNewRejectsInvalid(t *testing.T) {
	y := []float64{1, 1}
	for _, c := range []struct {
		f    Params
		v    spec.Values
		want string
	}{
		{Params{N: 2, Y: y, K: []float64{1, 2, 2, 1}}, nil, "not positive semidefinite"},
		// beside a large variance
		{Params{N: 3, Y: []float64{1, -1, 1}, K: []float64{1e8, 0, 0, 0, 1, 2, 0, 2, 1}}, nil,
			"not positive semidefinite"},
		{Params{N: 3, Y: []float64{1, -1, 1}, K: []float64{1e8, 0, 0, 0, 1, .9, 0, .9, .5}}, nil,
			"not positive semidefinite"},
		{Params{N: 2, Y: y, K: []float64{0, 1, 1, 4}}, nil, "not positive semidefinite"}, // a latent 0 that covaries
		{Params{N: 2, Y: y, K: []float64{1, 0, 0, 1}}, spec.Values{"amplitude": "2"}, "K itself"},
		{Params{N: 2, Y: y, K: []float64{1, 0, 0, 1}}, spec.Values{"kernel": "ou"}, "K itself"},
		{Params{N: 2, Y: y, K: make([]float64, 4)}, spec.Values{"gibbs": "x"}, "K is 0"},
		{discs(9, "rbf", 1), spec.Values{"length": "1e-200"}, "at least 1e-9"},
		{discs(801, "rbf", 1), spec.Values{"sampler": "rmhmc"}, "at most 800 data, not 801"},
		{discs(801, "rbf", 1), spec.Values{"base": "ep"}, "at most 800 data"},
	} {
		if _, err := New(c.f, c.v, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	// Singular covariances are allowed; kernels without a length get a default.
	for _, k := range [][]float64{{1, 1, 1, 1}, {4, -2, -2, 1}, {0, 0, 0, 0}, {0, 0, 0, 4}, {1e12, 1, 1, 1e-12}} {
		newGPC(t, Params{N: 2, Y: y, K: k}, nil)
	}
	m := newGPC(t, Params{N: 3, D: 1, Y: []float64{1, 1, 1}, X: []float64{0, 3, 6}}, nil)
	if i := m.Info(); !slices.Equal(i.Flags, []diag.Flag{FlagKernelGuessed}) ||
		math.Abs(i.Diagnostics["length"]-math.Sqrt(18)) > 1e-14 || i.Diagnostics["amplitude"] != 1 {
		t.Errorf("%v %v", i.Flags, i.Diagnostics)
	}
	m = newGPC(t, Params{N: 3, D: 1, Y: []float64{1, 1, 1}, X: []float64{1, 1, 1}},
		spec.Values{"kernel": "ou", "amplitude": "3"})
	if d := m.Info().Diagnostics; d["length"] != 1 || d["amplitude"] != 3 || m.k[1] != 9 {
		t.Errorf("%v", d)
	}
}
