package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
)

// influence is the part of each row of a record in the error of log Z at every rung, in nats. Rows are independent, or
// long batches, so the variance of log Z_k is the sum of their squares times R/(R-1), R rows. Over the rows the parts
// of a rung sum to 0.
type influence [][]float64

// errors are the standard errors of log Z at every rung, and of its rise from there to the last one; NaN from fewer
// than two rows.
func (u influence) errors(rungs int) (up, rise []float64) {
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

// apartChains is how many chains there must be besides the first at each rung before a large spread between them costs
// trust: from 30 such chains the spread is known to one part in eight.
const apartChains = 30

// byChain is the influence of each chain: the sum of its rows, of which every chain has as many.
func (u influence) byChain(rows int) influence {
	var out influence
	for r, row := range u {
		if r%rows == 0 {
			out = append(out, make([]float64, len(row)))
		}
		add(out[r/rows], row)
	}
	return out
}

// fromRows is the estimate z of log Z at every rung, without that of the base, with errors from the influence of rows.
// An error from fewer than two rows is NaN. chains is the influence of each chain, where several stay at each rung,
// else nil. Batches within a chain that is stuck agree, while such chains differ from each other, so the larger one of
// the two errors counts.
func (t *Record) fromRows(z []float64, rows, chains influence) *estimators.Result {
	res := &estimators.Result{SEMethod: estimators.SEChains, Bias: "either", Lower: math.NaN(), Upper: math.NaN()}
	if t.Fixed {
		res.SEMethod = estimators.SEFixedBatches
	} else if t.Chains < minChains {
		res.SEMethod = estimators.SEBatches
	}
	z0, top := t.Model.LogZ0(), len(z)-1
	up, rise := rows.errors(len(z))
	if len(chains) > 0 {
		between, rest := chains.errors(len(z))
		if len(chains)-len(z) >= apartChains {
			res.Diagnose(estimators.DiagChainsApart, between[top]/up[top])
		}
		if between[top] > up[top] {
			res.SEMethod, up, rise = estimators.SEFixed, between, rest
		}
	}
	for k, se := range up {
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: t.Ladder[k], LogZ: z[k] + z0, SE: se})
	}
	res.LogZ, res.SE, res.RiseSE = z[top]+z0, up[top], rise
	if len(rows) < 2 {
		res.Flag(estimators.FlagNoErrorBar)
	}
	res.Flag(estimators.FlagNoSandwich)
	return res
}
