package temper

import (
	"bytes"
	"math"

	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// maxDensities bounds the log densities that Samples hold: 16 MB.
const maxDensities = 2e6

// thinning is how many sweeps, and chains, there are to a sample of Samples.
func (r *run) thinning() (sweeps, chains int) {
	k := len(r.ladder)
	chains = 1 + (r.N*k-1)/maxDensities
	n := (r.N + chains - 1) / chains
	most := max(maxDensities/(n*k), 1)
	return max((r.keptSweeps+most-1)/most, 1), chains
}

// gather takes the samples of a cut of the final run out of its partials, each to its place, and returns what is left
// of these: running numbers need no samples.
func (r *run) gather(partials [][]byte) [][]byte {
	if r.needs&Densities == 0 {
		return partials
	}
	k, each := len(r.ladder), r.samplesOf(r.keptSweeps)
	if r.thinned.Rung == nil {
		r.reserve(r.sampledChains()*each, k)
	}
	before := r.samplesOf(max(r.done-r.spent-r.burn, 0)) // of each chain
	rest := make([][]byte, len(partials))
	for lane, p := range partials {
		in := wire.Reader{B: p}
		first, n := r.Span(lane)
		for i := range n {
			r.newRecord(r.rounds, first+i).Load(&in)
		}
		in.Floats() // bounds
		if rest[lane] = p; r.done < r.length(r.iteration) {
			rest[lane] = bytes.Clone(p[:len(p)-len(in.B)])
		}
		for chain := first; chain < first+n; chain++ {
			at := chain/r.thinned.EveryChain*each + before
			copy(r.thinned.Rung[at:], in.Ints())
			copy(r.thinned.LogF[8*at*k:], in.Bytes())
		}
		estimators.Must(&in)
	}
	return rest
}

// samplesOf is how many samples there are of a chain in its first kept sweeps, sampledChains of how many chains.
func (r *run) samplesOf(kept int) int { return (kept + r.thinned.Every - 1) / r.thinned.Every }
func (r *run) sampledChains() int     { return (r.N + r.thinned.EveryChain - 1) / r.thinned.EveryChain }

// reserve makes room for n samples. The densities are allocated inside the buffer that becomes the state of the solving
// lane (samplesAsState), to avoid a copy.
func (r *run) reserve(n, rungs int) {
	size := 8 * n * rungs
	r.coded.B = make([]byte, 0, size+10*n+16*rungs+64)
	r.coded.Uint(uint64(size))
	r.coded.B = r.coded.B[:len(r.coded.B)+size]
	s := &r.thinned
	s.Rung, s.Row, s.LogF = make([]int32, n), make([]int32, n), r.coded.B[len(r.coded.B)-size:]
}

// samples are those that were gathered.
func (r *run) samples() mbar.Samples {
	full, batches, each := r.batchLength(r.rounds), 1, r.samplesOf(r.keptSweeps)
	if full < math.MaxInt {
		batches = r.keptSweeps / full
	}
	out := r.thinned
	for i := range out.Row {
		batch := min(i%each*r.thinned.Every/full, batches-1) // sweeps after the last whole batch go to it
		out.Row[i] = int32(i/each*batches + batch)
	}
	out.Rows, out.Batches = len(out.Row)/max(each, 1)*batches, batches
	return out
}
