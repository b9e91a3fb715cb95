package lazy

import "sync"

// Value is a value that is made when it is first asked for. If that panics, as it does where nobody wants it any more
// (meter.Stopped), it is made anew the next time.
type Value[T any] struct {
	mu   sync.Mutex
	made bool
	x    T
}

// Get is the value; make makes it the first time.
func (l *Value[T]) Get(make func() T) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		l.x, l.made = make(), true
	}
	return l.x
}

// Of is a function that gives the value of make. Unlike sync.OnceValue, which would panic for ever, it makes the value
// anew after a make that was given up.
func Of[T any](make func() T) func() T {
	l := &Value[T]{}
	return func() T { return l.Get(make) }
}
