package models

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/frame"
	"logzlab/core/labtest/answers"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
)

// truthFile is a file of known answers, computed by independent code (see its
// README). Tests of values are skipped where the folder is absent.
type truthFile struct {
	Kind    string    `json:"kind"`
	LogZ    any       `json:"logZ"`
	Betas   []float64 `json:"betas"`
	LogZs   []float64 `json:"logZ_ladder"`
	Tol     float64   `json:"tol_abs"`
	MeanD   []float64 `json:"mean_Delta_joint"`
	MeanSS  []float64 `json:"mean_sumss"`
	content []byte
}

func readTruth(t testing.TB, name string) *truthFile {
	t.Helper()
	b := answers.Read(t, name+".json")
	f := &truthFile{content: b}
	if err := json.Unmarshal(b, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// open makes the model of a truth file as the command does.
func (f *truthFile) open(t testing.TB, set spec.Values) Model {
	t.Helper()
	file, err := ReadFile(f.content, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := spec.Values{"moves": "4"}
	for k, x := range set {
		v[k] = x
	}
	m, err := FromFile("own", file, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// draws is n, a tenth of it with -short.
func draws(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g: off by %.3g, more than %.3g", what, got, want, got-want, tol)
	}
}

// allExact is the log-sum-exp of all blocks.
func allExact(m Exact) (total float64, blocks []float64) {
	n, ok := m.Blocks(MaxExactUnits)
	if !ok {
		return math.NaN(), nil
	}
	blocks = make([]float64, n)
	m.LogBlocks(0, blocks)
	return num.LogSumExp(blocks), blocks
}

// dyadic is a random multiple of 2^-20 in [-scale, scale], of 2^-12 if it is
// large: quantisation keeps it, so that references in float64 see the same model.
func dyadic(s *rng.Stream, scale float64) float64 {
	grid := 1 << 20
	if scale > 10 {
		grid = 1 << 12
	}
	return math.RoundToEven((2*s.Float64()-1)*scale*float64(grid)) / float64(grid)
}

// randomRBM has dyadic parameters, base rates whose logits are dyadic too.
func randomRBM(seed, M, J int, scale float64) RBMParams {
	s := rng.NewKey(uint32(seed), "rbm", M*1000+J).Stream(0, 0, 0)
	p := RBMParams{Name: "test", M: M, J: J, W: make([]float64, M*J), C: make([]float64, M), B: make([]float64, J),
		P1: make([]float64, M)}
	for i := range p.W {
		p.W[i] = dyadic(&s, scale)
	}
	for i := range p.C {
		p.C[i] = dyadic(&s, scale)
		p.P1[i] = num.Sigmoid(dyadic(&s, 2.5))
	}
	for j := range p.B {
		p.B[j] = dyadic(&s, scale)
	}
	return p
}

func newRBM(t testing.TB, p RBMParams) *RBM {
	t.Helper()
	m, err := NewRBM(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func bit(s, i int) float64 { return float64(s >> i & 1) }

// logJoint is log f_beta(v, h) by its formula, in float64 with math's functions.
func logJoint(p RBMParams, beta float64, v, h int) float64 {
	base, target := -float64(p.J)*math.Ln2, 0.0
	for i := range p.M {
		q := min(max(p.P1[i], .05), .95)
		base += bit(v, i)*math.Log(q) + (1-bit(v, i))*math.Log1p(-q)
		target += bit(v, i) * p.C[i]
		for j := range p.J {
			target += bit(v, i) * p.W[i*p.J+j] * bit(h, j)
		}
	}
	for j := range p.J {
		target += bit(h, j) * p.B[j]
	}
	return (1-beta)*base + beta*target
}

// jointTable is logJoint of every state v + 2^M h.
func jointTable(p RBMParams, beta float64) []float64 {
	out := make([]float64, 1<<(p.M+p.J))
	for s := range out {
		out[s] = logJoint(p, beta, s&(1<<p.M-1), s>>p.M)
	}
	return out
}

// marginal sums h out of a jointTable.
func marginal(p RBMParams, joint []float64) []float64 {
	out := make([]float64, 1<<p.M)
	for v := range out {
		terms := make([]float64, 1<<p.J)
		for h := range terms {
			terms[h] = joint[v|h<<p.M]
		}
		out[v] = floats.LogSumExp(terms)
	}
	return out
}

// probs normalises log weights.
func probs(logw []float64) []float64 {
	total := floats.LogSumExp(logw)
	out := make([]float64, len(logw))
	for i, w := range logw {
		out[i] = math.Exp(w - total)
	}
	return out
}

// setBits loads the units of state, lowest bit first, into row r.
func setBits(p Population, r, state int, layers ...int) {
	var w frame.Writer
	for _, n := range layers {
		x := make([]uint8, n)
		for i := range x {
			x[i] = uint8(state & 1)
			state >>= 1
		}
		w.Bits(x)
	}
	p.Load(r, &frame.Reader{B: w.B})
}

// getBits is the inverse of setBits.
func getBits(p Population, r int, layers ...int) (state int) {
	var w frame.Writer
	p.Append(r, &w)
	in := frame.Reader{B: w.B}
	at := 0
	for _, n := range layers {
		x := make([]uint8, n)
		in.Bits(x)
		for _, b := range x {
			state |= int(b) << at
			at++
		}
	}
	return state
}

// fit tests counts against probabilities by chi-square, states with fewer than 5
// expected pooled; where the pool has fewer it is Poisson. A right sampler fails in one
// of a million seeds.
func fit(t *testing.T, what string, count []int, p []float64) {
	t.Helper()
	const rare = 1e-6
	n := 0
	for _, c := range count {
		n += c
	}
	x, df, poolC, poolE := 0.0, -1.0, 0.0, 0.0
	take := func(c, e float64) {
		x += (c - e) * (c - e) / e
		df++
	}
	for i, c := range count {
		if e := p[i] * float64(n); e < 5 {
			poolC += float64(c)
			poolE += e
		} else {
			take(float64(c), e)
		}
	}
	if poolE >= 5 {
		take(poolC, poolE)
	} else if poolC > 0 && !((distuv.Poisson{Lambda: poolE}).Survival(poolC-1) > rare) {
		t.Errorf("%s: %v draws of states that have %.2g expected in all", what, poolC, poolE)
	}
	if df < 1 {
		return
	}
	if p := (distuv.ChiSquared{K: df}).Survival(x); !(p > rare) {
		t.Errorf("%s: chi-square %.1f with %v degrees of freedom, p = %.1g", what, x, df, p)
	}
}

// moments compares sample means with exact ones: |z| < 4 for each.
type moments struct {
	n     float64
	names []string
	sum   []float64
	mean  []float64
	vari  []float64
}

// expect adds a moment with its exact mean and variance.
func (m *moments) expect(mean, variance float64, format string, args ...any) {
	m.names = append(m.names, fmt.Sprintf(format, args...))
	m.mean, m.vari, m.sum = append(m.mean, mean), append(m.vari, variance), append(m.sum, 0)
}

func (m *moments) test(t *testing.T, what string) {
	t.Helper()
	for i, s := range m.sum {
		z := (s - m.n*m.mean[i]) / math.Sqrt(m.n*m.vari[i])
		if !(math.Abs(z) < 4) {
			t.Errorf("%s: %s has mean %.5g, exactly %.5g, z = %.1f", what, m.names[i], s/m.n, m.mean[i], z)
		}
	}
}

// rungs is n times rung k.
func rungs(n, k int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(k)
	}
	return out
}

// picker draws exactly from pi, by inversion.
type picker []float64

func newPicker(pi []float64) picker {
	cdf, sum := make(picker, len(pi)), 0.0
	for i, q := range pi {
		sum += q
		cdf[i] = sum
	}
	return cdf
}

func (c picker) draw(s *rng.Stream) int {
	i, _ := slices.BinarySearch(c, s.Float64()*c[len(c)-1])
	return i
}

// logF asks for the densities of n rows and keeps those of row r, at rungs
// lo..lo+len(out)-1.
func logF(p Population, n, r, lo int, out []float64) {
	k := len(out)
	all := make([]float64, n*k)
	p.LogF(lo, k, all)
	copy(out, all[r*k:])
}
