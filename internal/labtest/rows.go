package labtest

import "logzlab/core/wire"

// Rungs returns the rungs of n rows that are all at rung k.
func Rungs(n, k int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(k)
	}
	return out
}

// Rows is the codec of the rows of models.Population or models.Particles.
type Rows interface {
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}

// SetBits sets the units of row r to the bits of state, lowest first. layers are the numbers of units of the layers.
func SetBits(p Rows, r, state int, layers ...int) {
	var w wire.Writer
	for _, n := range layers {
		x := make([]uint8, n)
		for i := range x {
			x[i] = uint8(state & 1)
			state >>= 1
		}
		w.Bits(x)
	}
	p.Load(r, &wire.Reader{B: w.B})
}

// GetBits is the inverse of SetBits.
func GetBits(p Rows, r int, layers ...int) (state int) {
	var w wire.Writer
	p.Append(r, &w)
	in := wire.Reader{B: w.B}
	at := 0
	for _, n := range layers {
		x := make([]uint8, n)
		in.Bits(x)
		for _, b := range x {
			state |= int(b) << at
			at++
		}
	}
	return state
}

// Point returns the d real coordinates of row r.
func Point(p Rows, r, d int) []float64 {
	var w wire.Writer
	p.Append(r, &w)
	in := wire.Reader{B: w.B}
	x := make([]float64, d)
	for i := range x {
		x[i] = in.Float()
	}
	return x
}

// LogF computes log f of all n rows of p at rungs lo..lo+len(out)-1 and stores the values of row r in out.
func LogF(p interface {
	LogF(lo, n int, out []float64)
}, n, r, lo int, out []float64) {
	k := len(out)
	all := make([]float64, n*k)
	p.LogF(lo, k, all)
	copy(out, all[r*k:])
}
