package frame

import "logzlab/core/wire"

// Training describes the progress of a training run. The rows of the frame are samples of the model.
type Training struct {
	Update, Updates int // number of updates of the parameters so far, and in total
	Best            int // update with the highest validation likelihood so far, 0 if none
	// Points are the likelihoods so far, Checks the results of annealed importance sampling.
	Points []TrainingPoint
	Checks []TrainingCheck
	// Filters has the weights of the first hidden units, M for each hidden unit.
	M       int
	Filters []float32
	// Data has pictures of training data, in the format of Frame.Pixels.
	Data []byte
}

// TrainingPoint has log Z after an update, tracked by tempering, with its standard error, and the mean log-likelihood
// of a row of training and validation data, in nats; NaN if unknown. The standard error of a likelihood is that of log
// Z.
type TrainingPoint struct {
	Update                      int
	LogZ, SE, Train, Validation float64
}

// TrainingCheck is log Z after an update by annealed importance sampling: the estimate with its standard error, and the
// sandwich bounds, in nats.
type TrainingCheck struct {
	Update                  int
	LogZ, SE, Lower, Upper  float64
	TrainMean, ValidateMean float64 // mean log f of the data; subtracting log Z gives the mean log-likelihood
}

const maxFilters = 1 << 22

func (t *Training) append(w *wire.Writer) {
	w.Bool(t != nil)
	if t == nil {
		return
	}
	for _, x := range [...]int{t.Update, t.Updates, t.Best, t.M} {
		w.Int(x)
	}
	WritePoints(w, t.Points)
	WriteChecks(w, t.Checks)
	w.Float32s(t.Filters)
	w.Bytes(t.Data)
}

func readTraining(r *wire.Reader) *Training {
	if !r.Bool() {
		return nil
	}
	t := &Training{Update: r.Int(), Updates: r.Int(), Best: r.Int(), M: r.Int(), Points: ReadPoints(r),
		Checks: ReadChecks(r), Filters: r.Float32s(), Data: r.Bytes()}
	if t.M < 0 || len(t.Filters) > maxFilters || len(t.Filters) > 0 && (t.M == 0 || len(t.Filters)%t.M != 0) {
		r.Fail()
	}
	return t
}

// WritePoints encodes points.
func WritePoints(w *wire.Writer, points []TrainingPoint) {
	w.Uint(uint64(len(points)))
	for _, p := range points {
		w.Int(p.Update)
		for _, x := range [...]float64{p.LogZ, p.SE, p.Train, p.Validation} {
			w.Float(x)
		}
	}
}

// ReadPoints decodes points.
func ReadPoints(r *wire.Reader) (out []TrainingPoint) {
	for range r.Length(33) {
		out = append(out, TrainingPoint{r.Int(), r.Float(), r.Float(), r.Float(), r.Float()})
	}
	return out
}

// WriteChecks encodes checks.
func WriteChecks(w *wire.Writer, checks []TrainingCheck) {
	w.Uint(uint64(len(checks)))
	for _, c := range checks {
		w.Int(c.Update)
		for _, x := range [...]float64{c.LogZ, c.SE, c.Lower, c.Upper, c.TrainMean, c.ValidateMean} {
			w.Float(x)
		}
	}
}

// ReadChecks decodes checks.
func ReadChecks(r *wire.Reader) (out []TrainingCheck) {
	for range r.Length(49) {
		out = append(out, TrainingCheck{r.Int(), r.Float(), r.Float(), r.Float(), r.Float(), r.Float(), r.Float()})
	}
	return out
}
