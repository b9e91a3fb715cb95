package render

// leader is the lane that a scene of one lane at a time shows.
type leader struct {
	first, rows int
	seen        float64 // seconds: of its newest frame
}

// chooseLeader lets a lane lead until it has come to the target, or has been silent for a second.
func (w *wall) chooseLeader(first, rows int, now float64) {
	l := &w.leader
	if l.rows > 0 && first != l.first && now-l.seen < 1 && l.first < len(w.slots) && w.slots[l.first].beta != 1 {
		return
	}
	*l = leader{first, rows, now}
}

// value is coordinate k of a row, on the way from where it was.
func (s *slot) value(k int, now float64, still bool) float64 {
	to := float64(s.values[k])
	if len(s.valuesBefore) != len(s.values) {
		return to
	}
	f := s.progress
	if s.lane != nil {
		if f = 1; !still && s.lane.glide > 0 {
			f = min(max((now-s.lane.since)/s.lane.glide, 0), 1)
		}
	}
	from := float64(s.valuesBefore[k])
	return from + (to-from)*f
}

// named tells whether the rows of a wall have named coordinates.
func named(w *wall) bool { return w.parameters != nil }
