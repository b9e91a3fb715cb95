package derived

import "logzlab/wasm/page/state"

// Probes are computations between runs, each while a scene that shows it is on show. They change no result.
type Probes struct {
	noise       noise
	starts      starts
	means       exactMeans
	unresampled unresampled
}

// Advance advances the computations for a short time, and reports whether there are new values.
func (p *Probes) Advance(s *state.Snapshot, now func() float64) (hasNews bool) {
	return p.noise.advance(s, now) || p.starts.advance(s, now) || p.means.advance(s, now) || p.unresampled.advance(s, now)
}

// FillIn fills in the values for the current model.
func (p *Probes) FillIn(s *state.Snapshot) {
	s.Noise = p.noise.frame(s)
	if s.Model == nil {
		return
	}
	if p.starts.model == s.Model {
		s.Starts = p.starts.found
	}
	if p.unresampled.of == s.Model && p.unresampled.next == nil {
		s.Unresampled = p.unresampled.found
	}
	if p.means.model == s.Model {
		s.Means = p.means.means
	}
}
