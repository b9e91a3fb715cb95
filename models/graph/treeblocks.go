package graph

import (
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// Blocked Gibbs sampling over trees ([Hamze2004]): a tree block is a set of variables that the tables on two variables
// join to a forest, and of which no larger table has two. Given all other variables they are drawn jointly: messages of
// belief propagation go from the leaves to the roots, and draws from the roots to the leaves.
//
// Messages and weights are values, not logs. They are scaled to about 1 at each node, and a variable whose tables
// spread over more than mostSpread nats is in no block, so they neither under- nor overflow. Nor is a variable of a
// table with zeros in a block. Variables in no block are drawn one at a time.

// Sweeps are the choices of the parameter sweep, the default first.
var Sweeps = []string{"single", trees}

const trees = "trees"

// mostSpread bounds the sum of the spreads of the tables of a variable in a block, in nats.
const mostSpread = 600

// node is a variable of a tree block.
type node struct {
	place  int
	parent int    // number of the parent, which comes later; -1: a root
	with   *part  // the table with the parent
	outer  []part // the others
}

// value is a log value of a table; at a rung it is multiplied by b unless the table is in the base.
type value struct {
	x    float64
	base bool
}

func (v value) at(b float64) float64 {
	if v.base {
		return v.x
	}
	return num.Mul(b, v.x)
}

// forests are the blocks of a sweep. Numbers are taken to a power once for each rung.
type treeBlocks struct {
	blocks  [][]node // leaves first
	base    []node   // one more, by which the base is drawn, see start.go; nil: its states weigh alike
	singles []int    // places that are in no block
	values  []value
	entries []int32   // numbers of values, for the parts of nodes one after another
	at      [][]int32 // of each block and node, the base last: where its entries begin
	most    int       // nodes of a block
	widest  int       // states
}

// treeBlocksOf chooses blocks so that each variable that can be in one is; some are in several.
func treeBlocksOf(l *layout) *treeBlocks {
	f := &treeBlocks{}
	n := len(l.order)
	able, covered := make([]bool, n), make([]bool, n)
	left := 0

	// The variables that can be in a block, and the others.
	for p, parts := range l.sites {
		f.widest = max(f.widest, l.states[p])
		if able[p] = drawable(parts); able[p] {
			left++
		} else {
			f.singles = append(f.singles, p)
		}
	}

	// Blocks, until each variable is covered.
	order := breadthFirst(l)
	for left > 0 {
		in := make([]bool, n)
		u := newUnionFind(n)
		for _, again := range []bool{false, true} { // variables that are in no block yet come first
			for _, p := range order {
				if able[p] && covered[p] == again && !in[p] && u.joins(l, in, p) {
					in[p] = true
				}
			}
		}
		for p, is := range in {
			if is && !covered[p] {
				covered[p] = true
				left--
			}
		}
		f.blocks = append(f.blocks, f.block(l, in, order))
	}

	// The base's own block.
	if l.base != nil {
		f.base = f.block(l.onlyBase(), able, order) // all are able, or onTree refuses
	}
	f.number()
	return f
}

// Faster uses tree blocks up to mostTreeEntries numbers of all nodes, mostRepeats nodes for each variable, mostNear
// tables for each variable and mostMany states: beyond, single draws have the smaller error at equal time.
const (
	mostTreeEntries = 1 << 20
	mostRepeats     = 1.6
	mostNear        = 6 // tables for each variable
	mostMany        = 6 // states: a message has a product for each pair
)

// nodes is the number of nodes of all blocks.
func (f *treeBlocks) nodes() (n int) {
	for _, block := range f.blocks {
		n += len(block)
	}
	return n
}

// Faster is the model with sweeps by tree blocks if these are large, unless its spins have small sums, whose single
// draws are ten times as fast. If a spanning tree has most of the couplings, the path also starts from that.
func (m *Graph) Faster() models.Model {
	if m.small != nil || m.zeros || m.sweeps == trees || len(m.g.Factors) > mostNear*len(m.g.States) {
		return m
	}
	f := m.trees()
	if len(f.singles) > 0 || float64(f.nodes()) > mostRepeats*float64(len(m.g.States)) || f.widest > mostMany ||
		len(f.entries) > mostTreeEntries {
		return m
	}
	if out, err := m.onTree(); err == nil && out.layout.left() <= mostLeft {
		return out
	}
	out := *m
	out.sweeps = trees
	return &out
}

// drawable reports whether a variable with these tables can be in a block.
func drawable(parts []part) bool {
	spread := 0.0
	for i := range parts {
		if parts[i].broken != nil || len(parts[i].x) > mostOdds {
			return false
		}
		spread += slices.Max(parts[i].x) - slices.Min(parts[i].x)
	}
	return spread < mostSpread
}

// breadthFirst lists the places, component by component.
func breadthFirst(l *layout) []int {
	n := len(l.order)
	seen := make([]bool, n)
	var out []int
	for p := range n {
		if seen[p] {
			continue
		}
		seen[p] = true
		out = append(out, p)
		for i := len(out) - 1; i < len(out); i++ {
			for _, t := range l.sites[out[i]] {
				for _, q := range t.places {
					if !seen[q] {
						seen[q] = true
						out = append(out, int(q))
					}
				}
			}
		}
	}
	return out
}

// unionFind has disjoint sets of places.
type unionFind []int32

func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

func (u unionFind) root(p int32) int32 {
	for u[p] != p {
		u[p] = u[u[p]]
		p = u[p]
	}
	return p
}

// joins merges a place with the sets of its neighbours that are in, and reports false if that closed a cycle.
func (u unionFind) joins(l *layout, in []bool, p int) bool {
	var near []int32
	for _, t := range l.sites[p] {
		for _, q := range t.places {
			if !in[q] {
				continue
			}
			if root := u.root(q); len(t.places) == 1 && !slices.Contains(near, root) {
				near = append(near, root)
			} else {
				return false
			}
		}
	}
	for _, q := range near {
		u[q] = int32(p)
	}
	return true
}

// block is the tree block of the places that are in, leaves first.
func (f *treeBlocks) block(l *layout, in []bool, order []int) (nodes []node) {
	number := make([]int, len(in))
	for i := range number {
		number[i] = -1
	}

	// Each tree from the root down, with the tables at its nodes.
	for _, root := range order {
		if !in[root] || number[root] >= 0 {
			continue
		}
		number[root] = len(nodes)
		nodes = append(nodes, node{place: root, parent: -1})
		for i := len(nodes) - 1; i < len(nodes); i++ {
			for k := range l.sites[nodes[i].place] {
				t := &l.sites[nodes[i].place][k]
				inner := false
				for _, q := range t.places {
					inner = inner || in[q]
				}
				switch {
				case !inner:
					nodes[i].outer = append(nodes[i].outer, *t)
				case number[t.places[0]] < 0:
					q := int(t.places[0])
					number[q] = len(nodes)
					nodes = append(nodes, node{place: q, parent: i})
				default:
					nodes[i].with = t
				}
			}
		}
	}

	// The leaves come first.
	slices.Reverse(nodes)
	for i := range nodes {
		if nodes[i].parent >= 0 {
			nodes[i].parent = len(nodes) - 1 - nodes[i].parent
		}
	}
	f.most = max(f.most, len(nodes))
	return nodes
}

// number lists the numbers that all nodes need. For variables of two states these are the odds by each outer table, the
// odds by the table with the parent given each of its states, and the ratio that this table has between the parent's
// states at state 0 of the child. For others they are the tables, scaled to a largest value of 1.
func (f *treeBlocks) number() {
	known := map[value]int32{}
	for k := range len(f.blocks) + 1 {
		nodes := f.base
		if k < len(f.blocks) {
			nodes = f.blocks[k]
		}
		var at []int32
		for i := range nodes {
			at = append(at, int32(len(f.entries)))
			node := &nodes[i]
			for k := range node.outer {
				f.put(known, &node.outer[k])
			}
			t := node.with
			if t == nil {
				continue
			}
			if f.put(known, t); f.widest == 2 {
				f.one(known, value{t.x[t.strides[0]] - t.x[0], t.base})
			}
		}
		f.at = append(f.at, at)
	}
}

// put lists the numbers of a table for one of its variables.
func (f *treeBlocks) put(known map[value]int32, t *part) {
	x, top := t.x, slices.Max(t.x)
	if f.widest == 2 {
		x, top = t.odds.x, 0
	}
	for _, v := range x {
		f.one(known, value{v - top, t.base})
	}
}

// one lists a number.
func (f *treeBlocks) one(known map[value]int32, v value) {
	i, ok := known[v]
	if !ok {
		i = int32(len(f.values))
		known[v], f.values = i, append(f.values, v)
	}
	f.entries = append(f.entries, i)
}

// power sets to to the numbers at inverse temperature b; room is working space.
func (f *treeBlocks) power(b float64, room, to []float64) {
	for i, v := range f.values {
		room[i] = num.Exp(v.at(b))
	}
	for i, k := range f.entries {
		to[i] = room[k]
	}
}
