package smc

import (
	"logzlab/core/num"
	"logzlab/estimators"
)

// time returns the planned time of some steps of all islands, in nanoseconds (models.Cost).
func (s *smc) time(costs estimators.Costs, steps int) float64 {
	const weighing = 60 // nanoseconds for what a step does to a particle besides moves and densities
	stepCost := float64(s.Moves)*costs.Sweep + 2*costs.Density + weighing
	return float64(s.N) * float64(steps) * (stepCost + num.Mul(estimators.PlannedBatches*float64(s.IMax), stepCost))
}

// Need counts the particles of each island, as old and as new state, the records, and the check against exact samples.
func (s *smc) Need() estimators.Need {
	p, islands, rungs := s.Costs(), float64(s.Count()), len(s.ladder)
	record := 8*float64(len(s.recorded)) + 100
	state := float64(s.Size)*(p.Encoded+8) + record
	need := estimators.Need{Lanes: islands, Result: 5*record + 2000, Retained: islands*(2*state+3*record) + 6*record +
		8*float64(rungs),
		Lane: p.Lane(s.Size, rungs, 64, p.Encoded+8) + (2+estimators.EncodingFactor)*record +
			float64(s.IMax)*float64(s.Size)*(p.Encoded+28),
		Time: s.time(p, rungs-1) + float64(s.N)*p.Draw}
	s.target.AddNeed(&need, p)
	return need
}
