package tape

import "sync"

// Points evaluates a tape at single points. Its methods may be called by goroutines at the same time.
type Points struct {
	t    *Tape
	idle sync.Pool
}

// Points makes a Points.
func (t *Tape) Points() *Points {
	return &Points{t, sync.Pool{New: func() any { return t.Machine(1) }}}
}

// LogF is the log density at x.
func (p *Points) LogF(x []float64) float64 {
	m := p.idle.Get().(*Machine)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	return m.Target(0)
}

// Slope sets out to the gradient at x, and returns the log density.
func (p *Points) Slope(x, out []float64) float64 {
	m := p.idle.Get().(*Machine)
	defer p.idle.Put(m)
	m.Eval(x, 1)
	m.Slope(out)
	return m.Target(0)
}

// Show sets out to what is shown of x.
func (p *Points) Show(x, out []float64) {
	m := p.idle.Get().(*Machine)
	defer p.idle.Put(m)
	m.Show(x, out)
}
