package main

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models"
)

// logZ is what is known of a model's log Z, in nats.
type logZ struct {
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
	Value  float64 `json:"value"`
	Source string  `json:"source"` // "exact", or "sandwich": forward and reverse AIS
}

// each calls f(0), ..., f(n-1), on as many goroutines as there are processors.
func each(n int, f func(i int)) {
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

// exactLogZ enumerates the smaller layer of m when it has at most 20 units.
func exactLogZ(m *models.RBM) (logZ, bool) {
	blocks, ok := m.Blocks(20)
	if !ok {
		return logZ{}, false
	}
	parts := make([]float64, blocks)
	each(blocks, func(i int) { m.LogBlocks(i, parts[i:i+1]) })
	z := num.LogSumExp(parts)
	return logZ{z, z, z, "exact"}, true
}

// sandwich brackets log Z by annealed importance sampling with the given
// numbers of chains and temperatures, linearly spaced: from the base rates
// (mean of log weights - 2 standard errors) and, reversed, from data (- mean
// + 2 standard errors). The upper end assumes chains that start at data to end
// close to where samples of the model would.
func sandwich(m *models.RBM, chains, temperatures int, seed uint32) logZ {
	ladder := make([]float64, temperatures)
	for k := range ladder {
		ladder[k] = float64(k) / float64(temperatures-1)
	}
	forward, reverse := make([]float64, chains), make([]float64, chains)
	each(2*chains, func(i int) {
		if c := i / 2; i%2 == 0 {
			forward[c] = anneal(m, ladder, c, rng.NewKey(seed, "forward", 0), false)
		} else {
			reverse[c] = -anneal(m, ladder, c, rng.NewKey(seed, "reverse", 0), true)
		}
	})
	lo, lose := meanSE(forward)
	hi, hise := meanSE(reverse)
	return logZ{lo - float64(2*lose), hi + float64(2*hise), num.LogMeanExp(forward), "sandwich"}
}

// anneal is the log weight of one AIS chain [Neal2001], or of one reverse chain
// from the datum of its slot.
func anneal(m *models.RBM, ladder []float64, slot int, key rng.Key, back bool) float64 {
	p := m.New(1, ladder)
	at := rng.At{Key: key, Slot: uint32(slot)}
	top := len(ladder) - 1
	if back {
		p.(models.DataDrawer).DrawData(at)
	} else {
		p.Draw(at)
	}
	var f [2]float64
	var rung [1]int32
	w := 0.0
	for i := range top {
		lo := i // the step from rung lo to lo+1, or back
		if back {
			lo = top - 1 - i
		}
		p.LogF(lo, 2, f[:])
		rung[0] = int32(lo + 1)
		if back {
			w += f[0] - f[1]
			rung[0] = int32(lo)
		} else {
			w += f[1] - f[0]
		}
		if i < top-1 {
			at.Phase, at.Step = 1, uint32(i)
			p.Move(at, rung[:], back)
		}
	}
	return w
}

// meanSE is the mean of x and its standard error.
func meanSE(x []float64) (mean, se float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		se += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

// meanLogF is the mean over data of log f(v), h summed out.
func meanLogF(w *models.Weights, d *digits) float64 {
	const shards = 64
	sums := make([]float64, shards)
	each(shards, func(s int) {
		x := make([]float64, w.J)
		for r := s; r < d.rows(); r += shards {
			copy(x, w.B)
			for i, b := range d.bits[r*pixels : (r+1)*pixels] {
				if b == 0 {
					continue
				}
				sums[s] += w.C[i]
				for j, a := range w.W[i*w.J : (i+1)*w.J] {
					x[j] += a
				}
			}
			for _, a := range x {
				sums[s] += num.Softplus(a)
			}
		}
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total / float64(d.rows())
}
