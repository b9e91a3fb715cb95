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

// Record has the statistics of all chains of a tempering run under one frozen log Zhat.
type Record struct {
	Model        models.Model
	Ladder       []float64
	LogZhat      []float64     // of each rung, 0 at the base
	Prior        prior         // nil: uniform
	N            float64       // samples: kept sweeps of all chains
	Conditionals Shares        // if needed: means of q(k|x)
	Visits       Visited       // if needed
	Slopes       []SlopeSums   // if needed, of each row; at all rungs, or at the rung of a fixed chain
	MeanSlopes   []SlopeSums   // if needed, of each row at all rungs
	Transitions  [][]float64   // if needed and Final, of each row: rungs x rungs
	Moments      [][]float64   // if needed and Final, of each row: see moments
	Samples      mbar.Samples  // if needed and Final
	SEMethod     string        // how error bars are made from rows, see Result.SEMethod
	ByChain      bool          // several chains stay at every rung, so error bars are made from chains, too
	ChainSlopes  []SlopeSums   // if ByChain: Slopes of each chain
	SlopeEvery   [2]int        // sweeps from one look at Slopes to the next, and at MeanSlopes
	Overlap      []float64     // if needed: of rungs k and k+1, see Result.Overlap
	RoundTrips   int           // of all chains
	Earlier      []*Record     // initial iterations in which no rung had six times its share or more
	InitialDev   float64       // max_k |c_k/r_k - 1| of the last initial iteration, 0 if there was none
	Final        bool          // the run is over: slow extras are worth their time
	Climbed      []float64     // see Result.Climbed
	Travel       *frame.Travel // see Result.Travel
	Fit          *mbar.Fit     // of a reader with Fit, when that is done

	// Sums over lanes, which collect turns into Conditionals.LogC, Overlap and Travel.
	sums            []num.LSE // of q(k|x)
	chances, common []float64 // see overlap
	trips           []int32   // see roundTrips
	visited, up     []float64
}

// levels are log(Zhat_k/r_k), 0 at the base, of eq. 12.
func (t *Record) levels() []float64 { return t.Prior.levels(t.LogZhat) }

// collect reads the partials of an iteration in chain order; missing lanes are left out.
func (r *run) collect(partials [][]byte) *Record { return r.since(r.burnt, partials) }

// since is collect without the sweeps before an ending, if that is not nil.
func (r *run) since(burnt *ending, partials [][]byte) *Record {
	t := &Record{Model: r.Model, Ladder: r.ladder, LogZhat: r.zhat, Prior: r.prior, InitialDev: r.maxDev,
		SEMethod: r.seMethod, ByChain: r.byChain}
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in, c := wire.Reader{B: p}, r.newRecord(r.iteration, lane)
		c.load(&in)
		if burnt != nil {
			early := r.newRecord(r.iteration, lane)
			early.load(&wire.Reader{B: burnt.partials[lane]})
			c.drop(early)
		}
		_, chains := r.Span(lane)
		c.merge(t, chains)
		if len(in.B) > 0 { // a cut of the final run has ended
			t.Climbed = append(t.Climbed, in.Floats()...)
			estimators.MustDecode(&in)
		}
	}

	// c_k, the mean of q(k|x); overlaps, and travel.
	for k := range t.sums {
		t.Conditionals.LogC = append(t.Conditionals.LogC, t.sums[k].Value()-num.Log(t.N))
	}
	if t.common != nil {
		t.Overlap = overlaps(t.chances, t.common)
	}
	t.Travel = t.travel(r.N)
	return t
}

func add(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
	}
}

// apartChains is how many chains there must be besides the first at each rung before a large spread between them costs
// trust: from 30 such chains the spread is known to one part in eight.
const apartChains = 30

// fromRows is the result with the estimates z_k = log Z_k - log Z_1, and errors from the influence of rows.
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

// latest are the newest partial results of all lanes: peeked, or of the cut before.
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
			res.Sweeps = r.before + b.N // of these samples, without burn-in
		}
		return out
	}
	if r.iteration == 0 && r.equal() {
		return nil
	}
	return r.provisional(r.zhat, r.guesses)
}
