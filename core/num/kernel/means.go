package kernel

// meansAccelerator computes Means with the bits of the Go code.
type meansAccelerator interface {
	means(m *Matrix, x, out []float64)
}

// meansBy makes a meansAccelerator. It is nil, or returns nil, on platforms that have none.
var meansBy func() meansAccelerator

// Means adds to out the rows of m, each times its number of x: what units add to the sums of the other layer that are
// on in part. The numbers of out, as many as Padded(Cols), are summed up in the order of the rows.
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

// addTimes is a function of its own because browsers switch to optimised code only between calls.
//
//go:noinline
func addTimes(out []float64, row []int64, f float64) {
	for j, w := range row {
		lo := int32(w)
		out[2*j] += float64(f * float64(lo))
		out[2*j+1] += float64(f * float64(int32((w-int64(lo))>>32)))
	}
}
