package posterior

import (
	"math"

	"logzlab/core/num"
)

// sample is a weighted sample; the weights sum to 1.
type sample struct{ x, w []float64 }

// moments returns mean and standard deviation.
func (s sample) moments() (mean, sd float64) {
	for i, x := range s.x {
		if s.w[i] > 0 {
			mean += s.w[i] * x
		}
	}
	for i, x := range s.x {
		if s.w[i] > 0 {
			sd += s.w[i] * (x - mean) * (x - mean)
		}
	}
	return mean, math.Sqrt(sd)
}

// equal returns a sample with equal weights.
func equal(x []float32) (s sample) {
	for _, v := range x {
		s.x, s.w = append(s.x, float64(v)), append(s.w, 1/float64(len(x)))
	}
	return s
}

// smooth returns a kernel density estimate at n points from lo to hi, with normal kernels. The points are shrunk
// towards the mean, so that the estimate has the variance of the sample. factor multiplies the bandwidth: 1 for random
// draws, less for quantiles, which have no noise.
func (s sample) smooth(lo, hi float64, n int, factor float64) []float64 {
	out := make([]float64, n)
	mean, sd := s.moments()
	squares := 0.0
	for _, w := range s.w {
		squares += w * w
	}
	step := (hi - lo) / float64(n-1)

	// If one point has all the weight, the kernel is a few pixels wide.
	h := 1.5 * step
	if num.Finite(sd) {
		h = max(1.06*factor*sd*math.Pow(squares, 0.2), h)
	}
	shrink := math.Sqrt(max(1-h*h/max(sd*sd, 1e-300), 0))
	bins := make([]float64, n)
	for i, x := range s.x {
		at := (mean + shrink*(x-mean) - lo) / step
		k := math.Floor(at)
		if !(k > -1 && k < float64(n)) {
			continue
		}
		part := at - k
		if k >= 0 {
			bins[int(k)] += s.w[i] * (1 - part)
		}
		if int(k)+1 < n {
			bins[int(k)+1] += s.w[i] * part
		}
	}
	reach := int(min(4*h/step, float64(n))) + 1
	kernel := make([]float64, reach+1)
	for d := range kernel {
		z := float64(d) * step / h
		kernel[d] = math.Exp(-z*z/2) / (h * math.Sqrt(2*math.Pi))
	}
	for k, v := range bins {
		if v == 0 {
			continue
		}
		for j := max(k-reach, 0); j <= min(k+reach, n-1); j++ {
			out[j] += v * kernel[max(j-k, k-j)]
		}
	}
	return out
}
