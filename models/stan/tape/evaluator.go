package tape

import (
	"math"

	"logzlab/core/num"
)

// Evaluator evaluates a tape at up to maxPoints points at once. With n points the value of slot i at point r is
// vals[i*n+r]. An Evaluator must not be used by several goroutines at once.
type Evaluator struct {
	t              *Tape
	maxPoints, n   int
	vals, adjoints []float64
	scratches      [6][]float64 // expanded operands and their adjoints
	partials       []float64    // partial sums
	matrices       [3][]float64 // matrices of one point
}

// Evaluator returns an Evaluator for at most n points.
func (t *Tape) Evaluator(n int) *Evaluator {
	return &Evaluator{t: t, maxPoints: n, vals: make([]float64, int(t.slots)*n)}
}

// Memory returns the approximate memory of an Evaluator for n points, in bytes.
func (t *Tape) Memory(n int) float64 { return 16 * float64(t.slots) * float64(n) }

// Eval runs the forward pass at n points stored by rows. Target then returns the log densities.
func (m *Evaluator) Eval(points []float64, n int) {
	m.start(points, n)
	for i := range m.t.ops[:m.t.targetOps] {
		m.forward(&m.t.ops[i])
	}
}

// Outputs sets out to the outputs at one point.
func (m *Evaluator) Outputs(point, out []float64) {
	m.start(point, 1)
	for _, i := range m.t.outputOps {
		m.forward(&m.t.ops[i])
	}
	for i, s := range m.t.outputs {
		out[i] = m.value(s.slot, 0)
	}
}

// start copies the coordinates of n points into their slots.
func (m *Evaluator) start(points []float64, n int) {
	m.n = n
	dim := int(m.t.dim)
	for r := range n {
		for i, x := range points[r*dim : (r+1)*dim] {
			m.vals[i*n+r] = x
		}
	}
}

// Target returns the log density at point r of the last Eval, and -Inf instead of NaN.
func (m *Evaluator) Target(r int) float64 {
	if x := m.value(m.t.target, r); num.NotNaN(x) {
		return x
	}
	return math.Inf(-1)
}

// value returns the value of a slot at point r.
func (m *Evaluator) value(slot int32, r int) float64 {
	if slot < 0 {
		return m.t.constants[^slot]
	}
	return m.vals[int(slot)*m.n+r]
}

// forward computes one operation.
func (m *Evaluator) forward(o *op) {
	out := m.vals[int(o.out)*m.n : int(o.out+o.n)*m.n]
	switch {
	case o.isGather():
		m.gather(o, out)
	case o.code.elementwise():
		var args [3][]float64
		for i := range o.code.arity() {
			args[i] = m.operand(o, i)
		}
		forwardElementwise(o.code, out, args[0], args[1], args[2])
	default:
		m.shaped(o, out)
	}
}

// gather copies values from a list of slots.
func (m *Evaluator) gather(o *op, out []float64) {
	n := m.n
	for i, slot := range m.t.indices[o.p-1 : o.p-1+o.n] {
		to := out[i*n : (i+1)*n]
		if slot < 0 {
			fill(to, m.t.constants[^slot])
			continue
		}
		copy(to, m.vals[int(slot)*n:])
	}
}

// fill sets all elements of x to v.
func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// operand returns argument i, expanded to all elements and points.
func (m *Evaluator) operand(o *op, i int) []float64 {
	a, n := o.args[i], m.n
	length := int(o.length(i))
	if a.slot >= 0 && (a.vector || length == 1) {
		return m.vals[int(a.slot)*n : (int(a.slot)+length)*n]
	}
	if a.slot < 0 && n == 1 && (a.vector || length == 1) {
		return m.t.constants[^a.slot : int(^a.slot)+length]
	}
	out := m.scratch(i, length*n)
	switch {
	case a.slot >= 0:
		one := m.vals[int(a.slot)*n : int(a.slot+1)*n]
		for k := 0; k < len(out); k += n {
			copy(out[k:], one)
		}
	case !a.vector:
		fill(out, m.t.constants[^a.slot])
	default:
		for k, v := range m.t.constants[^a.slot : int(^a.slot)+length] {
			fill(out[k*n:(k+1)*n], v)
		}
	}
	return out
}

// scratch returns scratch space i of length n.
func (m *Evaluator) scratch(i, n int) []float64 {
	if len(m.scratches[i]) < n {
		m.scratches[i] = make([]float64, n)
	}
	return m.scratches[i][:n]
}
