package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Structured mean field approximates the target by a distribution in which the variables of a set C are independent
// with probabilities q_v. The other variables, called free, are summed exactly by elimination. Jensen's inequality
// gives the lower bound, in nats,
//	 log Z >= H(q) + log sum over the free variables of exp(E_q[log f]),   H(q) = sum over v in C of H(q_v).
// If C has all variables, this is the plain mean field, log Z >= H(q) + E_q[log f]. If every q_v is concentrated on one
// state, it is the log of the sum over all states that agree with these. Given the other variables, the bound is
// maximised by
//	 log q_v(s) = E[sum of log f over the factors of v | x_v = s] + constant,
// with the mean over q and, for the free variables, over their distribution under exp(E_q[log f]).

// MeanField updates q at most meanPasses times, each time from meanDraws samples of the free variables, and stops when
// the bound increases by less than meanGain nats.
const (
	meanPasses = 12
	meanDraws  = 128
	meanGain   = 1e-3
)

// meanField has the probabilities q of the independent variables; q[v] is nil for a free variable.
type meanField struct {
	g       *Graph
	q       [][]float64
	factors [][]int32 // factors[v]: factors that contain the independent variable v
	scratch []float64 // means of one variable
}

// newMeanField makes the given variables independent and concentrates each on its state in x.
func newMeanField(g *Graph, independent, x []int) *meanField {
	n := len(g.States)
	m := &meanField{g: g, q: make([][]float64, n), factors: make([][]int32, n)}
	maxStates := 0
	for _, v := range independent {
		maxStates = max(maxStates, g.States[v])
		m.q[v] = make([]float64, g.States[v])
		m.q[v][x[v]] = 1
	}
	for i, f := range g.Factors {
		for _, v := range f.Vars {
			if m.q[v] != nil {
				m.factors[v] = append(m.factors[v], int32(i))
			}
		}
	}
	m.scratch = make([]float64, maxStates)
	return m
}

// PlainMeanField makes every variable independent, with q concentrated on state x at first. Each call of the returned
// function sweep updates every q_v once and returns the lower bound of log Z in nats, -Inf if x has weight 0.
func (g *Graph) PlainMeanField(x []int) (sweep func() float64) {
	variables := make([]int, len(g.States))
	for v := range variables {
		variables[v] = v
	}
	m := newMeanField(g, variables, x)
	return func() float64 {
		for v := range m.q {
			m.update(v, nil)
		}
		return m.entropy() + m.meanLogF()
	}
}

// MeanField returns the lower bound of a structured mean field in nats, starting from state x; -Inf if x has weight 0.
// Variables are made independent until isSmallEnough accepts the plan that sums the free variables. ok is false if
// shouldContinue stopped the computation; the bound is then the highest one so far.
func (g *Graph) MeanField(p Plan, x []int, isSmallEnough func(Plan) bool, shouldContinue func() bool) (bound float64, ok bool) {
	p = g.cutset(g.neighbours(), g.unpruned(p), isSmallEnough)
	m := newMeanField(g, p.Cutset, x)
	bound = math.Inf(-1)
	stream := rng.NewKey(1, "structured mean field", 0).Stream(0, 0, 0)
	for range meanPasses {
		s, ok := m.freeGraph().Sampler(p, 0, shouldContinue)
		if s == nil {
			return bound, false
		}
		newBound := s.LogZ + m.entropy()
		if !(newBound > bound+meanGain) {
			return max(bound, newBound), true
		}
		bound = newBound
		if !ok || len(p.Cutset) == 0 {
			return bound, true
		}

		// Estimate the distribution of the free variables from samples.
		draws := make([][]int, meanDraws)
		for i := range draws {
			draws[i] = make([]int, len(g.States))
			s.Draw(draws[i], stream.Float64)
		}
		if shouldContinue != nil && !shouldContinue() {
			return bound, false
		}
		frequencies := make([][]float64, len(g.Factors))
		for _, v := range p.Cutset {
			for _, i := range m.factors[v] {
				if frequencies[i] == nil {
					frequencies[i] = m.frequencies(g.Factors[i], draws)
				}
			}
			m.update(v, frequencies)
		}
	}
	return bound, true
}

// entropy returns H(q) in nats.
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

