package anneal

import "logzlab/estimators"

// Need counts the log weights of each chain three times: in its lane, encoded, and decoded.
func (a *run) Need() estimators.Need {
	p, n, rungs, record := a.Costs(), float64(a.FirstSlot+a.N), len(a.ladder), 8*float64(len(a.recorded))
	need := estimators.Need{Lanes: float64(a.Count()), Result: float64(len(a.Readers)) * (4*record + 2000),
		Retained: n*(2*record+64) + 6*record + 8*float64(rungs),
		Lane:     p.Lane(a.Size, rungs, record+80, max(record, p.Encoded))}
	if (rungs-2)*a.sweeps > a.RoundSweepsOr(annealCut) { // rounds are cut, and lanes have states
		state := p.Encoded + record + 18
		need.Retained += 2 * n * state
		need.Lane += estimators.EncodingFactor * float64(a.Size) * state
	}
	need.Time = a.time(p, a.FirstSlot+a.N, rungs-1) + n*p.Draw
	exact := p.Target > 0 && (p.Blocks > 0 || a.known.Data == 0)
	enumerate, reverse, data := a.roundsToFollow(exact)
	if !enumerate {
		p.Blocks = 0
	}
	if need.AddModel(p); reverse {
		need.Time += a.backTime(workReverse, !exact)
	}
	if data {
		need.Time += a.backTime(workFromData, true)
		need.Retained += 48 * n
		need.Result += 8 * maxData
	}
	return need
}

// backTime returns the planned time of a round of reverse chains (models.Cost units).
func (a *run) backTime(work estimators.Work, data bool) float64 {
	p := a.Costs()
	return a.time(p, a.back.N, len(a.ladder)-1+a.movesAtTarget(work, data)) + float64(a.back.N)*p.Target
}

// time returns the planned time of n chains at some rungs.
func (a *run) time(p estimators.Costs, n, rungs int) float64 {
	return float64(n) * float64(rungs) * (float64(a.sweeps)*p.Sweep + 2*p.Density + 20)
}
