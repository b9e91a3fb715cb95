package prove

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Facts are what is known of the numbers of a tape that is being built.
type Facts struct {
	b         *tape.Builder
	ranges    map[tape.Scalar]Range
	declared  map[tape.Scalar]bool
	simplices map[tape.Scalar][]tape.Scalar // declared, by their first elements
	forms     map[tape.Scalar]form
	numbers   map[tape.Scalar]bool // whether they are certainly no NaN
	depth     int                  // of the question that is being answered
}

// deepest is how many operations a proof follows one after another: a recursion over a long series is as deep as the
// tape, and the stack of a tab is not. What was asked of earlier is known, so a series that is declared step by step is
// followed to its end.
const deepest = 10_000

// Range are the bounds of a number.
type Range struct{ Lo, Hi float64 }

var (
	anything    = Range{math.Inf(-1), math.Inf(1)}
	notNegative = Range{0, math.Inf(1)}
	share       = Range{0, 1}
	unit        = Range{-1, 1}
)

// New starts with what the operations of a tape tell.
func New(b *tape.Builder) *Facts {
	return &Facts{b: b, ranges: map[tape.Scalar]Range{}, declared: map[tape.Scalar]bool{},
		simplices: map[tape.Scalar][]tape.Scalar{}, forms: map[tape.Scalar]form{},
		numbers: map[tape.Scalar]bool{}}
}

// Declare notes the range that the declaration of a parameter gives its elements.
func (f *Facts) Declare(x []tape.Scalar, lo, hi float64) {
	for _, s := range x {
		if !tape.AllConst(s) {
			f.ranges[s], f.declared[s] = Range{lo, hi}, true
		}
	}
}

// DeclareSimplex notes a parameter, or a row of one, that is a simplex.
func (f *Facts) DeclareSimplex(x []tape.Scalar) {
	if f.Declare(x, 0, 1); len(x) > 0 {
		f.simplices[x[0]] = x
	}
}

// Range is where a number lies, NaN apart.
func (f *Facts) Range(x tape.Scalar) Range {
	if c, known := x.Const(); known {
		return Range{c, c}
	}
	r, ok := f.ranges[x]
	if ok {
		return r
	}
	if f.depth >= deepest {
		return anything
	}
	f.depth++
	if r = f.made(x); !num.Known(r.Lo) || !num.Known(r.Hi) {
		r = anything
	}
	f.depth--
	f.ranges[x] = r
	return r
}

// Values of functions for any argument.
var values = map[tape.Code]Range{tape.Abs: notNegative, tape.Square: notNegative, tape.Sqrt: notNegative,
	tape.Exp: notNegative, tape.Softplus: notNegative, tape.Sigmoid: share, tape.Sin: unit, tape.Cos: unit,
	tape.Cosh: {1, math.Inf(1)}, tape.Tanh: unit, tape.Erf: unit, tape.Erfc: {0, 2}, tape.Phi: share,
	tape.LogPhi: {math.Inf(-1), 0}, tape.Log1mExp: {math.Inf(-1), 0}, tape.Step: share, tape.GammaP: share,
	tape.GammaQ: share, tape.BetaP: share, tape.Acos: {0, math.Pi}, tape.Expm1: {-1, math.Inf(1)}}

// Functions that rise, and functions that fall.
var (
	rising = []tape.Code{tape.Sqrt, tape.Cbrt, tape.Exp, tape.Expm1, tape.Log, tape.Log1p, tape.Softplus, tape.Sigmoid,
		tape.Atan, tape.Tanh, tape.Erf, tape.Phi, tape.LogPhi, tape.Floor, tape.Ceil, tape.Step}
	falling = []tape.Code{tape.Neg, tape.Log1m, tape.Erfc}
)

// made is the range by the operation that makes a number.
func (f *Facts) made(x tape.Scalar) Range {
	code, args := f.b.Operation(x)
	out, limited := values[code]
	if !limited {
		out = anything
	}
	if len(args[0]) == 0 {
		return anything
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
			return notNegative
		}
	case tape.Inv:
		return over(a)
	case tape.Sum:
		return f.total(args[0], nil)
	case tape.LogSumExp:
		for _, s := range args[0] {
			a.Lo = max(a.Lo, f.Range(s).Lo)
		}
		return Range{a.Lo, math.Inf(1)}
	case tape.Dot, tape.MatMul:
		return f.total(args[0], args[1])
	case tape.Select:
		yes, no := f.Range(args[1][0]), f.Range(args[2][0])
		return Range{min(yes.Lo, no.Lo), max(yes.Hi, no.Hi)}
	}

	// Two arguments, and functions in one direction.
	if len(args[1]) > 0 && len(args[2]) == 0 {
		return f.ofTwo(code, args[0][0], args[1][0])
	}
	if slices.Contains(falling, code) {
		a.Lo, a.Hi = a.Hi, a.Lo
	} else if !slices.Contains(rising, code) {
		return out
	}
	at := func(end, none float64) float64 {
		if c, _ := f.b.Do(code, tape.Const(end)).Const(); num.Known(c) {
			return c
		}
		return none
	}
	return Range{at(a.Lo, out.Lo), at(a.Hi, out.Hi)}
}

// ofTwo is the range of an operation on two numbers.
func (f *Facts) ofTwo(code tape.Code, x, y tape.Scalar) Range {
	a, b := f.Range(x), f.Range(y)
	switch code {
	case tape.Add:
		return plus(a, b)
	case tape.Sub:
		if a = plus(a, Range{-b.Hi, -b.Lo}); a.Lo < 0 && f.atLeast(x, y) {
			a.Lo = 0
		}
		return a
	case tape.Mul:
		if x == y {
			return notNegative
		}
		return times(a, b)
	case tape.Div:
		if a.Lo >= 0 && f.atLeast(y, x) {
			return share
		}
		return times(a, over(b))

	// The smaller and the larger, and powers.
	case tape.Min:
		return Range{min(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	case tape.Max:
		return Range{max(a.Lo, b.Lo), max(a.Hi, b.Hi)}
	case tape.LogAddExp:
		return Range{max(a.Lo, b.Lo), math.Inf(1)}
	case tape.LogSubExp:
		return Range{math.Inf(-1), a.Hi}
	case tape.Pow:
		switch {
		case a.Lo >= 1 && b.Lo >= 0:
			return Range{1, math.Inf(1)}
		case a.Lo >= 0 && a.Hi <= 1 && b.Lo >= 0:
			return share
		case a.Lo >= 0 || b.Lo == b.Hi && math.Mod(b.Lo, 2) == 0:
			return notNegative
		}
	case tape.GammaP, tape.GammaQ:
		return share
	}
	return anything
}

// total is the range of a sum, or of the sum of products with as many numbers.
func (f *Facts) total(x, y []tape.Scalar) (sum Range) {
	for i, s := range x {
		r := f.Range(s)
		switch {
		case y == nil:
		case y[i] == s:
			r = times(r, r)
			r.Lo = max(r.Lo, 0)
		default:
			r = times(r, f.Range(y[i]))
		}
		sum = plus(sum, r)
	}
	return sum
}

func plus(a, b Range) Range { return Range{a.Lo + b.Lo, a.Hi + b.Hi} }

// over is the range of 1/x.
func over(a Range) Range {
	if a.Lo >= 0 { // max makes 0 of -0
		return Range{1 / max(a.Hi, 0), 1 / max(a.Lo, 0)}
	}
	return anything
}

// times is the range of a product; 0 times what is not bounded is 0.
func times(a, b Range) Range {
	out := Range{math.Inf(1), math.Inf(-1)}
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
