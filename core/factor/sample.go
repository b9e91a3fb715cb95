package factor

import (
	"math"

	"logzlab/core/num"
)

// Sampler draws exact samples by backward sampling: variables are drawn in the reverse order of elimination, each given
// those drawn before, in proportion to the product of its bucket.
type Sampler struct {
	g      *Graph
	order  []int
	known  map[int]int // the states of variables that constraints or the block determine
	joint  [][]table   // of each variable of the order
	stride [][][]int   // of each table's variables but the last
	LogZ   float64     // nats; -Inf if no state has positive weight
}

// Sampler eliminates block i and keeps all tables, Plan.Kept bytes. ok is false if no state has positive weight; s is
// nil if going ended the work.
func (g *Graph) Sampler(p Plan, i int, going func() bool) (s *Sampler, ok bool) {
	block, known := g.block(p, i)
	e := newElimination(block, p, going)
	s = &Sampler{g: block, order: p.Order, known: known}
	for _, v := range p.Order {
		joint, ok := e.sumOut(v)
		if !ok {
			return nil, false
		}
		s.keep(e, joint)
	}
	s.LogZ = e.logZ
	return s, !math.IsInf(e.logZ, -1)
}

// keep adds the bucket of the next variable of the order.
func (s *Sampler) keep(e *elimination, joint []table) {
	var strides [][]int
	for _, t := range joint {
		strides = append(strides, e.g.strides(t.on[:len(t.on)-1], t.on))
	}
	s.joint, s.stride = append(s.joint, joint), append(s.stride, strides)
}

// Draw sets x to a sample of the normalised product of the factors. uniform returns a new number of (0, 1) for each
// variable. Draw returns false if messages that are not exact, as those of mini-buckets, led to a state of weight 0.
func (s *Sampler) Draw(x []int, uniform func() float64) bool {
	var w []float64
	for i := len(s.order) - 1; i >= 0; i-- {
		v := s.order[i]
		w = w[:0]
		for range s.g.States[v] {
			w = append(w, 1)
		}
		s.weigh(i, x, w)
		total := 0.0
		for _, p := range w {
			total += p
		}
		if total == 0 {
			return false
		}

		left := num.Mul(uniform(), total)
		x[v] = len(w) - 1
		for k, p := range w {
			if left -= p; left < 0 {
				x[v] = k
				break
			}
		}
		for w[x[v]] == 0 { // rounding must not choose a state of weight 0
			x[v]--
		}
	}
	for v, state := range s.known { // in no table
		x[v] = state
	}
	return true
}

// weigh multiplies the weights w of the states of the variable at place i of the order by the values of its tables.
func (s *Sampler) weigh(i int, x []int, w []float64) {
	logs := false
	for k, t := range s.joint[i] {
		if t.logs && !logs {
			logs = true
			for j := range w {
				w[j] = num.Log(w[j])
			}
		}

		// The row of the table at the state of x.
		at := 0
		for j, stride := range s.stride[i][k] {
			at += stride * x[t.on[j]]
		}
		for j := range w {
			switch {
			case !logs:
				w[j] *= t.v[at+j]
			default:
				w[j] += t.log(at + j)
			}
		}
	}

	// From logs to weights, the largest being 1.
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
