package report

import (
	"math"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/graph"
)

// wide are graphs too wide for auto to sum by itself, which elimination sums in seconds.
var wide = []family{
	{"signs", wideGlass(false, 0, func(s *rng.Stream) net { return lattice(17+s.Intn(4), 19+s.Intn(3), false) })},
	{"normal", wideGlass(true, .3, func(s *rng.Stream) net { return lattice(18, 18+s.Intn(4), false) })},
	{"torus", wideGlass(true, 0, func(s *rng.Stream) net { return lattice(8+s.Intn(2), 20, true) })},
	{"cube", wideGlass(false, 0, func(s *rng.Stream) net { return cube(4 + s.Intn(4)) })},
	{"regular", wideGlass(false, 0, func(s *rng.Stream) net { return regular(s, 2*(70+s.Intn(20))) })},
	{"field", randomField}, {"planted", planted}, {"potts", widePotts}, {"hard core", hardCore}, {"triples", triples},
}

// drawn is a model by chance with its exact log Z.
type drawn = func(t *testing.T, s *rng.Stream) (models.Model, float64)

// net is the edges of a graph on so many nodes.
type net struct {
	nodes int
	edges [][2]int
}

func (n *net) join(i, j int) { n.edges = append(n.edges, [2]int{i, j}) }

// lattice has rows x cols nodes, each next to its neighbours.
func lattice(rows, cols int, torus bool) (out net) {
	out.nodes = rows * cols
	for r := range rows {
		for c := range cols {
			if c+1 < cols || torus {
				out.join(r*cols+c, r*cols+(c+1)%cols)
			}
			if r+1 < rows || torus {
				out.join(r*cols+c, (r+1)%rows*cols+c)
			}
		}
	}
	return out
}

// cube is a lattice of 4 x 4 x depth nodes.
func cube(depth int) (out net) {
	out.nodes = 16 * depth
	for i := range out.nodes {
		for _, step := range []struct{ by, most int }{{1, 4}, {4, 4}, {16, depth}} {
			if i/step.by%step.most+1 < step.most {
				out.join(i, i+step.by)
			}
		}
	}
	return out
}

// regular has three neighbours for every node, by chance.
func regular(s *rng.Stream, nodes int) (out net) {
	for {
		out = net{nodes: nodes}
		met, ends := map[[2]int]bool{}, perm(s, 3*nodes)
		for k := 0; k < len(ends); k += 2 {
			i, j := ends[k]/3, ends[k+1]/3
			e := [2]int{min(i, j), max(i, j)}
			if i == j || met[e] {
				break
			}
			met[e] = true
			out.join(e[0], e[1])
		}
		if 2*len(out.edges) == len(ends) {
			return out
		}
	}
}

// ising is a graph of spins with coupling(i, j) on every edge and field(i) on every spin.
func (n net) ising(t *testing.T, coupling func(i, j int) float64, field func(i int) float64) (models.Model, float64) {
	g := &factor.Graph{}
	for i := range n.nodes {
		h := field(i)
		g.States = append(g.States, 2)
		g.Factors = append(g.Factors, factor.Factor{Vars: []int{i}, Table: []float64{-h, h}})
	}
	for _, e := range n.edges {
		J := coupling(e[0], e[1])
		g.Factors = append(g.Factors, factor.Factor{Vars: []int{e[0], e[1]}, Table: []float64{J, -J, -J, J}})
	}
	return summed(t, g)
}

// summed is a graph with its exact log Z.
func summed(t *testing.T, g *factor.Graph) (models.Model, float64) {
	t.Helper()
	file, err := graph.FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", file, spec.Values{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := engine.Exact(t.Context(), m, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m, x.LogZ
}

// wideGlass has couplings of either sign, equally strong or normal, and normal fields of standard deviation h.
func wideGlass(normal bool, h float64, draw func(*rng.Stream) net) drawn {
	return func(t *testing.T, s *rng.Stream) (models.Model, float64) {
		n, b := draw(s), between(s, .3, 1.6)
		return n.ising(t, func(_, _ int) float64 {
			if normal {
				return b * s.Norm()
			}
			return pick(s, -b, b)
		}, func(int) float64 { return h * s.Norm() })
	}
}

// randomField is a lattice near its critical temperature, with fields by chance.
func randomField(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 18 + s.Intn(3)
	J, h := between(s, .35, .6), pick(s, .02, .2)
	return lattice(n, n, false).ising(t, func(_, _ int) float64 { return J }, func(int) float64 { return h * s.Norm() })
}

// planted has strong couplings, most of which agree on one state.
func planted(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 17 + s.Intn(4)
	b, share := between(s, .45, 2.4), between(s, .02, .15)
	spin := make([]float64, n*n)
	for i := range spin {
		spin[i] = pick(s, -1., 1)
	}
	return lattice(n, n, false).ising(t, func(i, j int) float64 {
		J := b * spin[i] * spin[j]
		if s.Float64() < share {
			return -J
		}
		return J
	}, func(i int) float64 {
		if i == 0 {
			return .3
		}
		return 0
	})
}

// widePotts has three states a node.
func widePotts(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 11 + s.Intn(2)
	net, b := lattice(n, n+3, false), between(s, .3, 1.6)
	g := &factor.Graph{}
	for range net.nodes {
		g.States = append(g.States, 3)
	}
	for _, e := range net.edges {
		J := b * pick(s, -1., 1, 1)
		g.Factors = append(g.Factors, factor.Factor{Vars: []int{e[0], e[1]}, Table: []float64{J, 0, 0, 0, J, 0, 0, 0, J}})
	}
	return summed(t, g)
}

// hardCore has particles on a lattice, never two next to each other.
func hardCore(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 20 + s.Intn(3)
	net, mu := lattice(n, n, false), between(s, -1, 3)
	g := &factor.Graph{}
	for i := range net.nodes {
		g.States = append(g.States, 2)
		g.Factors = append(g.Factors, factor.Factor{Vars: []int{i}, Table: []float64{0, mu + .3*s.Norm()}})
	}
	for _, e := range net.edges {
		g.Factors = append(g.Factors, factor.Factor{Vars: []int{e[0], e[1]}, Table: []float64{0, 0, 0, math.Inf(-1)}})
	}
	return summed(t, g)
}

// triples has tables by chance on three variables each.
func triples(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n, sd := 52+s.Intn(16), between(s, .36, 1.9)
	g := &factor.Graph{}
	for range n {
		g.States = append(g.States, 2)
	}
	for range n * 11 / 10 {
		table := make([]float64, 8)
		for i := range table {
			table[i] = sd * s.Norm()
		}
		g.Factors = append(g.Factors, factor.Factor{Vars: perm(s, n)[:3], Table: table})
	}
	return summed(t, g)
}
