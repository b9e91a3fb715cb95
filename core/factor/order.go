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
// variables' numbers, and breadth-first orders from one end of the graph to the other, which are the best ones for wide
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
	rest := g.pruned()
	rest.States = slices.Clone(g.States)
	for _, v := range rest.order {
		rest.States[v] = 1 // never fixed
	}
	adj := rest.neighbours()
	p := rest.fixGreedily(adj, rest.best(adj), func(p Plan) bool { return p.PeakBytes <= bytes || p.Ops > MaxOps })
	if p.messageVars = rest.messageVars; p.Prunable() > 0 {
		p.Order = append(slices.Clone(rest.order), slices.DeleteFunc(p.Order, func(v int) bool {
			_, prunable := p.messageVars[v]
			return prunable
		})...)
		p.Ops += rest.entries
		p.SamplerBytes += num.Mul(8, rest.entries)
	}
	return p
}

// Prunable returns the number of prunable variables, which come first in Order.
func (p Plan) Prunable() int { return len(p.messageVars) }

// best returns the plan of the cheapest order found, without a cutset.
func (g *Graph) best(adj adjacency) Plan {
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
	natural := make([]int, count)
	for i := range natural {
		natural[i] = i
	}
	try(natural)
	try(reversed(natural))
	sweep := g.breadthFirstOrder(adj)
	try(sweep)
	try(reversed(sweep))
	if best.Ops > hopelessOps {
		return best
	}

	// Greedy orders with random tie-breaking, while the search may pay off.
	pairs := float64(count * count)
	for i := 1; i <= orderTries; i++ {
		most := min(maxPairs, best.Ops/searchShare)
		if best.Ops > MaxOps {
			most /= 8
		}
		if pairs*float64(2*i) >= most {
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

// planWithCutset returns the plan for all blocks, given the plan for one block.
func (g *Graph) planWithCutset(block Plan, fixed []int) Plan {
	block.Order = slices.DeleteFunc(slices.Clone(block.Order), func(v int) bool { return slices.Contains(fixed, v) })
	block.Cutset = slices.Clone(fixed)
	block.Ops = min(block.Ops*g.Entries(fixed), saturatedOps)
	return block
}

// restricted returns the graph with a single state of v.
func (g *Graph) restricted(v int) *Graph {
	states := slices.Clone(g.States)
	states[v] = 1
	return &Graph{states, g.Factors}
}

// largestTable returns the variables of the largest joint table, by descending degree, at most cutsetTries.
func (g *Graph) largestTable(adj adjacency, order []int) []int {
	remaining := adj.clone()
	most := 0.0
	var widest, near []int
	for _, v := range order {
		near = remaining.list(v, near[:0])
		if joint := g.Entries(near) * float64(g.States[v]); joint > most {
			most, widest = joint, append(slices.Clone(near), v)
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

// list appends the neighbours of v in ascending order.
func (s adjacency) list(v int, to []int) []int {
	for w, b := range s[v] {
		for ; b != 0; b &= b - 1 {
			to = append(to, w*64+bits.TrailingZeros64(b))
		}
	}
	return to
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
type score func(g *Graph, left adjacency, v int, near []int) float64

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
	var near, far []int
	rate := func(v int) {
		near = remaining.list(v, near[:0])
		value[v], size[v] = s(g, remaining, v, near), g.Entries(near)*float64(g.States[v])
	}
	stale := make([]bool, count)
	done := make([]bool, count)
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
			if done[v] {
				continue
			}
			if best < 0 || value[v] < value[best] || value[v] == value[best] &&
				(seed == 0 && size[v] < size[best] || seed != 0 && tie[v] < tie[best]) {
				best = v
			}
		}
		done[best] = true
		order = append(order, best)

		// Elimination changes the scores of the neighbours, which are now connected, and of their neighbours.
		around := remaining.list(best, nil)
		remaining.eliminate(best, around)
		for _, u := range around {
			stale[u] = true
			far = remaining.list(u, far[:0])
			for _, w := range far {
				stale[w] = true
			}
		}
		for v := range count {
			if stale[v] && !done[v] {
				rate(v)
			}
			stale[v] = false
		}
		meter.Pulse(float64(8 * count))
	}
	return order
}

// breadthFirstOrder visits each component breadth first, starting from a variable that is about as far out as any.
func (g *Graph) breadthFirstOrder(adj adjacency) []int {
	var order []int
	seen := make([]bool, len(g.States))
	for v := range g.States {
		if seen[v] {
			continue
		}
		end := v
		for range 3 { // repeated farthest vertices approach an end of the component
			part := g.breadthFirst(adj, end, nil)
			end = part[len(part)-1]
		}
		order = append(order, g.breadthFirst(adj, end, seen)...)
	}
	return order
}

// breadthFirst lists the component of v breadth first, neighbours of low degree first, and marks it in seen, which may
// be nil.
func (g *Graph) breadthFirst(adj adjacency, v int, seen []bool) []int {
	if seen == nil {
		seen = make([]bool, len(g.States))
	}
	seen[v] = true
	order := []int{v}
	for i := 0; i < len(order); i++ {
		near := adj.list(order[i], nil)
		sort.SliceStable(near, func(i, j int) bool { return adj.degree(near[i]) < adj.degree(near[j]) })
		for _, u := range near {
			if !seen[u] {
				seen[u] = true
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

// cost returns the plan of an order. Its Ops are +Inf if they reach most.
func (g *Graph) cost(adj adjacency, order []int, most float64) Plan {
	remaining := adj.clone()
	p := Plan{Order: order}
	place := make([]int, len(adj))
	for i, v := range order {
		place[v] = i
	}

	// Accumulate the work and the memory of each elimination step.
	alive, used := 0.0, make([]float64, len(adj)) // bytes of all live messages, and of the messages to each variable
	var near []int
	for _, v := range order {
		near = remaining.list(v, near[:0])
		message := g.Entries(near)
		joint := num.Mul(message, float64(g.States[v]))
		p.Ops += joint
		bytes := num.Mul(8, message)
		p.SamplerBytes += bytes
		p.Width = max(p.Width, joint)
		alive += bytes
		p.PeakBytes = max(p.PeakBytes, alive)
		alive -= used[v]
		if len(near) > 0 {
			next := slices.MinFunc(near, func(a, b int) int { return place[a] - place[b] })
			used[next] += bytes
		}

		if !(p.Ops < most) {
			p.Ops = math.Inf(1)
			return p
		}
		remaining.eliminate(v, near)
	}
	p.Width = num.Log(max(p.Width, 1)) / math.Ln2
	return p
}
