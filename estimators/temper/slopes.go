package temper

import (
	"logzlab/core/num"
	"logzlab/estimators/anneal"
)

// Slopes are sums of the slope d = d log f_beta(x)/d beta over the sweeps of a batch, at the rung that each sweep
// chose.
var Slopes = &Statistic{
	new: func(r *run, first, chains int) recorder {
		_, k := r.span(first)
		c := &slopes{sums: sums{chains: chains, size: 4 * k}, every: 1, curved: r.curved, d: make([]float64, chains),
			curve: make([]float64, chains), byChain: r.byChain}
		if c.curved {
			c.every = slopeEvery
		}
		for i := range chains {
			lowest, _ := r.span(first + i)
			c.at = append(c.at, lowest)
		}
		return c
	},
	floats: func(_ *run, rungs int) int { return 4 * rungs },
	fixed:  true,
}

// If log f is not linear in beta, the slope at a chain's rung is recorded in every slopeEvery-th sweep, and the slopes
// at all rungs, which then cost more than log f at all rungs, in every meanSlopeEvery-th.
const slopeEvery, meanSlopeEvery = 4, 8

// slopes records Slopes. The sums of a chain are W, D, DD and Curve of SlopeSums, one after the other.
type slopes struct {
	sums
	at       []int // the first rung that each chain can be at
	every    int   // sweeps between two measurements
	curved   bool  // log f is not linear in beta
	d, curve []float64
	byChain  bool
}

// SlopeSums are sums of the slopes d = d log f_beta(x)/d beta of samples, for every rung in turn.
type SlopeSums struct {
	At    int       // first rung
	W     []float64 // weights
	D     []float64 // W d
	DD    []float64 // W d^2; nil if not recorded
	Curve []float64 // W d^2 log f/d beta^2; nil as DD
}

// parts splits the sums x of a chain.
func (c *slopes) parts(chain int, x []float64) SlopeSums {
	k := len(x) / 4
	return SlopeSums{At: c.at[chain], W: x[:k], D: x[k : 2*k], DD: x[2*k : 3*k], Curve: x[3*k:]}
}

func (c *slopes) due(kept int) bool { return !c.curved && kept%c.every == 0 }

func (c *slopes) logF(l *rows) { lineSlopes(c.d, l.step.X) }

// lineSlopes sets d to the slope of each row on a path linear in beta, from log f at all rungs.
func lineSlopes(d, logf []float64) {
	k := len(logf) / len(d)
	for i := range d {
		row := logf[i*k : (i+1)*k]
		d[i] = anneal.WeightStep(row[0], row[k-1])
	}
}

func (c *slopes) observe(l *rows, kept int) {
	if kept%c.every != 0 {
		return
	}
	if c.curved {
		l.v.Can.Slopes.SlopeAt(l.v.Rung, c.d, c.curve)
	}
	for i, d := range c.d {
		s, k := c.parts(i, c.current(i)), int(l.v.Rung[i])-c.at[i]
		s.W[k]++
		s.D[k] += d
		s.DD[k] += num.Mul(d, d)
		s.Curve[k] += c.curve[i]
	}
}

func (c *slopes) merge(t *Record, b batchCounts) {
	t.SlopeEvery[0] = c.every
	for chain := range c.at {
		total := make([]float64, c.size)
		for i := range b.sweeps {
			x := c.get(chain, i)
			t.Slopes = append(t.Slopes, c.parts(chain, x))
			add(total, x)
		}
		if c.byChain {
			t.ChainSlopes = append(t.ChainSlopes, c.parts(chain, total))
		}
	}
}
