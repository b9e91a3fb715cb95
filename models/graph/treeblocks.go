package graph

import (
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// Blocked Gibbs sampling over trees ([Hamze2004]). A tree block is a set of variables whose tables on two variables
// form a forest, and no table on three or more variables contains two variables of the block. Given all other
// variables, the block is drawn jointly: belief propagation sends messages from the leaves to the roots, and the
// variables are drawn from the roots to the leaves.
//
// Messages and weights are stored as values, not as logs. They are scaled to about 1 at each node. To avoid underflow
// and overflow, a variable whose tables spread over more than maxSpread nats is in no block. Variables of tables with
// zeros are in no block either. Variables in no block are drawn one at a time.

// Sweeps are the values of the parameter sweep, the default first.
var Sweeps = []string{"single", trees}

// trees is the value of the parameter sweep for sweeps by tree blocks.
const trees = "trees"

// maxSpread is the largest sum, over the tables of a variable in a block, of the difference of the largest and the
// smallest log, in nats.
const maxSpread = 600

// node is a variable of a tree block.
type node struct {
	place       int    // place of the variable in the layout
	parent      int    // index of the parent in the block, larger than that of the node; -1 for a root
	parentTable *part  // table on the node and its parent
	outer       []part // all other tables on the variable
}

// value is the log of a table entry. Its power at inverse temperature b is e^(b x), or e^x if the table is in the base.
type value struct {
	x      float64
	inBase bool
}

// atBeta returns the log of the power at inverse temperature b.
func (v value) atBeta(b float64) float64 {
	if v.inBase {
		return v.x
	}
	return num.Mul(b, v.x)
}

// treeBlocks are the blocks of a sweep, and the table values that they need, each of which is raised to the power b
// once for a rung.
type treeBlocks struct {
	blocks     [][]node  // leaves first
	base       []node    // the block that draws from f_0, see withTreeBase; nil if f_0 is uniform
	singles    []int     // places in no block
	values     []value   // distinct values of all tables
	entries    []int32   // indices into values, for the tables of all nodes one after another
	entryStart [][]int32 // first entry of each node, by block; the base is the last block
	maxNodes   int       // largest number of nodes of a block
	maxStates  int       // largest number of states
}

// treeBlocksOf chooses blocks so that each eligible variable (fitsBlock) is in at least one.
func treeBlocksOf(l *layout) *treeBlocks {
	f := &treeBlocks{}
	n := len(l.order)
	isEligible, isCovered := make([]bool, n), make([]bool, n)
	uncovered := 0

	// Find the eligible variables.
	for p, parts := range l.partsAt {
		f.maxStates = max(f.maxStates, l.states[p])
		if isEligible[p] = fitsBlock(parts); isEligible[p] {
			uncovered++
		} else {
			f.singles = append(f.singles, p)
		}
	}

	// Add blocks until each eligible variable is covered.
	order := breadthFirst(l)
	for uncovered > 0 {
		inBlock := make([]bool, n)
		u := newUnionFind(n)
		for _, covered := range []bool{false, true} { // variables in no block yet come first
			for _, p := range order {
				if isEligible[p] && isCovered[p] == covered && !inBlock[p] && u.tryAdd(l, inBlock, p) {
					inBlock[p] = true
				}
			}
		}
		for p, is := range inBlock {
			if is && !isCovered[p] {
				isCovered[p] = true
				uncovered--
			}
		}
		f.blocks = append(f.blocks, f.makeBlock(l, inBlock, order))
	}

	// The base has a block of its own.
	if l.base != nil {
		f.base = f.makeBlock(l.baseOnly(), isEligible, order) // all variables are eligible, or withTreeBase returns an error
	}
	f.listValues()
	return f
}

// Faster chooses tree blocks if they have at most maxTreeEntries table entries, maxNodeRatio nodes and
// maxTablesPerVariable tables for each variable, and maxTreeStates states. Beyond these limits single-site draws have
// the smaller error in the same time.
const (
	maxTreeEntries       = 1 << 20
	maxNodeRatio         = 1.6
	maxTablesPerVariable = 6
	maxTreeStates        = 6 // a message has a product for each pair of states
)

// nodes returns the number of nodes of all blocks.
func (f *treeBlocks) nodes() (n int) {
	for _, block := range f.blocks {
		n += len(block)
	}
	return n
}

// Faster returns the model with sweeps by tree blocks if these are efficient, otherwise the model itself. If the tables
// outside of a spanning tree are weak, the tree also becomes the base. Graphs of spins with small sums keep single-site
// draws, which are ten times as fast for them.
func (m *Graph) Faster() models.Model {
	if m.smallSums != nil || m.hasZeros || m.sweep == trees || len(m.g.Factors) > maxTablesPerVariable*len(m.g.States) {
		return m
	}
	f := m.treeBlocks()
	if len(f.singles) > 0 || float64(f.nodes()) > maxNodeRatio*float64(len(m.g.States)) || f.maxStates > maxTreeStates ||
		len(f.entries) > maxTreeEntries {
		return m
	}
	if out, err := m.withTreeBase(); err == nil && out.layout.strengthOutside() <= maxOutsideStrength {
		return out
	}
	out := *m
	out.sweep = trees
	return &out
}

// fitsBlock reports whether a variable with these tables can be in a block.
func fitsBlock(parts []part) bool {
	spread := 0.0
	for i := range parts {
		if parts[i].isZero != nil || len(parts[i].x) > maxOddsEntries {
			return false
		}
		spread += slices.Max(parts[i].x) - slices.Min(parts[i].x)
	}
	return spread < maxSpread
}

// breadthFirst returns the places in the order of a breadth-first search, connected component by connected component.
func breadthFirst(l *layout) []int {
	n := len(l.order)
	isListed := make([]bool, n)
	var out []int
	for p := range n {
		if isListed[p] {
			continue
		}
		isListed[p] = true
		out = append(out, p)
		for i := len(out) - 1; i < len(out); i++ {
			for _, t := range l.partsAt[out[i]] {
				for _, q := range t.places {
					if !isListed[q] {
						isListed[q] = true
						out = append(out, int(q))
					}
				}
			}
		}
	}
	return out
}

// unionFind is a partition of places into disjoint sets; u[p] is the parent of place p in the tree of its set.
type unionFind []int32

// newUnionFind returns n sets of one place each.
func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

// root returns the root of the set of place p, and halves the path from p to it.
func (u unionFind) root(p int32) int32 {
	for u[p] != p {
		u[p] = u[u[p]]
		p = u[p]
	}
	return p
}

// tryAdd merges place p with the sets of its neighbours in the block. It returns false, and merges nothing, if this
// would close a cycle or if a table on three or more variables contains p and a variable in the block.
func (u unionFind) tryAdd(l *layout, inBlock []bool, p int) bool {
	var roots []int32
	for _, t := range l.partsAt[p] {
		for _, q := range t.places {
			if !inBlock[q] {
				continue
			}
			if root := u.root(q); len(t.places) == 1 && !slices.Contains(roots, root) {
				roots = append(roots, root)
			} else {
				return false
			}
		}
	}
	for _, q := range roots {
		u[q] = int32(p)
	}
	return true
}

// makeBlock returns the tree block of the places with inBlock, leaves first.
func (f *treeBlocks) makeBlock(l *layout, inBlock []bool, order []int) (nodes []node) {
	nodeIndex := make([]int, len(inBlock))
	for i := range nodeIndex {
		nodeIndex[i] = -1
	}

	// Build each tree from the root down, with the tables at its nodes.
	for _, root := range order {
		if !inBlock[root] || nodeIndex[root] >= 0 {
			continue
		}
		nodeIndex[root] = len(nodes)
		nodes = append(nodes, node{place: root, parent: -1})
		for i := len(nodes) - 1; i < len(nodes); i++ {
			for k := range l.partsAt[nodes[i].place] {
				t := &l.partsAt[nodes[i].place][k]
				isInner := false
				for _, q := range t.places {
					isInner = isInner || inBlock[q]
				}
				switch {
				case !isInner:
					nodes[i].outer = append(nodes[i].outer, *t)
				case nodeIndex[t.places[0]] < 0:
					q := int(t.places[0])
					nodeIndex[q] = len(nodes)
					nodes = append(nodes, node{place: q, parent: i})
				default:
					nodes[i].parentTable = t
				}
			}
		}
	}

	// Leaves first.
	slices.Reverse(nodes)
	for i := range nodes {
		if nodes[i].parent >= 0 {
			nodes[i].parent = len(nodes) - 1 - nodes[i].parent
		}
	}
	f.maxNodes = max(f.maxNodes, len(nodes))
	return nodes
}

// listValues lists the table values that all nodes need. If all variables have two states, these are the odds by each
// outer table, the odds by the table shared with the parent for each state of the parent, and the ratio of this table
// between the states 1 and 0 of the parent at state 0 of the child. Otherwise they are the tables, scaled to a maximum
// of 1.
func (f *treeBlocks) listValues() {
	valueIndex := map[value]int32{}
	for k := range len(f.blocks) + 1 {
		nodes := f.base
		if k < len(f.blocks) {
			nodes = f.blocks[k]
		}
		var entryStart []int32
		for i := range nodes {
			entryStart = append(entryStart, int32(len(f.entries)))
			node := &nodes[i]
			for k := range node.outer {
				f.addTable(valueIndex, &node.outer[k])
			}
			t := node.parentTable
			if t == nil {
				continue
			}
			if f.addTable(valueIndex, t); f.maxStates == 2 {
				f.addValue(valueIndex, value{t.x[t.strides[0]] - t.x[0], t.inBase})
			}
		}
		f.entryStart = append(f.entryStart, entryStart)
	}
}

// addTable lists the values of a table for one of its variables; valueIndex has the index of each value listed so far.
func (f *treeBlocks) addTable(valueIndex map[value]int32, t *part) {
	x, top := t.x, slices.Max(t.x)
	if f.maxStates == 2 {
		x, top = t.odds.x, 0
	}
	for _, v := range x {
		f.addValue(valueIndex, value{v - top, t.inBase})
	}
}

// addValue adds the index of v to entries, and v to values if it is new.
func (f *treeBlocks) addValue(valueIndex map[value]int32, v value) {
	i, ok := valueIndex[v]
	if !ok {
		i = int32(len(f.values))
		valueIndex[v], f.values = i, append(f.values, v)
	}
	f.entries = append(f.entries, i)
}

// fillPowers sets out[i] to the power, at inverse temperature b, of the value with index entries[i]. exps is work
// space.
func (f *treeBlocks) fillPowers(b float64, exps, out []float64) {
	for i, v := range f.values {
		exps[i] = num.Exp(v.atBeta(b))
	}
	for i, k := range f.entries {
		out[i] = exps[k]
	}
}
