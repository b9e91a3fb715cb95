package factor

import "logzlab/core/num"

// Lookahead is a sequence of lookahead densities ([Lindsten2018]) for particles to which variables are added in reverse
// elimination order. The density of the first n variables is a product of tables that approximates the sum of f over
// all other variables. When a variable is added, the tables of its bucket enter the product, and the messages of its
// mini-buckets, which approximated the sum over it, leave.
type Lookahead struct {
	Order    []int     // order in which variables are added
	LogZ     float64   // the initial density: an upper bound of log Z in nats; -Inf if no state has positive weight
	Graph    *Graph    // all tables: nonconstant factors, then messages
	LeavesAt []int     // LeavesAt[i]: position in Order at which table i leaves; len(Order) for factors, which stay
	Exact    []bool    // Exact[n]: the messages that leave at position n are the exact sum
	LogConst []float64 // LogConst[n]: log of the constant messages that leave at position n
}

// Lookahead computes lookahead densities by tables of at most entries entries. ok is false if shouldContinue stopped
// the computation.
func (g *Graph) Lookahead(b Buckets, entries float64, shouldContinue func() bool) (a *Lookahead, ok bool) {
	n := len(b.Order)
	e := newElimination(g, Plan{Order: b.Order}, shouldContinue)
	a = &Lookahead{Order: reversed(b.Order), Graph: &Graph{States: g.States}, Exact: make([]bool, n),
		LogConst: make([]float64, n)}

	for _, f := range g.Factors {
		if len(f.Vars) > 0 {
			a.Graph.Factors, a.LeavesAt = append(a.Graph.Factors, f), append(a.LeavesAt, n)
		}
	}

	for i, v := range b.Order {
		position := n - 1 - i
		groups := e.partition(v, b.LateFirst, entries)
		logZBefore := e.logZ
		messages, ok := e.messages(groups, v)
		if !ok {
			return nil, false
		}
		a.Exact[position] = len(groups) < 2
		for _, m := range messages {
			if e.put(m); len(m.vars) > 0 && !m.zero() {
				a.Graph.Factors = append(a.Graph.Factors, Factor{Vars: m.vars, Table: m.logTable()})
				a.LeavesAt = append(a.LeavesAt, position)
			}
		}
		a.LogConst[position] = e.logZ - logZBefore
	}
	a.LogZ = e.logZ
	return a, true
}

// logTable returns the logs of all values, including the scale.
func (t *table) logTable() []float64 {
	out := make([]float64, len(t.v))
	for i := range out {
		out[i] = t.log(i) + t.scale
	}
	return out
}

// LookaheadEntries returns the largest table size, in entries, of maxEntries, maxEntries/2, ... for which Lookahead
// takes at most the given bytes of memory, by an estimate; at least about firstEntries.
func (g *Graph) LookaheadEntries(order []int, maxEntries, bytes float64) float64 {
	joint := make([]float64, 0, len(order))
	remaining := g.neighbours()
	var near []int
	for _, v := range order {
		near = remaining.list(v, near[:0])
		joint = append(joint, g.Entries(near))
		remaining.eliminate(v, near)
	}
	for ; maxEntries > firstEntries; maxEntries /= 2 {
		sum := 0.0
		for _, x := range joint {
			sum += num.Mul(8, min(x, maxEntries))
			if x > maxEntries {
				sum += num.Mul(8, maxEntries) // a second mini-bucket
			}
		}
		if sum <= bytes {
			break
		}
	}
	return maxEntries
}
