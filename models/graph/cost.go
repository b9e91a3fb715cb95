package graph

import (
	"logzlab/core/factor"
	"logzlab/core/num/kernel"
	"logzlab/models"
)

// sizes are the counts that costs depend on: entries of all tables, states of all variables, table look-ups of a sweep,
// and operations of one density.
type sizes struct{ entries, states, lookups, density float64 }

// sizesOf returns the sizes of a graph.
func sizesOf(g *factor.Graph) (s sizes) {
	for _, f := range g.Factors {
		k := float64(len(f.Vars))
		s.entries += float64(len(f.Table))
		s.density += 1 + k
		for _, v := range f.Vars {
			s.lookups += k + float64(g.States[v])
		}
	}
	for _, q := range g.States {
		s.states += float64(q)
	}
	return s
}

// Cost returns the memory and time of rows for the population that New chooses.
func (m *Graph) Cost() models.Cost {
	n, entries, states, lookups, density := float64(len(m.g.States)), m.sizes.entries, m.sizes.states, m.sizes.lookups,
		m.sizes.density
	c := models.Cost{Shared: 24 * entries, Overhead: 600, Row: n + 9*64 + 40, Rung: 8, Encoded: n + 4, Draw: 6 * n,
		Sweep: 12*states + 3*lookups, Density: 2 * density, Beta: 2}
	if m.couplings != nil {
		size := float64(m.couplings.size)
		c = models.Cost{Shared: 24 * entries, Overhead: 8 * size, Row: 5 * size, Rung: 8, Encoded: n/8 + 1, Draw: 8 * size,
			Sweep: 4*n + 2*lookups, Density: size, Beta: 1}
		m.couplings.denseCost(&c)
	}
	if m.sweep == trees {
		c = m.treeCost(c)
	}
	if blocks, ok := m.Blocks(models.MaxExactUnits); ok {
		time, _ := m.SumCost()
		c.Tables, c.Block = maxSamplerBytes, time/float64(blocks)
		c.Target = 100 * n
		if blocks > 1 {
			c.Target += c.Block
		}
	}
	return c
}

// denseCost adds the cost of coupling matrices and subtracts that of the single couplings that they replace.
func (c *couplings) denseCost(cost *models.Cost) {
	for i, w := range c.dense {
		if colour := c.colours[i]; w.matrix != nil {
			words := float64(colour.n * kernel.Words(w.matrix.Cols))
			cost.Shared += 8 * words
			cost.Sweep += words/4 - 8*float64(c.firstNeighbour[colour.start+colour.n]-c.firstNeighbour[colour.start])
		}
	}
}

// treeCost returns c with the cost of sweeps by tree blocks.
func (m *Graph) treeCost(c models.Cost) models.Cost {
	f := m.treeBlocks()
	q := float64(f.maxStates)
	outer := 0.0
	for _, nodes := range f.blocks {
		for _, node := range nodes {
			outer += float64(len(node.outer))
		}
	}
	c.Shared += 12 * float64(len(f.entries))
	c.Overhead += 2 * slotBytes
	c.Row += 8 * q * float64(f.maxNodes+2)
	c.Sweep = q*(max(5, q)*float64(f.nodes())+1.5*outer) + 60*float64(len(f.singles)) // messages have q^2 products
	return c
}

// StageCost returns the memory and time of particles with all variables, an upper limit for every stage.
func (m *Graph) StageCost(int) models.Cost {
	general := *m
	general.couplings = nil
	c := general.Cost()
	c.Density, c.Draw = c.Sweep/float64(len(m.g.States))+50, c.Sweep/float64(len(m.g.States))+50
	if m.order == lookahead {
		c.Shared += 2.5 * lookaheadBytes
		c.Density, c.Draw = c.Density+lookaheadTime, c.Draw+lookaheadTime
		c.Sweep = (c.Sweep + lookaheadTime*float64(len(m.g.States))) / lookaheadMoveEvery
	}
	return c
}
