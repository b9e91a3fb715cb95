package tape

import "logzlab/core/num"

// Blame finds the first term of the log density that is not a finite number at x, and lists the coordinates on which the
// term depends. It is nil where all terms are finite.
func (t *Tape) Blame(x []float64) (coordinates []int) {
	m := t.Evaluator(1)
	m.Eval(x, 1)
	at := t.target
	for { // go down to a term that is not finite and that is no sum, product or copy of others
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
