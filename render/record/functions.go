package record

import "logzlab/core/frame"

// view is the newest sight of random functions of one lane.
type view struct {
	latent *frame.Latent
	LogW   []float32
	first  int
	when   float64
	Reach  float64
}

// look takes a sight of functions. Lanes report at their own pace: one stays on show
// until it has been silent for a second.
func (w *Particles) look(f *frame.Frame, now float64) {
	s := &w.Seen
	if s.latent != nil && f.First != s.first && now-s.when < 1 {
		return
	}
	is := Island{Reach: s.Reach}
	is.stretch(f.Latent.Values)
	*s = view{f.Latent, f.LogW, f.First, now, is.Reach}
}

// Latent is the newest random functions of a method, nil if there is none.
func (w *Particles) Latent() *frame.Latent {
	if is := w.Island(); is != nil && is.Latent != nil {
		return is.Latent
	}
	return w.Seen.latent
}
