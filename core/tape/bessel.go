package tape

func bessel(order int, out, x []float64)                {}
func besselSlope(order int, out, dout, x, dx []float64) {}
