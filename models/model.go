package models

import (
	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// Model is a path of unnormalised densities f_beta, beta in [0, 1], from a base f_0 to the target f_1 whose log Z is
// wanted. The base can be sampled, and its normalising constant is known.
type Model interface {
	// Info describes the model.
	Info() Info
	// LogZ0 returns log Z of the base f_0 in nats (0 if f_0 is normalised).
	LogZ0() float64
	// New returns n rows over a ladder of inverse temperatures, 0 = ladder[0] < ... < ladder[K-1] = 1. The population
	// keeps the slice ladder; it does not copy it.
	New(n int, ladder []float64) Population
}

// Info describes a model in results and on the page.
type Info struct {
	Name, Kind, About string
	Dim               int         // units, spins or coordinates
	W, H              int         // width and height of the picture of a row; 0 if there is no picture
	Flags             []diag.Flag // for example base_guessed
	// Data identifies the data if log Z is the log evidence of data; models of the same data have the same Data. It is
	// "" if log Z is not a log evidence.
	Data string
	// Understood is a translatable phrase that describes how the user's own file was read: sizes, columns, kernel,
	// link, priors, units.
	Understood error
	// Diagnostics go into every result, for example the bound on the shift of log Z by quantisation.
	Diagnostics map[diag.Number]float64
}

// Population holds n rows, each a state of one model. In a step row r draws its random numbers from at.Row(r), so
// results do not depend on how rows are grouped into lanes.
type Population interface {
	// Draw sets every row to an independent sample of f_0.
	Draw(at rng.At)
	// Move applies one sweep to every row r, with a kernel that leaves the distribution at rung[r] invariant. If
	// reversed is true, it applies the time reversal of this kernel.
	Move(at rng.At, rung []int32, reversed bool)
	// LogF writes log f of every row at rungs lo..lo+n-1, in nats: the values of row r are out[r*n : (r+1)*n].
	LogF(lo, n int, out []float64)
	// Read writes the pictures or points of rows 0..n-1 into f.
	Read(n int, f *frame.Frame)
	// Copy makes row dst a copy of row src.
	Copy(dst, src int)
	// Append encodes a row. Load decodes a row from the front of r.B and consumes its bytes.
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}

// Limits of exact values that runs compute without a request by the user; times as in Cost.Block.
const (
	MaxSumTime         = .5 * (1 << 30) // time of an enumeration: 2^30 terms of an RBM
	MaxEliminationTime = 1 << 30        // time of a sum that has a SumName: an elimination of 2^28 entries, about 2 s in browsers
	MaxCubature        = 1 << 30        // time of an Integral, about a second
	MaxSumTables       = 64 << 20       // bytes of tables
	MaxEnumerated      = 30             // units of the smaller layer; this limit holds for any allowed time
)

// MaxExactUnits is the maximal number of units of the smaller layer of an RBM that a run enumerates, to find the means
// of the base and to draw exact samples.
const MaxExactUnits = 20

// MaxBlockWork is the largest number of operations of the enumeration by which a run finds its upper bound; it takes
// some seconds. The command logz exact allows more units and has no such limit.
const MaxBlockWork = 1 << 31

// BlocksAtOnce is the most efficient number of blocks for one call of Sum.LogBlocks: an RBM reads its tables once for
// all blocks of a call.
const BlocksAtOnce = 4

// Mode is a mode that a search found. LogMass is the log of its mass in nats by Laplace's method: the mass of the
// normal distribution with the height and the curvature of the mode. Starts is the number of searches that ended at
// this mode.
type Mode struct {
	LogMass float64
	Starts  int
}

// Diagnostics of a search for modes and of the chains that follow.
const (
	// DiagClimbs is the number of ascents that ended at a mode, DiagModes the number of different modes.
	DiagClimbs diag.Number = "climbs"
	// DiagCutOff says how much mass is lost where floating point fails, for example where an inverse logit rounds to 1.
	// It is the log density at the point of a coordinate beyond which this happens, minus the log density of a draw.
	DiagCutOff diag.Number = "cut_off"
	// DiagUnseenModes is the expected share of ascents from new starts that would end at a mode not found yet.
	DiagUnseenModes diag.Number = "unseen_modes"
	DiagModes       diag.Number = "modes"
	// DiagLogZModes is the log of the total mass around the modes. It is reported if there are too many modes to give
	// each a component of the base.
	DiagLogZModes diag.Number = "logz_modes"
	// DiagLogZLaplace is the log of the mass of the heaviest mode by Laplace's method.
	DiagLogZLaplace diag.Number = "logz_laplace"
	// DiagDivergent is the share of divergent trajectories. Trajectories diverge in places where the target is much
	// narrower than the step of the kernel, as in the neck of a funnel.
	DiagDivergent diag.Number = "astray"
	// DiagEdges is the number of coordinates along which the density drops to 0 at a finite point.
	DiagEdges diag.Number = "edges"
	// DiagUnseenTails is the number of coordinates whose tails were not examined.
	DiagUnseenTails diag.Number = "tails_unseen"
	// DiagFarMass is log(mass found far from all modes / mass of all modes found), in nats.
	DiagFarMass diag.Number = "beyond"
)

const (
	// MinClimbs is the smallest number of ascents ending at modes from which a search estimates how many modes it
	// missed.
	MinClimbs = 3
	// MaxDivergent is the largest DiagDivergent of a run that may be trusted. Error bars of runs above it were too
	// short in tests; for funnels they were far too short. Above it kernels mix in smaller steps.
	MaxDivergent = .05
	// MaxUnseenModes is the largest DiagUnseenModes of a run that may be trusted.
	MaxUnseenModes = .1
	// MaxCutOff is the largest DiagCutOff, in nats, of a run that may be trusted. From LargeCutOff on a tenth of the
	// total mass may be lost.
	MaxCutOff   = -7
	LargeCutOff = -4
)

// DiagTailSlope is the slope that Search.TailSlope returns. It is reported if it exceeds SlowTail, because the integral
// may then be infinite. If it exceeds InfiniteTail, the integral is taken to be infinite.
const (
	DiagTailSlope diag.Number = "tail"
	SlowTail                  = -.1
	InfiniteTail              = -.01
)

// Truth is an exact log Z and its source.
type Truth struct {
	LogZ   float64 `json:"logz"`
	Source string  `json:"source"`
	Error  float64 `json:"error,omitempty"` // bound of the error in nats, without rounding errors; 0 for sums and closed forms
}

// BaseRates combines the results of BaseFinder.BlockMean, in block order, into the means E[v] of the visible units
// under the target.
func BaseRates(logw []float64, mean [][]float64) []float64 {
	total := num.LogSumExp(logw)
	out := make([]float64, len(mean[0]))
	for i, mu := range mean {
		w := num.Exp(logw[i] - total)
		for u, x := range mu {
			out[u] += num.Mul(w, x)
		}
	}
	return out
}

// FlagBaseGuessed reports that the file has no means of the base (p1), so the model derived a base from its own
// parameters.
var FlagBaseGuessed = diag.NewFlag("base_guessed",
	"The file has no base rates (p1), so the start was made from the model itself; with p1 it may be better. "+
		"Compare with another method.")

// FlagImproper reports that a parameter has no prior.
var FlagImproper = diag.NewFlag("improper", "The program states no prior for a parameter, so log Z may be defined only "+
	"up to a constant. Give each parameter a prior, or bounds on both sides.")

// FlagTruncated reports that a prior is not normalised: the declaration of a parameter truncates it, or the parameter
// has no prior but its declared bounds (density 1).
var FlagTruncated = diag.NewFlag("cut", "The declaration of a parameter truncates its prior, or is its only prior (density "+
	"1 within bounds or on a simplex), so the prior is not normalised. Write T[,], or uniform, dirichlet or lkj_corr, or "+
	"add the log of the lost mass.")

// DiagTruncation is the number of nats by which FlagTruncated lowers log Z (negative if it raises log Z), if this is
// known.
const DiagTruncation diag.Number = "cut_nats"
