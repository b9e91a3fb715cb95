package rendertest

import (
	"math"
	"math/rand/v2"

	"logzlab/core/frame"
)

// Rings returns a frame of w x h pictures of rings, whose size depends on the row, with noise that increases with the
// temperature.
func Rings(method string, first, n, w, h int, varied bool) *frame.Frame {
	r := rand.New(rand.NewPCG(1, uint64(first)))
	f := &frame.Frame{Model: "rings", Method: method, Phase: "forward", Step: 4210, Steps: 10000,
		First: first, N: n, W: w, H: h}
	for i := range n {
		beta := 0.92
		if varied {
			beta = r.Float64()
		} else {
			f.LogW = append(f.LogW, float32(r.NormFloat64()*0.8)+220)
		}
		f.Beta = append(f.Beta, float32(beta))
		size := 0.4 + 0.5*float64((first+i)%7)/7
		for y := range h {
			for x := range w {
				d := math.Hypot((float64(x)+0.5)/float64(w)*2-1, (float64(y)+0.5)/float64(h)*2-1)
				on := math.Abs(d-size) < 0.12
				if r.Float64() < 0.4*(1-beta) {
					on = !on
				}
				c := byte(0)
				if on {
					c = 1
				}
				f.Pixels = append(f.Pixels, c)
			}
		}
	}
	return f
}

// MixturePoints returns a frame of n weighted points of a mixture of three Gaussians.
func MixturePoints(n int) *frame.Frame {
	r := rand.New(rand.NewPCG(1, 9))
	f := &frame.Frame{Model: "hills", Method: "ais", Phase: "forward", Step: 61, Steps: 100, N: n}
	for range n {
		c := [...][3]float64{{-3.5, 1, 0.9}, {3.2, -1.5, 1.1}, {2.2, 2.5, 0.55}}[r.IntN(3)]
		f.Points = append(f.Points, float32(c[0]+c[2]*r.NormFloat64()), float32(c[1]+c[2]*r.NormFloat64()))
		f.Beta = append(f.Beta, 0.62)
		f.LogW = append(f.LogW, float32(r.NormFloat64()*0.75))
	}
	return f
}

// Histories returns curves that converge to 221.07, the first with a sandwich.
func Histories(final bool, methods ...string) *frame.Frame {
	const truth, points = 221.07, 73
	r := rand.New(rand.NewPCG(3, 9))
	f := &frame.Frame{Model: "rings", Truth: truth, HasTruth: true}
	for m, name := range methods {
		c := frame.Curve{Method: name}
		z := r.NormFloat64()
		for i := range points {
			x := 3 + 3*float64(i)/(points-1)
			se := [...]float64{0.24, 0.05, 0.4}[m%3] * math.Pow(10, (6-x)*0.4)
			bias := [...]float64{-3.6, 1.7, -6}[m%3] * math.Pow(10, -(x-3)*0.55)
			z = z*0.95 + 0.2*r.NormFloat64()
			q := frame.Point{Sweeps: math.Pow(10, x), LogZ: truth + bias + z*se, SE: se,
				Lower: math.NaN(), Upper: math.NaN(), Final: final && i == points-1}
			if m == 0 {
				w := math.Pow(10, -(x-3)*0.58)
				q.Lower, q.Upper = truth-0.8-5.6*w, truth+0.4+4.2*w
			}
			c.Points = append(c.Points, q)
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}
