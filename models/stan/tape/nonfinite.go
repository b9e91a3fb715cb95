package tape

import "logzlab/core/num"

// Blame finds the first term of the log density that is not finite at x, and returns the coordinates on which it
// depends. It returns nil if all terms are finite.
func (t *Tape) NonFiniteCoordinates(x []float64) (coordinates []int) {
	m := t.Evaluator(1)
	m.Eval(x, 1)
	term := t.target
	for { // from the log density to a number that is not finite, and not a sum, product or copy of one that is not
		if term < t.dim || num.Finite(m.value(term, 0)) {
			break
		}
		o := &t.ops[t.producer(term)]
		next := int32(-1)
		descend := func(place int32) {
			if next < 0 && place >= t.dim && !num.Finite(m.value(place, 0)) {
				next = place
			}
		}
		switch {
		case o.isGather():
			next = t.indices[o.p-1+term-o.out]
		case o.code == Sum:
			for j := range o.p {
				descend(t.argSlot(o, 0, j))
			}
		case o.code == Add || o.code == Sub || o.code == Mul || o.code == Neg:
			for i := range o.code.arity() {
				descend(t.argSlot(o, i, term-o.out))
			}
		}
		if next < t.dim {
			break
		}
		term = next
	}
	if term < t.dim || num.Finite(m.value(term, 0)) {
		return nil
	}

	// The coordinates on which the number depends.
	seen := map[int32]bool{}
	for pending := []int32{term}; len(pending) > 0; {
		place := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if place < 0 || seen[place] {
			continue
		}
		seen[place] = true
		if place < t.dim {
			continue
		}
		o := &t.ops[t.producer(place)]
		j := place - o.out
		switch {
		case o.isGather():
			pending = append(pending, t.indices[o.p-1+j])
		case o.code.elementwise():
			for i := range o.code.arity() {
				pending = append(pending, t.argSlot(o, i, j))
			}
		default:
			for i := range o.code.arity() {
				for k := range o.length(i) {
					pending = append(pending, t.argSlot(o, i, k))
				}
			}
		}
	}
	for k := range t.dim {
		if seen[k] {
			coordinates = append(coordinates, int(k))
		}
	}
	return coordinates
}
