package frame

import "logzlab/core/wire"

// Weighing describes the weights of particle methods that resample: sequential Monte Carlo along temperatures, and
// resample-move. The particles themselves are the rows of the frame.
type Weighing struct {
	// Phase is the last operation on the rows: "init", "reweight", "generate", "resample", "move" or "augment".
	Phase string
	// Rule is the name of the resampling scheme.
	Rule string
	// ESS is the effective sample size of the weights divided by the number of particles, Threshold the value below which
	// the particles are resampled.
	ESS, Threshold float32
	// LogZ is the estimate of log Z so far (nats) by this island, a population of particles that is resampled separately.
	LogZ float64
	// FrameNumber is the number of the frame within its island, and ParentFrame the number of the frame that Parents
	// refers to, -1 for none. A receiver without frame ParentFrame must ignore Parents.
	FrameNumber, ParentFrame int
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
	w.Int(x.FrameNumber)
	w.Int(x.ParentFrame)
}

func readWeighing(r *wire.Reader) *Weighing {
	if !r.Bool() {
		return nil
	}
	return &Weighing{Phase: r.String(), Rule: r.String(), ESS: r.Float32(), Threshold: r.Float32(), LogZ: r.Float(),
		FrameNumber: r.Int(), ParentFrame: r.Int()}
}
