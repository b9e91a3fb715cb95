package frame

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/wire"
)

// Graph is the graph of a model over discrete variables.
type Graph struct {
	Model  string
	States []int32 // number of states of each variable
	W, H   int     // size of the pictures of rows, one cell for each variable
	Grid   bool    // neighbours are adjacent cells
	// Edges are pairs of variables that share a factor. The first len(J) edges are couplings of two spins with strength
	// J; Flips refers to them by number, from 0.
	Edges []int32
	J     []float32
	Flips string // parameter flips of the experiment
}

// MaxEdges is the largest number of edges, and the largest number of variables, of a graph that is drawn.
const MaxEdges = 4000

func (g *Graph) append(w *wire.Writer) {
	w.Bool(g != nil)
	if g == nil {
		return
	}
	w.String(g.Model)
	w.Int32s(g.States)
	w.Int(g.W)
	w.Int(g.H)
	w.Bool(g.Grid)
	w.Int32s(g.Edges)
	w.Float32s(g.J)
	w.String(g.Flips)
}

func readGraph(r *wire.Reader) *Graph {
	if !r.Bool() {
		return nil
	}
	g := &Graph{Model: r.String(), States: r.Int32s(), W: r.Int(), H: r.Int(), Grid: r.Bool(), Edges: r.Int32s(),
		J: r.Float32s(), Flips: r.String()}
	n := len(g.States)
	bad := func(v int32) bool { return v < 0 || int(v) >= n }
	if r.Err == nil && (g.W < 1 || g.H < 1 || g.W > 1<<12 || g.H > 1<<12 || n > g.W*g.H ||
		len(g.Edges)%2 != 0 || len(g.Edges) > 2*MaxEdges || len(g.J) > len(g.Edges)/2 ||
		slices.ContainsFunc(g.Edges, bad)) {
		r.Fail()
	}
	return g
}

// ReadFlips parses the list of couplings with reversed sign, numbers from 0 separated by hyphens.
func ReadFlips(s string) (flips []int, err error) {
	if s == "" {
		return nil, nil
	}
	for _, x := range strings.Split(s, "-") {
		k, err := strconv.Atoi(x)
		if err != nil || k < 0 || k >= maxPixel {
			return nil, problem.New("%q is not the number of a coupling; write them as 3-17", x)
		}
		flips = append(flips, k)
	}
	slices.Sort(flips)
	return slices.Compact(flips), nil
}

// FlipsText returns the canonical text of flips.
func FlipsText(flips []int) string {
	var s []string
	for _, k := range flips {
		s = append(s, strconv.Itoa(k))
	}
	return strings.Join(s, "-")
}
