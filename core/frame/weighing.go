package frame

import "logzlab/core/wire"

// Weighing is shown by particle methods that weigh and resample, in addition to their rows: sequential Monte Carlo
// along temperatures, and resample-move.
type Weighing struct {
	// Phase is the last operation on the rows: "init", "reweight", "generate", "resample", "move" or "augment".
	Phase string
	// Rule is the name of the resampling scheme.
	Rule string
	// ESS is the effective sample size of the weights divided by the number of particles, Threshold the value below which
	// they are resampled.
	ESS, Threshold float32
	// LogZ is the estimate of log Z so far (nats) by this island alone.
	LogZ float64
	// At is the number of the frame within its island, and Before the number of the frame that its Parents refer to, -1
	// for none. A receiver that has not seen frame Before must ignore Parents.
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
