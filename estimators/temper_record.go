package estimators

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/models"
)

// Record names what readers of a run may need of it. What is recorded for one reader does not depend on the others.
type Record uint8

// Records of a tempering run.
const (
	Conditionals Record = 1 << iota // sums of q(k|x) over sweeps
	Visits                          // how often each rung was chosen
)

// Shares are the shares of samples at each rung, in total and by row: by independent chain, or by batch of sweeps
// where there are few chains.
type Shares struct {
	LogC []float64   // log of c_k, the share of all samples; they sum to 1
	Rows [][]float64 // log of the share of each row
}

// TemperRecord is what a tempering run has recorded under one frozen log Zhat.
type TemperRecord struct {
	Model        models.Model
	Chains       int
	Ladder       []float64
	LogZhat      []float64       // of each rung, 0 at the base
	N            float64         // samples: kept sweeps of all chains
	Conditionals Shares          // if needed: means of q(k|x)
	Visits       Visited         // if needed
	Overlap      []float64       // with Conditionals: of rungs k and k+1, see Result.Overlap
	RoundTrips   int             // of all chains
	Earlier      []*TemperRecord // initial iterations whose occupancy was within a factor of 6 of flat
	InitialDev   float64         // max_k |c_k/r_k - 1| of the last initial iteration, 0 if there was none
	Final        bool            // the run is over: slow extras are worth their time
	Climbed      []float64       // see Result.Climbed
}

// Visited says how often each rung was chosen: in total, and as shares of the sweeps of each row of Shares.
type Visited struct {
	Count  []float64
	Shares [][]float64
}

// chainRecord is what one chain has recorded: for every batch of sweeps and every rung, the sum of q(k|x) and
// the visits. With enough chains for an error between chains, each chain is one batch.
type chainRecord struct {
	rungs  int
	what   Record
	counts []int     // sweeps in each batch
	c      []float64 // batches x rungs
	faint  []num.LSE // the same for terms below e^-700, where they count; nil: none did
	visits []int32   // batches x rungs
	held   []float64 // of every overlapEvery-th sweep: sums of q(k|x) at each rung
	common []float64 // and of the smaller one of q(k|x) and q(k+1|x)
	ends   int       // the end of the ladder visited last: 0 none, 1 bottom, 2 top after bottom
	trips  int       // round trips: bottom, top, bottom
}

// minChains is the number of chains from which on errors are taken between them.
const minChains = 10

// batchLength is the number of sweeps in a batch of a stage: the whole stage, or
// floor(sqrt n) in a final run of few chains.
func (r *temper) batchLength(stage int) int {
	if r.n >= minChains || stage < r.rounds {
		return math.MaxInt
	}
	return int(math.Sqrt(float64(r.kept)))
}

// records is what the lanes of a stage record: initial iterations learn from conditionals.
func (r *temper) records(stage int) Record {
	if stage < r.rounds {
		return Conditionals
	}
	return r.needs
}

// take counts one sweep more in a batch and returns its sums of q(k|x), nil if they are not needed.
func (c *chainRecord) take(batch int) []float64 {
	if batch == len(c.counts) {
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
	}
	c.counts[batch]++
	if c.what&Conditionals == 0 {
		return nil
	}
	return c.c[batch*c.rungs:]
}

// visit counts the rung chosen in the batch at hand.
func (c *chainRecord) visit(k int) {
	if c.what&Visits != 0 {
		c.visits[len(c.visits)-c.rungs+k]++
	}
}

// overlapEvery is the number of sweeps from one look at the overlap of neighbours to the next: it costs a pass over the
// ladder and needs few samples.
const overlapEvery = 20

// overlap adds a sample to the overlap of neighbouring rungs; q / sum are its conditionals.
func (c *chainRecord) overlap(q []float64, sum float64) {
	if len(c.held) == 0 {
		c.held, c.common = make([]float64, c.rungs), make([]float64, c.rungs-1)
	}
	scale, last := 1/sum, math.Inf(1)
	for k, x := range q {
		x = float64(x * scale)
		c.held[k] += x
		if k > 0 {
			c.common[k-1] += min(x, last)
		}
		last = x
	}
}

// takeFaint adds to the batch at hand e^(x - norm) where q is 0, see kernel.Tempering.
func (c *chainRecord) takeFaint(x, q []float64, norm float64) {
	if c.faint == nil {
		c.faint = make([]num.LSE, len(c.c))
	}
	last := c.faint[len(c.faint)-c.rungs:]
	for k := range last {
		if q[k] == 0 {
			last[k].Add(x[k] - norm)
		}
	}
}

