package estimators

import "math"

// influence is the part of each row of a record in the error of log Z at every rung, in nats. Rows are independent, or
// long batches, so the variance of log Z_k is the sum of their squares times R/(R-1), R rows. Over the rows the parts
// of a rung sum to 0.
type influence [][]float64

// fromRows is the estimate z of log Z at every rung, without that of the base, with errors from the influence of rows.
// An error from fewer than two rows is NaN.
func (t *TemperRecord) fromRows(z []float64, rows influence) *Result {
	res := &Result{SEMethod: SEChains, Bias: "either", Lower: math.NaN(), Upper: math.NaN()}
	if t.Fixed || t.Chains < minChains {
		res.SEMethod = SEBatches
	}
	z0, top, n := t.Model.LogZ0(), len(z)-1, float64(len(rows))
	for k := range z {
		up, rest := 0.0, 0.0
		for _, u := range rows {
			up += float64(u[k] * u[k])
			rest += float64((u[top] - u[k]) * (u[top] - u[k]))
		}
		scale := n / (n - 1)
		if n < 2 {
			scale = math.NaN()
		}
		res.Ladder = append(res.Ladder, Rung{t.Ladder[k], z[k] + z0, math.Sqrt(scale * up)})
		res.riseSE = append(res.riseSE, math.Sqrt(scale*rest))
	}
	res.LogZ, res.SE = z[top]+z0, res.Ladder[top].SE
	if len(rows) < 2 {
		res.flag(FlagNoErrorBar)
	}
	res.flag(FlagNoSandwich)
	return res
}
