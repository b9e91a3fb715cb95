package ranges

import (
	"math"

	"logzlab/models/stan/tape"
)

// areNumbers reports whether all of x are proved not to be NaN, except by overflow or at poles.
func (f *Analysis) areNumbers(x ...tape.Scalar) bool {
	for _, s := range x {
		if !f.isNumber(s) {
			return false
		}
	}
	return true
}

// isNumber reports whether x is proved not to be NaN.
func (f *Analysis) isNumber(x tape.Scalar) bool {
	if c, known := x.Const(); known {
		return !math.IsNaN(c)
	}
	ok, seen := f.notNaN[x]
	if seen || f.assumed[x] {
		return ok || f.assumed[x]
	}
	if f.depth >= maxDepth {
		return false
	}
	f.depth++
	code, args := f.b.Operation(x)
	ok = len(args[0]) == 0 || f.isDefined(code, args) && f.areNumbers(args[0]...) && f.areNumbers(args[1]...) &&
		f.areNumbers(args[2]...)
	f.depth--
	f.notNaN[x] = ok
	return ok
}

// domains holds the domains of functions of one argument that are not defined everywhere.
var domains = map[tape.Code]Interval{tape.Sqrt: nonNegative, tape.Log: nonNegative, tape.Log1p: {-1, math.Inf(1)},
	tape.Log1m: {math.Inf(-1), 1}, tape.Log1mExp: {math.Inf(-1), 0}, tape.Asin: plusMinusOne, tape.Acos: plusMinusOne, tape.PhiInv: probability}

// isDefined reports whether the operation is proved to have a value for its arguments.
func (f *Analysis) isDefined(code tape.Code, args [3][]tape.Scalar) bool {
	a := f.Range(args[0][0])
	switch code {
	case tape.Cholesky:
		return false
	case tape.LogSubExp:
		return f.atLeast(args[0][0], args[1][0])
	case tape.Pow:
		b := f.Range(args[1][0])
		return a.Lo >= 0 || b.Lo == b.Hi && b.Lo == math.Trunc(b.Lo)
	}
	domain, limited := domains[code]
	return !limited || a.Lo >= domain.Lo && a.Hi <= domain.Hi
}
