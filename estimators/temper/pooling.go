package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// maxPooled is the largest number of rungs of a Batch: there may be thousands of runs.
const maxPooled = 50

// pooling returns the summary of the run for PoolRuns, nil if the ladder has more than maxPooled rungs.
func (t *Record) pooling() *estimators.Batch {
	if !t.Final || len(t.Ladder) > maxPooled {
		return nil
	}
	return &estimators.Batch{N: t.N, LogC: t.Conditionals.LogC, LogZhat: t.levels(), LogZ0: t.Model.LogZ0()}
}

// topLogZ is eq. 12 at the target.
func topLogZ(b *estimators.Batch) float64 {
	top := len(b.LogC) - 1
	return b.LogZhat[top] + (b.LogC[top] - b.LogC[0]) + b.LogZ0
}

// Pool is log Z of several runs with its standard error (nats).
type Pool struct{ LogZ, SE float64 }

// Pools is log Z of tempering runs, each with other random numbers and its own log Zhat, pooled in one correct way and
// in three others:
//   - Fit: one fit of log Z to the shares of all runs (mergeBatches, [RTS] Appendix A). It converges to log Z as the
//     number of runs grows; its error is from the spread of the runs' scores.
//   - Shares: the mean of c_k and the mean of log Zhat over the runs, inserted into eq. 12. It converges to another
//     number, as c_k is not linear in log Zhat.
//   - Seed: every run has the seed of the first, so all agree and the error bar is 0.
//   - Logs: the mean of log Z. The log of a noisy share is too low on average by half its relative variance, so this is
//     off by about (Var c_1/c_1^2 - Var c_K/c_K^2)/2 of one run, however many runs there are ([RTS] eq. 16).
type Pools struct{ Fit, Shares, Seed, Logs Pool }

// PoolRuns pools two or more runs that have a Batch.
func PoolRuns(runs []*estimators.Result) Pools {
	first, n := runs[0].Batch, float64(len(runs))
	top := len(first.LogC) - 1
	m := &merger{n: top}
	var logs, same, zhat, low, high []float64
	for _, r := range runs {
		b := r.Batch
		m.batches = append(m.batches, &Record{N: b.N, LogZhat: b.LogZhat, Conditionals: Shares{LogC: b.LogC}})
		logs, same, zhat = append(logs, topLogZ(b)), append(same, topLogZ(first)), append(zhat, b.LogZhat[top])
		low, high = append(low, num.Exp(b.LogC[0])), append(high, num.Exp(b.LogC[top]))
	}
	c1, _ := stats.MeanVar(low)
	cK, _ := stats.MeanVar(high)
	mean, _ := stats.MeanVar(zhat)
	for i := range zhat { // the influence of each run
		zhat[i] += high[i]/cK - low[i]/c1
	}
	_, v := stats.MeanVar(zhat)
	fit := m.pooled()
	fit.LogZ += first.LogZ0
	return Pools{fit, Pool{mean + num.Log(cK/c1) + first.LogZ0, math.Sqrt(v / n)}, averaged(same), averaged(logs)}
}

// averaged returns the mean of x with its standard error from the spread.
func averaged(x []float64) Pool {
	mean, v := stats.MeanVar(x)
	return Pool{mean, math.Sqrt(v / float64(len(x)))}
}

// pooled returns log Z of the last rung with its error from the spread of the batches' scores N_t (c^t - p^t). Scores
// are independent between batches, with mean 0 at the truth, however dependent the samples within a batch are. It is
// NaN if some rung was never visited.
func (m *merger) pooled() Pool {
	lambda, p := m.solve()
	h := m.hessian(p)
	if h == nil {
		return Pool{math.NaN(), math.NaN()}
	}
	weights := make([]float64, m.n)
	weights[m.n-1] = 1
	num.SolveLower(h, m.n, weights)
	num.SolveUpperT(h, m.n, weights)
	scores := make([]float64, len(m.batches))
	for t, b := range m.batches {
		for i, w := range weights {
			scores[t] += num.Mul(w, b.N*(num.Exp(b.Conditionals.LogC[i+1])-p[t][i+1]))
		}
	}
	_, v := stats.MeanVar(scores)
	return Pool{lambda[m.n], math.Sqrt(v * float64(len(scores)))}
}
