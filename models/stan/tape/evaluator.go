package tape

import (
	"math"

	"logzlab/core/num"
)

// Evaluator evaluates a tape at up to so many points at once. Number i of point r stands at vals[i*n+r] where n points
// are evaluated. An Evaluator may not be used by several goroutines at once.
type Evaluator struct {
	t         *Tape
	most, n   int
	vals, adj []float64
	rooms     [6][]float64 // operands of one element, spread out, and their derivatives
	lanes     []float64    // partial sums
	square    [3][]float64 // matrices of one point
}

// Evaluator makes an Evaluator for at most n points at once.
func (t *Tape) Evaluator(n int) *Evaluator {
	return &Evaluator{t: t, most: n, vals: make([]float64, int(t.slots)*n)}
}

// Memory is about how many bytes an Evaluator of n points takes.
func (t *Tape) Memory(n int) float64 { return 16 * float64(t.slots) * float64(n) }

// Eval evaluates the log density at n points, by rows, and Target tells them.
func (m *Evaluator) Eval(points []float64, n int) {
	m.start(points, n)
	for i := range m.t.ops[:m.t.cut] {
		m.do(&m.t.ops[i])
	}
}

// Show sets out to what is shown of one point.
func (m *Evaluator) Show(point, out []float64) {
	m.start(point, 1)
	for _, i := range m.t.forShown {
		m.do(&m.t.ops[i])
	}
	for i, s := range m.t.shown {
		out[i] = m.at(s.at, 0)
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
	if x := m.at(m.t.target, r); num.Known(x) {
		return x
	}
	return math.Inf(-1)
}

// at is a number of point r.
func (m *Evaluator) at(place int32, r int) float64 {
	if place < 0 {
		return m.t.numbers[^place]
	}
	return m.vals[int(place)*m.n+r]
}

// do does one operation.
func (m *Evaluator) do(o *op) {
	out := m.vals[int(o.out)*m.n : int(o.out+o.n)*m.n]
	switch {
	case o.list():
		m.gather(o, out)
	case o.code.byElement():
		var args [3][]float64
		for i := range o.code.arity() {
			args[i] = m.operand(o, i)
		}
		forward(o.code, out, args[0], args[1], args[2])
	default:
		m.shaped(o, out)
	}
}

// gather copies numbers from the places of a list.
func (m *Evaluator) gather(o *op, out []float64) {
	n := m.n
	for i, place := range m.t.list[o.p-1 : o.p-1+o.n] {
		to := out[i*n : (i+1)*n]
		if place < 0 {
			fill(to, m.t.numbers[^place])
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
	if a.at >= 0 && (a.wide || length == 1) {
		return m.vals[int(a.at)*n : (int(a.at)+length)*n]
	}
	if a.at < 0 && n == 1 && (a.wide || length == 1) {
		return m.t.numbers[^a.at : int(^a.at)+length]
	}
	out := m.room(i, length*n)
	switch {
	case a.at >= 0:
		one := m.vals[int(a.at)*n : int(a.at+1)*n]
		for k := 0; k < len(out); k += n {
			copy(out[k:], one)
		}
	case !a.wide:
		fill(out, m.t.numbers[^a.at])
	default:
		for k, v := range m.t.numbers[^a.at : int(^a.at)+length] {
			fill(out[k*n:(k+1)*n], v)
		}
	}
	return out
}

// room is scratch number i.
func (m *Evaluator) room(i, n int) []float64 {
	if len(m.rooms[i]) < n {
		m.rooms[i] = make([]float64, n)
	}
	return m.rooms[i][:n]
}
