package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Mean field. Some variables C are taken as independent with probabilities q_v, and the others, the free variables, are
// summed exactly by elimination. Jensen's inequality gives the lower bound, in nats,
//
//	log Z >= H(q) + log sum over the free variables of exp(E_q[log f]),   H(q) = sum over v in C of H(q_v).
//
// With C all variables this is the plain mean field, log Z >= H(q) + E_q[log f]; with every q_v concentrated on one
// state it is the sum over all states that agree with these. Given the other variables the bound is maximised by
//
//	log q_v(s) = E[sum of log f over the factors of v | x_v = s] + constant,
//
// where the mean is over q and, for the free variables, over their distribution under exp(E_q[log f]).

// A structured mean field updates q at most meanPasses times, each time from meanDraws draws of the free variables, and
// stops when the bound gains less than meanGain nats.
const (
	meanPasses = 12
	meanDraws  = 128
	meanGain   = 1e-3
)

// meanField has the probabilities q of the independent variables, nil for free ones.
type meanField struct {
	g       *Graph
	q       [][]float64
	factors [][]int32 // of each independent variable
	room    []float64 // for the means of one variable
}

// newMeanField makes each of some variables independent and concentrated on its state in x.
func newMeanField(g *Graph, independent, x []int) *meanField {
	n := len(g.States)
	m := &meanField{g: g, q: make([][]float64, n), factors: make([][]int32, n)}
	most := 0
	for _, v := range independent {
		most = max(most, g.States[v])
		m.q[v] = make([]float64, g.States[v])
		m.q[v][x[v]] = 1
	}
	for i, f := range g.Factors {
		for _, v := range f.On {
			if m.q[v] != nil {
				m.factors[v] = append(m.factors[v], int32(i))
			}
		}
	}
	m.room = make([]float64, most)
	return m
}

// PlainMeanField makes every variable independent, starting from a state x. Each call of sweep updates every q_v once
// and returns the bound, -Inf if x has no weight.
func (g *Graph) PlainMeanField(x []int) (sweep func() float64) {
	all := make([]int, len(g.States))
	for v := range all {
		all[v] = v
	}
	m := newMeanField(g, all, x)
	return func() float64 {
		for v := range m.q {
			m.update(v, nil)
		}
		return m.entropy() + m.meanLogF()
	}
}

// MeanField is the bound of a structured mean field that starts from a state x; -Inf if x has no weight. Variables are
// made independent until small accepts the plan by which the free ones are summed. ok is false if going ended the work;
// the bound is then the best one so far.
func (g *Graph) MeanField(p Plan, x []int, small func(Plan) bool, going func() bool) (bound float64, ok bool) {
	p = g.cutset(g.neighbours(), g.unpruned(p), small)
	m := newMeanField(g, p.Fixed, x)
	bound = math.Inf(-1)
	stream := rng.NewKey(1, "structured mean field", 0).Stream(0, 0, 0)
	for range meanPasses {
		s, ok := m.freeGraph().Sampler(p, 0, going)
		if s == nil {
			return bound, false
		}
		now := s.LogZ + m.entropy()
		if !(now > bound+meanGain) {
			return max(bound, now), true
		}
		bound = now
		if !ok || len(p.Fixed) == 0 {
			return bound, true
		}

		// Draws of the free variables estimate their means.
		draws := make([][]int, meanDraws)
		for i := range draws {
			draws[i] = make([]int, len(g.States))
			s.Draw(draws[i], stream.Float64)
		}
		if going != nil && !going() {
			return bound, false
		}
		frequencies := make([][]float64, len(g.Factors))
		for _, v := range p.Fixed {
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

// entropy is H(q) in nats.
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

// freeGraph has the mean over q of each log factor as a factor on the free variables; independent variables have one
// state.
func (m *meanField) freeGraph() *Graph {
	out := &Graph{States: slices.Clone(m.g.States)}
	for v, q := range m.q {
		if q != nil {
			out.States[v] = 1
		}
	}
	for i := range m.g.Factors {
		f := &m.g.Factors[i]
		free := slices.DeleteFunc(slices.Clone(f.On), func(v int) bool { return m.q[v] != nil })
		if len(free) == len(f.On) {
			out.Factors = append(out.Factors, *f)
			continue
		}
		mean := Factor{free, make([]float64, int(m.g.Entries(free)))}
		m.each(f, -1, func(at, _, free int, weight float64) { mean.Table[free] += num.Mul(weight, f.Table[at]) })
		out.Factors = append(out.Factors, mean)
	}
	return out
}

// each calls do for each entry of a factor that has positive probability under q: with its index, the state of v, the
// index of the states of the free variables, and the product of q over the independent variables but v.
func (m *meanField) each(f *Factor, v int, do func(at, own, free int, weight float64)) {
	for at := range f.Table {
		rest, own, free, stride, weight := at, 0, 0, 1, 1.0
		for k := len(f.On) - 1; k >= 0; k-- {
			u := f.On[k]
			n := m.g.States[u]
			x := rest % n
			rest /= n
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
			do(at, own, free, weight)
		}
	}
}

// update sets q_v to the maximiser given the others. frequencies has those of the free variables of each factor of v;
// it is nil if there are no free variables.
func (m *meanField) update(v int, frequencies [][]float64) {
	mean := m.room[:m.g.States[v]]
	clear(mean)
	for _, i := range m.factors[v] {
		f := &m.g.Factors[i]
		switch {
		case frequencies != nil:
			m.each(f, v, func(at, own, free int, weight float64) {
				if w := float64(weight * frequencies[i][free]); w > 0 {
					mean[own] += num.Mul(w, f.Table[at])
				}
			})
		case len(f.On) == 2:
			m.addPair(f, v, mean)
		default:
			m.each(f, v, func(at, own, _ int, weight float64) { mean[own] += num.Mul(weight, f.Table[at]) })
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

// addPair adds the mean of a log factor on two independent variables, given each state of v. It is each, without its
// division for each entry: graphs of pairs are the most common ones.
func (m *meanField) addPair(f *Factor, v int, mean []float64) {
	other, own, step := f.On[1], m.g.States[f.On[1]], 1
	if other == v {
		other, own, step = f.On[0], 1, m.g.States[v]
	}
	for x, weight := range m.q[other] {
		if weight > 0 {
			for s := range mean {
				mean[s] += num.Mul(weight, f.Table[s*own+x*step])
			}
		}
	}
}

// meanLogF is E_q[log f] if all variables are independent.
func (m *meanField) meanLogF() (sum float64) {
	for i := range m.g.Factors {
		f := &m.g.Factors[i]
		if len(f.On) == 2 {
			mean := m.room[:m.g.States[f.On[0]]]
			clear(mean)
			m.addPair(f, f.On[0], mean)
			for x, p := range m.q[f.On[0]] {
				if p > 0 {
					sum += num.Mul(p, mean[x])
				}
			}
			continue
		}
		m.each(f, -1, func(at, _, _ int, weight float64) { sum += num.Mul(weight, f.Table[at]) })
	}
	return sum
}

// frequencies is how often draws have each joint state of the free variables of a factor, as a share of all draws.
func (m *meanField) frequencies(f Factor, draws [][]int) []float64 {
	free := slices.DeleteFunc(slices.Clone(f.On), func(v int) bool { return m.q[v] != nil })
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
