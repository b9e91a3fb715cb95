package tape

// Made is the operation that computes a number, and the numbers that the operation reads for it: of an elementwise
// operation one number of each argument; of Sum and LogSumExp all elements; of Dot and MatMul both factors. Copy
// without an argument stands for coordinates and for what has no such numbers, as an element of a Cholesky factor.
func (b *Builder) Operation(x Scalar) (code Code, args [3][]Scalar) {
	at := x.slot - 1
	if at < b.t.dim {
		return Copy, args
	}
	o := &b.t.ops[b.t.producer(at)]
	i := at - o.out
	row := func(first, n, step int32) []Scalar {
		out := make([]Scalar, n)
		for k := range out {
			if place := first + slotOffset(int32(k)*step, first); place < 0 {
				out[k] = Const(b.t.constants[^place])
			} else {
				out[k] = Scalar{slot: place + 1}
			}
		}
		return out
	}
	switch {
	case o.isGather():
		args[0] = row(b.t.indices[o.p-1+i], 1, 1)
	case o.code.elementwise():
		for k := range o.code.arity() {
			first := o.args[k].slot
			if o.args[k].vector {
				first += slotOffset(i, first)
			}
			args[k] = row(first, 1, 1)
		}

	// Reductions, and an element of a product of matrices.
	case o.code == Sum || o.code == LogSumExp || o.code == Dot:
		for k := range o.code.arity() {
			args[k] = row(o.args[k].slot, o.p, 1)
		}
	case o.code == MatMul:
		a, c := o.args[0].slot, o.args[1].slot
		args[0] = row(a+slotOffset(i/o.r*o.q, a), o.q, 1)
		args[1] = row(c+slotOffset(i%o.r, c), o.q, o.r)
	default:
		return Copy, args
	}
	return o.code, args
}

// Compare orders the numbers that a tape computes.
func (s Scalar) Compare(other Scalar) int { return int(s.slot) - int(other.slot) }

// Coordinates are those that numbers depend on.
func (b *Builder) Coordinates(x ...Scalar) map[int]bool {
	out, seen := map[int]bool{}, map[Scalar]bool{}
	var look func(x Scalar)
	look = func(x Scalar) {
		at := x.slot - 1
		switch {
		case at < 0 || seen[x]:
			return
		case at < b.t.dim:
			out[int(at)] = true
			return
		}

		// All that the operation reads.
		seen[x] = true
		code, args := b.Operation(x)
		if code == Copy && len(args[0]) == 0 { // of a matrix as a whole
			b.t.forEachInput(&b.t.ops[b.t.producer(at)], func(at int32) {
				n := int32(1)
				if at >= b.t.dim {
					o := &b.t.ops[b.t.producer(at)]
					n = o.out + o.n - at
				}
				for _, s := range b.slotRange(at, int(n)) {
					look(s)
				}
			})
		}
		for _, list := range args {
			for _, s := range list {
				look(s)
			}
		}
	}
	for _, s := range x {
		look(s)
	}
	return out
}
