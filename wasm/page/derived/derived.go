package derived

import "logzlab/wasm/page/state"

// Probes are computations between runs, each while a scene that shows it is on show. They change no result.
type Probes struct {
	noise       noise
	starts      starts
	means       exactMeans
	unresampled unresampled
}

// Try advances them for a moment, and reports whether there are new values.
func (p *Probes) Try(s *state.Snapshot, now func() float64) (news bool) {
	return p.noise.try(s, now) || p.starts.try(s, now) || p.means.try(s, now) || p.unresampled.try(s, now)
}

// Tell fills in the values for the current model.
func (p *Probes) Tell(s *state.Snapshot) {
	s.Noise = p.noise.frame(s)
	if s.Model == nil {
		return
	}
	if p.starts.of == s.Model {
		s.Starts = p.starts.found
	}
	if p.unresampled.of == s.Model && p.unresampled.next == nil {
		s.Unresampled = p.unresampled.found
	}
	if p.means.of == s.Model {
		s.Means = p.means.found
	}
}
