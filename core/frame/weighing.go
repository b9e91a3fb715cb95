package frame

import "logzlab/core/wire"

// Weighing is what particles that are weighed and resampled show beside their rows: sequential Monte Carlo along
// temperatures, and resample-move.
type Weighing struct {
	// Phase is what just happened to the rows: "init", "reweight", "generate", "resample", "move" or "augment".
	Phase string
	// Rule is the name of the resampling scheme.
	Rule string
	// ESS is the effective sample size of the weights as a share of the particles, Threshold the share below which they
	// are resampled.
	ESS, Threshold float32
	// LogZ is log Z so far, by the weights of this island alone (nats).
	LogZ float64
	// At numbers the frame within its island, and Before is the number of the frame that its Parents refer to, -1 for
	// none: a reader who has not seen that one knows no parents.
	At, Before int
}

func (x *Weighing) append(w *wire.Writer) {
	w.Bool(x != nil)
	if x == nil {
		return
	}
	w.String(x.Phase)
	w.String(x.Rule)
	w.Float32(x.ESS)
	w.Float32(x.Threshold)
	w.Float(x.LogZ)
	w.Int(x.At)
	w.Int(x.Before)
}

func readWeighing(r *wire.Reader) *Weighing {
	if !r.Bool() {
		return nil
	}
	return &Weighing{Phase: r.String(), Rule: r.String(), ESS: r.Float32(), Threshold: r.Float32(), LogZ: r.Float(),
		At: r.Int(), Before: r.Int()}
}
