package density

import "logzlab/models"

// Cost of a space is not known, as its density may be any function.
func (m *Space) Cost() models.Cost {
	return models.PointsCost(m.d.Dim, m.k.Moves, 10*float64(m.d.Dim)+100)
}

// SweepCost is that of walk where the kernel walks, else that of trajectories, by the cost of a density and its slope.
func (m *Space) SweepCost(walk, density, slope float64) float64 {
	if m.k.Name == "mh" {
		return walk
	}
	leaps := float64(m.k.Leaps)
	if leaps == 0 { // what a tuning run finds for hills that are not far from round, or more
		leaps = 8
	}
	return float64(m.k.Moves) * (80*float64(m.d.Dim) + 200 + (leaps+2)*(density+slope))
}
