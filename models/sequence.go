package models

import (
	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// Sequential is implemented by models that can be formed coordinate by
// coordinate (units of an RBM, data of a classifier): a family of unnormalised
// densities f_1(x_1), f_2(x_1, x_2), ..., f_N on growing spaces, f_N the target,
// with normalising constants Z_1, ..., Z_N = Z ([ARM] section 2). The coordinates
// come in an order that is part of the model.
type Sequential interface {
	// Stages is N, at least 1.
	Stages() int
	// NewParticles makes an empty set of particles of stage 1.
	NewParticles() Particles
}

// Unformed is implemented by models that are not Sequential though others of their kind are. It says why not.
type Unformed interface{ Unformed() error }

// Absents are the values of the parameter absent: the value that an absent coordinate has in f_1, ..., f_{N-1}. Of the
// models here only an RBM uses it; see Fill of its machine.
var Absents = []string{"off", "rates", "mean-field", Sampled}

// Sampled is the value of Absents for which rough samples are drawn first.
const Sampled = "sampled"

// RoughLanes is the number of lanes that draw rough samples.
const RoughLanes = 24

// Fillable is implemented by sequential models whose absent coordinates can take part by their means.
type Fillable interface {
	// Fill is the sequence in which they do, for a value of Absents other than Sampled.
	Fill(absent string) Sequential
	// RoughSamples draws samples of the target, only roughly, as one of RoughLanes lanes. They are the same for every
	// seed.
	RoughSamples(lane int) []byte
	// FillSampled is the sequence fitted to the samples of all lanes; the samples must come from RoughSamples of this
	// model.
	FillSampled(lanes [][]byte) Sequential
	// RoughCost has, of all lanes together and of the sequence, time as Sweep, memory as Shared, and the bytes of
	// the samples as Coded.
	RoughCost() Cost
}

// LooksAhead is implemented by sequential models that may be formed with a view of the coordinates to come, which makes
// moves needless.
type LooksAhead interface {
	Model
	// Ahead is the model formed so.
	Ahead() Model
}

// Resting is implemented by sequences that know stages at which particles need not be moved, since the coordinates
// that came after the last moves hardly act on others.
type Resting interface {
	Rests(stage int) bool
}

// KnownStages is implemented by sequential models whose exact log Z_n are available.
type KnownStages interface {
	// StageLogZ is log Z_1..log Z_N in nats, NaN where it is not known; nil when
	// none is.
	StageLogZ() []float64
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
