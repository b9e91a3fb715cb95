package models

import (
	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// Formation says how a model can be formed coordinate by coordinate.
type Formation struct {
	Sequence Sequence
	// NoSequence says why a model has no Sequence though others of its kind have.
	NoSequence error
	// StageCost is the cost of the particles at stage n.
	StageCost func(n int) Cost
	// Ahead is the model formed with a view of the coordinates to come, which makes moves needless.
	Ahead func() Model
	// Absent is nil if absent coordinates cannot take part by their means.
	Absent AbsentFiller
}

// Sequence is the formation of a model coordinate by
// coordinate (units of an RBM, data of a classifier): a family of unnormalised
// densities f_1(x_1), f_2(x_1, x_2), ..., f_N on growing spaces, f_N the target,
// with normalising constants Z_1, ..., Z_N = Z ([ARM] section 2). The coordinates
// come in an order that is part of the model.
type Sequence interface {
	// Stages is N, at least 1.
	Stages() int
	// NewParticles makes an empty set of particles of stage 1.
	NewParticles() Particles
	// StageLogZ is log Z_1..log Z_N in nats, NaN where it is not known; nil when
	// none is.
	StageLogZ() []float64
	// SkipsMoves reports whether particles need no moves at a stage, since the coordinates that came after the last moves
	// hardly act on others.
	SkipsMoves(stage int) bool
}

// Absents are the values of the parameter absent: the value that an absent coordinate has in f_1, ..., f_{N-1}. Of the
// models here only an RBM uses it; see Fill of its machine.
var Absents = []string{"off", "rates", "mean-field", Sampled}

// Sampled is the value of Absents for which rough samples are drawn first.
const Sampled = "sampled"

// RoughLanes is the number of lanes that draw rough samples.
const RoughLanes = 24

// AbsentFiller makes sequences in which absent coordinates take part by their means.
type AbsentFiller interface {
	// Fill is the sequence for a value of Absents other than Sampled.
	Fill(absent string) Sequence
	// RoughSamples draws samples of the target, only roughly, as one of RoughLanes lanes. They are the same for every
	// seed.
	RoughSamples(lane int) []byte
	// FillSampled is the sequence fitted to the samples of all lanes; the samples must come from RoughSamples of this
	// model.
	FillSampled(lanes [][]byte) Sequence
	// RoughCost has, of all lanes together and of the sequence, time as Sweep, memory as Shared, and the bytes of
	// the samples as Coded.
	RoughCost() Cost
}

// Particles is a set of particles of one stage n: rows that hold x_1..x_n and whatever the
// model keeps beside them. Row r of a call draws its randomness from at.Row(r), so digits do
// not depend on the order in which rows are processed.
type Particles interface {
	// Resize makes room for n rows and keeps the first ones; new rows are
	// undefined until Init, Reseed or Copy sets them.
	Resize(n int)
	// Init sets every row to an independent sample of p_1 and returns log Z_1 (nats).
	Init(at rng.At) (logZ1 float64)
	// Stage is n; SetStage prepares rows to be loaded at stage n.
	Stage() int
	SetStage(n int)
	// Move applies sweeps of a kernel that leaves p_n invariant to rows [lo, hi);
	// sweep t of a row draws from step at.Step + t.
	Move(at rng.At, lo, hi, sweeps int)
	// LogW writes log W = log of the integral of f_{n+1}(x_1..x_{n+1}) / f_n(x_1..x_n)
	// over x_{n+1} ([ARM] eq. 3) of rows [lo, hi) to out; n < N.
	LogW(lo, hi int, out []float64)
	// Augment draws x_{n+1} ~ p_{n+1}(. | x_1..x_n) for every row and moves on to
	// stage n+1.
	Augment(at rng.At)
	// Reseed sets rows [lo, hi) to new samples of p_n, nearly independent of the
	// others: started again from the base and moved sweeps times.
	Reseed(at rng.At, lo, hi, sweeps int)
	// Copy makes row dst a copy of row src.
	Copy(dst, src int)
	// Read writes pictures, points or functions of rows [0, n) into f.
	Read(n int, f *frame.Frame)
	// Append encodes row r; Load decodes it from the front of r.B.
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}
