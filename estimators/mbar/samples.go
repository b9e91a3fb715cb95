package mbar

import (
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/wire"
)

// Samples are states at rungs, and their log densities at all rungs. Samples of chains are thinned evenly, and in the
// order of chains, then sweeps.
type Samples struct {
	Every, EveryChain int     // thinning: one sample per Every kept sweeps, of one chain in EveryChain
	Rung              []int32 // rung of each sample
	Row               []int32 // row of each sample, a chain or a batch of sweeps, counted from 0
	Rows              int     // number of rows
	Batches           int     // number of rows of each chain
	LogF              Floats  // samples x rungs, in nats

	// Used in place of Row, which is then 0, and of LogF: see Given.
	rungs int
	given func(i int, at []int, out []float64)
}

// Floats are encoded as in core/frame. There may be millions of them, so they are sent and read without a copy.
type Floats []byte

// At returns number i.
func (f Floats) At(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(f[8*i:])) }

// With appends numbers.
func (f Floats) With(x ...float64) Floats {
	f = slices.Grow(f, 8*len(x))
	for _, v := range x {
		f = binary.LittleEndian.AppendUint64(f, math.Float64bits(v))
	}
	return f
}

// Load decodes samples from the state of the lane of the fits.
func (s *Samples) Load(r *wire.Reader) {
	s.LogF = r.Bytes()
	s.Rows, s.Rung, s.Row = r.Int(), r.Int32s(), r.Int32s()
}

// Valid reports whether the samples are consistent and have densities at the given number of rungs.
func (s *Samples) Valid(rungs int) bool {
	n := len(s.Rung)
	if n == 0 || len(s.Row) != n || len(s.LogF) != 8*n*rungs {
		return false
	}
	return slices.Min(s.Rung) >= 0 && int(slices.Max(s.Rung)) < rungs && slices.Min(s.Row) >= 0 &&
		int(slices.Max(s.Row)) < s.Rows
}
