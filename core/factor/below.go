package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Structured mean field: some variables C are taken as independent, with probabilities q, so that what is left can be
// summed exactly; then
//
//	log Z >= H(q) + log sum over the others of exp(mean over q of log f)
//
// (Jensen). Where C is all variables this is the plain mean field; where q is sure of one state, the sum of all states
// that agree with it.

// meanPasses is how often q is improved, meanDraws how many draws of the others each time sees, and sameBound the gain
// in nats below which it ends.
const (
	meanPasses = 12
	meanDraws  = 128
	sameBound  = 1e-3
)

// Below is a lower bound of log Z in nats, -Inf where the state x to start from has no weight. small says which plans
// are cheap enough for what is left. ok is false where going ended the work; the bound is then that found so far.
func (g *Graph) Below(p Plan, x []int, small func(Plan) bool, going func() bool) (bound float64, ok bool) {
	m := &meanField{g: g, q: make([][]float64, len(g.States))}
	m.p = g.narrow(g.neighbours(), g.recounted(p), small)
	for _, v := range m.p.Fixed {
		m.q[v] = make([]float64, g.States[v])
		m.q[v][x[v]] = 1
	}
	bound = math.Inf(-1)
	stream := rng.NewKey(1, "structured mean field", 0).Stream(0, 0, 0)

	// Each pass has a bound, until the bound stays.
	for range meanPasses {
		s, ok := m.rest().Sampler(m.p, 0, going)
		if s == nil {
			return bound, false
		}
		now := s.LogZ + m.entropy()
		if now > bound+sameBound {
			bound = now
		} else {
			return max(bound, now), true
		}
		if !ok || len(m.p.Fixed) == 0 {
			return bound, true
		}

		// Draws of the free variables, for a better q.
		draws := make([][]int, meanDraws)
		for i := range draws {
			draws[i] = make([]int, len(g.States))
			s.Draw(draws[i], stream.Float64)
		}
		if going != nil && !going() {
			return bound, false
		}
		m.improve(draws)
	}
	return bound, true
}

// meanField has probabilities of the independent variables, nil for the others.
type meanField struct {
	g *Graph
	p Plan
	q [][]float64
}

func (m *meanField) entropy() (h float64) {
	for _, q := range m.q {
		for _, p := range q {
			if p > 0 {
				h -= num.Mul(p, num.Log(p))
			}
		}
	}
	return h
}

// rest is the graph of the others: means of log f.
func (m *meanField) rest() *Graph {
	out := &Graph{States: slices.Clone(m.g.States)}
	for v, q := range m.q {
		if q != nil {
			out.States[v] = 1
		}
	}

	// Factors on free variables alone stay as they are.
	for _, f := range m.g.Factors {
		mean := Factor{}
		for _, v := range f.On {
			if m.q[v] == nil {
				mean.On = append(mean.On, v)
			}
		}
		if len(mean.On) == len(f.On) {
			out.Factors = append(out.Factors, f)
			continue
		}

		// The mean of a factor over the fixed variables.
		mean.Table = make([]float64, int(m.g.Entries(mean.On)))
		m.each(f, func(i int, x []int) {
			at, weight := 0, 1.0
			for k, v := range f.On {
				if m.q[v] == nil {
					at = at*m.g.States[v] + x[k]
				} else {
					weight *= m.q[v][x[k]]
				}
			}
			if weight > 0 {
				mean.Table[at] += num.Mul(weight, f.Table[i])
			}
		})
		out.Factors = append(out.Factors, mean)
	}
	return out
}

// each calls do with each entry of a factor.
func (m *meanField) each(f Factor, do func(i int, x []int)) {
	x := make([]int, len(f.On))
	still := make([]int, len(f.On))
	for i := range f.Table {
		do(i, x)
		m.g.advance(f.On, x, still)
	}
}

// improve sets each q_c to the best one given the draws of the others and the other q:
// log q_c(s) = mean of the log factors that know c, plus a constant.
func (m *meanField) improve(draws [][]int) {
	knows := make([][]int, len(m.g.States)) // factors of each variable of C
	seen := make([][]float64, len(m.g.Factors))
	for i, f := range m.g.Factors {
		for _, v := range f.On {
			if m.q[v] != nil {
				knows[v] = append(knows[v], i)
			}
		}
	}

	// The mean of the log factors in each state.
	for _, c := range m.p.Fixed {
		mean := make([]float64, m.g.States[c])
		for _, i := range knows[c] {
			f := m.g.Factors[i]
			if seen[i] == nil {
				seen[i] = m.seen(f, draws)
			}
			m.each(f, func(j int, x []int) {
				weight, own := seen[i][j], 0
				for k, v := range f.On {
					switch {
					case v == c:
						own = x[k]
					case m.q[v] != nil:
						weight *= m.q[v][x[k]]
					}
				}
				if weight > 0 {
					mean[own] += num.Mul(weight, f.Table[j])
				}
			})
		}

		// The best q, normalised.
		total := num.LogSumExp(mean)
		if !num.Finite(total) {
			continue
		}
		for s := range mean {
			m.q[c][s] = num.Exp(mean[s] - total)
		}
	}
}

// seen is how often the draws agree with each entry of a factor, as far as they have its variables.
func (m *meanField) seen(f Factor, draws [][]int) []float64 {
	count := map[int]float64{}
	for _, x := range draws {
		at := 0
		for _, v := range f.On {
			if m.q[v] == nil {
				at = at*m.g.States[v] + x[v]
			}
		}
		count[at]++
	}
	out := make([]float64, len(f.Table))
	m.each(f, func(i int, x []int) {
		at := 0
		for k, v := range f.On {
			if m.q[v] == nil {
				at = at*m.g.States[v] + x[k]
			}
		}
		out[i] = count[at] / float64(len(draws))
	})
	return out
}
