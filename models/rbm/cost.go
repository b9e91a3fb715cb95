package rbm

import (
	"math"

	"logzlab/core/num/kernel"
	"logzlab/models"
)

// Cost estimates memory in bytes and times in nanoseconds: Shared counts the weights, packed by rows and by columns;
// Block and Tables are those of the enumeration, in which every state visits every unit of the larger layer.
func (m *Model) Cost() models.Cost {
	v, h := float64(m.M), float64(m.J)
	c := m.rowCost()
	c.Shared = bytesOf(m.M, m.J) + kernel.NetBytes(m.M, m.J)/2 + float64(m.data.n*m.M)
	c.Rung, c.Encoded = 600, (v+h)/8+2
	c.Density, c.Beta = 30+4*h, .4
	if blocks, ok := m.Blocks(models.MaxExactUnits); ok {
		time, tables := m.SumCost()
		c.Tables, c.Block = tables, time/float64(blocks)
		c.Target = .6*c.Block + 30*float64(int(1)<<min(m.M, m.J, lowBits)) + v*h
	} else if m.data.n > 0 {
		c.Target = v * h // rows drawn from data
	}
	return c
}

// SumCost returns the time and the memory of the enumeration: 2^n states of the smaller layer of n units times the
// units of the larger layer.
func (m *Model) SumCost() (time, tables float64) {
	outer, inner := float64(max(m.M, m.J)), min(m.M, m.J)
	low := float64(int(1) << min(inner, lowBits))
	return outer * math.Ldexp(.5, inner), outer*low*12 + 40*low
}

// rowCost returns the memory of a row and the time of a sweep.
func (m *Model) rowCost() models.Cost {
	v, h := float64(kernel.Padded(m.M)), float64(kernel.Padded(m.J))
	return models.Cost{Row: 5*(v+h) + 96, Draw: 4*(v+h) + .07*v*h, Sweep: 150 + 2.6*(v+h) + .04*v*h}
}

// StageCost returns the cost of stage n of a sequence, with n visible units. Shared has two more copies of the weights:
// one in the order of the units, and one for the contributions of absent units.
func (m *Model) StageCost(stage int) models.Cost {
	n, h := float64(stage), float64(m.J)
	all := m.rowCost()
	return models.Cost{Shared: m.Cost().Shared + kernel.NetBytes(m.M, m.J) + 4*float64(m.M*m.J), Overhead: 16 * h,
		Row: all.Row + 40, Encoded: n/8 + 1, Draw: 200 + h, Sweep: 100 + 1.3*(n+h) + .008*n*h, Density: 10 * h}
}

// RoughCost counts the sweeps, and the regressions and dot products that determine the order.
func (m *Model) RoughCost() models.Cost {
	v, h, n := float64(m.M), float64(m.J), float64(models.RoughLanes*roughChains*m.samplesPerChain())
	return models.Cost{Shared: 8*(h*h+v*h+n*v) + n*h, Encoded: n * (h/8 + 1),
		Sweep: models.RoughLanes*roughChains*roughSteps*m.rowCost().Sweep + n*v*(3*h+v/2+20) + v*h*h + h*h*(n/4+h/3)}
}

// bytesOf returns the memory to open an RBM: its weights and both packed forms of them.
func bytesOf(m, j int) float64 {
	return 4*float64(m)*float64(j) + kernel.NetBytes(m, j)/2 + 40*float64(m+j)
}
