package tape

import (
	"math"

	"logzlab/core/num"
)

// Evaluator evaluates a tape at up to so many points at once. Number i of point r stands at vals[i*n+r] where n points
// are evaluated. An Evaluator may not be used by several goroutines at once.
type Evaluator struct {
	t              *Tape
	maxPoints, n   int
	vals, adjoints []float64
	scratches      [6][]float64 // operands of one element, spread out, and their derivatives
	partials       []float64    // partial sums
	matrices       [3][]float64 // matrices of one point
}

// Evaluator makes an Evaluator for at most n points at once.
func (t *Tape) Evaluator(n int) *Evaluator {
	return &Evaluator{t: t, maxPoints: n, vals: make([]float64, int(t.slots)*n)}
}

// Memory is about how many bytes an Evaluator of n points takes.
func (t *Tape) Memory(n int) float64 { return 16 * float64(t.slots) * float64(n) }

// Eval evaluates the log density at n points, by rows, and Target tells them.
func (m *Evaluator) Eval(points []float64, n int) {
	m.start(points, n)
	for i := range m.t.ops[:m.t.targetOps] {
		m.forward(&m.t.ops[i])
	}
}

// Show sets out to what is shown of one point.
func (m *Evaluator) Outputs(point, out []float64) {
	m.start(point, 1)
	for _, i := range m.t.outputOps {
		m.forward(&m.t.ops[i])
	}
	for i, s := range m.t.outputs {
		out[i] = m.value(s.slot, 0)
	}
}

// start puts the coordinates of n points in their places.
func (m *Evaluator) start(points []float64, n int) {
	m.n = n
	dim := int(m.t.dim)
	for r := range n {
		for i, x := range points[r*dim : (r+1)*dim] {
			m.vals[i*n+r] = x
		}
	}
}

// Target is the log density at point r, -Inf where it is no number.
func (m *Evaluator) Target(r int) float64 {
	if x := m.value(m.t.target, r); num.Known(x) {
		return x
	}
	return math.Inf(-1)
}

// at is a number of point r.
func (m *Evaluator) value(place int32, r int) float64 {
	if place < 0 {
		return m.t.constants[^place]
	}
	return m.vals[int(place)*m.n+r]
}

// do does one operation.
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

// gather copies numbers from the places of a list.
func (m *Evaluator) gather(o *op, out []float64) {
	n := m.n
	for i, place := range m.t.indices[o.p-1 : o.p-1+o.n] {
		to := out[i*n : (i+1)*n]
		if place < 0 {
			fill(to, m.t.constants[^place])
			continue
		}
		copy(to, m.vals[int(place)*n:])
	}
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// operand is an argument, spread out to all its elements and points.
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

// room is scratch number i.
func (m *Evaluator) scratch(i, n int) []float64 {
	if len(m.scratches[i]) < n {
		m.scratches[i] = make([]float64, n)
	}
	return m.scratches[i][:n]
}
