package ising

import "math"

// kaufman returns log Z of the m x n torus at coupling k > 0 ([Kaufman1949]):
//
//	Z = (1/2) (2 sinh 2k)^(mn/2) [prod_r 2 cosh(m g_{2r+1}/2) + prod_r 2 sinh(m g_{2r+1}/2)
//	    + prod_r 2 cosh(m g_{2r}/2) + prod_r 2 sinh(m g_{2r}/2)],  r = 0..n-1,
//
// cosh g_q = cosh 2k coth 2k - cos(pi q/n), g_0 = 2k + log tanh k, which may be negative. The result is part of no
// hash, so the platform-dependent functions of package math may be used.
func kaufman(m, n int, k float64) float64 {
	c := math.Cosh(2*k) / math.Tanh(2*k)
	logs := [4]float64{} // logs of the absolute values of the four products, in the order of the formula
	sign := 1.0          // sign of the fourth product, which has the factor sinh(m g_0/2)
	for q := 0; q < 2*n; q++ {
		g := 2*k + math.Log(math.Tanh(k))
		if q > 0 {
			g = math.Acosh(c - math.Cos(math.Pi*float64(q)/float64(n)))
		}
		if g < 0 {
			sign = -1
		}
		half := float64(m) * math.Abs(g) / 2
		i := 2 * (1 - q%2) // products over odd q come first
		logs[i] += half + math.Log1p(math.Exp(-2*half))
		logs[i+1] += half + math.Log(-math.Expm1(-2*half))
	}
	top := math.Max(math.Max(logs[0], logs[1]), math.Max(logs[2], logs[3]))
	sum := math.Exp(logs[0]-top) + math.Exp(logs[1]-top) + math.Exp(logs[2]-top) + sign*math.Exp(logs[3]-top)
	return -math.Ln2 + float64(m*n)/2*math.Log(2*math.Sinh(2*k)) + top + math.Log(sum)
}
