package resamplemove

import (
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// movedStages is the approximate share of stages with moves if the model can skip moves (models.Sequence).
const movedStages = .2

// time returns the planned time of all islands between two stages (models.Cost units).
func (f *resampleMove) time(from, to int) (sum float64) {
	moves := float64(f.Moves)
	if f.rough != nil {
		moves *= movedStages
	}
	for n := from; n < to; n++ {
		c := models.StageCostOf(f.Model, n)
		moved := moves * c.Sweep
		more := moved
		if f.ReseedSweeps > 0 {
			more = c.Draw + float64(f.ReseedSweeps)*c.Sweep
		}
		more = num.Mul(estimators.PlannedBatches*float64(f.IMax), more)
		sum += float64(f.particles(n)) * (moved + c.Density + c.Draw + 100 + more)
	}
	if f.pilot {
		sum *= float64(pilotParticles(f.Particles)) / float64(f.Particles)
	}
	return float64(f.Islands) * sum
}

// Need counts the particles of each island, with the largest number that a stage may generate, as old and as new state.
func (f *resampleMove) Need() estimators.Need {
	c, p := models.StageCostOf(f.Model, f.n), f.Costs()
	islands, rows := float64(f.Islands), f.maxGrowth*float64(f.Particles)
	state, record := rows*(c.Encoded+8), float64(f.n)*(140+4*float64(f.IMax))
	return estimators.Need{Lanes: islands, Shared: c.Shared, Result: 80*float64(f.n) + 2000,
		Retained: islands*(2*state+4*record) + 200*float64(f.n),
		Lane:     c.Overhead + p.Picture + rows*(2.5*c.Row+48) + estimators.EncodingFactor*(state+record), Time: f.time(1, f.n)}
}

// time returns the planned time of the rough samples and of the sequence, which every worker makes once.
func (t *withRoughSamples) time() float64 { return t.f.rough.RoughCost().Sweep }

// Need includes the samples and the making of a sequence from them.
func (t *withRoughSamples) Need() estimators.Need {
	n, c := t.Method.Need(), t.f.rough.RoughCost()
	n.Shared += c.Shared
	n.Retained += (3 + n.Lanes) * c.Encoded // every plan holds the samples
	n.Time += t.time()
	return n
}

// Need plans for at most maxOptimal times R particles at a stage, or optimalRows if that is more.
const (
	maxOptimal  = 20
	optimalRows = 20000
)

// Need adds the time of the pilot to the need of the run.
func (o *rmOptimal) Need() estimators.Need {
	run := *o.resampleMove
	need := run.Need()
	if run.pilot {
		run.pilot = false
		need.Time += run.time(1, run.n)
	}
	return need
}
