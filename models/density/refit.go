package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
)

// refitWide is how many times the variance of the samples a fitted base has: samples are few, and may lag.
const refitWide = 2

// Moments are the sums over points of weight times each coordinate, then of weight times their products, row by row of
// the lower triangle. Without weights each counts 1.
func Moments(points, weights []float64, dim int) []float64 {
	out := make([]float64, dim+dim*(dim+1)/2)
	for r := range len(points) / dim {
		x, w, products := points[r*dim:(r+1)*dim], 1., out[dim:]
		if weights != nil {
			w = weights[r]
		}
		for i, v := range x {
			v = num.Mul(w, v)
			out[i] += v
			for j := range i + 1 {
				products[j] += num.Mul(v, x[j])
			}
			products = products[i+1:]
		}
	}
	return out
}

// Count is the Moments of all rows.
func (p *spaceRows) Count() []float64 { return Moments(p.x, nil, p.m.d.Dim) }

// Refit is d with a normal base in place of its own, and a kernel for it. The base has the mean of n samples of the
// target and refitWide times their covariance; on are the Moments of the samples. Proposals have the shape of the base,
// so the units of the coordinates do not matter. They need no tuning run: 2.38/sqrt(dim) is the best step for normal
// targets ([Roberts2001]). An Estimate is still that of log f_1 less the log of the base of d. ok is false where the
// samples have no covariance.
func (d Density) Refit(on []float64, n int, moves int) (fitted Density, k Kernel, ok bool) {
	dim, count := d.Dim, float64(n)
	mean, root := make([]float64, dim), make([]float64, dim*dim)
	for i := range mean {
		mean[i] = on[i] / count
	}
	products := on[dim:]
	for i := range dim {
		for j := range i + 1 {
			v := refitWide * (products[j]/count - num.Mul(mean[i], mean[j]))
			root[i*dim+j], root[j*dim+i] = v, v
		}
		products = products[i+1:]
	}
	if !num.Cholesky(root, dim, nil) {
		return d, k, false
	}
	log := -num.Mul(float64(dim)/2, num.Log2Pi)
	for i := range dim {
		log -= num.Log(root[i*dim+i])
	}
	if !num.Finite(log) {
		return d, k, false
	}

	fitted = d
	fitted.LogZ0, fitted.SlopeBase, fitted.Centred = 0, nil, false
	fitted.LogBase = func(x []float64) float64 {
		var room [8]float64
		z, q := append(room[:0], x...), 0.
		for i := range z {
			z[i] -= mean[i]
		}
		num.SolveLower(root, dim, z)
		for _, v := range z {
			q += num.Mul(v, v)
		}
		return log - float64(q/2)
	}
	fitted.DrawBase = func(s *rng.Stream, x []float64) {
		z := make([]float64, dim)
		s.Norms(z)
		for i := range x {
			x[i] = mean[i] + num.Dot(root[i*dim:i*dim+i+1], z[:i+1])
		}
	}
	step := 2.38 / math.Sqrt(refitWide*float64(dim))
	return fitted, Kernel{Name: "mh", Moves: moves, Root: root, Step: func(float64) float64 { return step }}, true
}
