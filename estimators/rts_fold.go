package estimators

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/stats"
)

// chainSums are the running sums of one chain: for every batch of sweeps and every rung, the
// sum of q(k|x). With enough chains for an error between chains, each chain is one batch.
type chainSums struct {
	rungs  int
	c      []float64 // batches x rungs
	faint  []num.LSE // the same for terms below e^-700, where they count; nil: none did
	counts []int     // sweeps in each batch
	ends   int       // the end of the ladder visited last: 0 none, 1 bottom, 2 top after bottom
	trips  int       // round trips: bottom, top, bottom
}

// minChains is the number of chains from which on errors are taken between them.
const minChains = 10

// batchLength is the number of sweeps in a batch of a stage: the whole stage, or
// floor(sqrt n) in a final run of few chains.
func (r *rts) batchLength(stage int) int {
	if r.n >= minChains || stage < r.rounds {
		return math.MaxInt
	}
	return int(math.Sqrt(float64(r.kept)))
}

func (c *chainSums) init(rungs int) { c.rungs = rungs }

// take counts one sweep more in a batch and returns its sums.
func (c *chainSums) take(batch int) []float64 {
	if batch == len(c.counts) {
		c.counts = append(c.counts, 0)
		c.c = append(c.c, make([]float64, c.rungs)...)
		if c.faint != nil {
			c.faint = append(c.faint, make([]num.LSE, c.rungs)...)
		}
	}
	c.counts[batch]++
	return c.c[batch*c.rungs:]
}

// takeFaint adds to the batch at hand e^(x - norm) where q is 0, see kernel.Tempering.
func (c *chainSums) takeFaint(x, q []float64, norm float64) {
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
func (c *chainSums) total(i, k int) num.LSE {
	s := num.LSE{S: c.c[i*c.rungs+k]}
	if c.faint != nil {
		s.Merge(c.faint[i*c.rungs+k])
	}
	return s
}

// trip follows a chain between the ends of the ladder.
func (c *chainSums) trip(k, rungs int) {
	switch {
	case k == 0:
		if c.ends == 2 {
			c.trips++
		}
		c.ends = 1
	case k == rungs-1 && c.ends == 1:
		c.ends = 2
	}
}

func (c *chainSums) append(w *frame.Writer) {
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
	w.Int(c.ends)
	w.Int(c.trips)
}

func (c *chainSums) load(r *frame.Reader) {
	n := r.Int()
	if n < 0 || n > len(r.B) { // a batch takes more than a byte
		r.Err, n = frame.ErrShort, 0
	}
	c.counts = make([]int, n)
	for i := range c.counts {
		c.counts[i] = r.Int()
	}
	c.c = r.Floats()
	if faint := r.Int(); len(c.c) != n*c.rungs || faint != 0 && faint != len(c.c) {
		r.Err = frame.ErrShort
	} else if faint > 0 {
		c.faint = make([]num.LSE, faint)
		for i := range c.faint {
			c.faint[i].M, c.faint[i].S = r.Float(), r.Float()
		}
	}
	c.ends, c.trips = r.Int(), r.Int()
}

// batch is the outcome of tempering under one frozen log Zhat.
type batch struct {
	n     float64     // samples
	logc  []float64   // log of the average of q(k|x) over all samples
	rows  [][]float64 // the same for each chain, or for each full batch of sweeps
	zhat  []float64
	trips int
}

// collect walks partials in chain order; missing lanes are left out.
func (r *rts) collect(partials [][]byte) batch {
	b := batch{zhat: r.zhat, logc: make([]float64, len(r.ladder))}
	total := make([]num.LSE, len(r.ladder))
	full := r.batchLength(r.stage)
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in := frame.Reader{B: p}
		for _, n := r.span(lane); n > 0; n-- {
			c := chainSums{rungs: len(r.ladder)}
			c.load(&in)
			must(&in)
			b.trips += c.trips
			for i, count := range c.counts {
				row := make([]float64, c.rungs)
				for k := range row {
					s := c.total(i, k)
					total[k].Merge(s)
					row[k] = s.Value() - num.Log(float64(count))
				}
				b.n += float64(count)
				if full == math.MaxInt || count == full {
					b.rows = append(b.rows, row)
				}
			}
		}
	}
	for k := range total {
		b.logc[k] = total[k].Value() - num.Log(b.n)
	}
	return b
}

// estimate is eq. 12 with uniform r.
func estimate(b batch) []float64 {
	z := make([]float64, len(b.logc))
	for k := range z {
		z[k] = b.zhat[k] + (b.logc[k] - b.logc[0])
	}
	return z
}

