package tape

import "logzlab/core/num"

// Blame lists the coordinates that a term of the log density depends on which is no number at x: the first such term of
// the sum that the log density is. nil: all terms are numbers.
func (t *Tape) Blame(x []float64) (coordinates []int) {
	m := t.Evaluator(1)
	m.Eval(x, 1)
	at := t.target
	for { // down to a term that is no number and all of whose parts are numbers, or that is not a sum
		if at < t.dim || num.Finite(m.at(at, 0)) {
			break
		}
		o := &t.ops[t.maker(at)]
		next := int32(-1)
		try := func(place int32) {
			if next < 0 && place >= t.dim && !num.Finite(m.at(place, 0)) {
				next = place
			}
		}
		switch {
		case o.list():
			next = t.list[o.p-1+at-o.out]
		case o.code == Sum:
			for j := range o.p {
				try(t.place(o, 0, j))
			}
		case o.code == Add || o.code == Sub || o.code == Mul || o.code == Neg:
			for i := range o.code.arity() {
				try(t.place(o, i, at-o.out))
			}
		}
		if next < t.dim {
			break
		}
		at = next
	}
	if at < t.dim || num.Finite(m.at(at, 0)) {
		return nil
	}
	seen := map[int32]bool{}
	for todo := []int32{at}; len(todo) > 0; {
		place := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if place < 0 || seen[place] {
			continue
		}
		seen[place] = true
		if place < t.dim {
			continue
		}
		o := &t.ops[t.maker(place)]
		j := place - o.out
		switch {
		case o.list():
			todo = append(todo, t.list[o.p-1+j])
		case o.code.byElement():
			for i := range o.code.arity() {
				todo = append(todo, t.place(o, i, j))
			}
		default:
			for i := range o.code.arity() {
				for k := range o.length(i) {
					todo = append(todo, t.place(o, i, k))
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
