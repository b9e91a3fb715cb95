package factor

import (
	"math"
	"slices"
)

// Bounds of wide graphs fix so many variables that looking for the best of them one after another may take hours. In
// one pass, where the joint table of the next variable of the order is too large, those of its variables are fixed that
// have most neighbours.

// A graph is large that has more than largeGraph variables, or takes more than largeWork steps. The first pass has
// tables of at most firstNarrow entries, each next one a quarter, down to lastNarrow.
const (
	largeGraph  = 1 << 10
	largeWork   = 1 << 33
	firstNarrow = 1 << 20
	lastNarrow  = 1 << 2
)

// recounted is the plan without barren variables: means of constraints leave none.
func (g *Graph) recounted(p Plan) Plan {
	if p.Barren() == 0 {
		return p
	}
	n, fixed := g.neighbours(), g
	for _, v := range p.Fixed {
		n, fixed = n.without(v), fixed.without(v)
	}
	return g.withFixed(fixed.cost(n, p.Order, math.Inf(1)), p.Fixed)
}

// narrow fixes variables until the plan is small: in one pass, and on graphs that are not large also one after another.
// It takes the plan whose fixed variables have fewer joint states.
func (g *Graph) narrow(n sets, p Plan, small func(Plan) bool) (out Plan) {
	if small(p) {
		return p
	}
	order := slices.Concat(p.Order, p.Fixed)
	for most := float64(firstNarrow); most >= lastNarrow; most /= 4 {
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

// fix fixes more variables, one after another, until the plan is small: each time the variable of the widest joint
// table that leaves the least work. Every eighth time, and at last, orders are looked for anew.
func (g *Graph) fix(n sets, p Plan, small func(Plan) bool) Plan {
	fixed := g
	for _, v := range p.Fixed {
		n, fixed = n.without(v), fixed.without(v)
	}

	// A new search for an order.
	again := func() {
		if q := g.withFixed(fixed.best(n), p.Fixed); q.Ops < p.Ops {
			p = q
		}
	}

	// The variable to fix next.
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

// pass makes the plan of an order whose joint tables have at most so many entries.
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
