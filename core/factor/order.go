package factor

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Plan is an elimination order and its cost. The variables of a cutset may be fixed first; each of their joint states
// then gives a block, which is summed separately.
type Plan struct {
	Order        []int   // all variables outside the cutset, prunable ones first
	Cutset       []int   // variables that are fixed; empty if there is a single block
	Ops          float64 // total entries of the joint tables of all blocks; each takes about 4 ns
	PeakBytes    float64 // largest memory that messages take at any time
	SamplerBytes float64 // memory of all messages of a block, which a Sampler keeps
	Width        float64 // induced width: log2 of the number of entries of the largest joint table

	messageVars map[int][]int // the variables of the message of each prunable variable
}

// Search for an elimination order. The candidates are greedy orders by min-fill and by table size, the order of the
// variables' numbers, and breadth-first orders from one end of the graph to the other, which are the cheapest on wide
// grids. Greedy orders are repeated up to orderTries times with random tie-breaking, as long as the search takes less
// than 1/searchShare of the time of the elimination and visits at most maxPairs pairs of variables (an eighth of that
// if the elimination takes more than MaxOps anyway). They are not repeated if the elimination takes more than
// hopelessOps.
const (
	orderTries  = 400
	searchShare = 32
	maxPairs    = 1 << 26
	hopelessOps = 1 << 50
)

// MaxOps is the largest number of operations for which elimination is attempted, about twenty hours.
const MaxOps = 1 << 44

// Plan returns the cheapest plan found whose messages take at most bytes of memory. If no order satisfies that,
// variables are added to the cutset one by one until one does, or until the plan takes more than MaxOps operations: a
// cutset saves memory, not work.
func (g *Graph) Plan(bytes float64) Plan {
	reduced := g.pruned()
	reduced.States = slices.Clone(g.States)
	for _, v := range reduced.order {
		reduced.States[v] = 1 // never fixed
	}
	adj := reduced.neighbours()
	p := reduced.fixGreedily(adj, reduced.cheapestPlan(adj), func(p Plan) bool { return p.PeakBytes <= bytes || p.Ops > MaxOps })
	if p.messageVars = reduced.messageVars; p.Prunable() > 0 {
		p.Order = append(slices.Clone(reduced.order), slices.DeleteFunc(p.Order, func(v int) bool {
			_, prunable := p.messageVars[v]
			return prunable
		})...)
		p.Ops += reduced.entries
		p.SamplerBytes += num.Mul(8, reduced.entries)
	}
	return p
}

// Prunable returns the number of prunable variables, which come first in Order.
func (p Plan) Prunable() int { return len(p.messageVars) }

// cheapestPlan returns the plan, without a cutset, of the cheapest order found.
func (g *Graph) cheapestPlan(adj adjacency) Plan {
	best := Plan{Ops: math.Inf(1)}
	try := func(order []int) {
		if p := g.cost(adj, order, best.Ops); p.Ops < best.Ops {
			best = p
		}
	}

	try(g.greedy(adj, leastFill, 0))
	try(g.greedy(adj, leastEntries, 0))
	count := len(g.States)
	if count == 0 {
		return best
	}

	// Numeric and breadth-first orders, in both directions.
	numeric := make([]int, count)
	for i := range numeric {
		numeric[i] = i
	}
	try(numeric)
	try(reversed(numeric))
	breadthFirst := g.breadthFirstOrder(adj)
	try(breadthFirst)
	try(reversed(breadthFirst))
	if best.Ops > hopelessOps {
		return best
	}

	// Greedy orders with random tie-breaking, while the search may pay off.
	pairs := float64(count * count)
	for i := 1; i <= orderTries; i++ {
		maxSearchPairs := min(maxPairs, best.Ops/searchShare)
		if best.Ops > MaxOps {
			maxSearchPairs /= 8
		}
		if pairs*float64(2*i) >= maxSearchPairs {
			break
		}
		try(g.greedy(adj, leastFill, uint32(i)))
		try(g.greedy(adj, leastEntries, uint32(i)))
	}
	return best
}

// cutsetTries is the number of variables of the largest joint table that are tried as the next cutset variable.
const cutsetTries = 24

// saturatedOps caps counts of operations.
const saturatedOps = 1e307

