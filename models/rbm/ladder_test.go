package rbm

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
)

func linear(K int) []float64 {
	ladder := make([]float64, K)
	for k := range ladder {
		ladder[k] = float64(k) / float64(K-1)
	}
	return ladder
}

// TestLadderLogF compares LogF over all rungs and over parts of a long ladder with the formula, with interpolation
// (more than manyRungs rungs) and without. It catches log1 without c.v, and a ladder that ignores lo.
func TestLadderLogF(t *testing.T) {
	ladder := linear(130)
	for _, scale := range []float64{0.1, 0.5, 3, 20} {
		p := randomRBM(20, 40, 60, scale)
		m := newRBM(t, p)
		pop := m.New(1, ladder)
		rows := pop.(*population)
		pop.Draw(rng.At{Key: rng.NewKey(1, "ladder", 1)})
		for step := range 5 {
			pop.Move(rng.At{Key: rng.NewKey(1, "ladder", 2), Step: uint32(step)}, []int32{int32(step * 30)}, false)
			v, _, _, _ := rows.Row(0)
			log0, log1 := 0.0, 0.0
			for i, on := range v {
				q := min(max(p.P1[i], .05), .95)
				log0 += float64(on)*math.Log(q) + float64(1-on)*math.Log1p(-q)
				log1 += float64(on) * p.C[i]
			}
			for _, part := range [][2]int{{0, 130}, {0, 60}, {37, 93}, {129, 1}, {5, 3}} {
				out := make([]float64, part[1])
				pop.LogF(part[0], part[1], out)
				tol := 5e-5 // of 60 interpolated units; see kernel.TestLadder
				if part[1] <= manyRungs {
					tol = 1e-8 * float64(p.J) // of exponentials in float32; seen: 1.5e-7 of 60
				}
				for k, got := range out {
					b := ladder[part[0]+k]
					want := (1-b)*(log0-float64(p.J)*math.Ln2) + b*log1
					for j := range p.J {
						x := p.B[j]
						for i, on := range v {
							x += float64(on) * p.W[i*p.J+j]
						}
						want += num.Softplus(b * x)
					}
					labtest.Near(t, fmt.Sprintf("weights to %v, beta %.3f", scale, b), got, want, tol)
				}
			}
		}
	}
}

// TestLogFLarge checks that a 784 x 500 model with log Z near 10^4 has finite log densities at every rung. Its 500
// hidden units are equal, so that interpolation errors of 1e-5 nat for each unit add up.
func TestLogFLarge(t *testing.T) {
	const M, J = 784, 500
	p := Params{M: M, J: J, W: make([]float64, M*J), C: make([]float64, M), B: make([]float64, J),
		P1: make([]float64, M)}
	for i := range p.C {
		p.C[i], p.P1[i] = 13, 0.5
	}
	for j := range p.B {
		p.B[j] = 13
	}
	ladder := linear(101)
	m := newRBM(t, p)
	if m.Truth() != nil {
		t.Error("Truth returned a value without enumeration")
	}
	pop := m.New(1, ladder)
	out := make([]float64, len(ladder))
	at := rng.At{Key: rng.NewKey(1, "large", 0)}
	pop.Draw(at)
	for k := range ladder {
		at.Step = uint32(k)
		pop.Move(at, []int32{int32(k)}, false)
	}
	pop.LogF(0, len(out), out)
	v, _, _, _ := pop.(*population).Row(0)
	on := 0
	for _, x := range v {
		on += int(x)
	}
	for k, b := range ladder {
		want := (1-b)*-(M+J)*math.Ln2 + b*13*float64(on) + J*num.Softplus(13*b)
		labtest.Near(t, fmt.Sprint("log f at ", b), out[k], want, J*1e-5)
	}
	if on < M-3 {
		t.Errorf("%d of %d units are on at beta = 1", on, M)
	}
}
