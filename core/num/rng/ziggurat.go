package rng

import (
	"math"

	"logzlab/core/num"
)

// The ziggurat of [Tsang2000] for the right half of the normal density e^(-x^2/2): 256 layers of equal area, layer i
// reaches from 0 to edges[i]. The lowest layer, 0, includes the tail beyond x = ziggurat. area is the area of a layer.
const (
	Layers   = 256
	ziggurat = 3.6541528853610088
	area     = 0.00492867323399
)

// edges are the right edges of the layers, in decreasing order, followed by 0.
var edges = func() (x [Layers + 1]float64) {
	f := num.Exp(-float64(ziggurat * ziggurat / 2))
	x[0], x[1] = area/f, ziggurat
	for i := 1; i < Layers-1; i++ {
		f += area / x[i]
		x[i+1] = math.Sqrt(-float64(2 * num.Log(f)))
	}
	return x
}()

// Ziggurat returns the right edges of the layers of Normal, from the lowest one on, followed by 0.
func Ziggurat() [Layers + 1]float64 { return edges }

// Normal returns a standard normal variate faster than Norm. It uses two words of the stream in 99 of 100 cases, and
// more in the others.
func (s *Stream) Normal() float64 {
	for {
		if s.n < 2 { // drop a single unused word
			s.buf[0], s.buf[1], s.buf[2], s.buf[3] = Philox(s.key, s.ctr)
			s.ctr[0]++
			s.n = 4
		}
		hi, lo := s.buf[4-s.n], s.buf[5-s.n]
		s.n -= 2
		i := lo & (Layers - 1)
		x := float64((float64((float64(uint64(hi)<<20|uint64(lo)>>12)+.5)*(1./(1<<51))) - 1) * edges[i])
		if math.Abs(x) < edges[i+1] {
			return x
		}
		if i == 0 {
			return math.Copysign(s.tail(), x)
		}
		top, low := float64(edges[i]*edges[i]), float64(edges[i+1]*edges[i+1])
		f0, f1 := num.Exp(float64((float64(x*x)-top)/2)), num.Exp(float64((float64(x*x)-low)/2))
		if f1+float64(s.Float64()*(f0-f1)) < 1 {
			return x
		}
	}
}

// tail returns a normal variate conditioned to be above ziggurat.
func (s *Stream) tail() float64 {
	for {
		x, y := -num.Log(s.Float64())/ziggurat, -num.Log(s.Float64())
		if 2*y > float64(x*x) {
			return ziggurat + x
		}
	}
}
