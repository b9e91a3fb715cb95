package prove

import (
	"maps"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// form is a number as a polynomial of others: terms by the products in them, so that what is added and subtracted
// again drops out.
type form map[product]float64

// product are up to three numbers whose product a term has; constants 0 stand for fewer.
type product [3]tape.Scalar

// mostTerms is how long a form may get; a number with a longer one stands for itself.
const mostTerms = 64

// AtLeast reports whether x >= y is certain, and neither is NaN.
func (f *Facts) AtLeast(x, y tape.Scalar) bool { return f.numbered(x, y) && f.atLeast(x, y) }

// atLeast is AtLeast, NaN apart.
func (f *Facts) atLeast(x, y tape.Scalar) bool {
	if x == y || f.Range(x).Lo >= f.Range(y).Hi || f.monotone(x, y) {
		return true
	}
	all := form{}
	all.add(f.form(x), 1)
	all.add(f.form(y), -1)
	sum := Range{}
	for _, p := range all.products() {
		r := Range{all[p], all[p]}
		for k := 0; k < len(p) && p[k] != (tape.Scalar{}); k++ {
			of := f.Range(p[k])
			if k+1 < len(p) && p[k+1] == p[k] { // a square
				k++
				of = times(of, of)
				of.Lo = max(of.Lo, 0)
			}
			r = times(r, of)
		}
		sum = plus(sum, r)
	}
	return sum.Lo >= 0
}

// monotone reports whether x and y are one function, in one direction, of numbers whose order is certain.
func (f *Facts) monotone(x, y tape.Scalar) bool {
	code, a, _ := f.by(x, tape.Copy)
	_, b, also := f.by(y, code)
	switch {
	case !also || len(a[0]) != 1:
		return false
	case slices.Contains(rising, code):
		return f.atLeast(a[0][0], b[0][0])
	}
	return slices.Contains(falling, code) && f.atLeast(b[0][0], a[0][0])
}

// SumsTo reports whether the sum of numbers is certain.
func (f *Facts) SumsTo(x []tape.Scalar, want float64) bool {
	return f.numbered(x...) && f.sumsTo(x, want)
}

// sumsTo is SumsTo, NaN apart.
func (f *Facts) sumsTo(x []tape.Scalar, want float64) bool {
	all := form{product{}: -want}
	for _, s := range x {
		if all.add(f.form(s), 1); len(all) > 16*mostTerms {
			return false
		}
	}
	for p, c := range all {
		if p != (product{}) || !(math.Abs(c) <= 1e-9) {
			return false
		}
	}
	return true
}

// Simplex reports whether numbers are certainly not below 0 with the sum 1.
func (f *Facts) Simplex(x []tape.Scalar) bool {
	if len(x) == 0 {
		return false
	}
	if slices.Equal(f.simplices[x[0]], x) {
		return true
	}
	if !f.numbered(x...) {
		return false
	}
	if f.softmax(x) {
		return true
	}
	for _, s := range x {
		if f.Range(s).Lo < 0 {
			return false
		}
	}
	return f.sumsTo(x, 1) || f.shares(x)
}

// softmax reports whether numbers are exp(e - log_sum_exp(e)).
func (f *Facts) softmax(x []tape.Scalar) bool {
	var e []tape.Scalar
	var total tape.Scalar
	for _, s := range x {
		_, args, ok := f.by(s, tape.Exp)
		if ok {
			_, args, ok = f.by(args[0][0], tape.Sub)
		}
		if !ok || len(e) > 0 && args[1][0] != total {
			return false
		}
		e, total = append(e, args[0][0]), args[1][0]
	}
	_, args, ok := f.by(total, tape.LogSumExp)
	return ok && slices.Equal(args[0], e)
}

// shares reports whether numbers are what others are over their sum.
func (f *Facts) shares(x []tape.Scalar) bool {
	all := form{}
	var total tape.Scalar
	for i, s := range x {
		_, args, ok := f.by(s, tape.Div)
		if !ok || i > 0 && args[1][0] != total || len(all) > 16*mostTerms {
			return false
		}
		all.add(f.form(args[0][0]), 1)
		total = args[1][0]
	}
	all.add(f.form(total), -1)
	return len(all) == 0
}

// by is how a number was made, and whether that was by some operation.
func (f *Facts) by(x tape.Scalar, code tape.Code) (of tape.Code, args [3][]tape.Scalar, ok bool) {
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
func (to form) products() []product {
	return slices.SortedFunc(maps.Keys(to), func(p, q product) int {
		return slices.CompareFunc(p[:], q[:], tape.Scalar.Compare)
	})
}

// add adds a form, times a number.
func (to form) add(more form, by float64) {
	for p, c := range more {
		if c = to[p] + num.Mul(by, c); c == 0 {
			delete(to, p)
		} else {
			to[p] = c
		}
	}
}

// form is a number's form.
func (f *Facts) form(x tape.Scalar) form {
	if c, known := x.Const(); known {
		if c == 0 {
			return form{}
		}
		return form{product{}: c}
	}
	out, ok := f.forms[x]
	if ok {
		return out
	}
	if f.depth < deepest {
		f.depth++
		out = f.expanded(x)
		f.depth--
	}
	if out == nil || len(out) > mostTerms {
		out = form{product{x}: 1}
	}
	f.forms[x] = out
	return out
}

// expanded is a number's form by the operation that makes the number, nil for operations that are no sums or products.
func (f *Facts) expanded(x tape.Scalar) form {
	if f.declared[x] {
		return nil
	}
	code, args := f.b.Operation(x)
	if len(args[0]) == 0 || len(args[0]) > mostTerms {
		return nil
	}

	// Sums, products, and quotients by constants.
	out := form{}
	switch a := args[0][0]; code {
	case tape.Copy:
		return f.form(a)
	case tape.Neg:
		out.add(f.form(a), -1)
	case tape.Add, tape.Sub:
		by := 1.
		if code == tape.Sub {
			by = -1
		}
		out.add(f.form(a), 1)
		out.add(f.form(args[1][0]), by)
	case tape.Sum:
		for _, s := range args[0] {
			out.add(f.form(s), 1)
		}
	case tape.Mul:
		return f.form(a).times(f.form(args[1][0]))
	case tape.Div:
		c, known := args[1][0].Const()
		if !known || c == 0 {
			return nil
		}
		out.add(f.form(a), 1/c)
	case tape.Dot, tape.MatMul:
		for i, s := range args[0] {
			p := f.form(s).times(f.form(args[1][i]))
			if p == nil || len(out) > mostTerms {
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
func (to form) times(by form) form {
	if len(to)*len(by) > mostTerms {
		return nil
	}
	out := form{}
	order := by.products()
	for _, p := range to.products() {
		for _, q := range order {
			var all []tape.Scalar
			for _, s := range append(p[:], q[:]...) {
				if s != (tape.Scalar{}) {
					all = append(all, s)
				}
			}
			if len(all) > len(product{}) {
				return nil
			}
			slices.SortFunc(all, tape.Scalar.Compare)
			var both product
			copy(both[:], all)
			out.add(form{both: num.Mul(to[p], by[q])}, 1)
		}
	}
	return out
}
