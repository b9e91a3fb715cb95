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

// Plan is an order of variable elimination and its cost. Some variables, a cutset, may be fixed first: each of their
// joint states is then a block, which is summed separately.
type Plan struct {
	Order []int   // all variables but the fixed ones, the prunable ones first
	Fixed []int   // the cutset; none if there is one block
	Ops   float64 // entries of the joint tables of all blocks; each takes about 4 ns
	Peak  float64 // the most bytes that messages take at the same time
	Kept  float64 // bytes of all messages of a block, which a Sampler keeps
	Width float64 // log2 of the number of entries of the largest joint table

	messageOn map[int][]int // the variables of the message of each prunable variable
}

// Orders of elimination are searched among: greedy orders by least fill and by least entries, the order of the
// variables, and breadth-first sweeps from one end of the graph to the other, which are the best ones of wide grids.
// Greedy orders are repeated up to orderTries times with ties broken at random, as long as the search takes less than
// 1/worth of the time of the sum and visits at most triedPairs pairs of variables (an eighth of that if the sum is not
// Summable anyway). They are not repeated if the sum takes more than hopeless operations.
const (
	orderTries = 400
	worth      = 32
	triedPairs = 1 << 26
	hopeless   = 1 << 50
)

// Summable is the largest number of operations that is worth summing, about twenty hours.
const Summable = 1 << 44

// Plan is the cheapest plan found whose messages take at most so many bytes at the same time. If no order is that
// cheap, variables are fixed, one after another, until one is, or until there are more than Summable operations: fixing
// saves memory, not work.
func (g *Graph) Plan(bytes float64) Plan {
	rest := g.pruned()
	rest.States = slices.Clone(g.States)
	for _, v := range rest.order {
		rest.States[v] = 1 // never fixed
	}
	n := rest.neighbours()
	p := rest.fix(n, rest.best(n), func(p Plan) bool { return p.Peak <= bytes || p.Ops > Summable })
	if p.messageOn = rest.messageOn; p.Prunable() > 0 {
		p.Order = append(slices.Clone(rest.order), slices.DeleteFunc(p.Order, func(v int) bool {
			_, prunable := p.messageOn[v]
			return prunable
		})...)
		p.Ops += rest.entries
		p.Kept += num.Mul(8, rest.entries)
	}
	return p
}

// Prunable is the number of prunable variables, with which the order begins.
func (p Plan) Prunable() int { return len(p.messageOn) }

// best is the cheapest order found.
func (g *Graph) best(n sets) Plan {
	best := Plan{Ops: math.Inf(1)}
	try := func(order []int) {
		if p := g.cost(n, order, best.Ops); p.Ops < best.Ops {
			best = p
		}
	}

	// Greedy orders.
	try(g.greedy(n, leastFill, 0))
	try(g.greedy(n, leastEntries, 0))
	count := len(g.States)
	if count == 0 {
		return best
	}

	// The order of the numbers, and sweeps through the graph.
	along := make([]int, count)
	for i := range along {
		along[i] = i
	}
	try(along)
	try(reversed(along))
	sweep := g.sweep(n)
	try(sweep)
	try(reversed(sweep))
	if best.Ops > hopeless {
		return best
	}

	// More greedy orders, as long as the search may pay.
	pairs := float64(count * count)
	for i := 1; i <= orderTries; i++ {
		most := min(triedPairs, best.Ops/worth)
		if best.Ops > Summable {
			most /= 8
		}
		if pairs*float64(2*i) >= most {
			break
		}
		try(g.greedy(n, leastFill, uint32(i)))
		try(g.greedy(n, leastEntries, uint32(i)))
	}
	return best
}

// fixedTries is the number of variables of the largest joint table that are tried as the next fixed one.
const fixedTries = 24

// mostOps is where counts of operations saturate.
const mostOps = 1e307

// withFixed is the plan of all blocks, from that of one block.
func (g *Graph) withFixed(block Plan, fixed []int) Plan {
	block.Order = slices.DeleteFunc(slices.Clone(block.Order), func(v int) bool { return slices.Contains(fixed, v) })
	block.Fixed = slices.Clone(fixed)
	block.Ops = min(block.Ops*g.Entries(fixed), mostOps)
	return block
}

// without has one state of v left.
func (g *Graph) without(v int) *Graph {
	states := slices.Clone(g.States)
	states[v] = 1
	return &Graph{states, g.Factors}
}

// widest lists the variables of the largest joint table, those with most neighbours first, at most fixedTries.
func (g *Graph) widest(n sets, order []int) []int {
	left := n.clone()
	most := 0.0
	var widest, near []int
	for _, v := range order {
		near = left.list(v, near[:0])
		if joint := g.Entries(near) * float64(g.States[v]); joint > most {
			most, widest = joint, append(slices.Clone(near), v)
		}
		left.eliminate(v, near)
	}
	widest = slices.DeleteFunc(widest, func(v int) bool { return g.States[v] == 1 })
	sort.SliceStable(widest, func(i, j int) bool { return n.degree(widest[i]) > n.degree(widest[j]) })
	return widest[:min(len(widest), fixedTries)]
}

func reversed(order []int) []int {
	out := slices.Clone(order)
	slices.Reverse(out)
	return out
}

// sets has a set of variables for each variable, as bits: its neighbours.
type sets [][]uint64

func (s sets) add(v, u int)  { s[v][u/64] |= 1 << (u % 64) }
func (s sets) drop(v, u int) { s[v][u/64] &^= 1 << (u % 64) }

