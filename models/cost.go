package models

// Cost is the memory and the time of the rows of a model. Memory is in bytes and is an upper limit. Time is in
// nanoseconds on one core with native code at about 3 GHz, accurate to a factor of about two. Fields that do not apply
// are 0.
type Cost struct {
	Shared   float64 // bytes shared by all rows: the model, and the tables that runs derive from it
	Tables   float64 // bytes of the tables of an enumeration, for runs that make one
	Overhead float64 // bytes of a Population or Particles in addition to rows and rungs
	Row      float64 // bytes of a row of a Population or Particles
	Rung     float64 // bytes of a rung of a Population
	Encoded  float64 // bytes of a row encoded by Append

	Draw       float64 // time to draw a row from the base, or its next coordinate
	Sweep      float64 // time of Move for a row
	Density    float64 // time of LogF at one or two rungs, or of LogW
	Beta       float64 // time of LogF at each rung of a long ladder, in addition to Density
	Block      float64 // time of LogBlocks for one block
	Target     float64 // time of DrawTarget for a row
	StageSetup float64 // time of tables computed once when particles advance to a stage
}

// RoundTime rounds a planned time to float32. Planned times are equal on all platforms to this precision; in float64
// they differ, because some platforms fuse multiplications with additions.
func RoundTime(time float64) float64 { return float64(float32(time)) }

// CostOf returns the cost of a model. If the model does not know its cost, it is treated as points whose density takes
// 10 ns for each coordinate.
func CostOf(m Model) Cost {
	if cost := CapabilitiesOf(m).Cost; cost != nil {
		return cost()
	}
	return PointsCost(m.Info().Dim, 1, 10*float64(m.Info().Dim))
}

// StageCostOf is CostOf for the particles of a sequential model at stage n.
func StageCostOf(m Model, n int) Cost {
	if cost := CapabilitiesOf(m).GrowingSpaces.StageCost; cost != nil {
		return cost(n)
	}
	d := float64(n)
	return Cost{Row: 16*float64(m.Info().Dim) + 16, Encoded: 8 * d, Draw: 50 * d, Sweep: 50 * d, Density: 50 * d}
}

// PointsCost returns the cost of points with dim coordinates and the given number of transitions in a sweep; density is
// the time of one log density.
func PointsCost(dim, moves int, density float64) Cost {
	d := float64(dim)
	return Cost{Overhead: 40 * d, Row: 8*d + 24, Rung: 16, Encoded: 8 * d,
		Draw: 40*d + density, Sweep: float64(moves) * (40*d + 100 + density), Density: 10, Beta: 4, Target: 60*d + density}
}
