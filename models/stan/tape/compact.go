package tape

// compact rebuilds the tape with the operations that are needed, level by level. The level of an operation is one more
// than the largest level of its inputs, so operations of one level are independent and can be merged.
func (b *Builder) compact(target Scalar) (*Tape, error) {
	old := &b.t
	first := old.needed(target.slot - 1)
	var outputSlots []int32
	for _, s := range b.outputs {
		outputSlots = append(outputSlots, s.x.slot-1)
	}
	later := old.needed(outputSlots...)
	for i, f := range first {
		later[i] = later[i] && !f
	}

	// Operations of the log density come first.
	to := NewBuilder(int(old.dim))
	moved := make([]Scalar, old.slots) // new values by old slots
	copy(moved, to.Inputs())
	to.addByLevel(old, first, moved)
	to.t.targetOps = len(to.t.ops)
	to.addByLevel(old, later, moved)

	newSlot := func(s Scalar) int32 {
		if s.slot == 0 {
			return ^to.constants([]Scalar{s})
		}
		if m := moved[s.slot-1]; m.slot == 0 {
			return ^to.constants([]Scalar{m})
		}
		return moved[s.slot-1].slot - 1
	}
	to.t.target, to.t.notes = newSlot(target), b.notes
	for _, s := range b.outputs {
		to.t.outputs = append(to.t.outputs, output{s.name, newSlot(s.x)})
	}
	if to.err != nil {
		return nil, to.err
	}
	t := to.t
	t.findOutputOps()
	return &t, nil
}

// findOutputOps lists the operations that the outputs need.
func (t *Tape) findOutputOps() {
	slots := make([]int32, len(t.outputs))
	for i, s := range t.outputs {
		slots[i] = s.slot
	}
	for i, need := range t.needed(slots...) {
		if need {
			t.outputOps = append(t.outputOps, int32(i))
		}
	}
}

// needed marks the operations on which the values in the given slots depend.
func (t *Tape) needed(slots ...int32) []bool {
	marks := make([]bool, len(t.ops))
	for _, at := range slots {
		t.markProducer(marks, at)
	}
	for i := len(marks) - 1; i >= 0; i-- {
		if marks[i] {
			t.forEachInput(&t.ops[i], func(at int32) { t.markProducer(marks, at) })
		}
	}
	return marks
}

// markProducer marks the operation that computes a slot.
func (t *Tape) markProducer(marks []bool, at int32) {
	if at >= t.dim {
		marks[t.producer(at)] = true
	}
}

// producer returns the index of the operation that computes a slot, by bisection.
func (t *Tape) producer(slot int32) int {
	lo, hi := 0, len(t.ops)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; t.ops[mid].out <= slot {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// forEachInput calls f for the slots that an operation reads, once for each operation that computed some of them.
func (t *Tape) forEachInput(o *op, f func(slot int32)) {
	if o.isGather() {
		for _, at := range t.indices[o.p-1 : o.p-1+o.n] {
			if at >= 0 {
				f(at)
			}
		}
		return
	}
	for i := range o.code.arity() {
		a := o.args[i]
		if a.slot < 0 {
			continue
		}
		n := o.length(i)
		if !a.vector {
			n = 1
		}
		for at := a.slot; at < a.slot+n; {
			f(at)
			next := at + 1
			if at >= t.dim {
				m := &t.ops[t.producer(at)]
				next = m.out + m.n
			}
			at = next
		}
	}
}

// isGather reports whether the operation gathers values from a list of slots.
func (o *op) isGather() bool { return o.code == Copy && o.p > 0 }

// length returns the number of elements of argument i if it is a vector.
func (o *op) length(i int) int32 {
	switch o.code {
	case Sum, LogSumExp, Dot:
		return o.p
	case MatMul:
		if i == 0 {
			return o.p * o.q
		}
		return o.q * o.r
	case Cholesky:
		return o.p * o.p
	case Solve, SolveT:
		if i == 0 {
			return o.p * o.p
		}
		return o.p * o.r
	}
	return o.n
}

// addByLevel adds the marked operations of an old tape in order of their level. Elementwise operations of one level and
// code, with constants in the same arguments, are merged into one.
func (b *Builder) addByLevel(old *Tape, marks []bool, moved []Scalar) {
	for _, ops := range levels(old, marks) {
		var order []group
		members := map[group][]*op{}
		for _, i := range ops {
			o := &old.ops[i]
			g := group{code: o.code}
			for k, a := range o.args[:o.code.arity()] {
				if a.slot < 0 {
					g.constArgs |= 1 << k
				}
			}
			if !o.code.elementwise() || o.isGather() {
				g.single = i + 1
			}
			if members[g] == nil {
				order = append(order, g)
			}
			members[g] = append(members[g], o)
		}
		for _, gathers := range []bool{false, true} { // gather operations read results of their own level
			for _, g := range order {
				if ops := members[g]; ops[0].isGather() == gathers {
					b.merge(old, ops, moved)
				}
			}
		}
	}
}

// group is the key of operations that are merged.
type group struct {
	code      Code
	constArgs uint8 // bit i is set if argument i is constant
	single    int   // 1 + the index of an operation that is not merged
}

// levels returns the marked operations by level. A gather operation has the level of its inputs.
func levels(t *Tape, marks []bool) (ops [][]int) {
	levelOf := make([]int32, t.slots)
	for i := range t.ops {
		o, level := &t.ops[i], int32(0)
		t.forEachInput(o, func(slot int32) { level = max(level, levelOf[slot]) })
		if !o.isGather() {
			level++
		}
		for s := o.out; s < o.out+o.n; s++ {
			levelOf[s] = level
		}
		if !marks[i] {
			continue
		}
		for len(ops) <= int(level) {
			ops = append(ops, nil)
		}
		ops[level] = append(ops[level], i)
	}
	return ops
}

// merge adds one operation for several operations of one code, and records the new values of their results in moved.
func (b *Builder) merge(old *Tape, ops []*op, moved []Scalar) {
	o := ops[0]
	at := func(slot int32) Scalar {
		if slot < 0 {
			return Const(old.constants[^slot])
		}
		return moved[slot]
	}

	// A gather operation only renames values.
	if o.isGather() {
		for i, slot := range old.indices[o.p-1 : o.p-1+o.n] {
			moved[o.out+int32(i)] = at(slot)
		}
		return
	}

	// Concatenate the arguments.
	var args [3][]Scalar
	for k := range o.code.arity() {
		for _, o := range ops {
			a, n := o.args[k], o.length(k)
			if !a.vector && len(ops) == 1 {
				n = 1
			}
			for i := range n {
				if !a.vector {
					i = 0
				}
				args[k] = append(args[k], at(a.slot+slotOffset(i, a.slot)))
			}
		}
	}

	// Add the operation and record the results.
	var results []Scalar
	if o.code.elementwise() {
		results = b.Map(o.code, args[:o.code.arity()]...)
	} else {
		results = b.shaped(op{code: o.code, n: o.n, p: o.p, q: o.q, r: o.r}, args[:o.code.arity()]...)
	}
	for _, o := range ops {
		copy(moved[o.out:o.out+o.n], results)
		results = results[min(int(o.n), len(results)):]
	}
}

// slotOffset returns the offset of element i: slots of constants are negative and decrease.
func slotOffset(i, slot int32) int32 {
	if slot < 0 {
		return -i
	}
	return i
}
