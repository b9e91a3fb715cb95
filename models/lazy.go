package models

import "sync"

// lazy is a value that is made when it is first asked for. If that panics, as it does where nobody wants it any more
// (meter.Stopped), it is made anew the next time.
type lazy[T any] struct {
	mu   sync.Mutex
	made bool
	x    T
}

func (l *lazy[T]) get(make func() T) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		l.x, l.made = make(), true
	}
	return l.x
}
