package mixture

import "logzlab/models"

// Cost returns the memory and time of rows, which are proportional to the number of components.
func (m *Gaussian) Cost() models.Cost {
	j, d := float64(len(m.logWeights)), float64(m.f.D)
	density := j * (2*d + 40)
	c := models.PointsCost(m.f.D, m.Kernel().Moves, density+d)
	c.Sweep = m.SweepCost(c.Sweep, density, density+j*d)
	c.Shared, c.Overhead = 8*j*(d+8), c.Overhead+8*j
	return c
}

// Cost returns the memory and time of rows.
func (m *Bernoulli) Cost() models.Cost {
	v, j := float64(m.units), float64(m.components)
	return models.Cost{Shared: bmmBytes(m.units, m.components), Overhead: 8 * j, Row: v + 8*j + 24, Rung: 8, Encoded: v/8 + 1,
		Draw: v*(20+2*j) + 20*j, Sweep: v * (100 + 30*j), Density: 10, Beta: 4, Target: v*(20+2*j) + 60*j}
}

// bmmBytes returns the memory, in bytes, of a mixture of j components with m units: four numbers for each unit of each
// component, and five for each unit.
func bmmBytes(m, j int) float64 { return 32*float64(m)*float64(j) + 40*float64(m) }
