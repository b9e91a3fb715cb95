package temper

import (
	"logzlab/core/num"
)

// MeanSlopes are sums of the slopes d_k(x) = d log f_beta(x)/d beta over the sweeps of a batch, at every rung k and
// weighted by q(k|x) ([RTS] eq. 21).
var MeanSlopes = &Statistic{
	new: func(r *run, _, chains int) recorder {
		k := len(r.ladder)
		c := &meanSlopes{sums: sums{chains: chains, size: 2 * k}, every: 1, curved: r.curved, d: make([]float64, chains),
			all: make([]float64, chains*k)}
		if c.curved {
			c.every = meanSlopeEvery
		}
		return c
	},
	floats: func(_ *run, rungs int) int { return 2 * rungs },
}

// meanSlopes records MeanSlopes. Its sums are W and D of SlopeSums, one after the other.
type meanSlopes struct {
	sums
	every  int       // sweeps between two measurements
	curved bool      // log f is not linear in beta
	d      []float64 // slope of each chain, on a path that is linear in beta
	all    []float64 // chains x rungs: slopes
}

func (c *meanSlopes) due(kept int) bool { return !c.curved && kept%c.every == 0 }

func (c *meanSlopes) logF(l *rows) { lineSlopes(c.d, l.step.X) }

func (c *meanSlopes) observe(l *rows, kept int) {
	if kept%c.every != 0 {
		return
	}
	k := c.size / 2
	if c.curved {
		l.v.Can.Slopes.SlopesAtAll(c.all)
	} else {
		for i := range c.all {
			c.all[i] = c.d[i/k]
		}
	}
	for i, sum := range l.step.Sum {
		c.parts(c.current(i)).weigh(l.step.Q[i*k:(i+1)*k], sum, c.all[i*k:(i+1)*k])
	}
}

// weigh adds the slopes d of a sample at every rung, weighted by q / sum.
func (m SlopeSums) weigh(q []float64, sum float64, d []float64) {
	scale := 1 / sum
	for k, x := range q {
		if x > 0 { // d may be infinite where f is 0
			x = num.Mul(x, scale)
			m.W[k] += x
			m.D[k] += num.Mul(x, d[k])
		}
	}
}

// parts splits the sums x.
func (*meanSlopes) parts(x []float64) SlopeSums {
	k := len(x) / 2
	return SlopeSums{W: x[:k], D: x[k:]}
}

func (c *meanSlopes) merge(t *Record, b batchCounts) {
	t.SlopeEvery[1] = c.every
	for chain := range c.chains {
		for i := range b.sweeps {
			t.MeanSlopes = append(t.MeanSlopes, c.parts(c.get(chain, i)))
		}
	}
}
