package mbar

import (
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/wire"
)

// Samples are states at rungs, and their log densities at all rungs. Samples of chains are thinned evenly, in
// the order of chains, then sweeps.
type Samples struct {
	Every, EveryChain int     // every so many kept sweeps of every so many chains
	Rung              []int32 // of each sample: the rung chosen
	Row               []int32 // of each sample: its row, a chain or a batch of sweeps, counted from 0
	Rows              int     // number of rows
	Batches           int     // rows of each chain
	LogF              Floats  // samples x rungs, in nats

	// In place of Row, which is 0, and of LogF: see Given.
	rungs int
	given func(i int, at []int, out []float64)
}

// Floats are numbers as core/frame encodes them: there may be millions, and so they are sent and read without a copy.
type Floats []byte

// At is number i.
func (f Floats) At(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(f[8*i:])) }

// With appends numbers.
func (f Floats) With(x ...float64) Floats {
	f = slices.Grow(f, 8*len(x))
	for _, v := range x {
		f = binary.LittleEndian.AppendUint64(f, math.Float64bits(v))
	}
	return f
}

// Load reads samples as the state of the solving lane has them.
func (s *Samples) Load(r *wire.Reader) {
	s.LogF = r.Bytes()
	s.Rows, s.Rung, s.Row = r.Int(), r.Ints(), r.Ints()
}

// Of reports whether the samples have densities at the given number of rungs.
func (s *Samples) Of(rungs int) bool {
	n := len(s.Rung)
	if n == 0 || len(s.Row) != n || len(s.LogF) != 8*n*rungs {
		return false
	}
	return slices.Min(s.Rung) >= 0 && int(slices.Max(s.Rung)) < rungs && slices.Min(s.Row) >= 0 &&
		int(slices.Max(s.Row)) < s.Rows
}
