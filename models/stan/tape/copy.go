package tape

// Copier writes numbers of one builder on another, which has numbers in place of the coordinates, one after the other.
type Copier struct {
	from    *Tape
	to      *Builder
	pending []*op // operations that are wanted and not yet written, in their order
	copied  []Scalar
	known   []bool // by place
}

// Copier is one for what some numbers need.
func (b *Builder) Copier(to *Builder, want ...Scalar) *Copier {
	c := b.t.copier(to)
	var places []int32
	for _, s := range want {
		if s.slot > 0 {
			places = append(places, s.slot-1)
		}
	}
	for i, need := range b.t.needed(places...) {
		if need {
			c.pending = append(c.pending, &b.t.ops[i])
		}
	}
	return c
}

// copier returns a Copier of a tape for no operations yet.
func (t *Tape) copier(to *Builder) *Copier {
	return &Copier{from: t, to: to, copied: make([]Scalar, t.slots), known: make([]bool, t.slots)}
}

// atPlace returns what stands in place of the number at a place, which must be known or constant.
func (c *Copier) copiedAt(place int32) Scalar {
	if place < 0 {
		return Const(c.from.constants[^place])
	}
	return c.copied[place]
}

// Set puts x in place of a coordinate.
func (c *Copier) Set(coordinate int, x Scalar) { c.copied[coordinate], c.known[coordinate] = x, true }

// Put puts x in place of a number s.
func (c *Copier) Replace(s, x Scalar) {
	if s.slot > 0 {
		c.copied[s.slot-1], c.known[s.slot-1] = x, true
	}
}

// Advance writes what can be written by now.
func (c *Copier) Advance() {
	left := c.pending[:0]
	for _, o := range c.pending {
		ready := true
		c.from.forEachInput(o, func(place int32) { ready = ready && c.known[place] })
		if !ready {
			left = append(left, o)
			continue
		}
		c.to.merge(c.from, []*op{o}, c.copied)
		for at := o.out; at < o.out+o.n; at++ {
			c.known[at] = true
		}
	}
	c.pending = left
}

// Left is how many operations are not yet written.
func (c *Copier) Pending() int { return len(c.pending) }

// At is what stands in place of a number; ok is false where that is not known yet.
func (c *Copier) Copied(s Scalar) (x Scalar, ok bool) {
	if s.slot == 0 {
		return s, true
	}
	return c.copied[s.slot-1], c.known[s.slot-1]
}

// Part is a tape of some terms alone.
func (b *Builder) Part(terms ...Scalar) (*Tape, error) {
	target, shows, notes := b.target, b.outputs, b.notes
	defer func() { b.target, b.outputs, b.notes = target, shows, notes }()
	b.target, b.outputs, b.notes = terms, nil, nil
	return b.Finish()
}
