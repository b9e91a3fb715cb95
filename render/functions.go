package render

import "logzlab/core/frame"

// view is the newest sight of random functions of one lane.
type view struct {
	latent *frame.Latent
	logW   []float32
	first  int
	when   float64
	reach  float64
}

// look takes a sight of functions. Lanes report at their own pace: one stays on show
// until it has been silent for a second.
func (w *wall) look(f *frame.Frame, now float64) {
	s := &w.seen
	if s.latent != nil && f.First != s.first && now-s.when < 1 {
		return
	}
	is := island{reach: s.reach}
	is.stretch(f.Latent.Values)
	*s = view{f.Latent, f.LogW, f.First, now, is.reach}
}

// latent is the newest view of functions of a wall, nil if there is none.
func (w *wall) latent() *frame.Latent {
	if is := w.island(); is != nil && is.latent != nil {
		return is.latent
	}
	return w.seen.latent
}
