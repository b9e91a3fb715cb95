package ranges

import (
	"maps"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// form is a number as a polynomial of others: terms by the products in them, so that what is added and subtracted
// again drops out.
type polynomial map[monomial]float64

// product are up to three numbers whose product a term has; constants 0 stand for fewer.
type monomial [3]tape.Scalar

// mostTerms is how long a form may get; a number with a longer one stands for itself.
const maxTerms = 64

// AtLeast reports whether x >= y is certain, and neither is NaN.
func (f *Analysis) AtLeast(x, y tape.Scalar) bool { return f.areNumbers(x, y) && f.atLeast(x, y) }

// atLeast is AtLeast, NaN apart.
func (f *Analysis) atLeast(x, y tape.Scalar) bool {
	if x == y || f.Range(x).Lo >= f.Range(y).Hi || f.monotone(x, y) {
		return true
	}
	all := polynomial{}
	all.add(f.polynomial(x), 1)
	all.add(f.polynomial(y), -1)
	sum := Interval{}
	for _, p := range all.sortedMonomials() {
		r := Interval{all[p], all[p]}
		for k := 0; k < len(p) && p[k] != (tape.Scalar{}); k++ {
			of := f.Range(p[k])
			if k+1 < len(p) && p[k+1] == p[k] { // a square
				k++
				of = mulIntervals(of, of)
				of.Lo = max(of.Lo, 0)
			}
			r = mulIntervals(r, of)
		}
		sum = addIntervals(sum, r)
	}
	return sum.Lo >= 0
}

// monotone reports whether x and y are one function, in one direction, of numbers whose order is certain.
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

// SumsTo reports whether the sum of numbers is certain.
func (f *Analysis) SumsTo(x []tape.Scalar, want float64) bool {
	return f.areNumbers(x...) && f.sumsTo(x, want)
}

// sumsTo is SumsTo, NaN apart.
func (f *Analysis) sumsTo(x []tape.Scalar, want float64) bool {
	all := polynomial{monomial{}: -want}
	for _, s := range x {
		if all.add(f.polynomial(s), 1); len(all) > 16*maxTerms {
			return false
		}
	}
	for p, c := range all {
		if p != (monomial{}) || !(math.Abs(c) <= 1e-9) {
			return false
		}
	}
	return true
}

// Simplex reports whether numbers are certainly not below 0 with the sum 1.
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

// softmax reports whether numbers are exp(e - log_sum_exp(e)).
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

// shares reports whether numbers are what others are over their sum.
func (f *Analysis) isNormalised(x []tape.Scalar) bool {
	all := polynomial{}
	var total tape.Scalar
	for i, s := range x {
		_, args, ok := f.madeBy(s, tape.Div)
		if !ok || i > 0 && args[1][0] != total || len(all) > 16*maxTerms {
			return false
		}
		all.add(f.polynomial(args[0][0]), 1)
		total = args[1][0]
	}
	all.add(f.polynomial(total), -1)
	return len(all) == 0
}

// by is how a number was made, and whether that was by some operation.
func (f *Analysis) madeBy(x tape.Scalar, code tape.Code) (of tape.Code, args [3][]tape.Scalar, ok bool) {
	if tape.AllConst(x) {
		return 0, args, false
	}
	for {
		of, args = f.b.Operation(x)
		if of != tape.Copy || len(args[0]) == 0 || tape.AllConst(args[0]...) {
			return of, args, of == code && len(args[0]) > 0
		}
		x = args[0][0]
	}
}

// products are those of a form in an order, so that sums have the same digits everywhere.
func (to polynomial) sortedMonomials() []monomial {
	return slices.SortedFunc(maps.Keys(to), func(p, q monomial) int {
		return slices.CompareFunc(p[:], q[:], tape.Scalar.Compare)
	})
}

// add adds a form, times a number.
func (to polynomial) add(more polynomial, by float64) {
	for p, c := range more {
		if c = to[p] + num.Mul(by, c); c == 0 {
			delete(to, p)
		} else {
			to[p] = c
		}
	}
}

// form is a number's form.
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

// expanded is a number's form by the operation that makes the number, nil for operations that are no sums or products.
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

// times is the product of forms, nil where it is long or has more than three factors.
func (to polynomial) times(by polynomial) polynomial {
	if len(to)*len(by) > maxTerms {
		return nil
	}
	out := polynomial{}
	order := by.sortedMonomials()
	for _, p := range to.sortedMonomials() {
		for _, q := range order {
			var all []tape.Scalar
			for _, s := range append(p[:], q[:]...) {
				if s != (tape.Scalar{}) {
					all = append(all, s)
				}
			}
			if len(all) > len(monomial{}) {
				return nil
			}
			slices.SortFunc(all, tape.Scalar.Compare)
			var both monomial
			copy(both[:], all)
			out.add(polynomial{both: num.Mul(to[p], by[q])}, 1)
		}
	}
	return out
}