// total is the sum of batch i at rung k.
func (c *chainRecord) total(i, k int) num.LSE {
	s := num.LSE{S: c.c[i*c.rungs+k]}
	if c.faint != nil {
		s.Merge(c.faint[i*c.rungs+k])
	}
	return s
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

func (c *chainRecord) append(w *frame.Writer) {
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
	w.Floats(c.held)
	w.Floats(c.common)
	w.Int(c.ends)
	w.Int(c.trips)
}

func (c *chainRecord) load(r *frame.Reader) {
	n := r.Int()
	if n < 0 || n > len(r.B) { // a batch takes more than a byte
		r.Err, n = frame.ErrShort, 0
	}
	c.counts = make([]int, n)
	for i := range c.counts {
		c.counts[i] = r.Int()
	}
	sums := 0
	if c.what&Conditionals != 0 {
		sums = n * c.rungs
	}
	c.c = r.Floats()
	if faint := r.Int(); len(c.c) != sums || faint != 0 && faint != len(c.c) {
		r.Err = frame.ErrShort
	} else if faint > 0 {
		c.faint = make([]num.LSE, faint)
		for i := range c.faint {
			c.faint[i].M, c.faint[i].S = r.Float(), r.Float()
		}
	}
	c.visits = r.Ints()
	if c.what&Visits != 0 && len(c.visits) != n*c.rungs {
		r.Err = frame.ErrShort
	}
	c.held, c.common = r.Floats(), r.Floats()
	if len(c.held) != 0 && (len(c.held) != c.rungs || len(c.common) != c.rungs-1) {
		r.Err = frame.ErrShort
	}
	c.ends, c.trips = r.Int(), r.Int()
}

// collect reads the partials of a stage in chain order; missing lanes are left out.
func (r *temper) collect(partials [][]byte) *TemperRecord {
	rungs, what, full := len(r.ladder), r.records(r.stage), r.batchLength(r.stage)
	b := &TemperRecord{Model: r.Model, Chains: r.n, Ladder: r.ladder, LogZhat: r.zhat, InitialDev: r.maxDev}
	total := make([]num.LSE, rungs)
	b.Visits.Count = make([]float64, rungs)
	held, common := make([]float64, rungs), make([]float64, rungs-1)
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in := frame.Reader{B: p}
		for _, n := r.span(lane); n > 0; n-- {
			c := chainRecord{rungs: rungs, what: what}
			c.load(&in)
			must(&in)
			b.RoundTrips += c.trips
			add(held, c.held)
			add(common, c.common)
			for i, count := range c.counts {
				b.N += float64(count)
				row := full == math.MaxInt || count == full
				if what&Conditionals != 0 {
					logs := c.logShares(i, total)
					if row {
						b.Conditionals.Rows = append(b.Conditionals.Rows, logs)
					}
				}
				if what&Visits != 0 {
					shares := c.visitShares(i, b.Visits.Count)
					if row {
						b.Visits.Shares = append(b.Visits.Shares, shares)
					}
				}
			}
		}
		if len(in.B) > 0 { // the final run has ended
			b.Climbed = append(b.Climbed, in.Floats()...)
			must(&in)
		}
	}
	if what&Conditionals != 0 {
		b.Conditionals.LogC = make([]float64, rungs)
		for k := range total {
			b.Conditionals.LogC[k] = total[k].Value() - num.Log(b.N)
		}
		b.Overlap = overlaps(held, common)
	}
	return b
}

func add(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
	}
}

// overlaps are the shares of samples that neighbouring rungs have in common, from sums of q(k|x) and of the smaller one
// of two neighbours; nil without samples at every rung.
func overlaps(held, common []float64) []float64 {
	out := make([]float64, len(common))
	for k, x := range common {
		if out[k] = 2 * x / (held[k] + held[k+1]); !(out[k] <= 1) {
			return nil
		}
	}
	return out
}

// logShares are the logs of the mean of q(k|x) in batch i, whose sums are added to total.
func (c *chainRecord) logShares(i int, total []num.LSE) []float64 {
	row := make([]float64, c.rungs)
	for k := range row {
		s := c.total(i, k)
		total[k].Merge(s)
		row[k] = s.Value() - num.Log(float64(c.counts[i]))
	}
	return row
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
