package ising

import "logzlab/models"

// Cost returns the memory and time of rows, and of the transfer matrix if the lattice is narrow enough for it.
func (m *Lattice) Cost() models.Cost {
	n, rowStates := float64(len(m.neighbours)), float64(int(1)<<min(m.L1, m.L2, MaxOpenWidth))
	messages := float64(max(m.L1, m.L2)) * rowStates
	c := models.Cost{Shared: 80 * n, Overhead: 4 * n, Row: n + 8, Rung: 8 * (2*maxField + 1), Encoded: n/8 + 1,
		Draw: 10 * n, Sweep: 25 * n, Density: 10, Beta: 4}
	if m.clusterSweeps {
		c.Overhead, c.Sweep = 16*n, 60*n
	}
	if blocks, ok := m.Blocks(models.MaxExactUnits); ok {
		time, tables := m.SumCost()
		c.Overhead, c.Tables = c.Overhead+16*messages, tables
		c.Block, c.Target = time/float64(blocks), time/float64(blocks)+50*messages
	}
	return c
}

// SumCost returns the time of the sum by the transfer matrix in nanoseconds and the memory of its vectors in bytes.
func (m *Lattice) SumCost() (time, tables float64) {
	wide := float64(int(1) << min(m.L1, m.L2, MaxOpenWidth))
	time = 4 * float64(len(m.neighbours)) * wide
	if m.torus {
		time *= wide
	}
	return time, 8 * wide
}
