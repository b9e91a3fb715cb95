package render

import (
	"slices"

	"logzlab/core/frame"
)

// Take adds a frame. f is kept and must not change any more.
func (s *Stage) Take(f *frame.Frame) {
	s.change(func() {
		s.run.now = s.seconds()
		if s.waits {
			s.pending = append(s.pending, f)
			if n := len(s.pending); n > maxPending { // of frames without particles the newest say it all
				s.pending = slices.Delete(s.pending, 0, n-maxPending)
			}
			if hasRows(f) {
				s.clear()
			}
			return
		}
		s.add(f)
	})
}

// maxPending bounds the frames that wait for the first particles of the next run.
const maxPending = 64

func (s *Stage) add(f *frame.Frame) {
	s.run.Take(f)
	for _, scene := range s.scenes {
		scene.Take(f)
	}
}

// Reset forgets all frames; what the viewer chose stays.
func (s *Stage) Reset() {
	s.change(func() {
		s.pending = nil
		s.clear()
	})
}

// Renew forgets all frames when those of the next run have particles to show; until then the picture stays.
func (s *Stage) Renew() { s.change(func() { s.waits, s.pending = true, nil }) }

// clear forgets all frames and takes those that wait.
func (s *Stage) clear() {
	s.run.clear()
	for _, scene := range s.scenes {
		scene.Clear()
	}
	if s.cleared != nil {
		s.cleared()
	}
	pending := s.pending
	s.waits, s.pending = false, nil
	for _, f := range pending {
		s.add(f)
	}
}

// A drawer is a scene on which pixels can be fixed by hand.
type drawer interface {
	SetDrawing(can bool, fixed frame.Drawing)
	Draws() bool
}

// SetDrawing says whether pixels can be fixed, and which are, as text of a frame.Drawing.
func (s *Stage) SetDrawing(can bool, text string) {
	fixed, err := frame.ReadDrawing(text)
	s.change(func() {
		for _, scene := range s.scenes {
			if d, ok := scene.(drawer); ok {
				d.SetDrawing(can && err == nil, fixed)
			}
		}
	})
}

// Draws reports whether a finger on the picture draws, and must not scroll.
func (s *Stage) Draws() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draws()
}

func (s *Stage) draws() bool {
	d, ok := s.shown().(drawer)
	return ok && d.Draws()
}
