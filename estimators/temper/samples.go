package temper

import (
	"bytes"
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// ThinnedSamples are states at every n-th sweep of every m-th chain: the chosen rung, and log f at every rung.
var ThinnedSamples = &Statistic{
	new: func(r *run, first, chains int) recorder {
		return &thinnedSamples{run: r, first: first, rows: make([]chainSamples, chains)}
	},
	floats: func(*run, int) int { return 0 }, // counted separately
	fixed:  true,
}

// thinnedSamples records ThinnedSamples since the last cut. They are neither in states nor in peeked partials: a lane
// appends them to the partial of its cut (write), and the fold gathers them.
type thinnedSamples struct {
	sums  // unused
	run   *run
	first int
	rows  []chainSamples // of each chain
}

type chainSamples struct {
	rung []int32
	logf mbar.Floats
}

// sampled reports whether a chain is sampled.
func (c *thinnedSamples) sampled(i int) bool { return (c.first+i)%c.run.thinned.EveryChain == 0 }

func (c *thinnedSamples) due(kept int) bool { return kept%c.run.thinned.Every == 0 }

func (c *thinnedSamples) logF(l *rows) {
	rungs := len(l.ladder)
	for i := range c.rows {
		if !c.sampled(i) {
			continue
		}
		s := &c.rows[i]
		if s.logf == nil { // allocate for the whole cut at once
			s.logf = make(mbar.Floats, 0, 8*rungs*l.samplesOf(min(l.keptSweeps, l.RoundSweepsOr(temperCut))+l.thinned.Every))
		}
		s.logf = s.logf.With(l.step.X[i*rungs : (i+1)*rungs]...)
	}
}

func (c *thinnedSamples) observe(l *rows, kept int) {
	if !c.due(kept) {
		return
	}
	for i, k := range l.v.Rung {
		if c.sampled(i) {
			c.rows[i].rung = append(c.rows[i].rung, k)
		}
	}
}

func (c *thinnedSamples) merge(*Record, batchCounts) {}

// write appends the samples of a cut, chain by chain.
func (c *thinnedSamples) write(w *wire.Writer) {
	size := 0
	for _, s := range c.rows {
		size += len(s.logf) + 3*len(s.rung) + 16
	}
	w.B = slices.Grow(w.B, size)
	for _, s := range c.rows {
		w.Int32s(s.rung)
		w.Bytes(s.logf)
	}
}

// maxDensities is the largest number of log densities that Samples hold: 16 MB.
const maxDensities = 2e6

// thinning returns the numbers of sweeps and of chains per sample.
func (r *run) thinning() (sweeps, chains int) {
	k := len(r.ladder)
	chains = 1 + (r.N*k-1)/maxDensities
	n := (r.N + chains - 1) / chains
	most := max(maxDensities/(n*k), 1)
	return max((r.keptSweeps+most-1)/most, 1), chains
}

// gather copies the samples of a cut of the final run from its partials to their places, and returns the partials
// without them, as running estimates need no samples.
func (r *run) gather(partials [][]byte) [][]byte {
	if !r.records(ThinnedSamples) {
		return partials
	}
	k, each := len(r.ladder), r.samplesOf(r.keptSweeps)
	if r.thinned.Rung == nil {
		r.reserve(r.sampledChains()*each, k)
	}
	before := r.samplesOf(max(r.done-r.spent-r.burn, 0)) // samples of each chain before this cut
	rest := make([][]byte, len(partials))
	for lane, p := range partials {
		in := wire.Reader{B: p}
		r.newRecord(r.rounds, lane).load(&in)
		in.Floats() // bounds
		if rest[lane] = p; r.done < r.length(r.iteration) {
			rest[lane] = bytes.Clone(p[:len(p)-len(in.B)])
		}
		first, n := r.Span(lane)
		for chain := first; chain < first+n; chain++ {
			at := chain/r.thinned.EveryChain*each + before
			copy(r.thinned.Rung[at:], in.Int32s())
			copy(r.thinned.LogF[8*at*k:], in.Bytes())
		}
		estimators.MustDecode(&in)
	}
	return rest
}

// samplesOf returns the number of samples of a chain in its first kept sweeps, sampledChains the number of sampled
// chains.
func (r *run) samplesOf(kept int) int { return (kept + r.thinned.Every - 1) / r.thinned.Every }
func (r *run) sampledChains() int     { return (r.N + r.thinned.EveryChain - 1) / r.thinned.EveryChain }

// reserve allocates room for n samples. The densities are allocated inside the buffer that becomes the state of the
// lane of the fits (samplesAsState), to avoid a copy.
func (r *run) reserve(n, rungs int) {
	size := 8 * n * rungs
	r.solveState.B = make([]byte, 0, size+10*n+16*rungs+64)
	r.solveState.Uint(uint64(size))
	r.solveState.B = r.solveState.B[:len(r.solveState.B)+size]
	s := &r.thinned
	s.Rung, s.Row, s.LogF = make([]int32, n), make([]int32, n), r.solveState.B[len(r.solveState.B)-size:]
}

// samples returns the gathered samples with their rows.
func (r *run) samples() mbar.Samples {
	full, batches, each := r.batchLength(r.rounds), 1, r.samplesOf(r.keptSweeps)
	if full < math.MaxInt {
		batches = r.keptSweeps / full
	}
	out := r.thinned
	for i := range out.Row {
		batch := min(i%each*r.thinned.Every/full, batches-1) // sweeps after the last whole batch belong to it
		out.Row[i] = int32(i/each*batches + batch)
	}
	out.Rows, out.Batches = len(out.Row)/max(each, 1)*batches, batches
	return out
}
