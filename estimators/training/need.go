package training

import "logzlab/estimators"

// Planned time and memory do not affect results, so the compiler may fuse products and sums here (no num.Mul).

// updateTime returns the planned time of an update, in the unit of models.Cost.
func (r *Run) updateTime() float64 {
	v, h, chains := float64(r.Data.M), float64(r.Params.Hidden), float64(r.Params.Chains)
	return r.sweeps()*(150+2.6*(v+h)+.04*v*h) + chains*float64(r.Params.Sweeps)*(30+4*h) + 40*v*h
}

// Need returns the planned memory and time of the run. The memory holds the weights in six forms and the chains.
func (r *Run) Need() estimators.Need {
	v, h, chains := float64(r.Data.M), float64(r.Params.Hidden), float64(r.Params.Chains)
	k := float64(r.Params.Rungs)
	state := 8*(v*h+v+h) + chains*((v+h)/8+16*k)
	return estimators.Need{Lanes: 1, Shared: float64(len(r.Data.Train) + len(r.Data.Test)), Retained: 4 * state,
		Lane: 48*v*h + 4*state + chains*(12*(v+h)+40*k), Time: float64(r.Params.Updates) * r.updateTime()}
}
