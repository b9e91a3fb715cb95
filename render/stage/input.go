package stage

import (
	"math"

	"logzlab/render/paint"
)

// What the viewer does with pointer and keys.

// Point tells where the pointer is, in pixels of the page. A finger that has gone down
// does nothing until it is clear that it does not scroll the page.
func (s *Stage) Point(x, y float64) {
	if s.scrolls(x, y) {
		return
	}
	s.Change(func() {
		s.Pointer = &paint.Point{X: x * s.Scale, Y: y * s.Scale}
		if s.drag != nil {
			s.drag.Do(*s.Pointer)
		}
	})
}

// sideways is how far a finger goes sideways, and rather so than up or down, before it
// drags.
const sideways = 6

// scrolls tells whether a finger at a place may yet scroll the page.
func (s *Stage) scrolls(x, y float64) bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.finger == nil {
		return false
	}
	dx, dy := math.Abs(x-s.finger.X), math.Abs(y-s.finger.Y)
	if s.drag == nil || dx < sideways || dx < dy {
		return true
	}
	s.finger, s.held = nil, true
	return false
}

// Press tells that the pointer went down: what can be dragged follows it until
// Release; a finger drags once it has gone sideways, unless it has grabbed something, which Press reports.
func (s *Stage) Press(x, y float64, finger bool) (grabbed bool) {
	s.Change(func() {
		at := paint.Pt(x*s.Scale, y*s.Scale)
		finger = finger && !s.draws() // which it does at once
		if s.finger, s.held = nil, false; finger {
			s.finger = &paint.Point{X: x, Y: y}
		}
		s.pressed = false
		for i := range s.Taps {
			if t := &s.Taps[i]; t.Action.Drag && !grabbed && t.Box.Contains(at) {
				do := t.Action
				s.drag = &do
				if grabbed = do.Grab; grabbed {
					s.finger, s.held = nil, finger
				}
				if grabbed || !finger {
					do.Do(at)
					s.pressed = true
				}
			}
		}
	})
	return grabbed
}

// Release ends a drag, or tells that the finger scrolls the page. A finger that has
// dragged points at nothing any more.
func (s *Stage) Release() {
	news := ""
	s.Change(func() {
		if s.drag != nil && s.drag.End != nil {
			s.drag.End()
		}
		news = s.Shown().TakeEdit()
		if s.held {
			s.Pointer = nil
		}
		s.drag, s.finger, s.held = nil, nil, false
	})
	s.tellNews(news)
}

// tellNews tells the page of a change that the viewer made by hand, if there is one.
func (s *Stage) tellNews(news string) {
	if news != "" && s.Drew != nil {
		s.Drew(news)
	}
}

// Key offers a key to the scene; it reports whether the scene took it.
func (s *Stage) Key(name string) (taken bool) {
	text, news := "", ""
	s.Change(func() {
		if taken = s.Shown().Key(name); taken {
			text = s.Shown().Describe(&paint.Area{Words: s.Words})
		}
		news = s.Shown().TakeEdit()
	})
	if text != "" && s.Said != nil {
		s.Said(text)
	}
	s.tellNews(news)
	return taken
}

// Leave tells that the pointer is off the canvas.
func (s *Stage) Leave() {
	if s.pointed() {
		s.Change(func() { s.Pointer = nil })
	}
}

func (s *Stage) pointed() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Pointer != nil
}

// Tap does what is at the place, and reads there as a pointer would.
func (s *Stage) Tap(x, y float64) {
	s.Point(x, y)
	news := ""
	s.Change(func() {
		at := paint.Pt(x*s.Scale, y*s.Scale)
		for _, do := range paint.TapAt(s.Taps, at) {
			if do.Drag && s.pressed {
				continue // done when the pointer went down
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
		news = s.Shown().TakeEdit()
	})
	s.tellNews(news)
}
