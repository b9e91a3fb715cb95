package tape

// Operation returns the code of the operation that computes x, and its arguments for x: one element of each argument of
// an elementwise operation, all elements of Sum and LogSumExp, both factors of Dot and MatMul. It returns Copy without
// arguments for coordinates, and for results such as elements of a Cholesky factor.
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
			if slot := first + slotOffset(int32(k)*step, first); slot < 0 {
				out[k] = Const(b.t.constants[^slot])
			} else {
				out[k] = Scalar{slot: slot + 1}
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

	// Reductions, and elements of matrix products.
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

// Compare orders values by their slots.
func (s Scalar) Compare(other Scalar) int { return int(s.slot) - int(other.slot) }

// Coordinates returns the coordinates on which the values depend.
func (b *Builder) Coordinates(x ...Scalar) map[int]bool {
	out, visited := map[int]bool{}, map[Scalar]bool{}
	var visit func(x Scalar)
	visit = func(x Scalar) {
		at := x.slot - 1
		switch {
		case at < 0 || visited[x]:
			return
		case at < b.t.dim:
			out[int(at)] = true
			return
		}

		// Visit the inputs of the operation.
		visited[x] = true
		code, args := b.Operation(x)
		if code == Copy && len(args[0]) == 0 { // the operation reads a whole matrix
			b.t.forEachInput(&b.t.ops[b.t.producer(at)], func(at int32) {
				n := int32(1)
				if at >= b.t.dim {
					o := &b.t.ops[b.t.producer(at)]
					n = o.out + o.n - at
				}
				for _, s := range b.slotRange(at, int(n)) {
					visit(s)
				}
			})
		}
		for _, list := range args {
			for _, s := range list {
				visit(s)
			}
		}
	}
	for _, s := range x {
		visit(s)
	}
	return out
}
