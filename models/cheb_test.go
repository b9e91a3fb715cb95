package models

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/core/rng"
)

func linear(K int) []float64 {
	ladder := make([]float64, K)
	for k := range ladder {
		ladder[k] = float64(k) / float64(K-1)
	}
	return ladder
}

// Nodes and weights: nodes are the Chebyshev points, polynomials of degree n-1
// are interpolated exactly, and a rung on a node is that node's value.
func TestChebGrid(t *testing.T) {
	for _, n := range chebNodes {
		g := newChebGrid(n, append(linear(101), 0))
		for i, b := range g.beta {
			near(t, "node", b, (1-math.Cos(float64(2*i+1)*math.Pi/float64(2*n)))/2, 1e-13)
		}
		on := newChebGrid(n, []float64{g.beta[3]})
		for i, w := range on.weight[0] {
			near(t, "weight at a node", w, map[bool]float64{true: 1}[i == 3], 0)
		}
		for _, degree := range []int{0, 1, 7, n - 1} {
			f := func(b float64) float64 { return math.Pow(2*b-1, float64(degree)) }
			node := make([]float64, n)
			for i, b := range g.beta {
				node[i] = f(b)
			}
			for k, b := range linear(101) {
				near(t, fmt.Sprintf("degree %d by %d nodes", degree, n), g.at(k, node), f(b), 1e-12)
			}
		}
	}
}

// Wherever choose accepts a grid, the interpolated sum of softplus is within
// 1e-6 nat of the direct one: for random activations up to +-top, and for J equal
// ones, the worst case. It catches a rule that accepts too few nodes, and
// barycentric weights without their signs.
func TestChebError(t *testing.T) {
	ladder := linear(101)
	set := newChebSet(ladder)
	s := rng.NewKey(1, "cheb", 0).Stream(0, 0, 0)
	accepted := 0
	for _, J := range []int{1, 20, 500} {
		for top := 0.3; top < 201; top *= 1.1 {
			for kind := range 4 {
				x := make([]int32, J)
				for j := range x {
					u := top // all equal
					switch kind {
					case 1:
						u = top * (2*s.Float64() - 1)
					case 2:
						u = top * s.Norm() / 4
					case 3:
						u = top * math.Pow(s.Float64(), 3)
					}
					x[j] = int32(min(max(u, -top), top) * (1 << 20))
				}
				acc := kernel.Pack(x)
				const unit = 1.0 / (1 << 20)
				g := set.choose(len(ladder), float64(kernel.MaxAbs(acc, J))*unit, J)
				if g == nil {
					continue
				}
				accepted++
				node := make([]float64, len(g.beta))
				for i, b := range g.beta {
					node[i] = kernel.SoftplusNegative(acc, J, b*unit)
				}
				worst := 0.0
				for k, b := range ladder {
					worst = max(worst, math.Abs(g.at(k, node)-kernel.SoftplusNegative(acc, J, b*unit)))
				}
				if !(worst < 1e-6) {
					t.Errorf("J = %d, |x| up to %.3g, kind %d, %d nodes: error %.2g", J, top, kind, len(g.beta), worst)
				}
			}
		}
	}
	if accepted < 300 {
		t.Errorf("only %d cases are interpolated: the rule is of no use", accepted)
	}
}

// LogF over a long ladder, in whole and in part, against the formula, where it is
// interpolated (mild weights) and where it is not (heavy ones).
func TestChebLogF(t *testing.T) {
	ladder := linear(130)
	for _, scale := range []float64{0.1, 0.5, 3, 20} {
		p := randomRBM(20, 40, 60, scale)
		m := newRBM(t, p)
		pop := m.New(1, ladder)
		rows := pop.(*rbmRows)
		pop.Draw(rng.At{Key: rng.NewKey(1, "cheb", 1)})
		for step := range 5 {
			pop.Move(rng.At{Key: rng.NewKey(1, "cheb", 2), Step: uint32(step)}, []int32{int32(step * 30)}, false)
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
					near(t, fmt.Sprintf("weights to %v, beta %.3f", scale, b), got, want, 2e-6)
				}
			}
		}
	}
}

// A 784 x 500 model with log Z near 10^4 has finite log densities at every rung.
func TestLogFLarge(t *testing.T) {
	const M, J = 784, 500
	p := RBMParams{M: M, J: J, W: make([]float64, M*J), C: make([]float64, M), B: make([]float64, J), P1: make([]float64, M)}
	for i := range p.C {
		p.C[i], p.P1[i] = 13, 0.5
	}
	for j := range p.B {
		p.B[j] = 13
	}
	ladder := linear(101)
	m := newRBM(t, p)
	if m.Truth() != nil {
		t.Error("a truth without enumeration")
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
	v, _, _, _ := pop.(*rbmRows).Row(0)
	on := 0
	for _, x := range v {
		on += int(x)
	}
	for k, b := range ladder {
		want := (1-b)*-(M+J)*math.Ln2 + b*13*float64(on) + J*num.Softplus(13*b)
		near(t, fmt.Sprint("log f at ", b), out[k], want, 1e-6)
	}
	if on < M-3 {
		t.Errorf("%d of %d units are on at beta = 1", on, M)
	}
}
