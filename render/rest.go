package render

// Refresh paints once more.
func (s *Canvas) Refresh() { s.change(func() {}) }

// Rests reports whether the canvas shows the state, and nothing on it moves.
func (s *Canvas) Rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dirty
}
