package tape

import (
	"math"

	"logzlab/core/num"
)

// maxExamined is the number of elements of operations that Differences looks at.
const maxExaminedElements = 20000

// Differences returns points at which differences between coordinates and constants, as in (x - 5)/2, are 0: the
// centres of mixtures, the locations of priors, data. A difference between a function of one coordinate and a constant
// is solved for the coordinate. The elements of one operation form one point, and another one as soon as a coordinate
// would get a second value. Coordinates without a value are NaN. Of more than maxPoints points, as many are returned,
// equally spaced in their order.
func (t *Tape) Centres(maxPoints int) [][]float64 {
	var points [][]float64
	examined := 0
	for i := range t.ops[:t.targetOps] {
		o := &t.ops[i]
		if o.code != Sub && o.code != Add {
			continue
		}
		var point []float64
		for j := range o.n {
			if examined++; examined > maxExaminedElements {
				break
			}
			a, b := t.argSlot(o, 0, j), t.argSlot(o, 1, j)
			if a < 0 == (b < 0) {
				continue
			}
			variable, constant := b, a
			if b < 0 {
				variable, constant = a, b
			}
			v := t.constants[^constant]
			if o.code == Add {
				v = -v
			}
			k, x, ok := t.solve(variable, v)
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
	if len(points) <= maxPoints {
		return points
	}
	kept := make([][]float64, maxPoints)
	for i := range kept {
		kept[i] = points[i*(len(points)-1)/(maxPoints-1)]
	}
	return kept
}

// argPlace returns the place of element j of argument i of an operation by element: the index of a number of the tape,
// or ^k for constant k.
func (t *Tape) argSlot(o *op, i int, j int32) int32 {
	a := o.args[i]
	switch {
	case !a.vector:
		return a.slot
	case a.slot < 0:
		return ^(^a.slot + j)
	}
	return a.slot + j
}

// solve returns the coordinate, and its value x, at which the number at a place has the value v. ok is false unless
// that number is a function of one coordinate that can be inverted operation by operation.
func (t *Tape) solve(place int32, v float64) (coordinate int32, x float64, ok bool) {
	for range 100 {
		if !num.Finite(v) || place < 0 {
			return 0, 0, false
		}
		if place < t.dim {
			return place, v, true
		}
		o := &t.ops[t.producer(place)]
		j := place - o.out
		if o.isGather() {
			place = t.indices[o.p-1+j]
			continue
		}
		if !o.code.elementwise() {
			return 0, 0, false
		}
		if o.code.arity() == 1 {
			inverse := inverses[o.code]
			if inverse == nil {
				return 0, 0, false
			}
			place, v = t.argSlot(o, 0, j), inverse(v)
			continue
		}
		if o.code.arity() != 2 {
			return 0, 0, false
		}
		a, b := t.argSlot(o, 0, j), t.argSlot(o, 1, j)
		if a < 0 == (b < 0) {
			return 0, 0, false
		}
		isFirst := b < 0 // the argument that is not constant is the first one
		c := t.constants[^min(a, b)]
		place = max(a, b)
		switch {
		case o.code == Add:
			v -= c
		case o.code == Sub && isFirst:
			v += c
		case o.code == Sub:
			v = c - v
		case o.code == Mul:
			v /= c
		case o.code == Div && isFirst:
			v *= c
		case o.code == Div:
			v = c / v
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// inverses are the inverse functions of operations of one argument. They may be NaN or infinite outside of their
// domain.
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
