package tape

import "logzlab/core/num"

// NonFiniteCoordinates finds the first term of the log density that is not finite at x and returns the coordinates on
// which it depends. It returns nil if all terms are finite.
func (t *Tape) NonFiniteCoordinates(x []float64) (coordinates []int) {
	m := t.Evaluator(1)
	m.Eval(x, 1)
	term := t.target
	for { // descend through sums, products and copies to a value that is not finite
		if term < t.dim || num.Finite(m.value(term, 0)) {
			break
		}
		o := &t.ops[t.producer(term)]
		next := int32(-1)
		descend := func(slot int32) {
			if next < 0 && slot >= t.dim && !num.Finite(m.value(slot, 0)) {
				next = slot
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

	// Collect the coordinates on which the value depends.
	seen := map[int32]bool{}
	for pending := []int32{term}; len(pending) > 0; {
		slot := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if slot < 0 || seen[slot] {
			continue
		}
		seen[slot] = true
		if slot < t.dim {
			continue
		}
		o := &t.ops[t.producer(slot)]
		j := slot - o.out
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
