package ranges

import (
	"maps"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// polynomial represents a number as a polynomial in other numbers: coefficients by monomial. Terms that are added and
// subtracted again cancel.
type polynomial map[monomial]float64

// monomial is a product of up to three numbers, sorted by slot. Unused elements are the constant 0.
type monomial [3]tape.Scalar

// maxTerms is the largest number of terms of a polynomial. A number with a longer one becomes a variable.
const maxTerms = 64

// AtLeast reports whether x >= y is proved, with neither NaN.
func (f *Analysis) AtLeast(x, y tape.Scalar) bool { return f.areNumbers(x, y) && f.atLeast(x, y) }

// atLeast reports whether x >= y is proved, NaN excepted.
func (f *Analysis) atLeast(x, y tape.Scalar) bool {
	if x == y || f.Range(x).Lo >= f.Range(y).Hi || f.monotone(x, y) {
		return true
	}
	difference := polynomial{}
	difference.add(f.polynomial(x), 1)
	difference.add(f.polynomial(y), -1)
	sum := Interval{}
	for _, p := range difference.sortedMonomials() {
		r := Interval{difference[p], difference[p]}
		for k := 0; k < len(p) && p[k] != (tape.Scalar{}); k++ {
			interval := f.Range(p[k])
			if k+1 < len(p) && p[k+1] == p[k] { // a square
				k++
				interval = mulIntervals(interval, interval)
				interval.Lo = max(interval.Lo, 0)
			}
			r = mulIntervals(r, interval)
		}
		sum = addIntervals(sum, r)
	}
	return sum.Lo >= 0
}

// monotone reports whether x and y are the same monotone function of two numbers whose order is proved.
func (f *Analysis) monotone(x, y tape.Scalar) bool {
	code, a, _ := f.madeBy(x, tape.Copy)
	_, b, also := f.madeBy(y, code)
	switch {
	case !also || len(a[0]) != 1:
		return false
	case slices.Contains(increasing, code):
		return f.atLeast(a[0][0], b[0][0])
	}
	return slices.Contains(decreasing, code) && f.atLeast(b[0][0], a[0][0])
}

// SumsTo reports whether the sum of x is proved to be want.
func (f *Analysis) SumsTo(x []tape.Scalar, want float64) bool {
	return f.areNumbers(x...) && f.sumsTo(x, want)
}

// sumsTo reports whether the sum of x is proved to be want, NaN excepted.
func (f *Analysis) sumsTo(x []tape.Scalar, want float64) bool {
	difference := polynomial{monomial{}: -want}
	for _, s := range x {
		if difference.add(f.polynomial(s), 1); len(difference) > 16*maxTerms {
			return false
		}
	}
	for p, c := range difference {
		if p != (monomial{}) || !(math.Abs(c) <= 1e-9) {
			return false
		}
	}
	return true
}

// Simplex reports whether x is proved to be a simplex: not negative, with sum 1.
func (f *Analysis) Simplex(x []tape.Scalar) bool {
	if len(x) == 0 {
		return false
	}
	if slices.Equal(f.simplices[x[0]], x) {
		return true
	}
	if !f.areNumbers(x...) {
		return false
	}
	if f.isSoftmax(x) {
		return true
	}
	for _, s := range x {
		if f.Range(s).Lo < 0 {
			return false
		}
	}
	return f.sumsTo(x, 1) || f.isNormalised(x)
}

// isSoftmax reports whether x is exp(e - log_sum_exp(e)) for some vector e.
func (f *Analysis) isSoftmax(x []tape.Scalar) bool {
	var e []tape.Scalar
	var total tape.Scalar
	for _, s := range x {
		_, args, ok := f.madeBy(s, tape.Exp)
		if ok {
			_, args, ok = f.madeBy(args[0][0], tape.Sub)
		}
		if !ok || len(e) > 0 && args[1][0] != total {
			return false
		}
		e, total = append(e, args[0][0]), args[1][0]
	}
	_, args, ok := f.madeBy(total, tape.LogSumExp)
	return ok && slices.Equal(args[0], e)
}

// isNormalised reports whether x is a vector divided by the sum of its elements.
func (f *Analysis) isNormalised(x []tape.Scalar) bool {
	difference := polynomial{}
	var total tape.Scalar
	for i, s := range x {
		_, args, ok := f.madeBy(s, tape.Div)
		if !ok || i > 0 && args[1][0] != total || len(difference) > 16*maxTerms {
			return false
		}
		difference.add(f.polynomial(args[0][0]), 1)
		total = args[1][0]
	}
	difference.add(f.polynomial(total), -1)
	return len(difference) == 0
}

// madeBy returns the operation and the arguments that make x, and reports whether the operation is code. Copies are
// skipped.
func (f *Analysis) madeBy(x tape.Scalar, code tape.Code) (operation tape.Code, args [3][]tape.Scalar, ok bool) {
	if tape.AllConst(x) {
		return 0, args, false
	}
	for {
		operation, args = f.b.Operation(x)
		if operation != tape.Copy || len(args[0]) == 0 || tape.AllConst(args[0]...) {
			return operation, args, operation == code && len(args[0]) > 0
		}
		x = args[0][0]
	}
}

// sortedMonomials returns the monomials in a fixed order, so that sums are identical on every computer.
func (to polynomial) sortedMonomials() []monomial {
	return slices.SortedFunc(maps.Keys(to), func(p, q monomial) int {
		return slices.CompareFunc(p[:], q[:], tape.Scalar.Compare)
	})
}

// add adds the polynomial more, multiplied by factor.
func (to polynomial) add(more polynomial, factor float64) {
	for p, c := range more {
		if c = to[p] + num.Mul(factor, c); c == 0 {
			delete(to, p)
		} else {
			to[p] = c
		}
	}
}

// polynomial returns the polynomial that represents x; a number that cannot be expanded is a variable.
func (f *Analysis) polynomial(x tape.Scalar) polynomial {
	if c, known := x.Const(); known {
		if c == 0 {
			return polynomial{}
		}
		return polynomial{monomial{}: c}
	}
	out, ok := f.polynomials[x]
	if ok {
		return out
	}
	if f.depth < maxDepth {
		f.depth++
		out = f.expand(x)
		f.depth--
	}
	if out == nil || len(out) > maxTerms {
		out = polynomial{monomial{x}: 1}
	}
	f.polynomials[x] = out
	return out
}

// expand returns the polynomial of x by the operation that makes it, or nil for operations other than sums and
// products.
func (f *Analysis) expand(x tape.Scalar) polynomial {
	if f.assumed[x] {
		return nil
	}
	code, args := f.b.Operation(x)
	if len(args[0]) == 0 || len(args[0]) > maxTerms {
		return nil
	}

	// Sums, products, and quotients by constants.
	out := polynomial{}
	switch a := args[0][0]; code {
	case tape.Copy:
		return f.polynomial(a)
	case tape.Neg:
		out.add(f.polynomial(a), -1)
	case tape.Add, tape.Sub:
		by := 1.
		if code == tape.Sub {
			by = -1
		}
		out.add(f.polynomial(a), 1)
		out.add(f.polynomial(args[1][0]), by)
	case tape.Sum:
		for _, s := range args[0] {
			out.add(f.polynomial(s), 1)
		}
	case tape.Mul:
		return f.polynomial(a).times(f.polynomial(args[1][0]))
	case tape.Div:
		c, known := args[1][0].Const()
		if !known || c == 0 {
			return nil
		}
		out.add(f.polynomial(a), 1/c)
	case tape.Dot, tape.MatMul:
		for i, s := range args[0] {
			p := f.polynomial(s).times(f.polynomial(args[1][i]))
			if p == nil || len(out) > maxTerms {
				return nil
			}
			out.add(p, 1)
		}
	default:
		return nil
	}
	return out
}

// times returns the product of two polynomials, or nil if it has too many terms or a monomial of more than three
// factors.
func (to polynomial) times(other polynomial) polynomial {
	if len(to)*len(other) > maxTerms {
		return nil
	}
	out := polynomial{}
	order := other.sortedMonomials()
	for _, p := range to.sortedMonomials() {
		for _, q := range order {
			var factors []tape.Scalar
			for _, s := range append(p[:], q[:]...) {
				if s != (tape.Scalar{}) {
					factors = append(factors, s)
				}
			}
			if len(factors) > len(monomial{}) {
				return nil
			}
			slices.SortFunc(factors, tape.Scalar.Compare)
			var product monomial
			copy(product[:], factors)
			out.add(polynomial{product: num.Mul(to[p], other[q])}, 1)
		}
	}
	return out
}
