package tape

// Component returns the tape in which each log-sum-exp is replaced by its k-th term, counted from 0, or by its last
// term if it has fewer. A mixture thus becomes its k-th component. ok is false if no log-sum-exp has a k-th term.
func (t *Tape) Component(k int) (component *Tape, ok bool) {
	to := NewBuilder(t.Dim())
	c := t.copier(to)
	for i, z := range to.Inputs() {
		c.Set(i, z)
	}
	for i, need := range t.needed(t.target) {
		o := &t.ops[i]
		if !need {
			continue
		}
		switch o.code {
		case LogSumExp:
			ok = ok || int(o.p) > k
			c.copied[o.out] = c.copiedAt(t.argSlot(o, 0, min(int32(k), o.p-1)))
		case LogAddExp:
			ok = ok || k < 2
			for j := range o.n {
				c.copied[o.out+j] = c.copiedAt(t.argSlot(o, min(k, 1), j))
			}
		default:
			to.merge(t, []*op{o}, c.copied)
		}
		for j := range o.n {
			c.known[o.out+j] = true
		}
	}
	if !ok {
		return nil, false
	}
	to.Target(c.copiedAt(t.target))
	component, err := to.Finish()
	return component, err == nil
}
