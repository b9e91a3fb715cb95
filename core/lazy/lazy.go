package lazy

import "sync"

// Value holds a value that Get computes on first use. If the computation panics, for example because the user cancelled
// it (meter.Stopped), the next Get computes the value again.
type Value[T any] struct {
	mu     sync.Mutex
	isMade bool
	value  T
}

// Get returns the value; the first call computes it with make. It is safe for concurrent use.
func (l *Value[T]) Get(make func() T) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isMade {
		l.value, l.isMade = make(), true
	}
	return l.value
}

// Of returns a function that calls make once and returns its value in every call. If make panics, the next call of the
// function calls make again; a function of sync.OnceValue would panic in every later call.
func Of[T any](make func() T) func() T {
	l := &Value[T]{}
	return func() T { return l.Get(make) }
}