// freeGraph returns the graph over the free variables whose log factors are the means over q; independent variables
// have a single state.
func (m *meanField) freeGraph() *Graph {
	out := &Graph{States: slices.Clone(m.g.States)}
	for v, q := range m.q {
		if q != nil {
			out.States[v] = 1
		}
	}
	for i := range m.g.Factors {
		f := &m.g.Factors[i]
		free := slices.DeleteFunc(slices.Clone(f.Vars), func(v int) bool { return m.q[v] != nil })
		if len(free) == len(f.Vars) {
			out.Factors = append(out.Factors, *f)
			continue
		}
		mean := Factor{free, make([]float64, int(m.g.Entries(free)))}
		m.forEach(f, -1, func(at, _, free int, weight float64) { mean.Table[free] += num.Mul(weight, f.Table[at]) })
		out.Factors = append(out.Factors, mean)
	}
	return out
}

// forEach calls visit for each entry of f with positive probability under q. Arguments are the entry's index, the state
// of v, the index of the states of the free variables, and the product of q over the independent variables except v.
func (m *meanField) forEach(f *Factor, v int, visit func(at, own, free int, weight float64)) {
	for at := range f.Table {
		quotient, own, free, stride, weight := at, 0, 0, 1, 1.0
		for k := len(f.Vars) - 1; k >= 0; k-- {
			u := f.Vars[k]
			n := m.g.States[u]
			x := quotient % n
			quotient /= n
			switch q := m.q[u]; {
			case u == v:
				own = x
			case q != nil:
				weight *= q[x]
			default:
				free += stride * x
				stride *= n
			}
		}
		if weight > 0 {
			visit(at, own, free, weight)
		}
	}
}

// update sets q_v to the maximiser given the others. frequencies has, for each factor, the distribution of its free
// variables; it is nil if there are no free variables.
func (m *meanField) update(v int, frequencies [][]float64) {
	mean := m.scratch[:m.g.States[v]]
	clear(mean)
	for _, i := range m.factors[v] {
		f := &m.g.Factors[i]
		switch {
		case frequencies != nil:
			m.forEach(f, v, func(at, own, free int, weight float64) {
				if w := float64(weight * frequencies[i][free]); w > 0 {
					mean[own] += num.Mul(w, f.Table[at])
				}
			})
		case len(f.Vars) == 2:
			m.addPair(f, v, mean)
		default:
			m.forEach(f, v, func(at, own, _ int, weight float64) { mean[own] += num.Mul(weight, f.Table[at]) })
		}
	}
	total := num.LogSumExp(mean)
	if !num.Finite(total) {
		return
	}
	for s := range mean {
		m.q[v][s] = num.Exp(mean[s] - total)
	}
}

// addPair adds the mean of a log factor on two independent variables for each state of v. It computes the same as
// forEach without a division for each entry, because most graphs have pairs only.
func (m *meanField) addPair(f *Factor, v int, mean []float64) {
	other, ownStride, otherStride := f.Vars[1], m.g.States[f.Vars[1]], 1
	if other == v {
		other, ownStride, otherStride = f.Vars[0], 1, m.g.States[v]
	}
	for x, weight := range m.q[other] {
		if weight > 0 {
			for s := range mean {
				mean[s] += num.Mul(weight, f.Table[s*ownStride+x*otherStride])
			}
		}
	}
}

// meanLogF returns E_q[log f] if all variables are independent.
func (m *meanField) meanLogF() (sum float64) {
	for i := range m.g.Factors {
		f := &m.g.Factors[i]
		if len(f.Vars) == 2 {
			mean := m.scratch[:m.g.States[f.Vars[0]]]
			clear(mean)
			m.addPair(f, f.Vars[0], mean)
			for x, p := range m.q[f.Vars[0]] {
				if p > 0 {
					sum += num.Mul(p, mean[x])
				}
			}
			continue
		}
		m.forEach(f, -1, func(at, _, _ int, weight float64) { sum += num.Mul(weight, f.Table[at]) })
	}
	return sum
}

// frequencies returns the relative frequency of each joint state of the free variables of f among the draws.
func (m *meanField) frequencies(f Factor, draws [][]int) []float64 {
	free := slices.DeleteFunc(slices.Clone(f.Vars), func(v int) bool { return m.q[v] != nil })
	out := make([]float64, int(m.g.Entries(free)))
	for _, x := range draws {
		at := 0
		for _, v := range free {
			at = at*m.g.States[v] + x[v]
		}
		out[at] += 1 / float64(len(draws))
	}
	return out
}
