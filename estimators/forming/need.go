package forming

import (
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// moving is about the share of the time of moves that is left where particles rest at most stages (models.Resting).
const moving = .2

// time of all islands from stage to stage.
func (f *former) time(from, to int) (sum float64) {
	moves := float64(f.Moves)
	if f.rough != nil {
		moves *= moving
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

// Need counts the particles of each island, as old and as new state, with as many as may be generated at a stage.
func (f *former) Need() estimators.Need {
	c, p := models.StageCostOf(f.Model, f.n), f.Costs()
	islands, rows := float64(f.Islands), f.most*float64(f.Particles)
	state, record := rows*(c.Coded+8), float64(f.n)*(140+4*float64(f.IMax))
	return estimators.Need{Lanes: islands, Shared: c.Shared, Result: 80*float64(f.n) + 2000,
		Held: islands*(2*state+4*record) + 200*float64(f.n),
		Lane: c.Room + p.Picture + rows*(2.5*c.Row+48) + estimators.Coding*(state+record), Time: f.time(1, f.n)}
}

// time is that of the rough samples, and of the sequence, which every program that runs lanes makes once.
func (t *onRough) time() float64 { return t.f.rough.RoughCost().Sweep }

// Need adds the samples and what makes a sequence of them.
func (t *onRough) Need() estimators.Need {
	n, c := t.Method.Need(), t.f.rough.RoughCost()
	n.Shared += c.Shared
	n.Held += (3 + n.Lanes) * c.Coded // each lane has a plan
	n.Time += t.time()
	return n
}

// Need plans for stages of at most mostOptimal times R particles, or leastRows if that is more.
const (
	mostOptimal = 20
	leastRows   = 20000
)

// Need is that of the run itself, and the time of the pilot.
func (o *rmOptimal) Need() estimators.Need {
	run := *o.former
	need := run.Need()
	if run.pilot {
		run.pilot = false
		need.Time += run.time(1, run.n)
	}
	return need
}
