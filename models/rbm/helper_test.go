package rbm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// kinds reads files of the kind.
var kinds = models.Kinds{&Kind}

// goodRBM is a JSON file of a 3 x 2 RBM.
const goodRBM = `{"kind":"rbm","W":[[1,2],[3,-4.5],[0,1e-3]],"c_visible":[1,2,3],"b_hidden":[-1,0.5],"p1":[0,0.5,1]}`

// dyadic returns a random multiple of 2^-20 in [-scale, scale], or of 2^-12 if scale exceeds 10. Quantisation does not
// change such numbers, so that references computed in float64 evaluate the same model.
func dyadic(s *rng.Stream, scale float64) float64 {
	grid := 1 << 20
	if scale > 10 {
		grid = 1 << 12
	}
	return math.RoundToEven((2*s.Float64()-1)*scale*float64(grid)) / float64(grid)
}

// randomRBM returns random dyadic parameters, with base rates whose logits are dyadic, too.
func randomRBM(seed, M, J int, scale float64) Params {
	s := rng.NewKey(uint32(seed), "rbm", M*1000+J).Stream(0, 0, 0)
	p := Params{Name: "test", M: M, J: J, W: make([]float64, M*J), C: make([]float64, M), B: make([]float64, J),
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

// newRBM returns the model of p, or fails the test.
func newRBM(t testing.TB, p Params) *Model {
	t.Helper()
	m, err := New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// logJoint returns log f_beta(v, h) by its formula, in float64 with package math.
func logJoint(p Params, beta float64, v, h int) float64 {
	base, target := -float64(p.J)*math.Ln2, 0.0
	for i := range p.M {
		q := min(max(p.P1[i], .05), .95)
		base += labtest.Bit(v, i)*math.Log(q) + (1-labtest.Bit(v, i))*math.Log1p(-q)
		target += labtest.Bit(v, i) * p.C[i]
		for j := range p.J {
			target += labtest.Bit(v, i) * p.W[i*p.J+j] * labtest.Bit(h, j)
		}
	}
	for j := range p.J {
		target += labtest.Bit(h, j) * p.B[j]
	}
	return (1-beta)*base + beta*target
}

// jointTable returns logJoint of every state v + 2^M h.
func jointTable(p Params, beta float64) []float64 {
	out := make([]float64, 1<<(p.M+p.J))
	for s := range out {
		out[s] = logJoint(p, beta, s&(1<<p.M-1), s>>p.M)
	}
	return out
}

// marginal sums h out of a jointTable.
func marginal(p Params, joint []float64) []float64 {
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
