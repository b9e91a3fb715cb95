package ranges

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Analysis holds what has been proved about the numbers of a tape that is being built.
type Analysis struct {
	b           *tape.Builder
	ranges      map[tape.Scalar]Interval
	assumed     map[tape.Scalar]bool          // numbers whose range Assume has set
	simplices   map[tape.Scalar][]tape.Scalar // assumed simplexes by their first elements
	polynomials map[tape.Scalar]polynomial
	notNaN      map[tape.Scalar]bool // whether a number is proved not to be NaN
	depth       int                  // recursion depth of the current query
}

// maxDepth is the largest number of consecutive operations that one query follows. Queries are recursive, and the stack
// of a browser tab is small. Results are cached, so a series that is queried step by step is followed to its end.
const maxDepth = 10_000

// Interval is a closed interval that contains a number.
type Interval struct{ Lo, Hi float64 }

var (
	unbounded    = Interval{math.Inf(-1), math.Inf(1)}
	nonNegative  = Interval{0, math.Inf(1)}
	probability  = Interval{0, 1}
	plusMinusOne = Interval{-1, 1}
)

// New returns an analysis of the tape that b builds, without assumptions.
func New(b *tape.Builder) *Analysis {
	return &Analysis{b: b, ranges: map[tape.Scalar]Interval{}, assumed: map[tape.Scalar]bool{},
		simplices: map[tape.Scalar][]tape.Scalar{}, polynomials: map[tape.Scalar]polynomial{},
		notNaN: map[tape.Scalar]bool{}}
}

// Assume records that the numbers x, elements of a declared parameter, are between lo and hi.
func (f *Analysis) Assume(x []tape.Scalar, lo, hi float64) {
	for _, s := range x {
		if !tape.AllConst(s) {
			f.ranges[s], f.assumed[s] = Interval{lo, hi}, true
		}
	}
}

// AssumeSimplex records that x is a simplex: not negative, with sum 1.
func (f *Analysis) AssumeSimplex(x []tape.Scalar) {
	if f.Assume(x, 0, 1); len(x) > 0 {
		f.simplices[x[0]] = x
	}
}

// Range returns an interval that contains x for all parameters, unless x is NaN.
func (f *Analysis) Range(x tape.Scalar) Interval {
	if c, known := x.Const(); known {
		return Interval{c, c}
	}
	r, ok := f.ranges[x]
	if ok {
		return r
	}
	if f.depth >= maxDepth {
		return unbounded
	}
	f.depth++
	if r = f.operationRange(x); !num.NotNaN(r.Lo) || !num.NotNaN(r.Hi) {
		r = unbounded
	}
	f.depth--
	f.ranges[x] = r
	return r
}

// functionRanges holds the range of each function over its whole domain.
var functionRanges = map[tape.Code]Interval{tape.Abs: nonNegative, tape.Square: nonNegative, tape.Sqrt: nonNegative,
	tape.Exp: nonNegative, tape.Softplus: nonNegative, tape.Sigmoid: probability, tape.Sin: plusMinusOne, tape.Cos: plusMinusOne,
	tape.Cosh: {1, math.Inf(1)}, tape.Tanh: plusMinusOne, tape.Erf: plusMinusOne, tape.Erfc: {0, 2}, tape.Phi: probability,
	tape.LogPhi: {math.Inf(-1), 0}, tape.Log1mExp: {math.Inf(-1), 0}, tape.Step: probability, tape.GammaP: probability,
	tape.GammaQ: probability, tape.BetaP: probability, tape.Acos: {0, math.Pi}, tape.Expm1: {-1, math.Inf(1)}}

// Monotone functions of one argument.
var (
	increasing = []tape.Code{tape.Sqrt, tape.Cbrt, tape.Exp, tape.Expm1, tape.Log, tape.Log1p, tape.Softplus, tape.Sigmoid,
		tape.Atan, tape.Tanh, tape.Erf, tape.Phi, tape.LogPhi, tape.Floor, tape.Ceil, tape.Step}
	decreasing = []tape.Code{tape.Neg, tape.Log1m, tape.Erfc}
)