// planWithCutset returns the plan for all blocks, given the plan block of a single block; fixed lists the variables of
// the cutset.
func (g *Graph) planWithCutset(block Plan, fixed []int) Plan {
	block.Order = slices.DeleteFunc(slices.Clone(block.Order), func(v int) bool { return slices.Contains(fixed, v) })
	block.Cutset = slices.Clone(fixed)
	block.Ops = min(block.Ops*g.Entries(fixed), saturatedOps)
	return block
}

// restricted returns a copy of the graph in which v has a single state; the factors are not changed, so the copy serves
// only to compute costs.
func (g *Graph) restricted(v int) *Graph {
	states := slices.Clone(g.States)
	states[v] = 1
	return &Graph{states, g.Factors}
}

// largestTable returns the variables of the largest joint table of an elimination in the given order, at most
// cutsetTries of them, by descending degree.
func (g *Graph) largestTable(adj adjacency, order []int) []int {
	remaining := adj.clone()
	maxEntries := 0.0
	var widest, near []int
	for _, v := range order {
		near = remaining.list(v, near[:0])
		if joint := g.Entries(near) * float64(g.States[v]); joint > maxEntries {
			maxEntries, widest = joint, append(slices.Clone(near), v)
		}
		remaining.eliminate(v, near)
	}
	widest = slices.DeleteFunc(widest, func(v int) bool { return g.States[v] == 1 })
	sort.SliceStable(widest, func(i, j int) bool { return adj.degree(widest[i]) > adj.degree(widest[j]) })
	return widest[:min(len(widest), cutsetTries)]
}

func reversed(order []int) []int {
	out := slices.Clone(order)
	slices.Reverse(out)
	return out
}

// adjacency has the set of neighbours of each variable, as bits.
type adjacency [][]uint64

func (s adjacency) add(v, u int)  { s[v][u/64] |= 1 << (u % 64) }
func (s adjacency) drop(v, u int) { s[v][u/64] &^= 1 << (u % 64) }

// list appends the neighbours of v to dst in ascending order.
func (s adjacency) list(v int, dst []int) []int {
	for w, b := range s[v] {
		for ; b != 0; b &= b - 1 {
			dst = append(dst, w*64+bits.TrailingZeros64(b))
		}
	}
	return dst
}

// eliminate connects the neighbours of v with each other and removes v from their sets.
func (s adjacency) eliminate(v int, near []int) {
	for _, u := range near {
		for w, b := range s[v] {
			s[u][w] |= b
		}
		s.drop(u, u)
		s.drop(u, v)
	}
}

// isolated returns a copy in which v has no neighbours.
func (s adjacency) isolated(v int) adjacency {
	out := s.clone()
	out.isolate(v)
	return out
}

// isolate removes all edges of v.
func (s adjacency) isolate(v int) {
	for _, u := range s.list(v, nil) {
		s.drop(u, v)
		s.drop(v, u)
	}
}

func (s adjacency) clone() adjacency {
	out := make(adjacency, len(s))
	for i := range s {
		out[i] = slices.Clone(s[i])
	}
	return out
}

// neighbours returns the adjacency of the graph: variables are neighbours if they share a factor.
func (g *Graph) neighbours() adjacency {
	words := (len(g.States) + 63) / 64
	n := make(adjacency, len(g.States))
	for v := range n {
		n[v] = make([]uint64, words)
	}
	for _, f := range g.Factors {
		for _, v := range f.Vars {
			for _, u := range f.Vars {
				if u != v {
					n.add(v, u)
				}
			}
		}
	}
	return n
}

// score is the cost that a greedy order minimises at each step; near has the remaining neighbours of v.
type score func(g *Graph, remaining adjacency, v int, near []int) float64

// leastFill counts the edges that eliminating v adds (min-fill).
func leastFill(g *Graph, remaining adjacency, v int, near []int) float64 {
	fill := 0
	for _, u := range near {
		for w, b := range remaining[v] {
			fill += bits.OnesCount64(b &^ remaining[u][w])
		}
		fill-- // u itself
	}
	return float64(fill / 2)
}

// leastEntries counts the entries of the joint table of v (min-weight).
func leastEntries(g *Graph, _ adjacency, v int, near []int) float64 {
	return g.Entries(near) * float64(g.States[v])
}

// tieKey makes random tie-breaking the same for every graph and run.
var tieKey = rng.NewKey(1, "orders of elimination", 0)

