package temper

import "logzlab/core/num"

// Visits are the numbers of sweeps of a batch that chose each rung.
var Visits = &Statistic{
	new: func(r *run, first, chains int) recorder {
		_, k := r.span(first)
		return &visits{sums{chains: chains, size: k}}
	},
	floats: func(_ *run, rungs int) int { return rungs },
}

// visits records Visits.
type visits struct{ sums }

func (c *visits) observe(l *rows, _ int) {
	for i, k := range l.v.Rung {
		c.current(i)[k]++
	}
}

func (c *visits) merge(t *Record, b batchCounts) {
	if t.Visits.Count == nil {
		t.Visits.Count = make([]float64, c.size)
	}
	for chain := range c.chains {
		for i, sweeps := range b.sweeps {
			shares := make([]float64, c.size)
			for k, n := range c.get(chain, i) {
				t.Visits.Count[k] += n
				shares[k] = n / float64(sweeps)
			}
			if b.whole(i) {
				t.Visits.Shares = append(t.Visits.Shares, shares)
			}
		}
	}
}

// VisitCounts counts how often each rung was chosen: in total, and as shares of the sweeps of each row.
type VisitCounts struct {
	Count  []float64
	Shares [][]float64
}

// tsPseudo is the pseudocount added to the visits of each rung.
const tsPseudo = .1

// visitShares returns the shares of visits at each rung, c_k = (0.1 + n_k) / (0.1 K + N) ([RTS] section 4.3); empty if
// visits are not recorded.
func (t *Record) visitShares() Shares {
	k := float64(len(t.Ladder))
	s := Shares{LogC: make([]float64, len(t.Visits.Count)), Rows: make([][]float64, len(t.Visits.Shares))}
	for i, n := range t.Visits.Count {
		s.LogC[i] = num.Log((tsPseudo + n) / (num.Mul(tsPseudo, k) + t.N))
	}
	for r, shares := range t.Visits.Shares {
		s.Rows[r] = make([]float64, len(shares))
		for i, share := range shares {
			s.Rows[r][i] = num.Log(share)
		}
	}
	return s
}
