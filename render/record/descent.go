package record

import "logzlab/render/paint"

// Node is a time at which lines of descent are drawn: a moment of the record. From contains, for each row, its
// ancestor at the previous node, or NoRow.
type Node struct {
	X           float64
	Moment      int // index of the moment
	From        []int32
	Descendants []int32 // number of rows of the last moment that descend from each row
	LineStates  []lineState
}

// lineState is the way in which the line through a row is drawn.
type lineState uint8

const (
	Hidden  lineState = iota
	Extinct           // without descendants at the last moment
	Alive
)

// Tree is the genealogy of an island's rows, cached between drawings.
type Tree struct {
	key    [2]int // ID of the last moment, number of moments
	layout TreeLayout
	nodes  []Node
}

// TreeLayout says how densely lines of descent are drawn. At most Limits[0] rows of the last moment are drawn, evenly
// spaced, with their ancestors. At each node the rows are divided into Limits[1] groups of neighbours; for each group
// without a line, one line that dies out is drawn to its end. So the number of lines does not
// depend on the number of rows.
type TreeLayout struct {
	X        paint.Axis
	ByMoment bool    // X is the index of a moment, not its stage
	Gap      float64 // minimum distance of nodes, in pixels
	Limits   [2]int
}

// at returns the x coordinate of moment j.
func (y *TreeLayout) at(ms []Moment, j int) float64 {
	if y.ByMoment {
		return y.X.At(float64(j))
	}
	return y.X.At(float64(ms[j].Stage))
}

// Genealogy returns the lines of descent up to a moment, reduced to the nodes at which something changed. The first
// and the last moment are always included.
func (is *Island) Genealogy(upTo int, y TreeLayout) []Node {
	t, ms := &is.Tree, is.Moments[:upTo+1]
	if key := [2]int{ms[upTo].ID, len(ms)}; t.key != key || t.layout != y {
		*t = Tree{key, y, y.nodes(ms)}
		t.chooseLines(ms, max(y.Limits[0], 1), max(y.Limits[1], 1))
	}
	return t.nodes
}

// nodes returns the nodes of a record. The fields Descendants and LineStates are not set.
func (y *TreeLayout) nodes(ms []Moment) []Node {
	out := []Node{{X: y.at(ms, 0)}}
	var ancestors, next []int32 // nil means the identity

	// ancestors contains, for each row of moment j, its ancestor at the last node.
	for j := 1; j < len(ms); j++ {
		m := &ms[j]
		if m.Parents != nil {
			next = make([]int32, m.AllRows)
			for i, p := range m.Parents {
				if next[i] = p; p >= 0 && ancestors != nil {
					next[i] = ancestors[p]
				}
			}
			ancestors = next
		}
		last := j == len(ms)-1
		x := y.at(ms, j)
		if !last && (ancestors == nil || x-out[len(out)-1].X < y.Gap) {
			continue
		}
		if n := len(out); last && n > 1 && x-out[n-1].X < y.Gap/2 {
			// Too close to be drawn separately: this node replaces the previous one.
			if ancestors == nil {
				ancestors = Identity(m.AllRows)
			}
			for i, p := range ancestors {
				if p >= 0 && out[n-1].From != nil {
					ancestors[i] = out[n-1].From[p]
				}
			}
			out = out[:n-1]
		}
		if ancestors == nil {
			ancestors = Identity(m.AllRows)
		}
		out = append(out, Node{X: x, Moment: j, From: ancestors})
		ancestors = nil
	}
	return out
}

// chooseLines sets Descendants and LineStates of all nodes, from the last one back.
func (t *Tree) chooseLines(ms []Moment, maxLines, groups int) {
	ns := t.nodes
	// firstChild contains the first child with living descendants, or the first child, or NoRow.
	firstChild := make([][]int32, len(ns))

	// draw marks a line down to its end.
	draw := func(e, row int, state lineState) {
		for ; row >= 0; e++ {
			ns[e].LineStates[row] = state
			row = int(firstChild[e][row])
		}
	}

	for e := len(ns) - 1; e >= 0; e-- {
		n := &ns[e]
		order := ms[n.Moment].Order()
		n.Descendants, n.LineStates = make([]int32, len(order)), make([]lineState, len(order))
		firstChild[e] = make([]int32, len(order))
		for i := range firstChild[e] {
			firstChild[e][i] = NoRow
		}
		if e == len(ns)-1 {
			for i := range n.Descendants {
				n.Descendants[i] = 1
			}
			for _, i := range EvenlySpaced(order, maxLines) {
				n.LineStates[i] = Alive
			}
			continue
		}
		next := &ns[e+1]
		for i, p := range next.From {
			if p < 0 {
				continue
			}
			if firstChild[e][p] < 0 || n.Descendants[p] == 0 && next.Descendants[i] > 0 {
				firstChild[e][p] = int32(i)
			}
			n.Descendants[p] += next.Descendants[i]
			n.LineStates[p] = max(n.LineStates[p], next.LineStates[i])
		}
		for row, k := range n.Descendants {
			if n.LineStates[row] == Extinct && k > 0 { // its living children are not drawn: the line begins with its child
				n.LineStates[row] = Hidden
			}
		}
		b := min(groups, len(order))
		for k := range b {
			draw(e, n.representative(firstChild[e], order[k*len(order)/b:(k+1)*len(order)/b]), Extinct)
		}
	}
}

// representative returns the row of a group whose extinct line is drawn for the whole group. It prefers a row that
// ends in this generation to one that ends later. It returns NoRow if a line of the group is already drawn or no row
// dies out.
func (n *Node) representative(firstChild []int32, group []int) int {
	best := NoRow
	for k, row := range group {
		switch {
		case n.LineStates[row] != Hidden:
			return NoRow
		case n.Descendants[row] > 0:
		case firstChild[row] < 0 && (best < 0 || firstChild[best] >= 0 || k <= len(group)/2), best < 0:
			best = row
		}
	}
	return best
}

// Identity returns 0, 1, ..., n-1.
func Identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// EvenlySpaced returns at most n rows, evenly spaced.
func EvenlySpaced(rows []int, n int) []int {
	if len(rows) <= n {
		return rows
	}
	out := make([]int, n)
	for i := range out {
		out[i] = rows[(2*i+1)*len(rows)/(2*n)]
	}
	return out
}
