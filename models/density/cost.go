package density

import "logzlab/models"

// Cost returns a default cost, because the time of the functions of the Density is unknown.
func (m *Space) Cost() models.Cost {
	return models.PointsCost(m.d.Dim, m.k.Moves, 10*float64(m.d.Dim)+100)
}

// SweepCost returns the time of a sweep for one row: walkTime for the kernel mh, and otherwise the time of Hamiltonian
// trajectories, given the times of a log density and of a gradient.
func (m *Space) SweepCost(walkTime, densityTime, gradTime float64) float64 {
	if m.k.Name == "mh" {
		return walkTime
	}
	leaps := float64(m.k.Leaps)
	if leaps == 0 { // a typical result of the tuning run for a nearly spherical target
		leaps = 8
	}
	return float64(m.k.Moves) * (80*float64(m.d.Dim) + 200 + (leaps+2)*(densityTime+gradTime))
}
