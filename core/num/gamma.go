package num

// LogGamma returns the log of the gamma function at x > 0, with an error of 1e-14 or a few parts in 1e16 of its value:
// by Stirling's series from 10 on, and below by Gamma(x) = Gamma(x+n) / (x (x+1) ... (x+n-1)). It is NaN for x <= 0 and
// NaN, +Inf at +Inf.
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
	const half = 0.91893853320467274178032973640562 // log(2 pi)/2
	return float64((x-0.5)*Log(x)) - x + half + stirling(x) - Log(below)
}

// stirling returns log Gamma(x) - (x - 1/2) log x + x - log(2 pi)/2 by the series of B_2k / (2k (2k-1) x^(2k-1)), for x
// >= 10.
func stirling(x float64) float64 {
	y, sum := 1/x, 0.0
	yy := float64(y * y)
	for _, c := range [...]float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		sum = float64(sum*yy) + c
	}
	return float64(sum * y)
}

// stirlingRest is stirling for all x > 0.
func stirlingRest(x float64) float64 {
	if x >= 10 {
		return stirling(x)
	}
	return LogGamma(x) - (float64((x-0.5)*Log(x)) - x + halfLog2Pi)
}

// LogBeta returns the log of the beta function.
func LogBeta(a, b float64) float64 { return LogGamma(a) + LogGamma(b) - LogGamma(a+b) }

// bernoulli are B_2, B_4, ..., B_16.
var bernoulli = [...]float64{1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510}

// Digamma returns the derivative of LogGamma at x > 0: log x - 1/(2x) - sum of B_2k / (2k x^2k) [DLMF] 5.11.2 from 10
// on, and below by the recurrence psi(x) = psi(x+1) - 1/x.
//
// Error: at most 1e-14 of the larger of 1 and |result| (measured 1e-15). x <= 0 and NaN give NaN.
func Digamma(x float64) float64 {
	if !(x > 0) || !Finite(x) {
		return LogGamma(x)
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum += 1 / x
	}
	return Log(x) - (logMinusDigamma(x) + sum)
}

// logMinusDigamma returns log x - psi(x) for x >= 10.
func logMinusDigamma(x float64) float64 {
	y, sum := 1/x, 0.0
	yy := float64(y * y)
	for k := len(bernoulli); k > 0; k-- {
		sum = step(sum, yy, bernoulli[k-1]/float64(2*k))
	}
	return float64(0.5*y) + float64(yy*sum)
}

// Trigamma returns the derivative of Digamma at x > 0: 1/x + 1/(2x^2) + sum of B_2k / x^(2k+1) from 10 on, and below by
// the recurrence psi'(x) = psi'(x+1) + 1/x^2.
//
// Relative error: at most 2e-15 (measured 6e-16). x <= 0 and NaN give NaN.
func Trigamma(x float64) float64 {
	if !(x > 0) || !Finite(x) {
		return 1 / LogGamma(x)
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum += 1 / float64(x*x)
	}
	y, tail := 1/x, 0.0
	yy := float64(y * y)
	for k := len(bernoulli); k > 0; k-- {
		tail = step(tail, yy, bernoulli[k-1])
	}
	return sum + (y + float64(yy*(0.5+float64(y*tail))))
}

// Tetragamma returns the derivative of Trigamma at x > 0, by the derivatives of its series and recurrence.
//
// Relative error: at most 2e-15 (measured 6e-16). x <= 0 and NaN give NaN.
func Tetragamma(x float64) float64 {
	if !(x > 0) || !Finite(x) {
		return -1 / LogGamma(x)
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum += 2 / float64(x*float64(x*x))
	}
	y, tail := 1/x, 0.0
	yy := float64(y * y)
	for k := len(bernoulli); k > 0; k-- {
		tail = step(tail, yy, float64(bernoulli[k-1]*float64(2*k+1)))
	}
	return -(sum + float64(yy*(1+float64(y*(1+float64(y*tail))))))
}
