package density

import "logzlab/models"

// Cost returns a default, because the cost of the density is unknown.
func (m *Space) Cost() models.Cost {
	return models.PointsCost(m.d.Dim, m.k.Moves, 10*float64(m.d.Dim)+100)
}

// SweepCost returns walk for the kernel mh, and otherwise the time of Hamiltonian trajectories, given the times of a
// density and a gradient.
func (m *Space) SweepCost(walkTime, densityTime, gradTime float64) float64 {
	if m.k.Name == "mh" {
		return walkTime
	}
	leaps := float64(m.k.Leaps)
	if leaps == 0 { // the result of a tuning run for nearly round targets, or more
		leaps = 8
	}
	return float64(m.k.Moves) * (80*float64(m.d.Dim) + 200 + (leaps+2)*(densityTime+gradTime))
}
