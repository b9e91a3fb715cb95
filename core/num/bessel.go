package num

import "math"

// LogBessel returns the log of the modified Bessel function I_n(x) of integer order n >= 0, for x >= 0.
//
// It uses the power series [DLMF] 10.25.2 for x <= 30, and also for x <= 700 if x < n^2/2. It uses the expansion 10.40.1
// for other x >= n^2/2. For 700 < x < n^2/2 the result is the sum of log I_0(x) and of log(I_(k+1)/I_k), k = 0..n-1,
// where the ratios come from their downward recurrence.
//
// The absolute error is at most 2e-14 + 1e-15 |result| (4e-15 was measured). LogBessel(0, 0) = 0, LogBessel(n, 0) = -Inf
// for n > 0, LogBessel(n, +Inf) = +Inf; x < 0 and NaN give NaN.
func LogBessel(n int, x float64) float64 { return x + logBesselScaled(n, x) }

// LogBesselSlope returns the derivative of LogBessel with respect to x, I_(n+1)/I_n + n/x. Relative error: at most
// 1e-13.
func LogBesselSlope(n int, x float64) float64 {
	if x == 0 && n == 0 {
		return 0
	}
	return Exp(logBesselScaled(n+1, x)-logBesselScaled(n, x)) + float64(n)/x
}

// logBesselScaled returns log(I_n(x) e^-x).
func logBesselScaled(n int, x float64) float64 {
	order := float64(n)
	switch {
	case !(x >= 0) || n < 0:
		return math.NaN()
	case x > math.MaxFloat64:
		return 0
	case x == 0 && n == 0:
		return 0

	case x <= 30 || x <= 700 && x < float64(0.5*float64(order*order)):
		q, term, sum := float64(0.25*float64(x*x)), 1.0, 1.0
		for k := 1.0; term > float64(1e-17*sum); k++ {
			term = float64(term * (q / float64(k*(k+order))))
			sum += term
		}
		return float64(order*Log(float64(0.5*x))) - LogGamma(order+1) + Log(sum) - x

	case x >= float64(0.5*float64(order*order)):
		m, term, sum := float64(4*float64(order*order)), 1.0, 1.0
		for k := 1.0; k < 60; k++ {
			odd := float64(2*k) - 1
			next := float64(term * -((m - float64(odd*odd)) / float64(8*float64(k*x))))
			if math.Abs(next) < 1e-17 || math.Abs(next) > math.Abs(term) {
				break
			}
			term = next
			sum += term
		}
		return Log(sum) - float64(0.5*(Log2Pi+Log(x)))
	}

	// r_k = I_(k+1)/I_k = 1/(2(k+1)/x + r_(k+1)); an error shrinks by r_k^2.
	top := int(math.Sqrt(float64(order*order) + float64(40*x)))
	r, logs := 0.5, 0.0
	for k := top; k >= 0; k-- {
		r = 1 / (float64(2*(float64(k)+1))/x + r)
		if k < n {
			logs += Log(r)
		}
	}
	return logs + logBesselScaled(0, x)
}
