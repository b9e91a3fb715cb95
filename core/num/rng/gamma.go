package rng

import (
	"math"

	"logzlab/core/num"
)

// Norms fills x with standard normal deviates.
func (s *Stream) Norms(x []float64) {
	for i := range x {
		x[i] = s.Norm()
	}
}

// LogGamma returns the log of a gamma variate with the given shape and scale 1 ([Marsaglia2000]). For shapes below 1 it
// is log(G U^(1/shape)) with G of shape + 1, which does not underflow.
func (s *Stream) LogGamma(shape float64) float64 {
	boost := 0.0
	if shape < 1 {
		boost = num.Log(s.Float64()) / shape
		shape++
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(num.Mul(9, d))
	for {
		x := s.Norm()
		v := 1 + num.Mul(c, x)
		if v <= 0 {
			continue
		}
		logV := num.Mul(3, num.Log(v))
		v = num.Mul(v, v*v)
		if num.Log(s.Float64()) < float64(num.Mul(x, x)/2)+num.Mul(d, 1-v+logV) {
			return num.Log(d) + logV + boost
		}
	}
}
