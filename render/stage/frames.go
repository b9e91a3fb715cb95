package stage

import (
	"slices"

	"logzlab/core/frame"
	"logzlab/render/record"
)

// Take adds a frame. The stage keeps f; the caller must not change it afterwards.
func (s *Stage) Take(f *frame.Frame) {
	s.Change(func() {
		s.Run.Now = s.Seconds()
		if s.AwaitsRows {
			s.Pending = append(s.Pending, f)
			if n := len(s.Pending); n > maxPending { // only the newest frames without particles are needed
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

// maxPending bounds the frames that are kept until the first particles of the next run arrive.
const maxPending = 64

// Add passes a frame to Run and to all scenes. It does not set Run.Now.
func (s *Stage) Add(f *frame.Frame) {
	s.Run.Take(f)
	for _, scene := range s.Scenes {
		scene.Take(f)
	}
}

// Reset discards all frames. The choices of the viewer are kept.
func (s *Stage) Reset() {
	s.Change(func() {
		s.Pending = nil
		s.clear()
	})
}

// ClearOnNextRows discards all frames as soon as the next run sends particles. Until then the old picture stays.
func (s *Stage) ClearOnNextRows() { s.Change(func() { s.AwaitsRows, s.Pending = true, nil }) }

// clear discards all frames and then adds the pending ones.
func (s *Stage) clear() {
	s.Run.Clear()
	for _, scene := range s.Scenes {
		scene.Clear()
	}
	if s.OnClear != nil {
		s.OnClear()
	}
	pending := s.Pending
	s.AwaitsRows, s.Pending = false, nil
	for _, f := range pending {
		s.Add(f)
	}
}

// A clampEditor is a scene on which the viewer can clamp pixels.
type clampEditor interface {
	SetDrawing(can bool, fixed frame.Drawing)
	CanDraw() bool
}

// SetDrawing sets whether the viewer can clamp pixels (allowed) and which pixels are clamped, as the text of a
// frame.Drawing. If the text is invalid, clamping is not allowed.
func (s *Stage) SetDrawing(allowed bool, text string) {
	fixed, err := frame.ReadDrawing(text)
	s.Change(func() {
		for _, scene := range s.Scenes {
			if d, ok := scene.(clampEditor); ok {
				d.SetDrawing(allowed && err == nil, fixed)
			}
		}
	})
}

// CanDraw reports whether a finger on the current scene draws. If it is true, the page must not scroll.
func (s *Stage) CanDraw() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.canDraw()
}

func (s *Stage) canDraw() bool {
	d, ok := s.CurrentScene().(clampEditor)
	return ok && d.CanDraw()
}
