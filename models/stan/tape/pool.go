package tape

import "sync"

// EvaluatorPool evaluates a tape at one or a few points. Goroutines may call its methods concurrently.
type EvaluatorPool struct {
	t    *Tape
	max  int
	idle sync.Pool
}

// EvaluatorPool returns a pool of evaluators.
func (t *Tape) EvaluatorPool() *EvaluatorPool {
	n := max(1, min(maxPoints, maxValues/max(t.NumSlots(), 1)))
	return &EvaluatorPool{t, n, sync.Pool{New: func() any { return t.Evaluator(n) }}}
}

// Limits of the number of points evaluated at once. More points bring little gain, and the values and adjoints of all
// points should fit into a cache.
const (
	maxPoints = 16
	maxValues = 16384
)

// MaxPoints returns the largest number of points for Gradients.
func (p *EvaluatorPool) MaxPoints() int { return p.max }

// Gradients sets out and logF to gradients and log densities at n points stored by rows.
func (p *EvaluatorPool) Gradients(x []float64, n int, out, logF []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, n)
	m.Gradient(out)
	for r := range n {
		logF[r] = m.Target(r)
	}
}

// LogF returns the log density at x.
func (p *EvaluatorPool) LogF(x []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	return m.Target(0)
}

// Gradient sets out to the gradient at x and returns the log density.
func (p *EvaluatorPool) Gradient(x, out []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	m.Gradient(out)
	return m.Target(0)
}

// Outputs sets out to the outputs at x.
func (p *EvaluatorPool) Outputs(x, out []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Outputs(x, out)
}
