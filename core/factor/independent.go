package factor

import "logzlab/core/num"

// independent is the plain mean field, in which all variables are independent.
type independent struct {
	g     *Graph
	q     [][]float64
	knows [][]int32 // factors of each variable
}

// Independent is a climb of the plain mean field from a state x: each call is a sweep and returns the bound reached in
// nats, -Inf where x has no weight.
func (g *Graph) Independent(x []int) (sweep func() float64) {
	m := &independent{g, make([][]float64, len(g.States)), make([][]int32, len(g.States))}
	most := 0
	for v, n := range g.States {
		most = max(most, n)
		m.q[v] = make([]float64, n)
		m.q[v][x[v]] = 1
	}
	for i, f := range g.Factors {
		for _, v := range f.On {
			m.knows[v] = append(m.knows[v], int32(i))
		}
	}
	room := make([]float64, most)
	return func() float64 {
		for v, n := range g.States {
			m.improve(v, room[:n])
		}
		return m.bound()
	}
}

// improve sets q of a variable to the best one given the others: its log is the mean of the log factors that know it,
// plus a constant.
func (m *independent) improve(v int, mean []float64) {
	clear(mean)
	for _, i := range m.knows[v] {
		f := &m.g.Factors[i]
		if len(f.On) == 2 {
			m.pair(f, v, mean)
			continue
		}
		m.each(f, v, func(at, own int, weight float64) { mean[own] += num.Mul(weight, f.Table[at]) })
	}
	total := num.LogSumExp(mean)
	if !num.Finite(total) {
		return
	}
	for s := range mean {
		m.q[v][s] = num.Exp(mean[s] - total)
	}
}

// pair is what a factor on two variables adds to the mean of one of them.
func (m *independent) pair(f *Factor, v int, mean []float64) {
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

// each calls do with each entry of a factor, the state of v there, and the probability of the states of the others,
// where that is positive.
func (m *independent) each(f *Factor, v int, do func(at, own int, weight float64)) {
	for at := range f.Table {
		rest, own, weight := at, 0, 1.0
		for k := len(f.On) - 1; k >= 0; k-- {
			n := m.g.States[f.On[k]]
			x := rest % n
			rest /= n
			if f.On[k] == v {
				own = x
			} else {
				weight *= m.q[f.On[k]][x]
			}
		}
		if weight > 0 {
			do(at, own, weight)
		}
	}
}

// bound is the mean of log f and the entropy.
func (m *independent) bound() (sum float64) {
	for _, q := range m.q {
		for _, p := range q {
			if p > 0 {
				sum -= num.Mul(p, num.Log(p))
			}
		}
	}
	for i := range m.g.Factors {
		f, mean := &m.g.Factors[i], 0.0
		if len(f.On) == 2 {
			sum += m.meanOfPair(f)
			continue
		}
		m.each(f, -1, func(at, _ int, weight float64) { mean += num.Mul(weight, f.Table[at]) })
		sum += mean
	}
	return sum
}

// meanOfPair is the mean of the log of a factor on two variables.
func (m *independent) meanOfPair(f *Factor) (mean float64) {
	second := m.q[f.On[1]]
	for x, p := range m.q[f.On[0]] {
		row := f.Table[x*len(second):]
		for y, q := range second {
			if weight := float64(p * q); weight > 0 {
				mean += num.Mul(weight, row[y])
			}
		}
	}
	return mean
}
