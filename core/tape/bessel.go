package tape

import "logzlab/core/num"

func bessel(order int, out, x []float64) {
	for i, v := range x {
		out[i] = num.LogBessel(order, v)
	}
}

func besselSlope(order int, _, dout, x, dx []float64) {
	for i, g := range dout {
		dx[i] += num.Mul(g, num.LogBesselSlope(order, x[i]))
	}
}
