package tape

import (
	"math"

	"logzlab/core/num"
)

// maxExaminedElements limits the number of elements of operations that Centres examines.
const maxExaminedElements = 20000

// Centres returns points at which differences between coordinates and constants, as in (x - 5)/2, are 0: the centres of
// mixtures, locations of priors, data. A difference between a function of one coordinate and a constant is solved for
// the coordinate. The elements of one operation form a point; a second value of a coordinate starts a new point.
// Coordinates without a value are NaN. If there are more than maxPoints points, Centres returns maxPoints of them,
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
			if point == nil || num.NotNaN(point[k]) {
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
	selected := make([][]float64, maxPoints)
	for i := range selected {
		selected[i] = points[i*(len(points)-1)/(maxPoints-1)]
	}
	return selected
}

// argSlot returns the slot of element j of argument i of an elementwise operation.
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

// solve returns the coordinate, and its value x, at which the value of a slot is v. ok is false unless the slot is an
// invertible function of one coordinate.
func (t *Tape) solve(slot int32, v float64) (coordinate int32, x float64, ok bool) {
	for range 100 {
		if !num.Finite(v) || slot < 0 {
			return 0, 0, false
		}
		if slot < t.dim {
			return slot, v, true
		}
		o := &t.ops[t.producer(slot)]
		j := slot - o.out
		if o.isGather() {
			slot = t.indices[o.p-1+j]
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
			slot, v = t.argSlot(o, 0, j), inverse(v)
			continue
		}
		if o.code.arity() != 2 {
			return 0, 0, false
		}
		a, b := t.argSlot(o, 0, j), t.argSlot(o, 1, j)
		if a < 0 == (b < 0) {
			return 0, 0, false
		}
		isFirst := b < 0 // the first argument is the variable one
		c := t.constants[^min(a, b)]
		slot = max(a, b)
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

// inverses are the inverse functions of operations with one argument. Outside their domain they may be NaN or infinite.
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