// list appends the members of the set of v, ascending.
func (s sets) list(v int, to []int) []int {
	for w, b := range s[v] {
		for ; b != 0; b &= b - 1 {
			to = append(to, w*64+bits.TrailingZeros64(b))
		}
	}
	return to
}

// eliminate makes the neighbours of v neighbours of each other, and takes v out of their sets.
func (s sets) eliminate(v int, near []int) {
	for _, u := range near {
		for w, b := range s[v] {
			s[u][w] |= b
		}
		s.drop(u, u)
		s.drop(u, v)
	}
}

// without is a copy in which v has no neighbours.
func (s sets) without(v int) sets {
	out := s.clone()
	out.part(v)
	return out
}

// part removes the edges between v and its neighbours.
func (s sets) part(v int) {
	for _, u := range s.list(v, nil) {
		s.drop(u, v)
		s.drop(v, u)
	}
}

func (s sets) clone() sets {
	out := make(sets, len(s))
	for i := range s {
		out[i] = slices.Clone(s[i])
	}
	return out
}

// neighbours are, for each variable, the variables in the same factors.
func (g *Graph) neighbours() sets {
	words := (len(g.States) + 63) / 64
	n := make(sets, len(g.States))
	for v := range n {
		n[v] = make([]uint64, words)
	}
	for _, f := range g.Factors {
		for _, v := range f.On {
			for _, u := range f.On {
				if u != v {
					n.add(v, u)
				}
			}
		}
	}
	return n
}

// score is what a greedy order minimises at each step; near are the remaining neighbours of v.
type score func(g *Graph, left sets, v int, near []int) float64

// leastFill is the number of edges that eliminating v adds.
func leastFill(g *Graph, left sets, v int, near []int) float64 {
	fill := 0
	for _, u := range near {
		for w, b := range left[v] {
			fill += bits.OnesCount64(b &^ left[u][w])
		}
		fill-- // u itself
	}
	return float64(fill / 2)
}

// leastEntries is the number of entries of the joint table of v.
func leastEntries(g *Graph, _ sets, v int, near []int) float64 {
	return g.Entries(near) * float64(g.States[v])
}

// ties breaks ties at random, in the same way for every graph.
var ties = rng.NewKey(1, "orders of elimination", 0)

// greedy eliminates the variable of the lowest score at each step. Ties are broken by the smaller joint table, or,
// unless seed is 0, at random.
func (g *Graph) greedy(n sets, s score, seed uint32) []int {
	left := n.clone()
	count := len(g.States)
	value, size, tie := make([]float64, count), make([]float64, count), make([]float64, count)
	var near, far []int
	rate := func(v int) {
		near = left.list(v, near[:0])
		value[v], size[v] = s(g, left, v, near), g.Entries(near)*float64(g.States[v])
	}
	stale := make([]bool, count)
	done := make([]bool, count)
	for v := range count {
		rate(v)
		if seed != 0 {
			tie[v] = ties.Uniform(seed, uint32(v), 0)
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

		// Scores change of its neighbours, which become neighbours of each other, and of their neighbours.
		around := left.list(best, nil)
		left.eliminate(best, around)
		for _, u := range around {
			stale[u] = true
			far = left.list(u, far[:0])
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

// sweep visits each component breadth first, from a variable about as far out as any.
func (g *Graph) sweep(n sets) []int {
	var order []int
	seen := make([]bool, len(g.States))
	for v := range g.States {
		if seen[v] {
			continue
		}
		end := v
		for range 3 { // the farthest of the farthest is nearly at an end
			part := g.breadth(n, end, nil)
			end = part[len(part)-1]
		}
		order = append(order, g.breadth(n, end, seen)...)
	}
	return order
}

// breadth lists the component of v breadth first, neighbours of low degree first. It marks them in seen, which may be
// nil.
func (g *Graph) breadth(n sets, v int, seen []bool) []int {
	if seen == nil {
		seen = make([]bool, len(g.States))
	}
	seen[v] = true
	order := []int{v}
	for i := 0; i < len(order); i++ {
		near := n.list(order[i], nil)
		sort.SliceStable(near, func(i, j int) bool { return n.degree(near[i]) < n.degree(near[j]) })
		for _, u := range near {
			if !seen[u] {
				seen[u] = true
				order = append(order, u)
			}
		}
	}
	return order
}

func (s sets) degree(v int) int {
	d := 0
	for _, b := range s[v] {
		d += bits.OnesCount64(b)
	}
	return d
}

// cost is the plan of an order. Its Ops are +Inf if they are not less than most.
func (g *Graph) cost(n sets, order []int, most float64) Plan {
	left := n.clone()
	p := Plan{Order: order}
	place := make([]int, len(n))
	for i, v := range order {
		place[v] = i
	}

	// What each sum over a variable costs, in work and in memory.
	alive, used := 0.0, make([]float64, len(n)) // bytes of messages; of those that the sum over a variable consumes
	var near []int
	for _, v := range order {
		near = left.list(v, near[:0])
		message := g.Entries(near)
		joint := num.Mul(message, float64(g.States[v]))
		p.Ops += joint
		bytes := num.Mul(8, message)
		p.Kept += bytes
		p.Width = max(p.Width, joint)
		alive += bytes
		p.Peak = max(p.Peak, alive)
		alive -= used[v]
		if len(near) > 0 {
			next := slices.MinFunc(near, func(a, b int) int { return place[a] - place[b] })
			used[next] += bytes
		}

		if !(p.Ops < most) {
			p.Ops = math.Inf(1)
			return p
		}
		left.eliminate(v, near)
	}
	p.Width = num.Log(max(p.Width, 1)) / math.Ln2
	return p
}
