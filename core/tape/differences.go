package tape

import (
	"math"

	"logzlab/core/num"
)

// mostLooked bounds the elements of operations that Differences looks at.
const mostLooked = 20000

// Differences lists points at which differences between coordinates and constants are 0, as in (x - 5)/2: the centres
// of mixtures, the locations of priors and data. Each point has a value for each coordinate, NaN where nothing is said
// of it. The elements of one operation make a point until a coordinate comes again. A difference of a function of one
// coordinate, as of its exponential, is solved for the coordinate. There are at most most points; of more, they are
// taken evenly from all.
func (t *Tape) Differences(most int) [][]float64 {
	var points [][]float64
	looked := 0
	for i := range t.ops[:t.cut] {
		o := &t.ops[i]
		if o.code != Sub && o.code != Add {
			continue
		}
		var point []float64
		for j := range o.n {
			if looked++; looked > mostLooked {
				break
			}
			a, b := t.place(o, 0, j), t.place(o, 1, j)
			if a < 0 == (b < 0) {
				continue
			}
			at, known := b, a // the place of what is not known, and of the constant
			if b < 0 {
				at, known = a, b
			}
			v := t.numbers[^known]
			if o.code == Add {
				v = -v
			}
			k, x, ok := t.solve(at, v)
			if !ok {
				continue
			}
			if point == nil || num.Known(point[k]) {
				point = make([]float64, t.dim)
				for c := range point {
					point[c] = math.NaN()
				}
				points = append(points, point)
			}
			point[k] = x
		}
	}
	if len(points) <= most {
		return points
	}
	some := make([][]float64, most)
	for i := range some {
		some[i] = points[i*(len(points)-1)/(most-1)]
	}
	return some
}

// place is where element j of argument i of an operation by element is.
func (t *Tape) place(o *op, i int, j int32) int32 {
	a := o.args[i]
	switch {
	case !a.wide:
		return a.at
	case a.at < 0:
		return ^(^a.at + j)
	}
	return a.at + j
}

// solve finds the value of a coordinate at which the number at a place has the value v, where that number is a function
// of one coordinate that can be inverted step by step.
func (t *Tape) solve(at int32, v float64) (coordinate int32, x float64, ok bool) {
	for range 100 {
		if !num.Finite(v) || at < 0 {
			return 0, 0, false
		}
		if at < t.dim {
			return at, v, true
		}
		o := &t.ops[t.maker(at)]
		j := at - o.out
		if o.list() {
			at = t.list[o.p-1+j]
			continue
		}
		if !o.code.byElement() {
			return 0, 0, false
		}
		if o.code.arity() == 1 {
			inverse := inverses[o.code]
			if inverse == nil {
				return 0, 0, false
			}
			at, v = t.place(o, 0, j), inverse(v)
			continue
		}
		if o.code.arity() != 2 {
			return 0, 0, false
		}
		a, b := t.place(o, 0, j), t.place(o, 1, j)
		if a < 0 == (b < 0) {
			return 0, 0, false
		}
		first := b < 0 // the unknown number is the first argument
		c := t.numbers[^min(a, b)]
		at = max(a, b)
		switch {
		case o.code == Add:
			v -= c
		case o.code == Sub && first:
			v += c
		case o.code == Sub:
			v = c - v
		case o.code == Mul:
			v /= c
		case o.code == Div && first:
			v *= c
		case o.code == Div:
			v = c / v
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// inverses are the inverse functions of operations of one argument, NaN outside of their range.
var inverses = map[Code]func(v float64) float64{
	Copy:    func(v float64) float64 { return v },
	Neg:     func(v float64) float64 { return -v },
	Exp:     num.Log,
	Log:     num.Exp,
	Inv:     func(v float64) float64 { return 1 / v },
	Sqrt:    func(v float64) float64 { return num.Mul(v, v) },
	Square:  func(v float64) float64 { return math.Sqrt(v) },
	Sigmoid: func(v float64) float64 { return num.Log(v) - num.Log1p(-v) },
	Expm1:   num.Log1p,
}
