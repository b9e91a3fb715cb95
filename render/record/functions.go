package record

import "logzlab/core/frame"

// latentView contains the newest random functions of one lane.
type latentView struct {
	latent    *frame.Latent
	LogW      []float32
	first     int
	when      float64
	HalfRange float64
}

// takeLatent stores the random functions of a frame. Lanes report at different rates: the same lane is shown until it
// has been silent for a second.
func (w *Particles) takeLatent(f *frame.Frame, now float64) {
	s := &w.LatentView
	if s.latent != nil && f.First != s.first && now-s.when < 1 {
		return
	}
	is := Island{HalfRange: s.HalfRange}
	is.widenRange(f.Latent.Values)
	*s = latentView{f.Latent, f.LogW, f.First, now, is.HalfRange}
}

// Latent returns the newest random functions of a method, nil if there are none.
func (w *Particles) Latent() *frame.Latent {
	if is := w.Island(); is != nil && is.Latent != nil {
		return is.Latent
	}
	return w.LatentView.latent
}
