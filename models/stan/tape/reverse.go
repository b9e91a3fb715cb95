package tape

// Gradient sets out to the gradients of the log density at the points of the last Eval, by rows. It runs the reverse
// pass: the chain rule from the last operation to the first.
func (m *Evaluator) Gradient(out []float64) {
	n, t := m.n, m.t
	if m.adjoints == nil {
		m.adjoints = make([]float64, int(t.slots)*m.maxPoints)
	}
	clear(m.adjoints[:int(t.slots)*n])
	if t.target >= 0 {
		fill(m.adjoints[int(t.target)*n:int(t.target+1)*n], 1)
	}
	for i := t.targetOps - 1; i >= 0; i-- {
		m.backward(&t.ops[i])
	}
	dim := int(t.dim)
	for r := range n {
		for i := range dim {
			out[r*dim+i] = m.adjoints[i*n+r]
		}
	}
}

// backward adds the contributions of an operation to the adjoints of its arguments.
func (m *Evaluator) backward(o *op) {
	n := m.n
	out, dout := m.vals[int(o.out)*n:int(o.out+o.n)*n], m.adjoints[int(o.out)*n:int(o.out+o.n)*n]
	switch {
	case o.isGather():
		for i, slot := range m.t.indices[o.p-1 : o.p-1+o.n] {
			if slot >= 0 {
				to := m.adjoints[int(slot)*n : int(slot+1)*n]
				for r, g := range dout[i*n : (i+1)*n] {
					to[r] += g
				}
			}
		}
	case o.code.elementwise():
		var args, adjoints [3][]float64
		for i := range o.code.arity() {
			args[i], adjoints[i] = m.operand(o, i), m.adjointOf(o, i)
		}
		if adjoints[0] == nil && adjoints[1] == nil && adjoints[2] == nil { // all arguments are constant
			return
		}
		backwardElementwise(o.code, out, dout, args[0], args[1], args[2], adjoints[0], adjoints[1], adjoints[2])
		for i := range o.code.arity() {
			m.sumAdjoint(o, i, adjoints[i])
		}
	default:
		m.shapedBackward(o, out, dout)
	}
}

// adjointOf returns the adjoint of argument i, or nil for a constant. For one element used many times it returns
// scratch space, which sumAdjoint sums up.
func (m *Evaluator) adjointOf(o *op, i int) []float64 {
	a := o.args[i]
	if a.slot < 0 {
		return nil
	}
	if length := o.length(i); a.vector || length == 1 {
		return m.adjoints[int(a.slot)*m.n : int(a.slot+length)*m.n]
	}
	out := m.scratch(3+i, int(o.n)*m.n)
	clear(out)
	return out
}

// sumAdjoint adds the scratch adjoints of an element that is used many times.
func (m *Evaluator) sumAdjoint(o *op, i int, adjoint []float64) {
	a, n := o.args[i], m.n
	if a.slot < 0 || a.vector || o.length(i) == 1 {
		return
	}
	to := m.adjoints[int(a.slot)*n : int(a.slot+1)*n]
	for k := 0; k < len(adjoint); k += n {
		for r, g := range adjoint[k : k+n] {
			to[r] += g
		}
	}
}
