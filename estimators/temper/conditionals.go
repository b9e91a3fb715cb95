package temper

import (
	"logzlab/core/num"
	"logzlab/core/wire"
)

// Conditionals are the sums of q(k|x) over the sweeps of a batch, for every rung k ([RTS] eq. 7), and c_k, the mean of
// q(k|x) over all samples.
var Conditionals = &Statistic{
	new: func(r *run, first, chains int) recorder {
		_, k := r.span(first)
		return &conditionals{sums: sums{chains: chains, size: k}}
	},
	floats: func(_ *run, rungs int) int { return 3 * rungs }, // including faint sums
}

// conditionals records Conditionals. The step between rungs adds q(.|x) to the sums (kernel.Tempering.C).
type conditionals struct {
	sums
	rows  [][]float64 // sums of each chain in the current batch
	faint []num.LSE   // sums of terms below e^-700, if there are any, else nil
}

func (c *conditionals) begin() {
	c.sums.begin()
	if c.faint != nil {
		c.faint = append(c.faint, make([]num.LSE, c.chains*c.size)...)
	}
	c.setRows()
}

func (c *conditionals) setRows() {
	c.rows = c.rows[:0]
	for i := range c.chains {
		c.rows = append(c.rows, c.current(i))
	}
}

// observe adds the terms of q(.|x) below e^-700, which the step leaves out.
func (c *conditionals) observe(l *rows, _ int) {
	step, k := l.step, c.size
	for i, faint := range step.Faint {
		if !faint {
			continue
		}
		if c.faint == nil {
			c.faint = make([]num.LSE, len(c.x))
		}
		sums := c.faint[len(c.faint)-(c.chains-i)*k:]
		norm := step.Top[i] + num.Log(step.Sum[i])
		for j, q := range step.Q[i*k : (i+1)*k] {
			if q == 0 {
				sums[j].Add(step.X[i*k+j] - norm)
			}
		}
	}
}

func (c *conditionals) append(w *wire.Writer, whole bool) {
	c.sums.append(w, whole)
	w.Int(len(c.faint))
	for _, s := range c.faint {
		w.Float(s.M)
		w.Float(s.S)
	}
}

func (c *conditionals) load(r *wire.Reader, batches int) {
	c.sums.load(r, batches)
	if n := r.Int(); n != 0 && n != len(c.x) {
		r.Fail()
	} else if n > 0 {
		c.faint = make([]num.LSE, n)
		for i := range c.faint {
			c.faint[i].M, c.faint[i].S = r.Float(), r.Float()
		}
	}
	if r.Err == nil && batches > 0 {
		c.setRows()
	}
}

// merge adds the sums to the sums of the run, and stores the log of the mean of q(k|x) in each batch of each chain as a
// row of Shares.
func (c *conditionals) merge(t *Record, b batchCounts) {
	if t.sums == nil {
		t.sums = make([]num.LSE, c.size)
	}
	for chain := range c.chains {
		for i, n := range b.sweeps {
			logs := make([]float64, c.size)
			for k, x := range c.get(chain, i) {
				s := num.LSE{S: x}
				if c.faint != nil {
					s.Merge(c.faint[(i*c.chains+chain)*c.size+k])
				}
				t.sums[k].Merge(s)
				logs[k] = s.Value() - num.Log(float64(n))
			}
			if b.whole(i) {
				t.Conditionals.Rows = append(t.Conditionals.Rows, logs)
			}
		}
	}
}

// Shares are the shares of samples at each rung, in total and by row. A row is an independent chain, or a batch of
// sweeps if there are few chains.
type Shares struct {
	LogC []float64   // log c_k; the c_k sum to 1
	Rows [][]float64 // log of the share of each row
}

// logZ returns log Z_k - log Z_1 = log Zhat_k + log(c_k/r_k) - log(c_1/r_1) of every rung ([RTS] eq. 12), in nats, with
// the shares s in place of c.
func (t *Record) logZ(s Shares) []float64 {
	z, levels := make([]float64, len(s.LogC)), t.levels()
	for k := range z {
		z[k] = levels[k] + (s.LogC[k] - s.LogC[0])
	}
	return z
}

// ratios returns S_k/c_k for each row, where S_k is the share of the row.
func (s Shares) ratios(k int) []float64 {
	x := make([]float64, len(s.Rows))
	for i, row := range s.Rows {
		x[i] = num.Exp(row[k] - s.LogC[k])
	}
	return x
}

// difference returns a - b, element by element.
func difference(a, b []float64) []float64 {
	u := make([]float64, len(a))
	for i := range u {
		u[i] = a[i] - b[i]
	}
	return u
}
