package temper

import "logzlab/core/num"

// From conditionals to log Z, in the order of the way ([RTS] Algorithm 1). A step of a chain at x has the conditionals
//
//	q(k|x) = f_k(x) r_k/Zhat_k / sum_l f_l(x) r_l/Zhat_l   (eq. 7; kernel.Tempering.Step),
//
// and adds them to the sums of its batch: chainRecord.take says where, takeFaint adds those that underflow. logShares
// turns the sums of a batch into the logs of means, logC those of all chains and batches into log c_k, the
// Rao-Blackwellized share of rung k. Shares.logZ is the estimate.

// take counts one sweep more in a batch and returns where the sweep adds its q(k|x), nil if they are not recorded.
func (c *chainRecord) take(batch int) []float64 {
	if batch == len(c.counts) {
		c.grow()
	}
	c.counts[batch]++
	if c.what&Conditionals == 0 {
		return nil
	}
	return c.c[batch*c.rungs:]
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

// without subtracts what an earlier record of the chain has counted: sweeps, sums of conditionals and moments, of one
// batch.
func (c *chainRecord) without(early *chainRecord) {
	if c.counts[0] <= early.counts[0] { // it is not later
		return
	}
	c.counts[0] -= early.counts[0]
	for k, x := range early.c {
		c.c[k] = max(c.c[k]-x, 0)
	}
	if len(early.moments) == len(c.moments) {
		for k, x := range early.moments {
			c.moments[k] -= x
		}
	}
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

// logC are the logs of c_k, the mean of q(k|x) over n samples whose sums are given.
func logC(sums []num.LSE, n float64) []float64 {
	c := make([]float64, len(sums))
	for k := range sums {
		c[k] = sums[k].Value() - num.Log(n)
	}
	return c
}

// Shares are the shares of samples at each rung, in total and by row: by independent chain, or by batch of sweeps
// where there are few chains.
type Shares struct {
	LogC []float64   // log of c_k, the share of all samples; they sum to 1
	Rows [][]float64 // log of the share of each row
}

// logZ is log Z_k = log Zhat_k + log(c_k/r_k) - log(c_1/r_1) ([RTS] eq. 12); levels are log(Zhat_k/r_k), 0 at the base.
func (s Shares) logZ(levels []float64) []float64 {
	z := make([]float64, len(s.LogC))
	for k := range z {
		z[k] = levels[k] + (s.LogC[k] - s.LogC[0])
	}
	return z
}

// ratios lists S_k/c_k for each row, S_k its share.
func (s Shares) ratios(k int) []float64 {
	x := make([]float64, len(s.Rows))
	for i, row := range s.Rows {
		x[i] = num.Exp(row[k] - s.LogC[k])
	}
	return x
}

// less is a - b, row by row.
func less(a, b []float64) []float64 {
	u := make([]float64, len(a))
	for i := range u {
		u[i] = a[i] - b[i]
	}
	return u
}
