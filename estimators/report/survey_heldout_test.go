package report

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/ising"
	"logzlab/models/rbm"
)

// heldOut are families on which no limit of a check was chosen.
var heldOut = []family{{"groups", groupsRBM}, {"hebbian", hebbianRBM}, {"ladders", ladderLattice},
	{"shallow", shallowRBM}}

// groupsRBM has groups of visible and of hidden units that are alike, so that log Z is a sum over the numbers of
// visible units that are on in each group, for any size of the RBM.
func groupsRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	t.Helper()
	groups, types := 2+s.Intn(2), 2+s.Intn(3)
	sizes, copies := make([]int, groups), make([]int, types)
	var p rbm.Params
	for g := range sizes {
		sizes[g] = 10 + s.Intn(26)
		p.M += sizes[g]
	}
	for h := range copies {
		copies[h] = 6 + s.Intn(18)
		p.J += copies[h]
	}
	p = blankMachine(p.M, p.J)
	a, c, b := make([]float64, groups*types), make([]float64, groups), make([]float64, types)
	spread, tilt := between(s, .05, .5), between(s, 0, .15)
	for g := range groups {
		for h := range types {
			w := spread * s.Norm()
			a[g*types+h] = w
			c[g] -= w * float64(copies[h]) / 2
			b[h] -= w * float64(sizes[g]) / 2
		}
	}
	for g := range c {
		c[g] += tilt * s.Norm() * math.Abs(c[g])
	}
	for i, g, left := 0, 0, sizes[0]; i < p.M; i++ {
		if left == 0 {
			g++
			left = sizes[g]
		}
		left--
		p.C[i], p.P1 = c[g], append(p.P1, between(s, .05, .95))
		for j, h, more := 0, 0, copies[0]; j < p.J; j++ {
			if more == 0 {
				h++
				more = copies[h]
			}
			more--
			p.W[i*p.J+j], p.B[j] = a[g*types+h], b[h]
		}
	}
	var sum num.LSE
	x := make([]float64, types)
	var count func(g int, term float64)
	count = func(g int, term float64) {
		if g == groups {
			for h, v := range x {
				term += float64(copies[h]) * num.Softplus(b[h]+v)
			}
			sum.Add(term)
			return
		}
		before := append([]float64(nil), x...)
		for k := range sizes[g] + 1 {
			for h := range x {
				x[h] = before[h] + float64(k)*a[g*types+h]
			}
			n, _ := math.Lgamma(float64(sizes[g] + 1))
			on, _ := math.Lgamma(float64(k + 1))
			off, _ := math.Lgamma(float64(sizes[g] - k + 1))
			count(g+1, term+n-on-off+c[g]*float64(k))
		}
		copy(x, before)
	}
	count(0, 0)
	m, err := models.FromFile("own", p, spec.Values{"form": "marginal", "order": "variance"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, sum.Value()
}

// hebbianRBM stores pictures and their negatives, as products of random signs.
func hebbianRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(66+s.Intn(20), 21)
	a := between(s, .1, .6)
	for range 2 + s.Intn(5) {
		xi, eta := make([]float64, p.M), make([]float64, p.J)
		for i := range xi {
			xi[i] = pick(s, -1., 1)
		}
		for j := range eta {
			eta[j] = pick(s, -1., 1)
		}
		for i := range p.W {
			p.W[i] += a * xi[i/p.J] * eta[i%p.J]
		}
	}
	for i, w := range p.W {
		p.C[i/p.J] -= w / 2
		p.B[i%p.J] -= w / 2
	}
	for i := range p.C {
		p.C[i] += .3 * s.Norm()
		p.P1 = append(p.P1, between(s, .2, .8))
	}
	return enumeratedRBM(t, s, p)
}

// ladderLattice is a long torus.
func ladderLattice(t *testing.T, s *rng.Stream) (models.Model, float64) {
	m, err := ising.New(ising.Params{L1: 4 + s.Intn(4), L2: 20 + s.Intn(12), Periodic: true, J: 1},
		between(s, .2, 1))
	if err != nil {
		t.Fatal(err)
	}
	return unknown{m}, m.Truth().LogZ
}

// shallowRBM has weights of heavy tails and hidden units that are mostly on.
func shallowRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(66+s.Intn(20), 21)
	sd := between(s, .05, .4)
	for i := range p.W {
		x := s.Norm()
		p.W[i] = sd * x * x * x
	}
	for i := range p.C {
		p.C[i] = s.Norm()
		p.P1 = append(p.P1, between(s, .1, .9))
	}
	for j := range p.B {
		p.B[j] = 1 + s.Norm()
	}
	return enumeratedRBM(t, s, p)
}
