package graph

import (
	"logzlab/core/factor"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// builtin are the built-in graphs.
var builtin = []models.Entry{
	entry("glass16", "A 16 x 16 spin glass with couplings -1 and 1 at inverse temperature 1: frustrated couplings, "+
		"and so many modes.", glass),
	entry("potts10", "A 10 x 10 Potts lattice of three states: each pair of equal neighbours multiplies the weight "+
		"by e.", potts),
	entry("triangle3", "Three spins with antiferromagnetic couplings, which cannot all be satisfied: log Z is "+
		"log(6 e + 2 e^-3) = 2.797846.", triangle),
	entry("chain30", "A chain of thirty spins with couplings -1 and 1.", chain),
}

// entry returns the built-in model with the given name; make returns its graph.
func entry(name, about string, make func() *factor.Graph) models.Entry {
	return models.Entry{Name: name, Truth: "elimination", About: about,
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return FileOf(make(), nil) }}
}

// Glass returns an open w x h lattice of spins. Each coupling is -x or x with equal probability, as determined by seed.
func Glass(w, h int, x float64, seed uint32) *factor.Graph {
	s := rng.NewKey(seed, "glass", 0).Stream(0, 0, 0)
	return lattice(w, h, 2, func(i, j int) factor.Factor {
		return Coupling(i, j, num.Mul(x, float64(2*int(s.Uint32()>>31)-1)))
	})
}

// lattice returns an open w x h lattice of variables with the given number of states, and the factor pair(i, j) for
// each pair of neighbours.
func lattice(w, h, states int, pair func(i, j int) factor.Factor) *factor.Graph {
	g := &factor.Graph{}
	for range w * h {
		g.States = append(g.States, states)
	}
	for i := range w * h {
		if i%w+1 < w {
			g.Factors = append(g.Factors, pair(i, i+1))
		}
		if i+w < w*h {
			g.Factors = append(g.Factors, pair(i, i+w))
		}
	}
	return g
}

// glass returns the graph of glass16.
func glass() *factor.Graph { return Glass(16, 16, 1, 1) }

// chain returns the graph of chain30.
func chain() *factor.Graph { return Glass(30, 1, 1, 1) }

// triangle returns the graph of triangle3.
func triangle() *factor.Graph {
	return &factor.Graph{States: []int{2, 2, 2}, Factors: []factor.Factor{Coupling(0, 1, -1), Coupling(0, 2, -1),
		Coupling(1, 2, -1)}}
}

// potts returns the graph of potts10.
func potts() *factor.Graph {
	return lattice(10, 10, 3, func(i, j int) factor.Factor {
		return factor.Factor{Vars: []int{i, j}, Table: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	})
}