// operationRange returns an interval that contains x, computed from the operation whose result x is.
func (f *Analysis) operationRange(x tape.Scalar) Interval {
	code, args := f.b.Operation(x)
	out, limited := functionRanges[code]
	if !limited {
		out = unbounded
	}
	if len(args[0]) == 0 {
		return unbounded
	}
	a := f.Range(args[0][0])
	switch code {
	case tape.Copy:
		return a
	case tape.Abs:
		if a.Lo >= 0 {
			return a
		}
	case tape.Tan:
		if a.Lo >= 0 && a.Hi <= math.Pi/2 {
			return nonNegative
		}
	case tape.Inv:
		return reciprocal(a)
	case tape.Sum:
		return f.sumRange(args[0], nil)
	case tape.LogSumExp:
		for _, s := range args[0] {
			a.Lo = max(a.Lo, f.Range(s).Lo)
		}
		return Interval{a.Lo, math.Inf(1)}
	case tape.Dot, tape.MatMul:
		return f.sumRange(args[0], args[1])
	case tape.Select:
		yes, no := f.Range(args[1][0]), f.Range(args[2][0])
		return Interval{min(yes.Lo, no.Lo), max(yes.Hi, no.Hi)}
	}

	// Binary operations, then monotone functions.
	if len(args[1]) > 0 && len(args[2]) == 0 {
		return f.binaryRange(code, args[0][0], args[1][0])
	}
	if slices.Contains(decreasing, code) {
		a.Lo, a.Hi = a.Hi, a.Lo
	} else if !slices.Contains(increasing, code) {
		return out
	}
	valueAt := func(end, ifNaN float64) float64 {
		if c, _ := f.b.Do(code, tape.Const(end)).Const(); num.NotNaN(c) {
			return c
		}
		return ifNaN
	}
	return Interval{valueAt(a.Lo, out.Lo), valueAt(a.Hi, out.Hi)}
}

// binaryRange returns the interval of a binary operation on x and y.
func (f *Analysis) binaryRange(code tape.Code, x, y tape.Scalar) Interval {
	a, b := f.Range(x), f.Range(y)
	switch code {
	case tape.Add:
		return addIntervals(a, b)
	case tape.Sub:
		if a = addIntervals(a, Interval{-b.Hi, -b.Lo}); a.Lo < 0 && f.atLeast(x, y) {
			a.Lo = 0
		}
		return a
	case tape.Mul:
		if x == y {
			return nonNegative
		}
		return mulIntervals(a, b)
	case tape.Div:
		if a.Lo >= 0 && f.atLeast(y, x) {
			return probability
		}
		return mulIntervals(a, reciprocal(b))

	// Minimum, maximum and powers.
	case tape.Min:
		return Interval{min(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	case tape.Max:
		return Interval{max(a.Lo, b.Lo), max(a.Hi, b.Hi)}
	case tape.LogAddExp:
		return Interval{max(a.Lo, b.Lo), math.Inf(1)}
	case tape.LogSubExp:
		return Interval{math.Inf(-1), a.Hi}
	case tape.Pow:
		switch {
		case a.Lo >= 1 && b.Lo >= 0:
			return Interval{1, math.Inf(1)}
		case a.Lo >= 0 && a.Hi <= 1 && b.Lo >= 0:
			return probability
		case a.Lo >= 0 || b.Lo == b.Hi && math.Mod(b.Lo, 2) == 0:
			return nonNegative
		}
	case tape.GammaP, tape.GammaQ:
		return probability
	}
	return unbounded
}

// sumRange returns the interval of the sum of x, or of the dot product of x and y if y is not nil.
func (f *Analysis) sumRange(x, y []tape.Scalar) (sum Interval) {
	for i, s := range x {
		r := f.Range(s)
		switch {
		case y == nil:
		case y[i] == s:
			r = mulIntervals(r, r)
			r.Lo = max(r.Lo, 0)
		default:
			r = mulIntervals(r, f.Range(y[i]))
		}
		sum = addIntervals(sum, r)
	}
	return sum
}

// addIntervals returns the interval of a sum.
func addIntervals(a, b Interval) Interval { return Interval{a.Lo + b.Lo, a.Hi + b.Hi} }

// reciprocal returns the interval of 1/x.
func reciprocal(a Interval) Interval {
	if a.Lo >= 0 { // max makes 0 of -0
		return Interval{1 / max(a.Hi, 0), 1 / max(a.Lo, 0)}
	}
	return unbounded
}

// mulIntervals returns the interval of a product; 0 times infinity counts as 0.
func mulIntervals(a, b Interval) Interval {
	out := Interval{math.Inf(1), math.Inf(-1)}
	for _, x := range [2]float64{a.Lo, a.Hi} {
		for _, y := range [2]float64{b.Lo, b.Hi} {
			p := 0.
			if x != 0 && y != 0 {
				p = num.Mul(x, y)
			}
			out.Lo, out.Hi = min(out.Lo, p), max(out.Hi, p)
		}
	}
	return out
}
