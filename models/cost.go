package models

import (
	"math"

	"logzlab/core/kernel"
)

// Cost is what rows of a model take: bytes of memory, at most, and time in nanoseconds of one core that runs native
// code at about 3 GHz, within a factor of about two. What does not arise is 0.
type Cost struct {
	Shared float64 // bytes that all rows share: the model, and the tables that runs make of it
	Tables float64 // bytes of the tables of its enumeration, where that is made
	Room   float64 // bytes of a Population or of Particles besides their rows and rungs
	Row    float64 // bytes of a row of them
	Rung   float64 // bytes of a rung of a Population
	Coded  float64 // bytes of a row as Append writes it

	Draw    float64 // time of a draw of a row: of the base, of its next coordinate
	Sweep   float64 // time of Move for a row
	Density float64 // time of LogF at one rung or two, of LogW
	Beta    float64 // time of LogF at each rung of a long ladder, besides Density
	Block   float64 // time of LogBlocks for one block
	Target  float64 // time of DrawTarget for a row
	Grow    float64 // time of what is made once when particles go on to a stage
}

// Rough is a planned time with the digits that all machines agree in: some fuse multiplications with additions where
// costs are summed.
func Rough(time float64) float64 { return float64(float32(time)) }

// Costed is implemented by models that know their cost.
type Costed interface{ Cost() Cost }

// CostedStages is implemented by sequential models that know the cost of their particles at stage n.
type CostedStages interface{ StageCost(n int) Cost }

// CostOf is the cost of a model; one that does not know it is taken for points whose density costs some operations for
// each coordinate.
func CostOf(m Model) Cost {
	if c, ok := m.(Costed); ok {
		return c.Cost()
	}
	return pointsCost(m.Info().Dim, 1, 10*float64(m.Info().Dim))
}

// StageCostOf is CostOf for the particles of a sequential model at stage n.
func StageCostOf(m Model, n int) Cost {
	if c, ok := m.(CostedStages); ok {
		return c.StageCost(n)
	}
	d := float64(n)
	return Cost{Row: 16*float64(m.Info().Dim) + 16, Coded: 8 * d, Draw: 50 * d, Sweep: 50 * d, Density: 50 * d}
}

// pointsCost is that of rows of Dim coordinates whose densities take so long, with a number of transitions in a sweep.
func pointsCost(dim, moves int, density float64) Cost {
	d := float64(dim)
	return Cost{Room: 40 * d, Row: 8*d + 24, Rung: 16, Coded: 8 * d,
		Draw: 40*d + density, Sweep: float64(moves) * (40*d + 100 + density), Density: 10, Beta: 4, Target: 60*d + density}
}

// Cost of a space is not known, as its density may be any function.
func (m *Space) Cost() Cost { return pointsCost(m.d.Dim, m.k.Moves, 10*float64(m.d.Dim)+100) }

// sweepCost is that of walk where the kernel walks, else that of trajectories, by the cost of a density and its slope.
func (m *Space) sweepCost(walk, density, slope float64) float64 {
	if m.k.Name == "mh" {
		return walk
	}
	leaps := float64(m.k.Leaps)
	if leaps == 0 { // what a pilot finds for hills that are not far from round, or more
		leaps = 8
	}
	return float64(m.k.Moves) * (80*float64(m.d.Dim) + 200 + (leaps+2)*(density+slope))
}

// Cost counts the components of a density.
func (m *Mixture) Cost() Cost {
	j, d := float64(len(m.logw)), float64(m.f.D)
	one := j * (2*d + 40)
	c := pointsCost(m.f.D, m.k.Moves, one+d)
	c.Sweep = m.sweepCost(c.Sweep, one, one+j*d)
	c.Shared, c.Room = 8*j*(d+8), c.Room+8*j
	return c
}

// Cost counts four numbers for each unit of each component.
func (m *BernoulliMixture) Cost() Cost {
	v, j := float64(m.m), float64(m.j)
	return Cost{Shared: bmmBytes(m.m, m.j), Room: 8 * j, Row: v + 8*j + 24, Rung: 8, Coded: v/8 + 1,
		Draw: v*(20+2*j) + 20*j, Sweep: v * (100 + 30*j), Density: 10, Beta: 4, Target: v*(20+2*j) + 60*j}
}

// Cost counts the neighbours of each site, and the messages of the transfer matrix.
func (m *Ising) Cost() Cost {
	n, wide := float64(len(m.near)), float64(int(1)<<min(m.L1, m.L2, MaxOpen))
	messages := float64(max(m.L1, m.L2)) * wide
	c := Cost{Shared: 64 * n, Room: 4 * n, Row: n + 8, Rung: 8 * (2*maxField + 1), Coded: n/8 + 1,
		Draw: 10 * n, Sweep: 25 * n, Density: 10, Beta: 4}
	if blocks, ok := m.Blocks(MaxExactUnits); ok {
		time, tables := m.SumCost()
		c.Room, c.Tables = c.Room+16*messages, tables
		c.Block, c.Target = time/float64(blocks), time/float64(blocks)+50*messages
	}
	return c
}

// SumCost counts the steps of the transfer matrix.
func (m *Ising) SumCost() (time, tables float64) {
	wide := float64(int(1) << min(m.L1, m.L2, MaxOpen))
	time = 4 * float64(len(m.near)) * wide
	if m.torus {
		time *= wide
	}
	return time, 8 * wide
}

