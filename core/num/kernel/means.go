package kernel

// meansAccelerator computes Means with the bits of the Go code.
type meansAccelerator interface {
	means(m *Matrix, x, out []float64)
}

// meansBy returns the meansAccelerator. It is nil, or returns nil, on platforms without one.
var meansBy func() meansAccelerator

// Means adds to out the rows of m, each multiplied by its element of x: the inputs of the other layer from units with
// means x. out has length Padded(Cols); rows are added in order.
func (m *Matrix) Means(x, out []float64) {
	if meansBy != nil && !PureGo {
		if by := meansBy(); by != nil {
			by.means(m, x, out)
			return
		}
	}
	m.means(x, out)
}

func (m *Matrix) meansGo(x, out []float64) {
	for r, f := range x {
		if f != 0 {
			addTimes(out[:2*m.words], m.row(int32(r), m.words), f)
		}
	}
}

// addTimes adds f times row to out. It is a separate function because browsers switch to optimised code only between
// calls.
//
//go:noinline
func addTimes(out []float64, row []int64, f float64) {
	for j, w := range row {
		lo := int32(w)
		out[2*j] += float64(f * float64(lo))
		out[2*j+1] += float64(f * float64(int32((w-int64(lo))>>32)))
	}
}
