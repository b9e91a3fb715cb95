package models

import (
	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// GrowingSpaces describes how a model can be built coordinate by coordinate.
type GrowingSpaces struct {
	Sequence Sequence
	// NoSequence is the reason why a model has no Sequence although others of its kind have one.
	NoSequence error
	// StageCost returns the cost of the particles at stage n.
	StageCost func(n int) Cost
	// Lookahead returns the model whose intermediate densities take later coordinates into account, so that particles
	// need no moves.
	Lookahead func() Model
	// Absent is nil if absent coordinates cannot be replaced by their means.
	Absent AbsentFiller
}

// Sequence builds a model coordinate by coordinate (units of an RBM, data of a classifier). It is a family of
// unnormalised densities f_1(x_1), f_2(x_1, x_2), ..., f_N on growing spaces, where f_N is the target, with normalising
// constants Z_1, ..., Z_N = Z ([ARM] section 2). The order of the coordinates is part of the model.
type Sequence interface {
	// Stages returns N, at least 1.
	Stages() int
	// NewParticles returns an empty set of particles at stage 1.
	NewParticles() Particles
	// StageLogZ returns log Z_1..log Z_N in nats, NaN where unknown; nil if all are unknown.
	StageLogZ() []float64
	// SkipsMoves reports whether particles need no moves at a stage, because the coordinates added since the last moves
	// hardly change the distribution of the others.
	SkipsMoves(stage int) bool
}

// AbsentValues are the values of the parameter "absent": the way in which f_1, ..., f_{N-1} treat coordinates that are
// not yet present. Only RBMs have this parameter; see the method Fill of rbm.Model.
var AbsentValues = []string{"off", "rates", "mean-field", Sampled}

// Sampled is the element of AbsentValues that needs preliminary samples of the target.
const Sampled = "sampled"

// RoughLanes is the number of lanes that draw the preliminary samples.
const RoughLanes = 24

// AbsentFiller makes sequences in which absent coordinates are replaced by their means.
type AbsentFiller interface {
	// Fill returns the sequence for an element of AbsentValues other than Sampled.
	Fill(absent string) Sequence
	// RoughSamples returns approximate samples of the target, encoded, from one of RoughLanes lanes. The samples do not
	// depend on the seed of a run.
	RoughSamples(lane int) []byte
	// FillSampled returns the sequence fitted to the samples of all lanes, as RoughSamples of this model returned them.
	FillSampled(lanes [][]byte) Sequence
	// RoughCost returns the cost of drawing the samples of all lanes and fitting the sequence: the total time in Sweep,
	// the memory in Shared, and the bytes of the samples in Encoded.
	RoughCost() Cost
}

// Particles is a set of particles at one stage n. A row holds x_1..x_n and what the model stores beside them. In a call
// row r draws its random numbers from at.Row(r), so results do not depend on the order in which rows are processed.
type Particles interface {
	// Resize changes the number of rows to n and keeps the first rows. New rows are undefined until Init, Reseed or
	// Copy sets them.
	Resize(n int)
	// Init sets every row to an independent sample of p_1 = f_1/Z_1 and returns log Z_1 in nats.
	Init(at rng.At) (logZ1 float64)
	// Stage returns the stage n of all rows. SetStage prepares the rows for Load at stage n.
	Stage() int
	SetStage(n int)
	// Move applies the given number of sweeps of a kernel that leaves p_n invariant to rows lo..hi-1. Sweep t of a row
	// uses the random numbers of step at.Step + t.
	Move(at rng.At, lo, hi, sweeps int)
	// LogW writes the log weight of rows lo..hi-1 to out, in nats: log W = log of the integral of f_{n+1}(x_1..x_{n+1})
	// / f_n(x_1..x_n) over x_{n+1} ([ARM] eq. 3). It requires n < N.
	LogW(lo, hi int, out []float64)
	// Augment draws x_{n+1} ~ p_{n+1}(. | x_1..x_n) for every row and advances to stage n+1.
	Augment(at rng.At)
	// Reseed sets rows lo..hi-1 to new samples that approximate p_n and hardly depend on the other rows: it draws
	// starting states from the base and applies the given number of sweeps.
	Reseed(at rng.At, lo, hi, sweeps int)
	// Copy makes row dst a copy of row src.
	Copy(dst, src int)
	// Read writes pictures, points or functions of rows 0..n-1 into f.
	Read(n int, f *frame.Frame)
	// Append encodes a row. Load decodes a row from the front of r.B and consumes its bytes.
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}