// greedy eliminates a variable of lowest score at each step. Ties are broken by the smaller joint table, or at random
// if seed is not 0.
func (g *Graph) greedy(adj adjacency, s score, seed uint32) []int {
	remaining := adj.clone()
	count := len(g.States)
	value, size, tie := make([]float64, count), make([]float64, count), make([]float64, count)
	var near, secondNeighbours []int
	rate := func(v int) {
		near = remaining.list(v, near[:0])
		value[v], size[v] = s(g, remaining, v, near), g.Entries(near)*float64(g.States[v])
	}
	stale := make([]bool, count)
	eliminated := make([]bool, count)
	for v := range count {
		rate(v)
		if seed != 0 {
			tie[v] = tieKey.Uniform(seed, uint32(v), 0)
		}
	}
	order := make([]int, 0, count)
	for range count {
		best := -1
		for v := range count {
			if eliminated[v] {
				continue
			}
			if best < 0 || value[v] < value[best] || value[v] == value[best] &&
				(seed == 0 && size[v] < size[best] || seed != 0 && tie[v] < tie[best]) {
				best = v
			}
		}
		eliminated[best] = true
		order = append(order, best)

		// Elimination changes the scores of the neighbours, which are now connected, and of their neighbours.
		neighbours := remaining.list(best, nil)
		remaining.eliminate(best, neighbours)
		for _, u := range neighbours {
			stale[u] = true
			secondNeighbours = remaining.list(u, secondNeighbours[:0])
			for _, w := range secondNeighbours {
				stale[w] = true
			}
		}
		for v := range count {
			if stale[v] && !eliminated[v] {
				rate(v)
			}
			stale[v] = false
		}
		meter.Pulse(float64(8 * count))
	}
	return order
}

// breadthFirstOrder visits each connected component breadth first, starting from a variable at an end of the component.
func (g *Graph) breadthFirstOrder(adj adjacency) []int {
	var order []int
	visited := make([]bool, len(g.States))
	for v := range g.States {
		if visited[v] {
			continue
		}
		end := v
		for range 3 { // moving to the farthest variable, repeatedly, approaches an end of the component
			component := g.breadthFirst(adj, end, nil)
			end = component[len(component)-1]
		}
		order = append(order, g.breadthFirst(adj, end, visited)...)
	}
	return order
}

// breadthFirst lists the component of v breadth first, neighbours of low degree first, and sets visited, which may be
// nil, for its variables.
func (g *Graph) breadthFirst(adj adjacency, v int, visited []bool) []int {
	if visited == nil {
		visited = make([]bool, len(g.States))
	}
	visited[v] = true
	order := []int{v}
	for i := 0; i < len(order); i++ {
		near := adj.list(order[i], nil)
		sort.SliceStable(near, func(i, j int) bool { return adj.degree(near[i]) < adj.degree(near[j]) })
		for _, u := range near {
			if !visited[u] {
				visited[u] = true
				order = append(order, u)
			}
		}
	}
	return order
}

func (s adjacency) degree(v int) int {
	d := 0
	for _, b := range s[v] {
		d += bits.OnesCount64(b)
	}
	return d
}

// cost returns the plan of an order, with its Ops, memory and width. Ops is +Inf if it reaches maxOps.
func (g *Graph) cost(adj adjacency, order []int, maxOps float64) Plan {
	remaining := adj.clone()
	p := Plan{Order: order}
	position := make([]int, len(adj))
	for i, v := range order {
		position[v] = i
	}

	// Accumulate the work and the memory of each elimination step.
	liveBytes, bytesTo := 0.0, make([]float64, len(adj)) // bytes of all live messages, and of the messages to each variable
	var near []int
	for _, v := range order {
		near = remaining.list(v, near[:0])
		message := g.Entries(near)
		joint := num.Mul(message, float64(g.States[v]))
		p.Ops += joint
		bytes := num.Mul(8, message)
		p.SamplerBytes += bytes
		p.Width = max(p.Width, joint)
		liveBytes += bytes
		p.PeakBytes = max(p.PeakBytes, liveBytes)
		liveBytes -= bytesTo[v]
		if len(near) > 0 {
			next := slices.MinFunc(near, func(a, b int) int { return position[a] - position[b] })
			bytesTo[next] += bytes
		}

		if !(p.Ops < maxOps) {
			p.Ops = math.Inf(1)
			return p
		}
		remaining.eliminate(v, near)
	}
	p.Width = num.Log(max(p.Width, 1)) / math.Ln2
	return p
}
