package factor

import (
	"math"

	"logzlab/core/num"
)

// Sampler draws exact samples by backward sampling: variables are drawn in reverse elimination order, each
// conditionally on the variables drawn before it, with probabilities proportional to the product of the tables of its
// bucket.
type Sampler struct {
	g      *Graph
	order  []int
	fixed  map[int]int // states of the cutset and of variables that constraints determine
	joint  [][]table   // joint[i]: the bucket of variable order[i]
	stride [][][]int   // strides of all variables of each table but the last
	LogZ   float64     // nats; -Inf if no state has positive weight
}

// Sampler eliminates block i and keeps all tables, which take p.SamplerBytes of memory. ok is false if no state has
// positive weight; s is nil if shouldContinue stopped the computation.
func (g *Graph) Sampler(p Plan, i int, shouldContinue func() bool) (s *Sampler, ok bool) {
	block, fixed := g.block(p, i)
	e := newElimination(block, p, shouldContinue)
	s = &Sampler{g: block, order: p.Order, fixed: fixed}
	for _, v := range p.Order {
		joint, ok := e.sumOut(v)
		if !ok {
			return nil, false
		}
		s.append(e, joint)
	}
	s.LogZ = e.logZ
	return s, !math.IsInf(e.logZ, -1)
}

// append stores the bucket of the next variable of the order.
func (s *Sampler) append(e *elimination, joint []table) {
	var strides [][]int
	for _, t := range joint {
		strides = append(strides, e.g.strides(t.vars[:len(t.vars)-1], t.vars))
	}
	s.joint, s.stride = append(s.joint, joint), append(s.stride, strides)
}

// Draw sets x to a sample of the normalised product of the factors. uniform returns a new number in (0, 1) for each
// variable. Draw returns false if it reached a state of weight 0, which happens only with the approximate messages of
// mini-buckets.
func (s *Sampler) Draw(x []int, uniform func() float64) bool {
	var w []float64
	for i := len(s.order) - 1; i >= 0; i-- {
		v := s.order[i]
		w = w[:0]
		for range s.g.States[v] {
			w = append(w, 1)
		}
		s.multiply(i, x, w)
		total := 0.0
		for _, p := range w {
			total += p
		}
		if total == 0 {
			return false
		}

		remaining := num.Mul(uniform(), total)
		x[v] = len(w) - 1
		for k, p := range w {
			if remaining -= p; remaining < 0 {
				x[v] = k
				break
			}
		}
		for w[x[v]] == 0 { // rounding must not choose a state of weight 0
			x[v]--
		}
	}
	for v, state := range s.fixed {
		x[v] = state
	}
	return true
}

// multiply multiplies w, the weights of the states of variable order[i], by the tables of its bucket at x, the states
// of the variables drawn before.
func (s *Sampler) multiply(i int, x []int, w []float64) {
	logs := false
	for k, t := range s.joint[i] {
		if t.logs && !logs {
			logs = true
			for j := range w {
				w[j] = num.Log(w[j])
			}
		}

		// Find the row of the table at x.
		row := 0
		for j, stride := range s.stride[i][k] {
			row += stride * x[t.vars[j]]
		}
		for j := range w {
			switch {
			case !logs:
				w[j] *= t.v[row+j]
			default:
				w[j] += t.log(row + j)
			}
		}
	}

	// Convert logs to weights, scaled to a maximum of 1.
	if !logs {
		return
	}
	top := math.Inf(-1)
	for _, l := range w {
		top = max(top, l)
	}
	for j := range w {
		if !isZero(top) {
			w[j] -= top
		}
		w[j] = num.Exp(w[j])
	}
}
