package tape

// Copier copies operations from one builder to another. The coordinates of the first are replaced by values of the
// second, which Set defines.
type Copier struct {
	from    *Tape
	to      *Builder
	pending []*op    // operations still to be copied, in order
	copied  []Scalar // new values by slot
	known   []bool   // whether copied is set, by slot
}

// Copier returns a Copier for the operations on which the wanted values depend.
func (b *Builder) Copier(to *Builder, wanted ...Scalar) *Copier {
	c := b.t.copier(to)
	var slots []int32
	for _, s := range wanted {
		if s.slot > 0 {
			slots = append(slots, s.slot-1)
		}
	}
	for i, need := range b.t.needed(slots...) {
		if need {
			c.pending = append(c.pending, &b.t.ops[i])
		}
	}
	return c
}

// copier returns a Copier of a tape without operations.
func (t *Tape) copier(to *Builder) *Copier {
	return &Copier{from: t, to: to, copied: make([]Scalar, t.slots), known: make([]bool, t.slots)}
}

// copiedAt returns the new value of a slot, which must be known or constant.
func (c *Copier) copiedAt(slot int32) Scalar {
	if slot < 0 {
		return Const(c.from.constants[^slot])
	}
	return c.copied[slot]
}

// Set replaces a coordinate by x.
func (c *Copier) Set(coordinate int, x Scalar) { c.copied[coordinate], c.known[coordinate] = x, true }

// Replace replaces a value s by x.
func (c *Copier) Replace(s, x Scalar) {
	if s.slot > 0 {
		c.copied[s.slot-1], c.known[s.slot-1] = x, true
	}
}

// Advance copies all operations whose inputs are known.
func (c *Copier) Advance() {
	waiting := c.pending[:0]
	for _, o := range c.pending {
		ready := true
		c.from.forEachInput(o, func(slot int32) { ready = ready && c.known[slot] })
		if !ready {
			waiting = append(waiting, o)
			continue
		}
		c.to.merge(c.from, []*op{o}, c.copied)
		for at := o.out; at < o.out+o.n; at++ {
			c.known[at] = true
		}
	}
	c.pending = waiting
}

// Pending returns the number of operations still to be copied.
func (c *Copier) Pending() int { return len(c.pending) }

// Copied returns the new value of s; ok is false if it is not known yet.
func (c *Copier) Copied(s Scalar) (x Scalar, ok bool) {
	if s.slot == 0 {
		return s, true
	}
	return c.copied[s.slot-1], c.known[s.slot-1]
}

// Part returns a tape whose log density is the sum of the terms, without outputs and notes.
func (b *Builder) Part(terms ...Scalar) (*Tape, error) {
	target, outputs, notes := b.target, b.outputs, b.notes
	defer func() { b.target, b.outputs, b.notes = target, outputs, notes }()
	b.target, b.outputs, b.notes = terms, nil, nil
	return b.Finish()
}