// Cost counts the weights, packed by rows and by columns, and of the enumeration what a state of its low part takes at
// every unit of the larger layer.
func (m *RBM) Cost() Cost {
	v, h := float64(m.M), float64(m.J)
	c := m.layers()
	c.Shared = rbmBytes(m.M, m.J) + kernel.NetBytes(m.M, m.J)/2 + float64(m.data.n*m.M)
	c.Rung, c.Coded = 600, (v+h)/8+2
	c.Density, c.Beta = 30+4*h, .4
	if m.moments {
		c.Shared += (momentParts + 1) * kernel.NetBytes(m.M, m.J) / 2
		c.Row, c.Sweep = (momentParts+3)*c.Row, 2*c.Sweep+2*v
		c.Density, c.Beta = 60+8*h+4*v, 5*h
	}
	if blocks, ok := m.Blocks(MaxExactUnits); ok {
		time, tables := m.SumCost()
		c.Tables, c.Block = tables, time/float64(blocks)
		c.Target = .6*c.Block + 30*float64(int(1)<<min(m.M, m.J, lowBits)) + v*h
	} else if m.data.n > 0 {
		c.Target = v * h // from data
	}
	return c
}

// SumCost counts the terms: every state of the smaller layer at every unit of the larger one.
func (m *RBM) SumCost() (time, tables float64) {
	outer, inner := float64(max(m.M, m.J)), min(m.M, m.J)
	low := float64(int(1) << min(inner, lowBits))
	return outer * math.Ldexp(.5, inner), outer*low*12 + 40*low
}

// layers is the memory of a row, and the time of a sweep.
func (m *RBM) layers() Cost {
	v, h := float64(kernel.Padded(m.M)), float64(kernel.Padded(m.J))
	return Cost{Row: 5*(v+h) + 96, Draw: 4*(v+h) + .07*v*h, Sweep: 150 + 2.6*(v+h) + .04*v*h}
}

// StageCost is that of the first n visible units; their order has a copy of the weights, and so have mean inputs.
func (m *RBM) StageCost(stage int) Cost {
	n, h := float64(stage), float64(m.J)
	all := m.layers()
	return Cost{Shared: m.Cost().Shared + kernel.NetBytes(m.M, m.J) + 4*float64(m.M*m.J), Room: 16 * h,
		Row: all.Row + 40, Coded: n/8 + 1, Draw: 200 + h, Sweep: 100 + 1.3*(n+h) + .008*n*h, Density: 10 * h}
}

// TrialCost counts sweeps, and the regressions and dot products of the order.
func (m *RBM) TrialCost() Cost {
	v, h, n := float64(m.M), float64(m.J), float64(TrialLanes*trialChains*trialKept)
	return Cost{Shared: 8*(h*h+v*h+n*v) + n*h, Coded: n * (h/8 + 1),
		Sweep: TrialLanes*trialChains*trialSteps*m.layers().Sweep + n*v*(3*h+v/2+20) + v*h*h + h*h*(n/4+h/3)}
}

// Cost counts N x N matrices: the covariance and its root, A'A and what makes it, and expectation propagation's.
func (m *GPC) Cost() Cost {
	n := float64(m.n)
	square := 8 * n * n
	c := Cost{Shared: 4*square + 8*float64(len(m.data.x)), Row: 8*n + 24, Rung: 8, Coded: 8 * n,
		Draw: 30*n + .3*n*n, Density: 10 + n, Beta: 2}
	if m.path.ep != nil {
		c.Shared += 4 * square
	}
	gain := 400*n + .3*n*n // x = A v, and log Phi of N labels
	switch p := m.path; p.sampler {
	case "ess":
		c.Sweep = 30*n + 4*gain
	case "rmhmc":
		c.Room = 2*square + 100*n
		c.Sweep = float64(p.leapsOr(rmhmcLeaps)) * (8*gain + 4*n*n*n)
	default:
		leaps := p.leapsOr(int(math.Ceil(2 / min(0.7, 1.2/math.Sqrt(math.Sqrt(n))))))
		c.Room = square + 60*n
		c.Sweep = float64(leaps)*(gain+2*n*n) + n*n*n/24 // rows at one rung share the mass
		if p.sampler == "hmc_plain" {
			c.Sweep = float64(p.leapsOr(200)) * (gain + 2*n*n)
		}
	}
	return c
}

// StageCost counts the factor of K + I and the inverses of the stages in use; a sweep of the first n data is n products
// of n numbers.
func (m *GPC) StageCost(stage int) Cost {
	n, all := float64(stage), float64(m.n)
	return Cost{Shared: 8 * (4*all*all + 4*all*all + float64(len(m.data.x))), Row: 8*all + 16, Coded: 8 * n,
		Draw: 60 + n*(60+.5*n), Sweep: n * (200 + .4*n), Density: 100 + .5*n, Grow: 2 * n * n}
}

// rbmBytes is the memory of a machine as it is opened: its weights, and both packed forms of them.
func rbmBytes(m, j int) float64 {
	return 4*float64(m)*float64(j) + kernel.NetBytes(m, j)/2 + 40*float64(m+j)
}

// bmmBytes is the memory of a mixture: four numbers for each unit of each component.
func bmmBytes(m, j int) float64 { return 32*float64(m)*float64(j) + 40*float64(m) }

// gpcBytes is the memory of a classifier as it is opened: its covariance, the root of that, copies in another order,
// and what expectation propagation works on.
func gpcBytes(f GPCParams, mixed, ep bool) float64 {
	n := float64(f.N)
	matrices := 2.0
	if ep {
		matrices += 5
	}
	x := 0.0
	if mixed {
		matrices, x = matrices+1, float64(len(f.X))
	}
	return 8 * (matrices*n*n + x)
}
