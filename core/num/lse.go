package num

import "math"

// LogAddExp returns log(e**a + e**b). It is symmetric in its arguments to the
// last bit.
//
// Absolute error: about 1 ulp of max(|a|,|b|,1). If both are -Inf the result
// is -Inf; a +Inf gives +Inf unless the other is NaN; NaN gives NaN.
func LogAddExp(a, b float64) float64 {
	if !NotNaN(a) || !NotNaN(b) {
		return math.NaN()
	}
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) { // +Inf dominates; -Inf means both are -Inf
		return a
	}
	return a + Log1p(Exp(b-a))
}

// LogSumExp returns log(sum of e**a[i]) as m + log1p(sum over the others of
// e**(a[i]-m)) with m = max a. The sum runs in index order.
//
// Absolute error: about 1 ulp of max(|result|,1) plus about len(a) * 2^-53.
// An empty slice or all -Inf gives -Inf; any +Inf gives +Inf; any NaN gives
// NaN (even with +Inf).
func LogSumExp(a []float64) float64 {
	m, at := math.Inf(-1), -1
	for i, v := range a {
		if !NotNaN(v) {
			return math.NaN()
		}
		if v > m {
			m, at = v, i
		}
	}
	if math.IsInf(m, 0) {
		return m
	}
	s := 0.0
	for _, v := range a[:at] {
		s += Exp(v - m)
	}
	for _, v := range a[at+1:] {
		s += Exp(v - m)
	}
	return m + Log1p(s)
}

// LogMeanExp returns LogSumExp(a) - Log(len(a)), the logarithm of the mean of
// e**a[i]. Special values as LogSumExp, except that an empty slice gives NaN
// (there is no mean).
func LogMeanExp(a []float64) float64 {
	if len(a) == 0 {
		return math.NaN()
	}
	return LogSumExp(a) - Log(float64(len(a)))
}

// LSE accumulates a log-sum-exp one term at a time. The zero value is the
// empty sum. The represented value is M + log(S).
type LSE struct {
	M float64 // running maximum; meaningless while S == 0
	S float64 // sum of e**(x-M) over the terms that are not -Inf
	N int     // number of terms added, -Inf included
}

// Add adds the term e**x. NaN makes the value NaN for good; +Inf makes it
// +Inf unless a NaN is added.
func (l *LSE) Add(x float64) {
	l.N++
	l.absorb(x, 1)
}

// Merge adds all terms of o.
func (l *LSE) Merge(o LSE) {
	l.N += o.N
	if o.S != 0 {
		l.absorb(o.M, o.S)
	}
}

// absorb adds s * e**x with s > 0 (or NaN together with x).
func (l *LSE) absorb(x, s float64) {
	switch {
	case !NotNaN(x) || !NotNaN(l.S):
		l.M, l.S = math.NaN(), math.NaN()
	case x < -math.MaxFloat64: // e**-Inf = 0
	case l.S == 0:
		l.M, l.S = x, s
	case x == l.M: // also for two +Inf
		l.S += s
	case x < l.M:
		l.S += float64(s * Exp(x-l.M))
	default:
		l.S = float64(l.S*Exp(l.M-x)) + s
		l.M = x
	}
}

// Value returns the logarithm of the sum of the terms added so far, -Inf for
// none. Up to rounding it equals LogSumExp of the terms.
func (l *LSE) Value() float64 {
	switch {
	case l.S == 0:
		return math.Inf(-1)
	case l.M > math.MaxFloat64:
		return l.M
	}
	return l.M + Log(l.S)
}

// LogMean returns Value() - Log(N), NaN when nothing was added.
func (l *LSE) LogMean() float64 {
	if l.N == 0 {
		return math.NaN()
	}
	return l.Value() - Log(float64(l.N))
}
