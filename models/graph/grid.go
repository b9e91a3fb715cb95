package graph

import (
	"slices"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// grid is how a row is shown: w x h cells, row after row, variable v in cell v.
type grid struct {
	w, h    int
	states  []int
	lattice bool // neighbours lie side by side
}

// gridOf is the lattice that a graph is, open or on a torus, or else about a square; a chain is one row.
func gridOf(g *factor.Graph) grid {
	n := len(g.States)
	out := grid{w: 1, states: g.States}
	for out.w*out.w < n {
		out.w++
	}
	out.h = (n + out.w - 1) / out.w

	// The edges: the least jump over 1 is about the width.
	var pairs [][]int
	least := n
	for _, f := range g.Factors {
		if len(f.Vars) > 2 {
			return out
		}
		if len(f.Vars) == 2 {
			pairs = append(pairs, f.Vars)
			if d := f.Vars[1] - f.Vars[0]; d > 1 {
				least = min(least, d)
			}
		}
	}
	if len(pairs) == 0 {
		return out
	}

	// A width with which all edges join neighbours.
	for _, w := range []int{least, least + 1} { // least is w, or of a torus w-1
		h := n / w
		if w < 2 || n%w != 0 || h == 1 && w > maxWide {
			continue
		}
		if !slices.ContainsFunc(pairs, func(p []int) bool { return !beside(p[0], p[1], w, h) }) {
			out.w, out.h, out.lattice = w, h, true
			return out
		}
	}
	return out
}

// maxWide is the length of the longest chain that is shown as one row.
const maxWide = 100

// beside reports whether two cells of a lattice, which may be a torus of more than three cells around, are neighbours.
func beside(a, b, w, h int) bool {
	x, y := b%w-a%w, b/w-a/w
	x, y = max(x, -x), max(y, -y)
	return y == 0 && (x == 1 || w > 3 && x == w-1) || x == 0 && (y == 1 || h > 3 && y == h-1)
}

// read fills a frame with n rows; state is that of a variable in a row, -1 where it is not there.
func (g grid) read(n int, f *frame.Frame, state func(r, v int) int) {
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

// absent is the cell of what is not there.
const absent = 2

// cell is how a state is shown: pictures tell three apart, so that of more than three the first and the last do.
func (g grid) cell(v, x int) uint8 {
	if most := g.states[v] - 1; most > absent {
		return uint8(x * absent / most)
	}
	return uint8(x)
}

// state is one that is shown as a cell.
func (g grid) state(v int, cell uint8) int {
	if most := g.states[v] - 1; most > absent {
		return (int(cell)*most + 1) / absent
	}
	return min(int(cell), g.states[v]-1)
}
