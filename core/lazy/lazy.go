package lazy

import "sync"

// Value holds a value that Get computes on first use. If the computation panics, as it does when the work is cancelled
// (meter.Stopped), the next Get computes it again.
type Value[T any] struct {
	mu   sync.Mutex
	made bool
	x    T
}

// Get returns the value; the first call computes it with make. It is safe for concurrent use.
func (l *Value[T]) Get(make func() T) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		l.x, l.made = make(), true
	}
	return l.x
}

// Of returns a function that computes make's value once and returns it from then on. Unlike sync.OnceValue, which
// panics on each later call, it calls make again if make panicked.
func Of[T any](make func() T) func() T {
	l := &Value[T]{}
	return func() T { return l.Get(make) }
}
