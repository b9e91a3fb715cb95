package rbm

import (
	"runtime"
	"sync"
	"sync/atomic"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
)

// shard is a block of rows of W. One goroutine updates its rows; its sums over rows are added to those of the other
// shards in order.
type shard struct {
	lo, hi  int
	acc     []int64   // packed sum of v ph' of one row
	on, off []int32   // data and samples with this row's unit on
	grad    []float64 // one row of the gradient of W
	db      []float64 // contribution to the gradient of b
}

func newShard(lo, hi, J, batch int) *shard {
	return &shard{
		lo: lo, hi: hi, acc: make([]int64, kernel.Words(J)),
		on: make([]int32, batch), off: make([]int32, batch),
		grad: make([]float64, J), db: make([]float64, J),
	}
}

// ascend moves the parameters along the centred gradient. With d the difference between means of data and chains, and
// mu and lambda the centres,
//
//	gW = d(v ph') - mu d(ph)' - d(v) lambda',  gc = d(v) - gW lambda,  gb = d(ph) - gW' mu.
func (r *Trainer) ascend(rate float64) {
	n, J := r.t.Batch, r.w.J
	mean, dh := make([]float64, J), make([]float64, J)
	unit := 1 / float64(int(n)<<probBits)
	for j := range dh {
		var d, m int64
		for _, c := range r.chains {
			d += int64(c.pd[j])
		}
		for _, c := range r.samples {
			m += int64(c.pm[j])
		}
		mean[j] = float64(d) * unit
		dh[j] = float64(d-m) * unit
	}

	// Rows 0..n-1 hold ph of the data, the others ph of the samples: row i of d(v ph') is then a sum over the members
	// with visible unit i on.
	ph := kernel.NewMatrix(n+len(r.samples), J, func(i, j int) int32 {
		if i < n {
			return r.chains[i].pd[j]
		}
		return r.samples[i-n].pm[j]
	})
	for _, s := range r.shards {
		if len(s.off) < len(r.samples) {
			s.off = make([]int32, len(r.samples))
		}
	}

	// Update visible units by shards, then the hidden biases.
	parallel(len(r.shards), func(s int) { r.shards[s].ascend(r, ph, dh, rate) })
	for j := range dh {
		g := dh[j]
		for _, s := range r.shards {
			g -= s.db[j]
		}
		r.w.B[j] += num.Mul(rate, g)
		if !r.t.Plain {
			r.lambda[j] += num.Mul(centreRate, mean[j]-r.lambda[j])
		}
	}
}

func (s *shard) ascend(r *Trainer, ph *kernel.Matrix, dh []float64, rate float64) {
	n, J := len(r.chains), r.w.J
	unit := 1 / float64(int(n)<<probBits)
	shrink := 1 - num.Mul(rate, r.t.Decay)
	clear(s.db)
	for i := s.lo; i < s.hi; i++ {
		var on, off int
		var dn int64 // in units of 2^-probBits
		for k, c := range r.chains {
			s.on[on] = int32(k)
			on += int(c.data[i])
		}
		for k, c := range r.samples {
			s.off[off] = int32(n + k)
			off += int(c.v[i])
			dn -= int64(c.v[i]) * c.weight
		}

		// d(v ph') of unit i.
		clear(s.acc)
		ph.Update(s.acc, s.on[:on], s.off[:off])
		dn += int64(on) << probBits
		dv := float64(dn) / float64(int64(n)<<probBits)

		mu, gc := r.mu[i], dv
		row := r.w.W[i*J : (i+1)*J]
		for j := range row {
			g := num.Mul(float64(kernel.Get(s.acc, j)), unit) - num.Mul(mu, dh[j]) - num.Mul(dv, r.lambda[j])
			gc -= num.Mul(g, r.lambda[j])
			s.db[j] += num.Mul(mu, g)
			row[j] = num.Mul(row[j], shrink) + num.Mul(rate, g)
		}
		r.w.C[i] += num.Mul(rate, gc)
	}
}

// parallel calls f(0), ..., f(n-1) on as many goroutines as there are processors.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}
