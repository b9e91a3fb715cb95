package temper

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
	"logzlab/models"
)

// Part names parts of the record of a tempering run that readers may need. What is recorded for one reader does
// not depend on the others.
type Part uint8

// Parts of the record.
const (
	Conditionals  Part = 1 << iota // sums of q(k|x) over sweeps
	Visits                         // how often each rung was chosen
	Slopes                         // of log f by beta, at the rungs chosen
	MeanSlopes                     // the same at every rung, weighted by q(k|x)
	Transitions                    // sums of q(l|x) after moves at each rung k
	Densities                      // log f at every rung of thinned samples
	TargetMoments                  // sums of coordinates, for expectations under the target
	paths                          // how the first chains go over the ladder, for pictures
)

// Record is what a tempering run has recorded under one frozen log Zhat.
type Record struct {
	Model        models.Model
	Ladder       []float64
	LogZhat      []float64     // of each rung, 0 at the base
	Prior        prior         // nil: uniform
	N            float64       // samples: kept sweeps of all chains
	Conditionals Shares        // if needed: means of q(k|x)
	Visits       Visited       // if needed
	Slopes       []SlopeSums   // if needed, of each row; with all rungs, or with that of the row's chain if it stays
	MeanSlopes   []SlopeSums   // if needed, of each row at all rungs
	Transitions  [][]float64   // if needed and Final, of each row: rungs x rungs
	Moments      [][]float64   // if needed and Final, of each row: see moments
	Samples      mbar.Samples  // if needed and Final
	SEMethod     string        // what error bars from rows are made from, see Result.SEMethod
	ByChain      bool          // several chains stay at every rung, so error bars are made from chains, too
	ChainSlopes  []SlopeSums   // if ByChain: Slopes of each chain
	SlopeEvery   [2]int        // sweeps from one look at Slopes to the next, and at MeanSlopes
	Overlap      []float64     // with Conditionals: of rungs k and k+1, see Result.Overlap
	RoundTrips   int           // of all chains
	Earlier      []*Record     // initial iterations in which no rung had six times its share or more
	InitialDev   float64       // max_k |c_k/r_k - 1| of the last initial iteration, 0 if there was none
	Final        bool          // the run is over: slow extras are worth their time
	Climbed      []float64     // see Result.Climbed
	Travel       *frame.Travel // see Result.Travel
	Fit          *mbar.Fit     // of a reader with Fit, when that is done
}

// Visited says how often each rung was chosen: in total, and as shares of the sweeps of each row of Shares.
type Visited struct {
	Count  []float64
	Shares [][]float64
}

// levels are log(Zhat_k/r_k), 0 at the base: what eq. 12 adds log(c_k/c_1) to.
func (t *Record) levels() []float64 { return t.Prior.levels(t.LogZhat) }

// records is what the lanes of an iteration record: initial iterations need conditionals only.
func (r *run) records(iteration int) Part {
	if iteration < r.rounds {
		return Conditionals
	}
	return r.needs
}

// batchLength is the number of sweeps in a batch of an iteration. An initial iteration is one.
func (r *run) batchLength(iteration int) int {
	if iteration < r.rounds {
		return math.MaxInt
	}
	return r.batch(r.keptSweeps)
}

// newRecord is an empty record of a chain in an iteration.
func (r *run) newRecord(iteration, chain int) *chainRecord {
	c := &chainRecord{what: r.records(iteration), dim: r.dim}
	if c.slopes.At, c.rungs = r.span(chain); c.what&paths != 0 && chain < travelChains {
		c.travel = r.newTravel()
	}
	return c
}

// collect reads the partials of an iteration in chain order; missing lanes are left out.
func (r *run) collect(partials [][]byte) *Record { return r.since(r.burnt, partials) }

// since is collect without the sweeps before an ending, if that is not nil.
func (r *run) since(burnt *ending, partials [][]byte) *Record {
	what, full := r.records(r.iteration), r.batchLength(r.iteration)
	_, rungs := r.span(0)
	b := &Record{Model: r.Model, Ladder: r.ladder, LogZhat: r.zhat, Prior: r.prior,
		InitialDev: r.maxDev, SlopeEvery: r.slopeEvery}
	b.SEMethod, b.ByChain = r.errorBars()
	went := travels{Travel: frame.Travel{Chains: r.N}}
	total := make([]num.LSE, rungs)
	if what&Visits != 0 {
		b.Visits.Count = make([]float64, rungs)
	}
	chances, common := make([]float64, rungs), make([]float64, rungs-1)

	// Lane by lane and chain by chain, less the burn-in.
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in, early := wire.Reader{B: p}, wire.Reader{}
		if burnt != nil {
			early.B = burnt.partials[lane]
		}
		first, n := r.Span(lane)
		for chain := first; chain < first+n; chain++ {
			c := r.newRecord(r.iteration, chain)
			c.Load(&in)
			estimators.Must(&in)
			if burnt != nil {
				e := r.newRecord(r.iteration, chain)
				e.Load(&early)
				estimators.Must(&early)
				c.without(e)
			}

			// The chain joins the sums.
			b.RoundTrips += c.trips
			went.add(c)
			add(chances, c.chances)
			add(common, c.common)
			for i, count := range c.counts {
				b.N += float64(count)
				b.batch(c, i, full == math.MaxInt || count == full, total)
			}
			if b.ByChain && what&Slopes != 0 {
				b.ChainSlopes = append(b.ChainSlopes, c.slopes.total())
			}
		}
		if len(in.B) > 0 { // a cut of the final run has ended
			b.Climbed = append(b.Climbed, in.Floats()...)
			estimators.Must(&in)
		}
	}

	// Shares of rungs, overlaps, and travel.
	if what&Conditionals != 0 {
		b.Conditionals.LogC = logC(total, b.N)
		b.Overlap = overlaps(chances, common)
	}
	if b.Travel = went.result(); b.Travel != nil && what&Visits != 0 {
		for k, n := range b.Visits.Count {
			b.Travel.Visits = append(b.Travel.Visits, b.Prior.over(k, float64(rungs)*n/b.N))
		}
	}
	return b
}

