package estimators

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/models"
)

// Need is what a run takes, planned from its parameters and the cost of its model before any work: memory in bytes, at
// most, and time as in models.Cost, about.
type Need struct {
	Held   float64 // between rounds: states and partials of all lanes, records for the readers
	Lane   float64 // of a lane at work
	Lanes  float64 // how many can be at work at the same time
	Shared float64 // of the model: what its rows share, and the tables of its enumeration if this run makes it
	Result float64 // of the results, which stay when the run is over
	Time   float64 // of all lanes, one after another
}

// and is the need of two runs, one after the other.
func (n Need) and(o Need) Need {
	n.Held, n.Shared, n.Time = max(n.Held, o.Held), max(n.Shared, o.Shared), n.Time+o.Time
	n.Lane, n.Lanes = max(n.Lane, o.Lane), max(n.Lanes, o.Lanes)
	return n
}

// coding is what encoding takes for each byte of its result: memory grows by a quarter, and the old one stays a while.
const coding = 2.5

// parts are the costs of a model that several runs count with.
type parts struct {
	models.Cost
	blocks  int     // of the enumeration before exact samples of the target
	picture float64 // bytes of the pictures of a lane
}

func (c Config) parts() parts {
	p := parts{Cost: models.CostOf(c.Model)}
	if e, ok := c.Model.(models.Exact); ok {
		p.blocks, _ = e.Blocks(models.MaxExactUnits)
	}
	info := c.Model.Info()
	p.picture = 3 * maxShown * float64(info.W*info.H)
	return p
}

// lane is the memory of a lane of rows that keep some bytes each and are encoded to some bytes.
func (p parts) lane(rows, rungs int, keeps, coded float64) float64 {
	return p.Room + p.picture + float64(rows)*(p.Row+keeps+coding*coded) + float64(rungs)*(p.Rung+9)
}

// prepare is the time of the enumeration.
func (p parts) prepare() float64 { return float64(p.blocks) * p.Block }

// target adds the model, and the enumeration before exact samples of its target.
func (n *Need) target(p parts) {
	n.Shared = p.Shared
	if p.blocks > 0 {
		n.Shared += p.Tables
		n.Held += 40 * float64(p.blocks)
	}
	n.Time += p.prepare()
}

// Need counts the log weights of each chain: in its lane, encoded, and decoded.
func (a *anneal) Need() Need {
	p, n, rungs, record := a.parts(), float64(a.before+a.n), len(a.ladder), 8*float64(len(a.record))
	need := Need{Lanes: float64(a.count()), Result: float64(len(a.Readers)) * (4*record + 2000),
		Held: n*(2*record+64) + 6*record + 8*float64(rungs),
		Lane: p.lane(a.size, rungs, record+80, max(record, p.Coded))}
	if (rungs-2)*a.sweeps > a.cut(annealCut) { // lanes go on from states
		state := p.Coded + record + 18
		need.Held += 2 * n * state
		need.Lane += coding * float64(a.size) * state
	}
	need.Time = a.time(p, a.before+a.n, rungs-1) + n*p.Draw
	exact := p.Target > 0 && (p.blocks > 0 || a.known.Data == 0)
	enumerate, reverse, data := a.follow(exact)
	if !enumerate {
		p.blocks = 0
	}
	if need.target(p); reverse {
		need.Time += a.backTime(annealReverse, !exact)
	}
	if data {
		need.Time += a.backTime(annealData, true)
		need.Held += 48 * n
		need.Result += 8 * maxData
	}
	return need
}

// backTime is that of the way back.
func (a *anneal) backTime(stage Work, data bool) float64 {
	p := a.parts()
	return a.time(p, a.back.n, len(a.ladder)-1+a.atTarget(stage, data)) + float64(a.back.n)*p.Target
}

// time of n chains for some rungs.
func (a *anneal) time(p parts, n, rungs int) float64 {
	return float64(n) * float64(rungs) * (float64(a.sweeps)*p.Sweep + 2*p.Density + 20)
}

