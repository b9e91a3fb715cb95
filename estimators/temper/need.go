package temper

import (
	"math"

	"logzlab/estimators"
)

// time returns the planned time of all chains for some sweeps of an iteration.
func (r *run) time(p estimators.Costs, iteration, sweeps int) float64 {
	k := float64(len(r.ladder))
	sweep := p.Sweep + p.Density + k*(p.Beta+StepTime)
	if iteration < 0 && r.adapt == nil {
		sweep = p.Sweep + 2*p.Density/initAISSweeps
	}
	return float64(r.N) * float64(sweeps) * sweep
}

// StepTime is the time of a tempering step per rung, in nanoseconds.
const StepTime = 6

// Need counts the sums of each chain over all rungs: in its lane, encoded as partial and as state, and decoded.
func (r *run) Need() estimators.Need {
	p, n, rungs := r.Costs(), float64(r.N), len(r.ladder)
	k, batches := float64(rungs), 1.0
	if length := r.batchLength(r.rounds); length < math.MaxInt {
		batches = float64(r.keptSweeps/max(length, 1) + 2)
	}
	record := batches*(8*r.floats()+8) + 16*k + 200 // overlaps included
	if r.moves() {
		seen := min(float64(travelChains), n)
		record += seen / n * 16 * k
	}

	// Sums, in lanes and in results.
	need := estimators.Need{Lanes: float64(r.Count()), Result: float64(len(r.Readers))*(100*k+2000) +
		16*k*float64(r.rounds),
		Retained: n * (4*record + 2*p.Encoded + 16*k*batches),
		Lane:     p.Lane(r.Size, rungs, record+24*k+100, 2*record+p.Encoded)}

	// Densities, for readers that solve for all rungs.
	if r.records(ThinnedSamples) { // by cut, and in the state of the lane of the fits
		need.Retained += 8 * 2 * min(maxDensities, n*float64(r.keptSweeps)*k)
		cut := min(r.keptSweeps, r.RoundSweepsOr(temperCut))
		need.Lane += estimators.EncodingFactor * 8 * float64(r.Size) * k * float64(cut/r.thinned.Every+1)
	}
	if r.Hold != nil { // as reduced potentials, in a file and compressed
		need.Retained += 8 * 3 * min(maxDensities, n*float64(r.keptSweeps)*k)
	}
	if len(r.fitReaders()) > 0 { // the samples, ratios of densities, influences of rows
		need.Lane = max(need.Lane, 8*3*min(maxDensities, n*float64(r.keptSweeps)*k))
	}
	if r.merges {
		need.Retained += float64(r.rounds) * n * 8 * k
	}

	// Adaptation, rounds of guessing, and the final run.
	if !r.startsEqual() {
		need.Time += r.time(p, -1, r.length(-1))
	}
	if r.adapt != nil {
		held, lane := r.adapt.needs(p)
		need.Retained, need.Lane = max(need.Retained, held), max(need.Lane, lane)
		need.Result += 8 * k * float64(r.adapt.guessCount())
	}
	if r.rounds > 0 {
		need.Time += float64(r.rounds) * r.time(p, 0, r.length(0))
	}
	need.Time += r.time(p, r.rounds, r.length(r.rounds)+r.sweepsToCome()) + r.fitTime()
	r.check.AddNeed(&need, p)
	return need
}

// floats returns the number of floats that a chain records in a batch, including the conditionals of initial
// iterations.
func (r *run) floats() (n float64) {
	_, rungs := r.span(0)
	if !r.records(Conditionals) {
		n = float64(Conditionals.floats(r, rungs))
	}
	for _, s := range r.needs {
		n += float64(s.floats(r, rungs))
	}
	return n
}

// time returns the planned time of all islands for some sweeps.
func (a *adaptation) time(p estimators.Costs, sweeps int) float64 {
	return float64(a.N) * float64(sweeps) * (p.Sweep + p.Density + float64(len(a.ladder))*(p.Beta+StepTime))
}

// guessCount returns the number of stored guesses of an island.
func (a *adaptation) guessCount() (n int) {
	for s := 1; s <= a.length; s = nextGuess(s) {
		n++
	}
	return n
}

// needs returns the memory of log Zhat of each island, its guesses, and its chains, as old and as new state: held
// between rounds, and of a running lane.
func (a *adaptation) needs(p estimators.Costs) (held, lane float64) {
	islands, k := float64(a.Count()), float64(len(a.ladder))
	adapted := 8*k*float64(a.guessCount()+2) + 200
	state := adapted + float64(a.Size)*(p.Encoded+20)
	return islands * (2*state + 3*adapted), p.Lane(a.Size, len(a.ladder), 24*k+100, p.Encoded+20) +
		(2+estimators.EncodingFactor)*adapted
}

// Need includes the check against exact samples.
func (a *adaptiveRun) Need() estimators.Need {
	p, k := a.Costs(), float64(len(a.ladder))
	need := estimators.Need{Lanes: float64(a.Count()), Result: 8*k*float64(a.guessCount()+16) + 2000,
		Time: a.time(p, a.length)}
	need.Retained, need.Lane = a.needs(p)
	a.target.AddNeed(&need, p)
	return need
}

// time returns the planned time of all chains for some sweeps.
func (r *continuous) time(p estimators.Costs, sweeps int) float64 {
	return float64(r.N) * float64(sweeps) * (p.Sweep + 2*p.Density/float64(r.every))
}

// Need counts rows as states, old and new, and the sums of chains.
func (r *continuous) Need() estimators.Need {
	p, n := r.Costs(), float64(r.N)
	need := estimators.Need{Lanes: float64(r.Count()), Result: 100*float64(len(r.edges)) + 2000,
		Retained: n*(2*p.Encoded+300) + 16*n + 4*n*float64(len(r.edges)), Time: r.time(p, r.length()),
		Lane: p.Lane(r.Size, len(r.ladder), 200, p.Encoded+80)}
	r.target.AddNeed(&need, p)
	return need
}
