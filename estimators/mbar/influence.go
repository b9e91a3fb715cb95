package mbar

import (
	"math"

	"logzlab/core/num"
)

// Influence is the influence of each row of a record on log Z at every rung, in nats. Rows are independent, or long
// batches, so the variance of log Z_k is R/(R-1) times the sum over the R rows of the squared influence. The influences
// on a rung sum to 0 over the rows.
type Influence [][]float64

// Errors returns the standard errors of log Z at every rung, and of its rise from there to the last rung; NaN for fewer
// than two rows.
func (u Influence) Errors(rungs int) (up, rise []float64) {
	up, rise = make([]float64, rungs), make([]float64, rungs)
	n := float64(len(u))
	scale := n / (n - 1)
	if n < 2 {
		scale = math.NaN()
	}
	for k := range up {
		for _, row := range u {
			d := row[rungs-1] - row[k]
			up[k] += num.Mul(row[k], row[k])
			rise[k] += num.Mul(d, d)
		}
		up[k], rise[k] = math.Sqrt(scale*up[k]), math.Sqrt(scale*rise[k])
	}
	return up, rise
}

// ByChain returns the influence of each chain, the sum over its rows. Every chain has the given number of rows.
func (u Influence) ByChain(rows int) Influence {
	var out Influence
	for r, row := range u {
		if r%rows == 0 {
			out = append(out, make([]float64, len(row)))
		}
		sum := out[r/rows]
		for k, x := range row {
			sum[k] += x
		}
	}
	return out
}