// time of all chains for some sweeps of a stage.
func (r *temper) time(p parts, stage, sweeps int) float64 {
	k := float64(len(r.ladder))
	sweep := p.Sweep + p.Density + k*(p.Beta+stepTime)
	if stage < 0 && r.adapt == nil {
		sweep = p.Sweep + 2*p.Density/initAISSweeps
	}
	return float64(r.n) * float64(sweeps) * sweep
}

// stepTime is what a tempering step takes for each rung, in nanoseconds.
const stepTime = 6

// Need counts the sums of each chain over all rungs: in its lane, encoded as partial and as state, and decoded.
func (r *temper) Need() Need {
	p, n, rungs := r.parts(), float64(r.n), len(r.ladder)
	k, batches := float64(rungs), 1.0
	if length := r.batchLength(r.rounds); length < math.MaxInt {
		batches = float64(r.kept/max(length, 1) + 2)
	}
	record := batches*(r.batchBytes()+8) + 16*k + 200 // and overlaps
	if !r.fixed {                                     // and travels
		seen := min(float64(travelChains), n)
		record += seen / n * (8*travelPath + 16*k + 4*frame.MaxOverlap*(frame.MaxOverlap+1))
	}
	need := Need{Lanes: float64(r.count()), Result: float64(len(r.Readers))*(100*k+2000) + 16*k*float64(r.rounds),
		Held: n * (4*record + 2*p.Coded + 16*k*batches),
		Lane: p.lane(r.size, rungs, record+24*k+100, 2*record+p.Coded)}
	if r.needs&Densities != 0 { // by cut, and in the state of the lane that solves for all rungs
		need.Held += 8 * 2 * min(maxDensities, n*float64(r.kept)*k)
		need.Lane += coding * 8 * float64(r.size) * k * float64(min(r.kept, r.cut(temperCut))/r.every+1)
	}
	if len(r.fits()) > 0 { // the samples, ratios of densities; parts of rows
		need.Lane = max(need.Lane, 8*3*min(maxDensities, n*float64(r.kept)*k))
	}
	if r.merges {
		need.Held += float64(r.rounds) * n * 8 * k
	}
	if !r.equal() {
		need.Time += r.time(p, -1, r.length(-1))
	}
	if r.adapt != nil {
		held, lane := r.adapt.needs(p)
		need.Held, need.Lane = max(need.Held, held), max(need.Lane, lane)
		need.Result += 8 * k * float64(r.adapt.kept())
	}
	if r.rounds > 0 {
		need.Time += float64(r.rounds) * r.time(p, 0, r.length(0))
	}
	need.Time += r.time(p, r.rounds, r.length(r.rounds)+r.toCome()) + r.fitTime()
	r.check.need(&need, p)
	return need
}

// batchBytes is the memory of what a chain records in a batch.
func (r *temper) batchBytes() (bytes float64) {
	k := float64(r.width())
	for what, size := range map[Record]float64{Conditionals: 24 * k, Visits: 4 * k, Slopes: 32 * k, MeanSlopes: 16 * k,
		Transitions: 8 * k * k} {
		if (r.needs|Conditionals)&what != 0 {
			bytes += size
		}
	}
	return bytes
}

// time of all islands for some sweeps.
func (a *adaptation) time(p parts, sweeps int) float64 {
	return float64(a.n) * float64(sweeps) * (p.Sweep + p.Density + float64(len(a.ladder))*(p.Beta+stepTime))
}

// kept counts the guesses of a learner.
func (a *adaptation) kept() (n int) {
	for s := 1; s <= a.length; s = nextGuess(s) {
		n++
	}
	return n
}

// needs counts log Zhat of each island, its guesses, and its chains, as old and as new state: between rounds, and of a
// lane at work.
func (a *adaptation) needs(p parts) (held, lane float64) {
	islands, k := float64(a.count()), float64(len(a.ladder))
	learner := 8*k*float64(a.kept()+2) + 200
	state := learner + float64(a.size)*(p.Coded+20)
	return islands * (2*state + 3*learner), p.lane(a.size, len(a.ladder), 24*k+100, p.Coded+20) + (2+coding)*learner
}

