package models

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

// CostOf is the cost of a model; one that does not know it is taken for points whose density costs some operations for
// each coordinate.
func CostOf(m Model) Cost {
	if cost := Can(m).Cost; cost != nil {
		return cost()
	}
	return PointsCost(m.Info().Dim, 1, 10*float64(m.Info().Dim))
}

// StageCostOf is CostOf for the particles of a sequential model at stage n.
func StageCostOf(m Model, n int) Cost {
	if cost := Can(m).Formation.StageCost; cost != nil {
		return cost(n)
	}
	d := float64(n)
	return Cost{Row: 16*float64(m.Info().Dim) + 16, Coded: 8 * d, Draw: 50 * d, Sweep: 50 * d, Density: 50 * d}
}

// PointsCost is the cost of points of dim coordinates, with moves transitions in a sweep; density is the time of one
// log density.
func PointsCost(dim, moves int, density float64) Cost {
	d := float64(dim)
	return Cost{Room: 40 * d, Row: 8*d + 24, Rung: 16, Coded: 8 * d,
		Draw: 40*d + density, Sweep: float64(moves) * (40*d + 100 + density), Density: 10, Beta: 4, Target: 60*d + density}
}
