package graph

import (
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// Blocks of trees ([Hamze2004]): given all other variables, those of a forest are drawn at once. A forest has variables
// among which the tables on two make no cycle; no larger table has two of them. Messages go from the leaves to the
// roots, and draws from the roots to the leaves.
//
// Messages and weights are numbers, not logs. The largest of a node is some 1, and a variable whose tables are together
// farther apart than narrowEnough is in no forest, so that none of them under- or overflows. Nor is a variable of a
// table with zeros: such variables are drawn one after another.

// Sweeps are the names of sweeps, the default first.
var Sweeps = []string{"single", trees}

const trees = "trees"

// narrowEnough is how far apart the numbers of all tables of a variable in a forest may be together, in nats.
const narrowEnough = 600

// node is a variable of a forest.
type node struct {
	place int
	up    int    // the node of the parent, which comes later; -1: a root
	with  *part  // the table with the parent
	outer []part // the others
}

// value is a number of a table, whose power is b unless it is of the base.
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
type forests struct {
	blocks  [][]node // leaves first
	base    []node   // one more, by which the base is drawn, see start.go; nil: its states weigh alike
	singles []int    // places that are in no block
	values  []value
	entries []int32   // numbers of values, for the parts of nodes one after another
	at      [][]int32 // of each block and node, the base last: where its entries begin
	most    int       // nodes of a block
	widest  int       // states
}

// forestsOf are the blocks of a layout whose tables all stay.
func forestsOf(l *layout) *forests {
	f := &forests{}
	n := len(l.order)
	able, covered := make([]bool, n), make([]bool, n)
	left := 0

	// The variables that trees can draw, and the others.
	for p, parts := range l.sites {
		f.widest = max(f.widest, l.states[p])
		if able[p] = drawable(parts); able[p] {
			left++
		} else {
			f.singles = append(f.singles, p)
		}
	}

	// Blocks, until each variable is covered.
	order := wide(l)
	for left > 0 {
		in := make([]bool, n)
		u := newUnion(n)
		for _, again := range []bool{false, true} { // those that no block has yet come first
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
		f.base = f.block(l.onlyBase(), able, order) // all are, or there is no such base
	}
	f.number()
	return f
}

// mostTreeEntries bounds the numbers of all nodes, and mostTwice how many nodes there may be for each variable where
// trees are said to win.
const (
	mostTreeEntries = 1 << 20
	mostTwice       = 1.6
	mostNear        = 6 // tables for each variable
	mostMany        = 6 // states: a message has a product for each pair
)

// nodes is how many nodes all blocks have.
func (f *forests) nodes() (n int) {
	for _, block := range f.blocks {
		n += len(block)
	}
	return n
}

// Faster sweeps by trees where that wins by the error at equal time: where forests are large, unless spins have small
// sums, whose single draws are ten times as fast. Then it starts from a tree where that leaves little.
func (m *Graph) Faster() models.Model {
	if m.small != nil || m.zeros || m.sweeps == trees || len(m.g.Factors) > mostNear*len(m.g.States) {
		return m
	}
	f := m.trees()
	if len(f.singles) > 0 || float64(f.nodes()) > mostTwice*float64(len(m.g.States)) || f.widest > mostMany ||
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

// drawable reports whether a variable of these tables may be in a forest.
func drawable(parts []part) bool {
	spread := 0.0
	for i := range parts {
		if parts[i].broken != nil || len(parts[i].x) > mostOdds {
			return false
		}
		spread += slices.Max(parts[i].x) - slices.Min(parts[i].x)
	}
	return spread < narrowEnough
}

// wide lists the places breadth first.
func wide(l *layout) []int {
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

// union are trees that grow together.
type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

func (u union) root(p int32) int32 {
	for u[p] != p {
		u[p] = u[u[p]]
		p = u[p]
	}
	return p
}

// joins adds a place to the trees of those that are in, where that makes no cycle.
func (u union) joins(l *layout, in []bool, p int) bool {
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

// block is that of the places that are in.
func (f *forests) block(l *layout, in []bool, order []int) (nodes []node) {
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
		nodes = append(nodes, node{place: root, up: -1})
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
					nodes = append(nodes, node{place: q, up: i})
				default:
					nodes[i].with = t
				}
			}
		}
	}

	// The leaves come first.
	slices.Reverse(nodes)
	for i := range nodes {
		if nodes[i].up >= 0 {
			nodes[i].up = len(nodes) - 1 - nodes[i].up
		}
	}
	f.most = max(f.most, len(nodes))
	return nodes
}

// number lists what the numbers of all nodes are made of: of variables of two states the odds of each outer table, and
// of the table with the parent the odds for both states of it, and by how much its state 1 is weighed more where the
// child has state 0; of others the tables, the largest number of each 1.
func (f *forests) number() {
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

// put lists the numbers of a table as one of its variables sees it.
func (f *forests) put(known map[value]int32, t *part) {
	x, top := t.x, slices.Max(t.x)
	if f.widest == 2 {
		x, top = t.odds.x, 0
	}
	for _, v := range x {
		f.one(known, value{v - top, t.base})
	}
}

// one lists a number.
func (f *forests) one(known map[value]int32, v value) {
	i, ok := known[v]
	if !ok {
		i = int32(len(f.values))
		known[v], f.values = i, append(f.values, v)
	}
	f.entries = append(f.entries, i)
}

// power sets to to the numbers at power b.
func (f *forests) power(b float64, room, to []float64) {
	for i, v := range f.values {
		room[i] = num.Exp(v.at(b))
	}
	for i, k := range f.entries {
		to[i] = room[k]
	}
}
