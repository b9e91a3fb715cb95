package graph

import (
	"slices"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// grid is the layout of the variables in a picture: w x h cells, row by row, with variable v in cell v.
type grid struct {
	w, h    int
	states  []int // number of states of each variable
	lattice bool  // neighbours are adjacent cells
}

// gridOf returns the sides of an open or periodic lattice, which it recognises by the coupled variables. Other graphs
// are shown in an approximate square, a short chain in one row.
func gridOf(g *factor.Graph) grid {
	n := len(g.States)
	out := grid{w: 1, states: g.States}
	for out.w*out.w < n {
		out.w++
	}
	out.h = (n + out.w - 1) / out.w

	// In a lattice, the smallest difference above 1 of the numbers of coupled variables is its width, or its width
	// minus 1.
	var pairs [][]int
	minGap := n
	for _, f := range g.Factors {
		if len(f.Vars) > 2 {
			return out
		}
		if len(f.Vars) == 2 {
			pairs = append(pairs, f.Vars)
			if d := f.Vars[1] - f.Vars[0]; d > 1 {
				minGap = min(minGap, d)
			}
		}
	}
	if len(pairs) == 0 {
		return out
	}

	// Choose a width for which all edges join adjacent cells.
	for _, w := range []int{minGap, minGap + 1} { // least is w, or w-1 on a torus
		h := n / w
		if w < 2 || n%w != 0 || h == 1 && w > maxChainWidth {
			continue
		}
		if !slices.ContainsFunc(pairs, func(p []int) bool { return !adjacent(p[0], p[1], w, h) }) {
			out.w, out.h, out.lattice = w, h, true
			return out
		}
	}
	return out
}

// maxChainWidth is the length of the longest chain shown as one row.
const maxChainWidth = 100

// adjacent reports whether two cells of a lattice are neighbours, also across the boundary of a torus if it has more
// than three cells in that direction.
func adjacent(a, b, w, h int) bool {
	x, y := b%w-a%w, b/w-a/w
	x, y = max(x, -x), max(y, -y)
	return y == 0 && (x == 1 || w > 3 && x == w-1) || x == 0 && (y == 1 || h > 3 && y == h-1)
}

// fillFrame sets the pictures of n rows in a frame. state returns the state of variable v in row r, or -1 if the
// variable is absent.
func (g grid) fillFrame(n int, f *frame.Frame, state func(r, v int) int) {
	f.W, f.H = g.w, g.h
	size := g.w * g.h
	f.Pixels = num.Sized(f.Pixels, n*size)
	for r := range n {
		for v := range size {
			cell := uint8(absent)
			if v < len(g.states) {
				if x := state(r, v); x >= 0 {
					cell = g.cell(v, x)
				}
			}
			f.Pixels[r*size+v] = cell
		}
	}
}

// absent is the value of a cell without a variable.
const absent = 2

// cell returns the value of the cell that shows state x of variable v. Cells have three values, so states of variables
// with more than three are scaled.
func (g grid) cell(v, x int) uint8 {
	if maxState := g.states[v] - 1; maxState > absent {
		return uint8(x * absent / maxState)
	}
	return uint8(x)
}

// state returns a state of variable v that a cell shows by the given value; it inverts cell.
func (g grid) state(v int, cell uint8) int {
	if maxState := g.states[v] - 1; maxState > absent {
		return (int(cell)*maxState + 1) / absent
	}
	return min(int(cell), g.states[v]-1)
}
