package report

import (
	"bytes"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/ising"
	"logzlab/models/rbm"
)

// beside are families in which data next to a model, or a small part of it, lead chains to one mode only, and lattices
// near their critical temperature.
var beside = []family{{"rows", oneSided}, {"gate", gateRBM}, {"critical", criticalLattice}}

// withRows returns an RBM with rows of the user's own.
func withRows(t *testing.T, p rbm.Params, rows [][]bool) models.Model {
	t.Helper()
	v, file := spec.Values{"form": "marginal", "order": "variance"}, models.File(p)
	if rows != nil {
		var b bytes.Buffer
		for _, row := range rows {
			for i, on := range row {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteByte("01"[map[bool]int{true: 1}[on]])
			}
			b.WriteByte('\n')
		}
		var err error
		if file, v["data"], err = rbm.WithRows(p, b.Bytes(), nil); err != nil {
			t.Fatal(err)
		}
	}
	m, err := models.FromFile("own", file, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// logChoose returns the log of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	on, _ := math.Lgamma(float64(k + 1))
	off, _ := math.Lgamma(float64(n - k + 1))
	return all - on - off
}

// oneSided returns an RBM of two modes far apart, units that are all alike, with exact samples of one mode as its rows;
// that mode may be the one with less mass.
func oneSided(t *testing.T, s *rng.Stream) (models.Model, float64) {
	m, j := 40+s.Intn(80), 30+s.Intn(11)
	p := blankMachine(m, j)
	w := between(s, 2.2, 4) * 2 / math.Sqrt(float64(m*j))
	c, b := -w*float64(j)/2+between(s, -2, 2)/float64(m), -w*float64(m)/2
	for i := range p.W {
		p.W[i] = w
	}
	for i := range p.C {
		p.C[i] = c
	}
	for i := range p.B {
		p.B[i] = b
	}
	var sum num.LSE
	counts := make([]float64, m+1)
	for k := range counts {
		counts[k] = logChoose(m, k) + c*float64(k) + float64(j)*num.Softplus(b+w*float64(k))
		sum.Add(counts[k])
	}
	half := counts[:m/2]
	first := 0
	if s.Intn(2) == 0 {
		half, first = counts[m-m/2:], m-m/2
	}
	rows := make([][]bool, 100)
	for r := range rows {
		rows[r] = make([]bool, m)
		on := first + s.Categorical(half)
		for i, at := range perm(s, m) {
			rows[r][at] = i < on
		}
	}
	return withRows(t, p, rows), sum.Value()
}

// gateRBM has a block of two modes whose hidden units, once on, switch many other blocks on: a mode behind a gate. Half
// of the RBMs have rows with the gate shut.
func gateRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	gate, blocks, size := 36+2*s.Intn(12), 4+s.Intn(5), 8+s.Intn(4)
	p := blankMachine(gate+blocks*size, gate+blocks*size)
	w, inner, lift := between(s, 6, 7)/float64(gate), between(s, .85, .95), between(s, 1, 1.6)/float64(gate)
	a, c := -w*float64(gate)/2+between(s, -.08, 0), -inner*float64(size)/2-lift*float64(gate)*between(s, .9, 1)
	for i := range p.M {
		for k := range p.J {
			switch {
			case i < gate && k < gate:
				p.W[i*p.J+k] = w
			case k < gate:
				p.W[i*p.J+k] = lift
			case i >= gate && (i-gate)/size == (k-gate)/size:
				p.W[i*p.J+k] = inner
			}
		}
		p.C[i] = c
		p.B[i] = -inner * float64(size) / 2
		if i < gate {
			p.C[i], p.B[i] = a, -w*float64(gate)/2
		}
	}

	// With k hidden units of the gate on, and n visible ones of each block.
	shut := make([]float64, gate+1)
	block := make([][]float64, gate+1)
	var sum num.LSE
	for k := range shut {
		for n := range size + 1 {
			block[k] = append(block[k], logChoose(size, n)+(c+lift*float64(k))*float64(n)+
				float64(size)*num.Softplus(inner*float64(n)-inner*float64(size)/2))
		}
		shut[k] = logChoose(gate, k) + p.B[0]*float64(k) + float64(gate)*num.Softplus(a+w*float64(k)) +
			float64(blocks)*num.LogSumExp(block[k])
		sum.Add(shut[k])
	}
	var rows [][]bool
	if s.Intn(2) == 0 {
		rows = make([][]bool, 100)
		for r := range rows {
			k := s.Categorical(shut[:gate/2])
			for range gate {
				rows[r] = append(rows[r], s.Float64() < num.Sigmoid(a+w*float64(k)))
			}
			for range blocks {
				n := s.Categorical(block[k])
				for _, at := range perm(s, size) {
					rows[r] = append(rows[r], at < n)
				}
			}
		}
	}
	return withRows(t, p, rows), sum.Value()
}

// criticalLattice returns a torus near the critical temperature.
func criticalLattice(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 12 + 2*s.Intn(5)
	m, err := ising.New(ising.Params{L1: n, L2: n, Periodic: true, J: 1}, between(s, .42, .5))
	if err != nil {
		t.Fatal(err)
	}
	return unknown{m}, m.Truth().LogZ
}
