package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"logzlab/core/num"
	"logzlab/estimators/engine"
	"logzlab/estimators/lab"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
)

// exactUnits is the largest number of units of the smaller layer of an RBM for which its states are enumerated.
const exactUnits = 22

// exactLogZ returns log Z by enumeration of the smaller layer of m; ok is false if that layer is too large.
func exactLogZ(m *rbm.Model) (z training.LogZ, ok bool, err error) {
	if _, ok := m.Blocks(exactUnits); !ok {
		return training.LogZ{}, false, nil
	}
	t, err := engine.Exact(context.Background(), m, runtime.NumCPU())
	if err != nil {
		return training.LogZ{}, false, err
	}
	return training.LogZ{Lower: t.LogZ, Upper: t.LogZ, Value: t.LogZ, Source: "exact"}, true, nil
}

// sandwich returns bounds of log Z by annealed importance sampling over a linear ladder. The lower bound is the mean
// log weight of chains from the base rates minus two standard errors; the upper bound is minus the mean log weight of
// reverse chains from data plus two standard errors. The upper bound assumes that the data are close to samples of the
// model.
func sandwich(m *rbm.Model, chains, temperatures int, seed uint32) (training.LogZ, error) {
	r, err := lab.Lab{}.Estimate(context.Background(), m, "ais", "schedule=linear",
		fmt.Sprint("chains=", chains), fmt.Sprint("temperatures=", temperatures), fmt.Sprint("seed=", seed))
	if err != nil {
		return training.LogZ{}, err
	}
	return training.LogZ{Lower: float64(r.Lower), Upper: float64(r.Upper), Value: float64(r.LogZ), Source: "sandwich"}, nil
}

// meanLogF returns the mean over the digits of log f(v), with the hidden units summed out.
func meanLogF(w *rbm.Weights, d *digits) float64 {
	const shards = 64
	sums := make([]float64, shards)
	var group sync.WaitGroup
	for s := range shards {
		group.Go(func() {
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
	}

	// Shards are summed in order, so the result does not depend on the number of processors.
	group.Wait()
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total / float64(d.rows())
}
