package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators/mbar"
)

// chainRecord is what one chain has recorded, for every batch of sweeps. With enough chains for an error between
// chains, each chain is one batch. Everything but the samples goes on in the chain's state.
type chainRecord struct {
	rungs   int // that the chain can be at, from slopes.At on
	what    Part
	counts  []int     // sweeps in each batch
	c       []float64 // batches x rungs: sums of q(k|x)
	faint   []num.LSE // the same for terms below e^-700, where they count; nil: none did
	visits  []int32   // batches x rungs
	slopes  SlopeSums // batches x rungs: at the rung chosen
	means   SlopeSums // batches x rungs: weighted by q(k|x)
	moves   []float64 // batches x rungs x rungs: sums of q(l|x) after a move at rung k
	dim     int       // coordinates of moments
	moments moments   // of every momentsEvery-th sweep
	chances []float64 // of every overlapEvery-th sweep: sums of q(k|x) at each rung
	common  []float64 // and of the smaller one of q(k|x) and q(k+1|x)
	ends    int       // the end of the ladder visited last: 0 none, 1 bottom, 2 top after bottom
	trips   int       // round trips: bottom, top, bottom
	samples chainSamples
	travel  *travel // nil: not one of the first chains
}

// chainSamples are thinned states of a chain since the last cut: the rung chosen, and log f at every rung.
type chainSamples struct {
	rung []int32
	logf mbar.Floats
}

// grow adds a batch to every part of the record.
func (c *chainRecord) grow() {
	c.counts = append(c.counts, 0)
	if c.what&Conditionals != 0 {
		c.c = append(c.c, make([]float64, c.rungs)...)
	}
	if c.faint != nil {
		c.faint = append(c.faint, make([]num.LSE, c.rungs)...)
	}
	if c.what&Visits != 0 {
		c.visits = append(c.visits, make([]int32, c.rungs)...)
	}
	if c.what&Slopes != 0 {
		c.slopes.grow(c.rungs, true)
	}
	if c.what&MeanSlopes != 0 {
		c.means.grow(c.rungs, false)
	}
	if c.what&TargetMoments != 0 {
		c.moments = append(c.moments, make(moments, momentSize(c.dim))...)
	}
	if c.what&Transitions != 0 {
		c.moves = append(c.moves, make([]float64, c.rungs*c.rungs)...)
	}
}

// visit counts the rung chosen in the batch at hand.
func (c *chainRecord) visit(k int) {
	if c.what&Visits != 0 {
		c.visits[len(c.visits)-c.rungs+k]++
	}
}

// movesFrom are the sums for moves at rung k of the batch at hand.
func (c *chainRecord) movesFrom(k int) []float64 { return c.moves[len(c.moves)-(c.rungs-k)*c.rungs:] }

// overlapEvery is the number of sweeps from one look at the overlap of neighbours to the next: it costs a pass over the
// ladder and needs few samples.
const overlapEvery = 20

// overlap adds a sample to the overlap of neighbouring rungs; q / sum are its conditionals.
func (c *chainRecord) overlap(q []float64, sum float64) {
	if len(c.chances) == 0 {
		c.chances, c.common = make([]float64, c.rungs), make([]float64, c.rungs-1)
	}
	scale, last := 1/sum, math.Inf(1)
	for k, x := range q {
		x = num.Mul(x, scale)
		c.chances[k] += x
		if k > 0 {
			c.common[k-1] += min(x, last)
		}
		last = x
	}
}

// trip follows a chain between the ends of the ladder.
func (c *chainRecord) trip(k int) {
	switch {
	case k == 0:
		if c.ends == 2 {
			c.trips++
		}
		c.ends = 1
	case k == c.rungs-1 && c.ends == 1:
		c.ends = 2
	}
}

// Append encodes the record. What is large, the moves, a matrix a batch, and moments, is left out of partials on the
// way.
func (c *chainRecord) Append(w *wire.Writer, large bool) {
	w.Int(len(c.counts))
	for _, n := range c.counts {
		w.Int(n)
	}
	w.Floats(c.c)
	w.Int(len(c.faint))
	for _, s := range c.faint {
		w.Float(s.M)
		w.Float(s.S)
	}
	w.Ints(c.visits)
	c.slopes.Append(w)
	c.means.Append(w)
	if large {
		w.Floats(c.moves)
		w.Floats(c.moments)
	} else {
		w.Floats(nil)
		w.Floats(nil)
	}
	w.Floats(c.chances)
	w.Floats(c.common)
	w.Int(c.ends)
	w.Int(c.trips)
	if c.travel != nil {
		c.travel.Append(w)
	}
}

func (c *chainRecord) Load(r *wire.Reader) {
	n := r.Int()
	if n < 0 || n > len(r.B) { // a batch takes more than a byte
		r.Err, n = wire.ErrShort, 0
	}
	c.counts = make([]int, n)
	for i := range c.counts {
		c.counts[i] = r.Int()
	}

	// Sums of conditional probabilities.
	sums := 0
	if c.what&Conditionals != 0 {
		sums = n * c.rungs
	}
	c.c = r.Floats()
	if faint := r.Int(); len(c.c) != sums || faint != 0 && faint != len(c.c) {
		r.Err = wire.ErrShort
	} else if faint > 0 {
		c.faint = make([]num.LSE, faint)
		for i := range c.faint {
			c.faint[i].M, c.faint[i].S = r.Float(), r.Float()
		}
	}

	// Visits, slopes and transitions, rung by rung.
	c.visits = r.Ints()
	if c.what&Visits != 0 && len(c.visits) != n*c.rungs {
		r.Err = wire.ErrShort
	}
	c.slopes.Load(r, c.what&Slopes != 0, n*c.rungs, true)
	c.means.Load(r, c.what&MeanSlopes != 0, n*c.rungs, false)
	if c.moves = r.Floats(); len(c.moves) != 0 && len(c.moves) != n*c.rungs*c.rungs {
		r.Err = wire.ErrShort
	}

	// Moments, and overlaps of neighbouring rungs.
	c.moments = loadMoments(r, n, c.dim)
	c.chances, c.common = r.Floats(), r.Floats()
	if len(c.chances) != 0 && (len(c.chances) != c.rungs || len(c.common) != c.rungs-1) {
		r.Err = wire.ErrShort
	}

	// The way of the chain over the ladder.
	c.ends, c.trips = r.Int(), r.Int()
	if c.travel != nil {
		c.travel.Load(r)
	}
}

// visitShares are the shares of the sweeps of batch i at each rung; its visits are added to total.
func (c *chainRecord) visitShares(i int, total []float64) []float64 {
	row := make([]float64, c.rungs)
	for k, n := range c.visits[i*c.rungs : (i+1)*c.rungs] {
		total[k] += float64(n)
		row[k] = float64(n) / float64(c.counts[i])
	}
	return row
}
