package num

import "math"

// PhiInv returns the standard normal quantile: the x with Phi(x) = p. It uses
// the three rational functions PPND16 of algorithm AS 241
// [Wichura1988]: one in the centre |p-1/2| <= 0.425 and two in r = sqrt(-log(tail)).
//
// Relative error: at most 1e-15 for p >= 1e-300 (measured 6.5e-16), for p above
// 1/2 given the exact value of the float64 p. PhiInv(0) = -Inf,
// PhiInv(1) = +Inf, PhiInv(1/2) = 0; NaN and p outside [0, 1] give NaN.
func PhiInv(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		return phiInvCentre(q)
	}
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	}
	t := p
	if q > 0 {
		t = 1 - p // exact
	}
	r := math.Sqrt(-Log(t))
	if r <= 5 {
		return math.Copysign(phiInvMid(r-1.6), q)
	}
	return math.Copysign(phiInvFar(r-5), q)
}

// step is one Horner step, unfused.
func step(acc, x, c float64) float64 { return float64(acc*x) + c }

func phiInvCentre(q float64) float64 {
	r := 0.180625 - float64(q*q)
	n := step(2509.0809287301226727, r, 33430.575583588128105)
	n = step(n, r, 67265.770927008700853)
	n = step(n, r, 45921.953931549871457)
	n = step(n, r, 13731.693765509461125)
	n = step(n, r, 1971.5909503065514427)
	n = step(n, r, 133.14166789178437745)
	n = step(n, r, 3.387132872796366608)
	d := step(5226.495278852854561, r, 28729.085735721942674)
	d = step(d, r, 39307.89580009271061)
	d = step(d, r, 21213.794301586595867)
	d = step(d, r, 5394.1960214247511077)
	d = step(d, r, 687.1870074920579083)
	d = step(d, r, 42.313330701600911252)
	d = step(d, r, 1)
	return float64(q*n) / d
}

func phiInvMid(r float64) float64 {
	n := step(7.7454501427834140764e-4, r, 0.0227238449892691845833)
	n = step(n, r, 0.24178072517745061177)
	n = step(n, r, 1.27045825245236838258)
	n = step(n, r, 3.64784832476320460504)
	n = step(n, r, 5.7694972214606914055)
	n = step(n, r, 4.6303378461565452959)
	n = step(n, r, 1.42343711074968357734)
	d := step(1.05075007164441684324e-9, r, 5.475938084995344946e-4)
	d = step(d, r, 0.0151986665636164571966)
	d = step(d, r, 0.14810397642748007459)
	d = step(d, r, 0.68976733498510000455)
	d = step(d, r, 1.6763848301838038494)
	d = step(d, r, 2.05319162663775882187)
	d = step(d, r, 1)
	return n / d
}

func phiInvFar(r float64) float64 {
	n := step(2.01033439929228813265e-7, r, 2.71155556874348757815e-5)
	n = step(n, r, 0.0012426609473880784386)
	n = step(n, r, 0.026532189526576123093)
	n = step(n, r, 0.29656057182850489123)
	n = step(n, r, 1.7848265399172913358)
	n = step(n, r, 5.4637849111641143699)
	n = step(n, r, 6.6579046435011037772)
	d := step(2.04426310338993978564e-15, r, 1.4215117583164458887e-7)
	d = step(d, r, 1.8463183175100546818e-5)
	d = step(d, r, 7.868691311456132591e-4)
	d = step(d, r, 0.0148753612908506148525)
	d = step(d, r, 0.13692988092273580531)
	d = step(d, r, 0.59983220655588793769)
	d = step(d, r, 1)
	return n / d
}
