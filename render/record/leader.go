package record

// leader is the lane shown by scenes that show one lane at a time.
type leader struct {
	First, Rows int
	seen        float64 // time of its newest frame, in seconds
}

// chooseLeader selects the lane of a frame as leader if the current one has reached the target or has sent no frame for
// a second.
func (w *Particles) chooseLeader(first, rows int, now float64) {
	l := &w.Leader
	if l.Rows > 0 && first != l.First && now-l.seen < 1 && l.First < len(w.Slots) && w.Slots[l.First].Beta != 1 {
		return
	}
	*l = leader{first, rows, now}
}

// GlidingValue returns coordinate k of a row, interpolated from the previous frame during the animation.
func (s *Slot) GlidingValue(k int, now float64, still bool) float64 {
	to := float64(s.Values[k])
	if len(s.ValuesBefore) != len(s.Values) {
		return to
	}
	f := s.progress
	if s.Lane != nil {
		if f = 1; !still && s.Lane.glideTime > 0 {
			f = min(max((now-s.Lane.glideStart)/s.Lane.glideTime, 0), 1)
		}
	}
	from := float64(s.ValuesBefore[k])
	return from + (to-from)*f
}

// HasParameters reports whether the particles have named coordinates.
func HasParameters(w *Particles) bool { return w.Parameters != nil }