// Need adds the check against exact samples.
func (a *adapt) Need() Need {
	p, k := a.parts(), float64(len(a.ladder))
	need := Need{Lanes: float64(a.count()), Result: 8*k*float64(a.kept()+16) + 2000,
		Time: a.time(p, a.length)}
	need.Held, need.Lane = a.needs(p)
	a.target.need(&need, p)
	return need
}

// time of all islands for some steps.
func (s *smc) time(p parts, steps int) float64 {
	return float64(s.n) * float64(steps) * (float64(s.moves)*p.Sweep + 2*p.Density + 60)
}

// Need counts the particles of each island, as old and as new state, its record, and the check against exact samples.
func (s *smc) Need() Need {
	p, islands, rungs := s.parts(), float64(s.count()), len(s.ladder)
	record := 8*float64(len(s.record)) + 100
	state := float64(s.size)*(p.Coded+8) + record
	need := Need{Lanes: islands, Result: 5*record + 2000, Held: islands*(2*state+3*record) + 6*record + 8*float64(rungs),
		Lane: p.lane(s.size, rungs, 64, p.Coded+8) + (2+coding)*record,
		Time: s.time(p, rungs-1) + float64(s.n)*p.Draw}
	s.target.need(&need, p)
	return need
}

// planned is the share of the batches that a run may generate which its planned time counts with. How many it takes
// shows only on the way.
const planned = .1

// moving is about the share of the time of moves that is left where particles rest at most stages (models.Resting).
const moving = .2

// time of all islands from stage to stage.
func (f *former) time(from, to int) (sum float64) {
	moves := float64(f.moves)
	if f.trial != nil {
		moves *= moving
	}
	for n := from; n < to; n++ {
		c := models.StageCostOf(f.Model, n)
		moved := moves * c.Sweep
		more := moved
		if f.reseed > 0 {
			more = c.Draw + float64(f.reseed)*c.Sweep
		}
		sum += float64(f.particles(n)) * (moved + c.Density + c.Draw + 100 + num.Mul(planned*float64(f.iMax), more))
	}
	if f.pilot {
		sum *= float64(pilotParticles(f.r)) / float64(f.r)
	}
	return float64(f.islands) * sum
}

// Need counts the particles of each island, as old and as new state, with as many as may be generated at a stage.
func (f *former) Need() Need {
	c, p := models.StageCostOf(f.Model, f.n), f.parts()
	islands, rows := float64(f.islands), f.most*float64(f.r)
	state, record := rows*(c.Coded+8), float64(f.n)*(140+4*float64(f.iMax))
	return Need{Lanes: islands, Shared: c.Shared, Result: 80*float64(f.n) + 2000,
		Held: islands*(2*state+4*record) + 200*float64(f.n),
		Lane: c.Room + p.picture + rows*(2.5*c.Row+48) + coding*(state+record), Time: f.time(1, f.n)}
}

// time is that of the trial, and of the sequence, which every program that runs lanes makes once.
func (t *trialled) time() float64 { return t.f.trial.TrialCost().Sweep }

// Need adds the samples and what makes a sequence of them.
func (t *trialled) Need() Need {
	n, c := t.Method.Need(), t.f.trial.TrialCost()
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
func (o *rmOptimal) Need() Need {
	run := *o.former
	need := run.Need()
	if run.pilot {
		run.pilot = false
		need.Time += run.time(1, run.n)
	}
	return need
}

// Need counts the means of the visible units over each block.
func (b *baseRates) Need() Need {
	p := Config{Model: b.m}.parts()
	n := float64(b.m.BaseBlocks())
	return Need{Lanes: float64(b.lanes().count()), Shared: p.Shared + p.Tables, Time: 2 * p.prepare(),
		Held: 2 * n * (8*float64(b.m.Info().Dim) + 40), Lane: 64 * 1024}
}

// Need is the time of some climbs, whatever the model; they take less memory than a lane.
func (f *floorRun) Need() Need {
	return Need{Lanes: 1, Time: 50e6}
}
