package frame

import "logzlab/core/wire"

// Unresampled has the weights of particles in a small run without resampling, which is shown for comparison with a run
// that resamples.
type Unresampled struct {
	N      int       // number of particles
	Beta   []float32 // inverse temperatures
	Shares []float32 // normalised weights of the N particles at each inverse temperature: len(Beta) x N
}

// maxUnresampled limits N and len(Beta) in decoding.
const maxUnresampled = 1 << 16

func (x *Unresampled) append(w *wire.Writer) {
	w.Bool(x != nil)
	if x == nil {
		return
	}
	w.Int(x.N)
	w.Float32s(x.Beta)
	w.Float32s(x.Shares)
}

func readUnresampled(r *wire.Reader) *Unresampled {
	if !r.Bool() {
		return nil
	}
	x := &Unresampled{N: r.Int(), Beta: r.Float32s(), Shares: r.Float32s()}
	if x.N < 0 || x.N > maxUnresampled || len(x.Beta) > maxUnresampled || len(x.Shares) != x.N*len(x.Beta) {
		r.Fail()
		return nil
	}
	return x
}
