package factor

import (
	"math"

	"logzlab/core/num"
)

// Sampler draws exact samples: variables in the reverse of the order of the sum, each given the variables drawn before,
// from the tables whose product was summed.
type Sampler struct {
	g      *Graph
	order  []int
	known  map[int]int // variables that have one state, and that state
	joint  [][]table   // of each variable of the order
	stride [][][]int   // of each table's variables but the last
	LogZ   float64     // nats; -Inf where there is nothing to draw
}

// Sampler eliminates block i, and keeps all tables: Plan.Kept bytes. ok is false where no state has weight; s is nil
// where going ended the work.
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

// keep adds the tables of the next variable of the order.
func (s *Sampler) keep(e *elimination, joint []table) {
	var strides [][]int
	for _, t := range joint {
		strides = append(strides, e.g.strides(t.on[:len(t.on)-1], t.on))
	}
	s.joint, s.stride = append(s.joint, joint), append(s.stride, strides)
}

// Draw sets x to a sample of the normalised product. uniform returns a new number of (0, 1) for each variable. It is
// false where tables that are no exact messages led to a state without weight.
func (s *Sampler) Draw(x []int, uniform func() float64) bool {
	// Variables are drawn in the reverse order of their sums.
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

		// A state, by its share of the weight.
		left := num.Mul(uniform(), total)
		x[v] = len(w) - 1
		for k, p := range w {
			if left -= p; left < 0 {
				x[v] = k
				break
			}
		}
		for w[x[v]] == 0 { // rounding must not choose what is impossible
			x[v]--
		}
	}
	for v, state := range s.known { // no table has them
		x[v] = state
	}
	return true
}

// weigh multiplies the weights w of the states of the variable of place i by those that its tables give them.
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
