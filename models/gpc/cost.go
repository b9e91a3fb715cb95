package gpc

import (
	"cmp"
	"math"

	"logzlab/models"
)

// Cost returns the memory and time of rows of the tempered path. The shared memory is that of N x N matrices: K and its
// Cholesky factor, A'A with its work space, and those of expectation propagation.
func (m *Classifier) Cost() models.Cost {
	n := float64(m.n)
	square := 8 * n * n
	c := models.Cost{Shared: 4*square + 8*float64(len(m.data.x)), Row: 8*n + 24, Rung: 8, Encoded: 8 * n,
		Draw: 30*n + .3*n*n, Density: 10 + n, Beta: 2}
	if m.path.ep != nil {
		c.Shared += 4 * square
	}
	gain := 400*n + .3*n*n // x = A v, and log Phi of N labels
	switch p := m.path; p.sampler {
	case "ess":
		c.Sweep = 30*n + 4*gain
	case "rmhmc":
		c.Overhead = 2*square + 100*n
		c.Sweep = float64(cmp.Or(p.leaps, rmhmcLeaps)) * (8*gain + 4*n*n*n)
	default:
		leaps := cmp.Or(p.leaps, int(math.Ceil(2/min(0.7, 1.2/math.Sqrt(math.Sqrt(n))))))
		c.Overhead = square + 60*n
		c.Sweep = float64(leaps)*(gain+2*n*n) + n*n*n/24 // rows at one rung share the mass
		if p.sampler == "hmc_plain" {
			c.Sweep = float64(cmp.Or(p.leaps, 200)) * (gain + 2*n*n)
		}
	}
	return c
}

// StageCost returns the memory and time of particles at a stage. The shared memory holds the factor of K + I and the
// inverses of the stages in use. A sweep over the first n data computes n inner products of n numbers.
func (m *Classifier) StageCost(stage int) models.Cost {
	n, total := float64(stage), float64(m.n)
	draw := 200.0 // operations of a slice
	if m.noiseless {
		draw = 300
	}
	return models.Cost{Shared: 8 * (4*total*total + 4*total*total + float64(len(m.data.x))), Row: 8*total + 16, Encoded: 8 * n,
		Draw: 60 + n*(60+.5*n), Sweep: n * (draw + .4*n), Density: 100 + .5*n, StageSetup: 2 * n * n}
}

// bytesOf returns the memory, in bytes, that New needs for the data f: the covariance and its Cholesky factor, copies
// in another order if isShuffled, and the work space of expectation propagation if ep.
func bytesOf(f Params, isShuffled, ep bool) float64 {
	n := float64(f.N)
	matrices := 2.0
	if ep {
		matrices += 5
	}
	inputs := 0.0
	if isShuffled {
		matrices, inputs = matrices+1, float64(len(f.X))
	}
	return 8 * (matrices*n*n + inputs)
}
