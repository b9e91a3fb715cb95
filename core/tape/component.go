package tape

// Component is the tape in which each log of a sum of exponentials is its k-th term, from 0 on, or its last term where it
// has fewer: a mixture becomes its k-th component. ok is false where no sum has so many terms, or there is none.
func (t *Tape) Component(k int) (component *Tape, ok bool) {
	to := NewBuilder(t.Dim())
	c := &Copier{from: t, to: to, moved: make([]Scalar, t.slots), known: make([]bool, t.slots)}
	for i, z := range to.Inputs() {
		c.Set(i, z)
	}
	at := func(place int32) Scalar {
		if place < 0 {
			return Const(t.numbers[^place])
		}
		return c.moved[place]
	}
	for i, need := range t.needed(t.target) {
		o := &t.ops[i]
		if !need {
			continue
		}
		switch o.code {
		case LogSumExp:
			ok = ok || int(o.p) > k
			c.moved[o.out] = at(t.place(o, 0, min(int32(k), o.p-1)))
		case LogAddExp:
			ok = ok || k < 2
			for j := range o.n {
				c.moved[o.out+j] = at(t.place(o, min(k, 1), j))
			}
		default:
			to.merge(t, []*op{o}, c.moved)
		}
		for j := range o.n {
			c.known[o.out+j] = true
		}
	}
	if !ok {
		return nil, false
	}
	to.Target(at(t.target))
	component, err := to.Finish()
	return component, err == nil
}
