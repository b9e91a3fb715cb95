package record

import "logzlab/render/paint"

// Node is a time at which lines of descent are drawn: a moment of the record, and
// for each of its rows the row at the node before that it descends from, nobody if
// there is none.
type Node struct {
	X     float64
	At    int // place of the moment
	From  []int32
	Kids  []int32 // how many rows of the last moment descend from each row
	Drawn []tone
}

// tone says how the line through a row is drawn.
type tone uint8

const (
	Hidden  tone = iota
	Extinct      // nobody at the last moment descends from it
	Alive
)

// Tree is the nodes of a record, kept while they are drawn again and again.
type Tree struct {
	of     [2]int // id of the last moment, number of moments up to it
	layout TreeLayout
	nodes  []Node
}

// TreeLayout is how densely lines of descent are drawn. Of many lines only some can be told apart: of the last moment
// at most the first of room are drawn, evenly chosen, with their ancestors; the second of room is the number of bundles
// of neighbours at each node, and of every bundle that has none yet one line that died out is drawn until its end. So
// ten thousand rows make as dense a picture as a hundred.
type TreeLayout struct {
	X      paint.Axis
	InTurn bool    // x is of places of moments, not of stages
	Gap    float64 // least distance of nodes in pixels
	Room   [2]int
}

// at is where a moment lies.
func (y *TreeLayout) at(ms []Moment, j int) float64 {
	if y.InTurn {
		return y.X.At(float64(j))
	}
	return y.X.At(float64(ms[j].Stage))
}

// Descent thins the record up to a moment to times at which something changed, the first and the last moment among
// them.
func (is *Island) Descent(upTo int, y TreeLayout) []Node {
	t, ms := &is.Tree, is.Moments[:upTo+1]
	if of := [2]int{ms[upTo].ID, len(ms)}; t.of != of || t.layout != y {
		*t = Tree{of, y, y.nodes(ms)}
		t.choose(ms, max(y.Room[0], 1), max(y.Room[1], 1))
	}
	return t.nodes
}

// nodes are the nodes of a record without what is drawn of them.
func (y *TreeLayout) nodes(ms []Moment) []Node {
	out := []Node{{X: y.at(ms, 0)}}
	var since, next []int32 // nil: every row is itself

	// since gathers parents until there is room for a node.
	for j := 1; j < len(ms); j++ {
		m := &ms[j]
		if m.Parents != nil {
			next = make([]int32, m.Lines)
			for i, p := range m.Parents {
				if next[i] = p; p >= 0 && since != nil {
					next[i] = since[p]
				}
			}
			since = next
		}
		last := j == len(ms)-1
		x := y.at(ms, j)
		if !last && (since == nil || x-out[len(out)-1].X < y.Gap) {
			continue
		}
		if n := len(out); last && n > 1 && x-out[n-1].X < y.Gap/2 {
			// Too near to be drawn apart: this one takes the place of the one before.
			if since == nil {
				since = Identity(m.Lines)
			}
			for i, p := range since {
				if p >= 0 && out[n-1].From != nil {
					since[i] = out[n-1].From[p]
				}
			}
			out = out[:n-1]
		}
		if since == nil {
			since = Identity(m.Lines)
		}
		out = append(out, Node{X: x, At: j, From: since})
		since = nil
	}
	return out
}

// choose says what is drawn, from the newest node back.
func (t *Tree) choose(ms []Moment, most, bundles int) {
	ns := t.nodes
	// The first child of each row that anybody alive descends from, else the first; at
	// the newest node, and where there is none, nobody.
	heirs := make([][]int32, len(ns))

	// draw goes on with a line to its end.
	draw := func(e, row int, as tone) {
		for ; row >= 0; e++ {
			ns[e].Drawn[row] = as
			row = int(heirs[e][row])
		}
	}

	// From the newest rows back: who has heirs alive, and which lines of the others are drawn.
	for e := len(ns) - 1; e >= 0; e-- {
		n := &ns[e]
		order := ms[n.At].Order()
		n.Kids, n.Drawn, heirs[e] = make([]int32, len(order)), make([]tone, len(order)), make([]int32, len(order))
		for i := range heirs[e] {
			heirs[e][i] = Nobody
		}
		if e == len(ns)-1 {
			for i := range n.Kids {
				n.Kids[i] = 1
			}
			for _, i := range Evenly(order, most) {
				n.Drawn[i] = Alive
			}
			continue
		}
		next := &ns[e+1]
		for i, p := range next.From {
			if p < 0 {
				continue
			}
			if heirs[e][p] < 0 || n.Kids[p] == 0 && next.Kids[i] > 0 {
				heirs[e][p] = int32(i)
			}
			n.Kids[p] += next.Kids[i]
			n.Drawn[p] = max(n.Drawn[p], next.Drawn[i])
		}
		for row, k := range n.Kids {
			if n.Drawn[row] == Extinct && k > 0 { // its heirs alive are not drawn: the line begins with its child
				n.Drawn[row] = Hidden
			}
		}
		b := min(bundles, len(order))
		for k := range b {
			draw(e, n.tip(heirs[e], order[k*len(order)/b:(k+1)*len(order)/b]), Extinct)
		}
	}
}

// tip is the row of a bundle whose line is drawn for all: a row that ends in this generation, else a row that ends
// later; nobody if such a line is drawn already or no row dies out.
func (n *Node) tip(heirs []int32, bundle []int) int {
	best := Nobody
	for k, row := range bundle {
		switch {
		case n.Drawn[row] != Hidden:
			return Nobody
		case n.Kids[row] > 0:
		case heirs[row] < 0 && (best < 0 || heirs[best] >= 0 || k <= len(bundle)/2), best < 0:
			best = row
		}
	}
	return best
}

func Identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// Evenly is an even choice of at most n rows.
func Evenly(rows []int, n int) []int {
	if len(rows) <= n {
		return rows
	}
	out := make([]int, n)
	for i := range out {
		out[i] = rows[(2*i+1)*len(rows)/(2*n)]
	}
	return out
}
