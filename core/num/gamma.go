package num

// LogGamma returns the log of the gamma function at x > 0, to 1e-14 or a few parts in 1e16 of its value: by Stirling's
// series from 10 on, and below that with Gamma(x) = Gamma(x+n) / (x (x+1) ... (x+n-1)). It is NaN for x <= 0 and NaN,
// +Inf at +Inf.
func LogGamma(x float64) float64 {
	if !(x > 0) {
		return Log(-1)
	}
	if !Finite(x) {
		return x
	}
	below := 1.0
	for x < 10 {
		below = float64(below * x)
		x++
	}
	// B_2k / (2k (2k-1)), the highest first.
	y, sum := 1/x, 0.0
	yy := float64(y * y)
	for _, c := range [...]float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		sum = float64(sum*yy) + c
	}
	const half = 0.91893853320467274178032973640562 // log(2 pi)/2
	return float64((x-0.5)*Log(x)) - x + half + float64(sum*y) - Log(below)
}

// LogBeta is the log of the beta function.
func LogBeta(a, b float64) float64 { return LogGamma(a) + LogGamma(b) - LogGamma(a+b) }
