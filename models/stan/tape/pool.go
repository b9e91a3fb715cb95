package tape

import "sync"

// Points evaluates a tape at points, one or a few at once. Its methods may be called by goroutines at the same time.
type EvaluatorPool struct {
	t    *Tape
	max  int
	idle sync.Pool
}

// Points makes a Points.
func (t *Tape) EvaluatorPool() *EvaluatorPool {
	n := max(1, min(maxPoints, maxValues/max(t.NumSlots(), 1)))
	return &EvaluatorPool{t, n, sync.Pool{New: func() any { return t.Evaluator(n) }}}
}

// Points at once: more cost little less each, and the numbers and slopes of all have to stay in a cache.
const (
	maxPoints = 16
	maxValues = 16384
)

// AtOnce is how many points Slopes takes, at most.
func (p *EvaluatorPool) MaxPoints() int { return p.max }

// Slopes sets out and logF to gradients and log densities at n points, by rows.
func (p *EvaluatorPool) Gradients(x []float64, n int, out, logF []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, n)
	m.Gradient(out)
	for r := range n {
		logF[r] = m.Target(r)
	}
}

// LogF is the log density at x.
func (p *EvaluatorPool) LogF(x []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	return m.Target(0)
}

// Slope sets out to the gradient at x, and returns the log density.
func (p *EvaluatorPool) Gradient(x, out []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	m.Gradient(out)
	return m.Target(0)
}

// Show sets out to what is shown of x.
func (p *EvaluatorPool) Outputs(x, out []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Outputs(x, out)
}
