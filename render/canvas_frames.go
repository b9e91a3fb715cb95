package render

import "logzlab/core/frame"

// Take adds a frame to the picture. f is kept and must not change any more.
func (s *Canvas) Take(f *frame.Frame) {
	s.change(func() {
		now := s.seconds()
		if s.next != nil {
			s.next.now = now
			if s.next.Take(f); len(s.next.walls) == 0 {
				return
			}
			s.begin(s.next)
			s.next = nil
			return
		}
		s.picture.now = now
		s.picture.Take(f)
	})
}

// Reset forgets all frames; what the viewer chose stays.
func (s *Canvas) Reset() {
	s.change(func() {
		s.next = nil
		s.begin(&Picture{})
	})
}

// Renew forgets all frames when those of the next run have rows to show; until then the picture stays.
func (s *Canvas) Renew() { s.change(func() { s.next = &Picture{} }) }

// begin shows a picture in the place of the one on show; what the viewer chose stays.
func (s *Canvas) begin(p *Picture) {
	p.chosen, p.focus, p.lit, p.tiled, p.crowd = s.picture.chosen, s.picture.focus, s.picture.lit, s.picture.tiled,
		s.picture.crowd
	p.run, p.board, p.handSchedule, p.handPrior = s.picture.run, s.picture.board, s.picture.handSchedule,
		s.picture.handPrior
	p.scrubber.opens = s.picture.scrubber.opens
	s.picture = *p
	if s.painter != nil {
		s.painter.Forget()
	}
}
