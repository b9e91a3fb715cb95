package stage

import (
	"math"

	"logzlab/render/paint"
)

// Point moves the pointer to (x, y), in CSS pixels. A finger that went down is ignored until it is clear that it does
// not scroll the page.
func (s *Stage) Point(x, y float64) {
	if s.mayScroll(x, y) {
		return
	}
	s.Change(func() {
		s.Pointer = &paint.Point{X: x * s.Scale, Y: y * s.Scale}
		if s.drag != nil {
			s.drag.Do(*s.Pointer)
		}
	})
}

// dragThreshold is the horizontal distance in CSS pixels after which a finger drags instead of scrolling the page. The
// vertical distance must be smaller.
const dragThreshold = 6

// mayScroll reports whether a finger at (x, y) may still scroll the page.
func (s *Stage) mayScroll(x, y float64) bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.finger == nil {
		return false
	}
	dx, dy := math.Abs(x-s.finger.X), math.Abs(y-s.finger.Y)
	if s.drag == nil || dx < dragThreshold || dx < dy {
		return true
	}
	s.finger, s.fingerDrags = nil, true
	return false
}

// Press starts a press at (x, y), in CSS pixels. Anything that can be dragged follows the pointer until Release. A
// finger starts to drag after dragThreshold, or at once if it hits something with Grab; Press reports the latter.
func (s *Stage) Press(x, y float64, finger bool) (grabbed bool) {
	s.Change(func() {
		at := paint.Pt(x*s.Scale, y*s.Scale)
		finger = finger && !s.canDraw() // the finger draws at once
		if s.finger, s.fingerDrags = nil, false; finger {
			s.finger = &paint.Point{X: x, Y: y}
		}
		s.pressActed = false
		for i := range s.Taps {
			if t := &s.Taps[i]; t.Action.Drag && !grabbed && t.Box.Contains(at) {
				do := t.Action
				s.drag = &do
				if grabbed = do.Grab; grabbed {
					s.finger, s.fingerDrags = nil, finger
				}
				if grabbed || !finger {
					do.Do(at)
					s.pressActed = true
				}
			}
		}
	})
	return grabbed
}

// Release ends a press. After a drag with a finger there is no pointer until the next touch.
func (s *Stage) Release() {
	edit := ""
	s.Change(func() {
		if s.drag != nil && s.drag.End != nil {
			s.drag.End()
		}
		edit = s.CurrentScene().TakeEdit()
		if s.fingerDrags {
			s.Pointer = nil
		}
		s.drag, s.finger, s.fingerDrags = nil, nil, false
	})
	s.reportEdit(edit)
}

// reportEdit passes a change made by hand to OnEdit, unless it is empty.
func (s *Stage) reportEdit(edit string) {
	if edit != "" && s.OnEdit != nil {
		s.OnEdit(edit)
	}
}

// Key passes a key to the current scene and reports whether the scene used it.
func (s *Stage) Key(name string) (used bool) {
	text, edit := "", ""
	s.Change(func() {
		if used = s.CurrentScene().Key(name); used {
			text = s.CurrentScene().Describe(&paint.Area{Words: s.Words})
		}
		edit = s.CurrentScene().TakeEdit()
	})
	if text != "" && s.OnDescribe != nil {
		s.OnDescribe(text)
	}
	s.reportEdit(edit)
	return used
}

// Leave removes the pointer from the canvas.
func (s *Stage) Leave() {
	if s.hasPointer() {
		s.Change(func() { s.Pointer = nil })
	}
}

func (s *Stage) hasPointer() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Pointer != nil
}

// Tap executes the actions at (x, y), in CSS pixels, and moves the pointer there.
func (s *Stage) Tap(x, y float64) {
	s.Point(x, y)
	edit := ""
	s.Change(func() {
		at := paint.Pt(x*s.Scale, y*s.Scale)
		for _, do := range paint.TapAt(s.Taps, at) {
			if do.Drag && s.pressActed {
				continue // Press has executed it
			}
			if do.Method != "" {
				s.Run.Chosen = do.Method
			}
			if do.Do != nil {
				do.Do(at)
			}
			if do.End != nil {
				do.End()
			}
		}
		edit = s.CurrentScene().TakeEdit()
	})
	s.reportEdit(edit)
}
