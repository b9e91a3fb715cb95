package factor

import (
	"math"
	"slices"
)

// A structured mean field makes the variables of a cutset independent, so that the others can be summed exactly. On
// wide graphs the cutset is large, and choosing it one variable at a time may take hours. A single pass along an
// elimination order is fast: whenever the joint table of the next variable is too large, the variables of highest
// degree in it join the cutset.

// A graph is large if it has more than largeGraph variables or takes more than largeWork operations. The first pass
// allows tables of firstCutEntries entries, each following pass a quarter of that, down to lastCutEntries.
const (
	largeGraph      = 1 << 10
	largeWork       = 1 << 33
	firstCutEntries = 1 << 20
	lastCutEntries  = 1 << 2
)

// unpruned returns the plan without pruning: means of log factors are no constraints, so no variable is prunable.
func (g *Graph) unpruned(p Plan) Plan {
	if p.Prunable() == 0 {
		return p
	}
	adj, fixed := g.neighbours(), g
	for _, v := range p.Cutset {
		adj, fixed = adj.isolated(v), fixed.restricted(v)
	}
	return g.planWithCutset(fixed.cost(adj, p.Order, math.Inf(1)), p.Cutset)
}

// cutset enlarges the cutset of p until isSmallEnough accepts the plan. It does so by passes (cutsetPass) and, unless
// the graph is large, also one variable at a time (fixGreedily), and returns the plan whose cutset has fewer joint
// states.
func (g *Graph) cutset(adj adjacency, p Plan, isSmallEnough func(Plan) bool) (out Plan) {
	if isSmallEnough(p) {
		return p
	}
	order := slices.Concat(p.Order, p.Cutset)
	for maxEntries := float64(firstCutEntries); maxEntries >= lastCutEntries; maxEntries /= 4 {
		if out = g.cutsetPass(adj, order, maxEntries); isSmallEnough(out) {
			break
		}
	}
	if len(g.States) > largeGraph || p.Ops > largeWork {
		return out
	}
	if q := g.fixGreedily(adj, p, isSmallEnough); !(g.Entries(out.Cutset) < g.Entries(q.Cutset)) {
		return q
	}
	return out
}

// fixGreedily adds variables to the cutset one by one until isSmallEnough accepts the plan. Each time it chooses, among
// the variables of the largest joint table, the variable whose removal leaves the fewest operations. After every eighth
// variable, and at the end, it searches for a better order.
func (g *Graph) fixGreedily(adj adjacency, p Plan, isSmallEnough func(Plan) bool) Plan {
	fixed := g
	for _, v := range p.Cutset {
		adj, fixed = adj.isolated(v), fixed.restricted(v)
	}

	reorder := func() {
		if q := g.planWithCutset(fixed.cheapestPlan(adj), p.Cutset); q.Ops < p.Ops {
			p = q
		}
	}

	for !isSmallEnough(p) {
		best := Plan{Ops: math.Inf(1)}
		for _, v := range fixed.largestTable(adj, p.Order) {
			adjWithout := adj.isolated(v)
			order := slices.DeleteFunc(slices.Clone(p.Order), func(u int) bool { return u == v })
			q := g.planWithCutset(fixed.restricted(v).cost(adjWithout, order, math.Inf(1)), append(slices.Clone(p.Cutset), v))
			if q.Ops < best.Ops || q.Ops == best.Ops && q.PeakBytes < best.PeakBytes {
				best = q
			}
		}
		if len(best.Cutset) == 0 {
			return p // all variables are fixed
		}

		// Remove the variable from the graph.
		p = best
		v := p.Cutset[len(p.Cutset)-1]
		adj, fixed = adj.isolated(v), fixed.restricted(v)
		if len(p.Cutset)%8 == 0 {
			reorder()
		}
	}
	if len(p.Cutset) > 0 {
		reorder()
	}
	return p
}

// cutsetPass returns the plan of an order with a cutset for which each joint table has at most maxEntries entries.
func (g *Graph) cutsetPass(adj adjacency, order []int, maxEntries float64) Plan {
	reduced := &Graph{slices.Clone(g.States), g.Factors} // one state of each fixed variable
	remaining, edges, inCutset := adj.clone(), adj.clone(), make([]bool, len(adj))
	var near, fixed, eliminated []int
	for _, v := range order {
		for !inCutset[v] {
			near = remaining.list(v, near[:0])
			if reduced.Entries(near)*float64(g.States[v]) <= maxEntries {
				remaining.eliminate(v, near)
				eliminated = append(eliminated, v)
				break
			}
			u := slices.MaxFunc(append(near, v), func(a, b int) int { return remaining.degree(a) - remaining.degree(b) })
			remaining.isolate(u)
			edges.isolate(u)
			fixed, inCutset[u], reduced.States[u] = append(fixed, u), true, 1
		}
	}
	p := reduced.cost(edges, eliminated, math.Inf(1))
	p.Cutset, p.Ops = fixed, min(p.Ops*g.Entries(fixed), saturatedOps)
	return p
}