// ratios lists S_k/c_k for each row.
func (b batch) ratios(k int) []float64 {
	x := make([]float64, len(b.rows))
	for i, row := range b.rows {
		x[i] = num.Exp(row[k] - b.logc[k])
	}
	return x
}

// conclude is the estimate from a batch, its error from the spread of its rows
// ([RTS] eq. 16 with the covariance of c estimated between independent chains):
// var log Z_k = Var(u_k)/rows.
func (r *rts) conclude(b batch, final bool) *Result {
	z0 := r.Model.LogZ0()
	res := &Result{SEMethod: "between chains", Bias: "either", Lower: math.NaN(), Upper: math.NaN(), Stage: r.name()}
	if r.n < minChains {
		res.SEMethod = "batch means"
	}
	z := estimate(b)
	top := len(z) - 1
	rows := float64(len(b.rows))
	se := make([]float64, len(z))
	base := b.ratios(0)
	var rk []float64
	for k := range z {
		// The share of a row in the error of log Z_k is S_k/c_k - S_1/c_1.
		rk = b.ratios(k)
		u := make([]float64, len(rk))
		for i := range u {
			u[i] = rk[i] - base[i]
		}
		se[k] = math.Sqrt(stats.BatchMeans(u))
	}
	if final {
		r.riseSE = make([]float64, len(z))
		for k := range z {
			u := b.ratios(k)
			for i := range u {
				u[i] = rk[i] - u[i] // rk: of the top
			}
			r.riseSE[k] = math.Sqrt(stats.BatchMeans(u))
		}
	}
	if final && r.Values["merge"] == "yes" { // too slow for running estimates
		if merged := mergeBatches(append(slices.Clone(r.trace), b)); merged != nil {
			z, se = merged.z, merged.se
			res.SEMethod += ", merged"
			res.diagnose("merged_batches", merged.batches)
		} else {
			res.flag("not_merged")
		}
	}
	for k := range z {
		res.Ladder = append(res.Ladder, Rung{r.ladder[k], z[k] + z0, se[k]})
	}
	res.LogZ, res.SE = z[top]+z0, se[top]
	_, vark := stats.MeanVar(rk)
	_, var1 := stats.MeanVar(base)
	res.diagnose("bias_eq16", (var1-vark)/(2*rows))
	lo, hi := math.Inf(1), math.Inf(-1)
	k := float64(len(z))
	for _, lc := range b.logc {
		c := float64(k * num.Exp(lc)) // c_k/r_k
		lo, hi = min(lo, c), max(hi, c)
		res.Occupancy = append(res.Occupancy, c)
	}
	res.diagnose("occupancy_min", lo)
	res.diagnose("occupancy_max", hi)
	res.diagnose("round_trips", float64(b.trips))
	if len(b.rows) < 2 {
		res.flag("no_error_bar")
	}
	if lo < .1 || hi > 10 {
		res.flag("occupancy")
	}
	// The few sweeps of an initial iteration leave noise of about sqrt(K tau/N), so the
	// final run also decides whether the rungs are flat.
	if r.maxDev > .5 && max(1-lo, hi-1) > .5 {
		res.flag("not_flat")
	}
	res.flag("no_sandwich")
	return r.account(res)
}

// account adds what holds at any time: costs and the initial iterations.
func (r *rts) account(res *Result) *Result {
	res.Sweeps = r.total
	anneal := 0
	if r.initAIS() && r.stage >= 0 {
		anneal = r.n * r.length(-1)
	}
	// The pass evaluates two densities at each rung, a tempering sweep all K.
	res.Evaluations = float64(2*anneal/initAISSweeps + (int(r.total)-anneal)*len(r.ladder))
	if r.maxDev > 0 {
		res.diagnose("initial_max_dev", r.maxDev)
	}
	return res
}

func (r *rts) Estimate(peeked [][]byte) *Result {
	if r.final != nil {
		return r.final
	}
	if r.stage < 0 {
		return nil
	}
	seen := slices.Clone(peeked)
	for i := range r.soFar {
		if i < len(seen) && seen[i] == nil {
			seen[i] = r.soFar[i]
		}
	}
	b := r.collect(seen)
	if b.n > 0 {
		res := r.conclude(b, false)
		res.Sweeps = r.before + b.n // what these samples took, without burn-in
		return res
	}
	if r.stage == 0 && !r.initAIS() {
		return nil
	}
	// Between rounds log Zhat is the best estimate.
	top := len(r.zhat) - 1
	nan := math.NaN()
	res := &Result{LogZ: r.zhat[top] + r.Model.LogZ0(), SE: nan, Lower: nan, Upper: nan, SEMethod: "none", Bias: "either"}
	return r.account(res)
}
