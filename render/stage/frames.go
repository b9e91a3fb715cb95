package stage

import (
	"slices"

	"logzlab/core/frame"
	"logzlab/render/record"
)

// Take adds a frame. f is kept and must not change any more.
func (s *Stage) Take(f *frame.Frame) {
	s.Change(func() {
		s.Run.Now = s.Seconds()
		if s.Waits {
			s.Pending = append(s.Pending, f)
			if n := len(s.Pending); n > maxPending { // of frames without particles the newest say it all
				s.Pending = slices.Delete(s.Pending, 0, n-maxPending)
			}
			if record.HasRows(f) {
				s.clear()
			}
			return
		}
		s.Add(f)
	})
}

// maxPending bounds the frames that wait for the first particles of the next run.
const maxPending = 64

// Add gives a frame to the record and to all scenes, at the time of the last frame or painting.
func (s *Stage) Add(f *frame.Frame) {
	s.Run.Take(f)
	for _, scene := range s.Scenes {
		scene.Take(f)
	}
}

// Reset forgets all frames; what the viewer chose stays.
func (s *Stage) Reset() {
	s.Change(func() {
		s.Pending = nil
		s.clear()
	})
}

// Renew forgets all frames when those of the next run have particles to show; until then the picture stays.
func (s *Stage) Renew() { s.Change(func() { s.Waits, s.Pending = true, nil }) }

// clear forgets all frames and takes those that wait.
func (s *Stage) clear() {
	s.Run.Clear()
	for _, scene := range s.Scenes {
		scene.Clear()
	}
	if s.Cleared != nil {
		s.Cleared()
	}
	pending := s.Pending
	s.Waits, s.Pending = false, nil
	for _, f := range pending {
		s.Add(f)
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
	s.Change(func() {
		for _, scene := range s.Scenes {
			if d, ok := scene.(drawer); ok {
				d.SetDrawing(can && err == nil, fixed)
			}
		}
	})
}

// Draws reports whether a finger on the picture draws, and must not scroll.
func (s *Stage) Draws() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.draws()
}

func (s *Stage) draws() bool {
	d, ok := s.Shown().(drawer)
	return ok && d.Draws()
}
