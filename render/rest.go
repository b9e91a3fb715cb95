package render

// Refresh paints once more.
func (s *Stage) Refresh() { s.change(func() {}) }

// Rests reports whether the canvas shows the state, and nothing on it moves.
func (s *Stage) Rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dirty
}
