package factor

import (
	"math"
	"slices"
)

// A structured mean field makes a cutset of variables independent, so that the others can be summed exactly. On wide
// graphs the cutset is large, and choosing it one variable at a time may take hours. A pass along an order is fast:
// wherever the joint table of the next variable is too large, the variables of most neighbours in it join the cutset.

// A graph is large if it has more than largeGraph variables or takes more than largeWork operations. The first pass
// allows tables of firstCutEntries entries, each following one a quarter of that, down to lastCutEntries.
const (
	largeGraph      = 1 << 10
	largeWork       = 1 << 33
	firstCutEntries = 1 << 20
	lastCutEntries  = 1 << 2
)

// unpruned is the plan as if no variable were prunable: means of log factors are no constraints.
func (g *Graph) unpruned(p Plan) Plan {
	if p.Prunable() == 0 {
		return p
	}
	n, fixed := g.neighbours(), g
	for _, v := range p.Fixed {
		n, fixed = n.without(v), fixed.without(v)
	}
	return g.withFixed(fixed.cost(n, p.Order, math.Inf(1)), p.Fixed)
}

// cutset fixes variables until small accepts the plan: by passes, and, unless the graph is large, also one after
// another. Of the two it returns the plan whose fixed variables have fewer joint states.
func (g *Graph) cutset(n sets, p Plan, small func(Plan) bool) (out Plan) {
	if small(p) {
		return p
	}
	order := slices.Concat(p.Order, p.Fixed)
	for most := float64(firstCutEntries); most >= lastCutEntries; most /= 4 {
		if out = g.pass(n, order, most); small(out) {
			break
		}
	}
	if len(g.States) > largeGraph || p.Ops > largeWork {
		return out
	}
	if q := g.fix(n, p, small); !(g.Entries(out.Fixed) < g.Entries(q.Fixed)) {
		return q
	}
	return out
}

// fix fixes variables one after another until small accepts the plan: each time the variable of the largest joint table
// that leaves the fewest operations. After every eighth variable, and at the end, the order is searched for again.
func (g *Graph) fix(n sets, p Plan, small func(Plan) bool) Plan {
	fixed := g
	for _, v := range p.Fixed {
		n, fixed = n.without(v), fixed.without(v)
	}

	again := func() {
		if q := g.withFixed(fixed.best(n), p.Fixed); q.Ops < p.Ops {
			p = q
		}
	}

	for !small(p) {
		best := Plan{Ops: math.Inf(1)}
		for _, v := range fixed.widest(n, p.Order) {
			left := n.without(v)
			order := slices.DeleteFunc(slices.Clone(p.Order), func(u int) bool { return u == v })
			q := g.withFixed(fixed.without(v).cost(left, order, math.Inf(1)), append(slices.Clone(p.Fixed), v))
			if q.Ops < best.Ops || q.Ops == best.Ops && q.Peak < best.Peak {
				best = q
			}
		}
		if len(best.Fixed) == 0 {
			return p // nothing is left to fix
		}

		// The graph without the variable.
		p = best
		v := p.Fixed[len(p.Fixed)-1]
		n, fixed = n.without(v), fixed.without(v)
		if len(p.Fixed)%8 == 0 {
			again()
		}
	}
	if len(p.Fixed) > 0 {
		again()
	}
	return p
}

// pass is the plan of an order in which variables are fixed so that each joint table has at most so many entries.
func (g *Graph) pass(n sets, order []int, most float64) Plan {
	one := &Graph{slices.Clone(g.States), g.Factors} // one state of each fixed variable
	left, rest, is := n.clone(), n.clone(), make([]bool, len(n))
	var near, fixed, out []int
	for _, v := range order {
		for !is[v] {
			near = left.list(v, near[:0])
			if one.Entries(near)*float64(g.States[v]) <= most {
				left.eliminate(v, near)
				out = append(out, v)
				break
			}
			u := slices.MaxFunc(append(near, v), func(a, b int) int { return left.degree(a) - left.degree(b) })
			left.part(u)
			rest.part(u)
			fixed, is[u], one.States[u] = append(fixed, u), true, 1
		}
	}
	p := one.cost(rest, out, math.Inf(1))
	p.Fixed, p.Ops = fixed, min(p.Ops*g.Entries(fixed), mostOps)
	return p
}
