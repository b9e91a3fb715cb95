package estimators

import "logzlab/core/frame"

// rowCodec encodes and decodes rows: a models.Population or models.Particles.
type rowCodec interface {
	Append(row int, w *frame.Writer)
	Load(row int, r *frame.Reader)
}

// saveIsland encodes the rows of an island, each after its log weight.
func saveIsland(w *frame.Writer, logw []float64, rows rowCodec) {
	for r, x := range logw {
		w.Float(x)
		rows.Append(r, w)
	}
}

// loadIsland decodes what saveIsland has written, as many rows as logw has.
func loadIsland(in *frame.Reader, logw []float64, rows rowCodec) {
	for r := range logw {
		logw[r] = in.Float()
		rows.Load(r, in)
	}
}
