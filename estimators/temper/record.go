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

// Record holds the statistics of all chains of a tempering run under one frozen log Zhat.
type Record struct {
	Model        models.Model
	Ladder       []float64
	LogZhat      []float64     // of each rung, 0 at the base
	Prior        prior         // nil: uniform
	N            float64       // number of samples: kept sweeps of all chains
	Conditionals Shares        // means of q(k|x), if needed
	Visits       VisitCounts   // if needed
	Slopes       []SlopeSums   // for each row, if needed; at all rungs, or at the rung of a fixed chain
	MeanSlopes   []SlopeSums   // for each row at all rungs, if needed
	Transitions  [][]float64   // for each row, rungs x rungs, if needed and Final
	Moments      [][]float64   // for each row, see moments, if needed and Final
	Samples      mbar.Samples  // if needed and Final
	SEMethod     string        // kind of error bars from rows: see Result.SEMethod
	ByChain      bool          // several chains stay at every rung, which gives another error bar
	ChainSlopes  []SlopeSums   // Slopes of each chain, if ByChain
	SlopeEvery   [2]int        // sweeps between two measurements of Slopes, and of MeanSlopes
	Overlap      []float64     // of rungs k and k+1, if needed: see Result.Overlap
	RoundTrips   int           // of all chains
	Earlier      []*Record     // initial iterations in which no rung had six times its share or more
	InitialDev   float64       // max_k |c_k/r_k - 1| of the last initial iteration, 0 if there was none
	Final        bool          // the run is over, so slow extras are computed
	Climbed      []float64     // see Result.Climbed
	Travel       *frame.Travel // see Result.Travel
	Fit          *mbar.Fit     // of the present reader, when it is done

	// Sums over lanes, from which collect makes Conditionals.LogC, Overlap and Travel.
	sums            []num.LSE // of q(k|x)
	chances, common []float64 // see overlap
	trips           []int32   // see roundTrips
	visited, up     []float64
}

// levels returns log(Zhat_k/r_k) of eq. 12, 0 at the base.
func (t *Record) levels() []float64 { return t.Prior.levels(t.LogZhat) }

// collect decodes the partials of an iteration in chain order. Missing lanes are left out.
func (r *run) collect(partials [][]byte) *Record { return r.collectSince(r.burnt, partials) }

// collectSince is collect without the sweeps before the ending burnt, if it is not nil.
func (r *run) collectSince(burnt *ending, partials [][]byte) *Record {
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
			c.subtract(early)
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

// apartChains is the number of chains, not counting the first at each rung, from which a large spread between them
// fails a check: the spread of 30 such chains is known to one part in eight.
const apartChains = 30

// fromRows returns the result with the estimates z_k = log Z_k - log Z_1, and errors from the influence of rows. An
// error from fewer than two rows is NaN. chains is the influence of each chain if several stay at each rung, else nil.
// Batches within a stuck chain agree, while stuck chains differ from each other, so the larger of the two errors
// counts.
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

// latest returns the newest partials of all lanes: peeked, or from the previous cut.
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

	// Before the first round: guesses from the adaptation.
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

	// The current round.
	if b := r.collect(latest(peeked, r.soFar)); b.N > 0 {
		out := r.read(b)
		for _, res := range out {
			res.Sweeps = r.before + b.N // the sweeps of these samples, without burn-in
		}
		return out
	}
	if r.iteration == 0 && r.startsEqual() {
		return nil
	}
	return r.provisional(r.zhat, r.guesses)
}
