package stats

import "logzlab/core/num"

// MomentCount returns the number of first and second moments in dim dimensions.
func MomentCount(dim int) int { return dim + dim*(dim+1)/2 }

// AddMoments adds a point x with weight w to moments: w x_i for each i, then w x_i x_j for j <= i, row by row of the
// lower triangle.
func AddMoments(moments, x []float64, w float64) {
	products := moments[len(x):]
	for i, v := range x {
		v = num.Mul(w, v)
		moments[i] += v
		for j := range i + 1 {
			products[j] += num.Mul(v, x[j])
		}
		products = products[i+1:]
	}
}

// MeanCov returns the mean of points in dim dimensions, and scale times their covariance as a full row-major matrix,
// from moments whose weights sum to total. The covariance has divisor total:
//
//	m_i = moment_i/total,  scale (moment_ij/total - m_i m_j).
func MeanCov(moments []float64, total, scale float64, dim int) (mean, cov []float64) {
	mean, cov = make([]float64, dim), make([]float64, dim*dim)
	for i := range mean {
		mean[i] = moments[i] / total
	}
	products := moments[dim:]
	for i := range dim {
		for j := range i + 1 {
			v := scale * (products[j]/total - num.Mul(mean[i], mean[j]))
			cov[i*dim+j], cov[j*dim+i] = v, v
		}
		products = products[i+1:]
	}
	return mean, cov
}