// batch adds batch i of a chain; a whole one is a row of shares.
func (t *Record) batch(c *chainRecord, i int, whole bool, total []num.LSE) {
	k := c.rungs
	if c.what&Conditionals != 0 {
		logs := c.logShares(i, total)
		if whole {
			t.Conditionals.Rows = append(t.Conditionals.Rows, logs)
		}
	}
	if c.what&Visits != 0 {
		shares := c.visitShares(i, t.Visits.Count)
		if whole {
			t.Visits.Shares = append(t.Visits.Shares, shares)
		}
	}
	if c.what&Slopes != 0 {
		t.Slopes = append(t.Slopes, c.slopes.batch(i, k))
	}
	if c.what&MeanSlopes != 0 {
		t.MeanSlopes = append(t.MeanSlopes, c.means.batch(i, k))
	}
	if n := momentSize(c.dim); len(c.moments) > 0 {
		t.Moments = append(t.Moments, c.moments[i*n:(i+1)*n])
	}
	if len(c.moves) > 0 {
		t.Transitions = append(t.Transitions, c.moves[i*k*k:(i+1)*k*k])
	}
}

func add(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
	}
}

// overlaps are the shares of samples that neighbouring rungs have in common, from sums of q(k|x) and of the smaller one
// of two neighbours; nil without samples at every rung.
func overlaps(chances, common []float64) []float64 {
	out := make([]float64, len(common))
	for k, x := range common {
		if out[k] = 2 * x / (chances[k] + chances[k+1]); !(out[k] <= 1) {
			return nil
		}
	}
	return out
}

// apartChains is how many chains there must be besides the first at each rung before a large spread between them costs
// trust: from 30 such chains the spread is known to one part in eight.
const apartChains = 30

// fromRows is the estimate z of log Z at every rung, without that of the base, with errors from the influence of rows.
// An error from fewer than two rows is NaN. chains is the influence of each chain, where several stay at each rung,
// else nil. Batches within a chain that is stuck agree, while such chains differ from each other, so the larger one of
// the two errors counts.
func (t *Record) fromRows(z []float64, rows, chains mbar.Influence) *estimators.Result {
	res := &estimators.Result{SEMethod: t.SEMethod, Bias: "either", Lower: math.NaN(), Upper: math.NaN()}
	z0, top := t.Model.LogZ0(), len(z)-1
	up, rise := rows.Errors(len(z))
	if len(chains) > 0 {
		between, rest := chains.Errors(len(z))
		if len(chains)-len(z) >= apartChains {
			res.Diagnose(estimators.DiagChainsApart, between[top]/up[top])
		}
		if between[top] > up[top] {
			res.SEMethod, up, rise = estimators.SEFixed, between, rest
		}
	}
	for k, se := range up {
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: t.Ladder[k], LogZ: z[k] + z0, SE: se})
	}
	res.LogZ, res.SE, res.RiseSE = z[top]+z0, up[top], rise
	if len(rows) < 2 {
		res.Flag(estimators.FlagNoErrorBar)
	}
	res.Flag(estimators.FlagNoSandwich)
	return res
}

// latest are the partials of lanes as last seen: peeked, or, of a lane that has none, that of the cut before.
func latest(peeked, soFar [][]byte) [][]byte {
	seen := slices.Clone(peeked)
	for i := range soFar {
		if i < len(seen) && seen[i] == nil {
			seen[i] = soFar[i]
		}
	}
	return seen
}

func (r *run) Estimate(peeked [][]byte) []*estimators.Result {
	if r.final != nil {
		return r.final
	}

	// Before the first round: guesses from adaptation alone.
	if r.iteration < 0 {
		if r.adapt == nil {
			return nil
		}
		islands := r.adapt.read(peeked)
		if len(islands) == 0 {
			return nil
		}
		return r.provisional(mean(islands, zhatOf), guesses(islands, r.Model.LogZ0()))
	}

	// The round under way.
	if b := r.collect(latest(peeked, r.soFar)); b.N > 0 {
		out := r.read(b)
		for _, res := range out {
			res.Sweeps = r.before + b.N // what these samples took, without burn-in
		}
		return out
	}
	if r.iteration == 0 && r.equal() {
		return nil
	}
	return r.provisional(r.zhat, r.guesses)
}
