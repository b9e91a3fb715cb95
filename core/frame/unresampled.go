package frame

import "logzlab/core/wire"

// Unresampled has the weights of particles that are never resampled: a small run beside a run that resamples. Shares
// has for each inverse temperature the share of the whole weight that each of N particles has.
type Unresampled struct {
	N      int
	Beta   []float32
	Shares []float32 // of N particles each
}

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
