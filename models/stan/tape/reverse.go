package tape

// Slope sets out to the gradient of the log density at the points of the last Eval, by rows: the chain rule from the
// last operation to the first.
func (m *Evaluator) Slope(out []float64) {
	n, t := m.n, m.t
	if m.adj == nil {
		m.adj = make([]float64, int(t.slots)*m.most)
	}
	clear(m.adj[:int(t.slots)*n])
	if t.target >= 0 {
		fill(m.adj[int(t.target)*n:int(t.target+1)*n], 1)
	}
	for i := t.cut - 1; i >= 0; i-- {
		m.back(&t.ops[i])
	}
	dim := int(t.dim)
	for r := range n {
		for i := range dim {
			out[r*dim+i] = m.adj[i*n+r]
		}
	}
}

// back adds to the derivatives by the arguments of an operation what those by its result mean.
func (m *Evaluator) back(o *op) {
	n := m.n
	out, dout := m.vals[int(o.out)*n:int(o.out+o.n)*n], m.adj[int(o.out)*n:int(o.out+o.n)*n]
	switch {
	case o.list():
		for i, place := range m.t.list[o.p-1 : o.p-1+o.n] {
			if place >= 0 {
				to := m.adj[int(place)*n : int(place+1)*n]
				for r, g := range dout[i*n : (i+1)*n] {
					to[r] += g
				}
			}
		}
	case o.code.byElement():
		var args, slopes [3][]float64
		for i := range o.code.arity() {
			args[i], slopes[i] = m.operand(o, i), m.slopeOf(o, i)
		}
		if slopes[0] == nil && slopes[1] == nil && slopes[2] == nil { // of constants, which a compiler folds
			return
		}
		slope(o.code, out, dout, args[0], args[1], args[2], slopes[0], slopes[1], slopes[2])
		for i := range o.code.arity() {
			m.gatherSlope(o, i, slopes[i])
		}
	default:
		m.shapedBack(o, out, dout)
	}
}

// slopeOf is where the derivatives by an argument are to be added, nil for a constant. Of one element that goes with
// many, they are added to scratch, and gatherSlope adds them up.
func (m *Evaluator) slopeOf(o *op, i int) []float64 {
	a := o.args[i]
	if a.at < 0 {
		return nil
	}
	if length := o.length(i); a.wide || length == 1 {
		return m.adj[int(a.at)*m.n : int(a.at+length)*m.n]
	}
	out := m.room(3+i, int(o.n)*m.n)
	clear(out)
	return out
}

func (m *Evaluator) gatherSlope(o *op, i int, slopes []float64) {
	a, n := o.args[i], m.n
	if a.at < 0 || a.wide || o.length(i) == 1 {
		return
	}
	to := m.adj[int(a.at)*n : int(a.at+1)*n]
	for k := 0; k < len(slopes); k += n {
		for r, g := range slopes[k : k+n] {
			to[r] += g
		}
	}
}
