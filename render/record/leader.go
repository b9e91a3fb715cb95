package record

// leader is the lane that a scene of one lane at a time shows.
type leader struct {
	First, Rows int
	seen        float64 // seconds: of its newest frame
}

// chooseLeader lets a lane lead until it has come to the target, or has been silent for a second.
func (w *Particles) chooseLeader(first, rows int, now float64) {
	l := &w.Leader
	if l.Rows > 0 && first != l.First && now-l.seen < 1 && l.First < len(w.Slots) && w.Slots[l.First].Beta != 1 {
		return
	}
	*l = leader{first, rows, now}
}

// Value is coordinate k of a row, on the way from where it was.
func (s *Slot) Value(k int, now float64, still bool) float64 {
	to := float64(s.Values[k])
	if len(s.ValuesBefore) != len(s.Values) {
		return to
	}
	f := s.progress
	if s.Lane != nil {
		if f = 1; !still && s.Lane.glide > 0 {
			f = min(max((now-s.Lane.since)/s.Lane.glide, 0), 1)
		}
	}
	from := float64(s.ValuesBefore[k])
	return from + (to-from)*f
}

// Named reports whether the particles have named coordinates.
func Named(w *Particles) bool { return w.Parameters != nil }
