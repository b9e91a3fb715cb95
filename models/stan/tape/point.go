package tape

import "sync"

// Points evaluates a tape at points, one or a few at once. Its methods may be called by goroutines at the same time.
type Points struct {
	t    *Tape
	most int
	idle sync.Pool
}

// Points makes a Points.
func (t *Tape) Points() *Points {
	n := max(1, min(mostPoints, mostNumbers/max(t.Slots(), 1)))
	return &Points{t, n, sync.Pool{New: func() any { return t.Evaluator(n) }}}
}

// Points at once: more cost little less each, and the numbers and slopes of all have to stay in a cache.
const (
	mostPoints  = 16
	mostNumbers = 16384
)

// AtOnce is how many points Slopes takes, at most.
func (p *Points) AtOnce() int { return p.most }

// Slopes sets out and logF to gradients and log densities at n points, by rows.
func (p *Points) Slopes(x []float64, n int, out, logF []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, n)
	m.Slope(out)
	for r := range n {
		logF[r] = m.Target(r)
	}
}

// LogF is the log density at x.
func (p *Points) LogF(x []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	return m.Target(0)
}

// Slope sets out to the gradient at x, and returns the log density.
func (p *Points) Slope(x, out []float64) float64 {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	m.Slope(out)
	return m.Target(0)
}

// Show sets out to what is shown of x.
func (p *Points) Show(x, out []float64) {
	m := p.idle.Get().(*Evaluator)
	defer p.idle.Put(m)
	m.Show(x, out)
}
