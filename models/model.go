package models

import (
	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// Model is a path of unnormalised densities f_beta, beta in [0, 1], from a base
// f_0 that can be sampled and whose normalising constant is known, to the
// target f_1 whose log Z is wanted.
type Model interface {
	// Info describes the model.
	Info() Info
	// LogZ0 is log Z of the base f_0 in nats (0 when it is normalised).
	LogZ0() float64
	// New lays out n rows over a ladder of inverse temperatures, 0 = ladder[0] <
	// ... < ladder[K-1] = 1. The ladder is kept, not copied.
	New(n int, ladder []float64) Population
}

// Info describes a model to people and in results.
type Info struct {
	Name, Kind, About string
	Dim               int         // units, spins or coordinates
	W, H              int         // picture of a row; 0 when it has none
	Flags             []diag.Flag // e.g. base_guessed, quantised
	// Data is an id of the data where log Z is their log evidence, the same for all models of the same data; "" for
	// models of none.
	Data string
	// Understood is a phrase, to be translated, of how an own file was understood: sizes, columns, kernel, link, priors,
	// units. People compare the phrase with what they meant to load.
	Understood error
	// Diagnostics are numbers of the model that go into every result, e.g. the bound on
	// the shift of log Z by quantisation.
	Diagnostics map[diag.Number]float64
}

// Population is n rows of one model. Row r of a step draws its randomness from
// at.Row(r), so digits do not depend on how rows are grouped into lanes.
type Population interface {
	// Draw sets every row to an independent sample of f_0.
	Draw(at rng.At)
	// Move applies to each row one sweep of a kernel that leaves f at rung[r]
	// invariant; back applies the reversed kernel.
	Move(at rng.At, rung []int32, back bool)
	// LogF writes log f of every row at rungs lo..lo+n-1 to out: row r's values at
	// out[r*n : (r+1)*n].
	LogF(lo, n int, out []float64)
	// Read writes the pictures or points of rows [0, n) into f.
	Read(n int, f *frame.Frame)
	// Copy makes row dst a copy of row src.
	Copy(dst, src int)
	// Append encodes row r; Load decodes it from the front of r.B.
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}

// Limits of sums that nobody asked for.
const (
	MaxSumTime    = .5 * (1 << 30) // time of an enumeration: 2^30 terms of an RBM
	MaxNamedTime  = 1 << 30        // time of a sum with a name (Sum.SumName): an elimination of 2^28 entries, about two seconds in a browser
	MaxCubature   = 1 << 30        // time of an Integral: about a second
	MaxSumTables  = 64 << 20       // bytes of tables
	MaxEnumerated = 30             // units of the smaller layer, however long the sum may take
)

// MaxExactUnits is the largest smaller layer that a run enumerates on its way, for base rates and exact samples.
const MaxExactUnits = 20

// BlockWork bounds an enumeration that a run makes for its upper bound, to some
// seconds; `logz exact` asks for more units and has no such limit.
const BlockWork = 1 << 31

// BlocksAtOnce is the best number of blocks for one call: blocks of an RBM that are computed
// together read its tables once.
const BlocksAtOnce = 4

// Mode is a mode that a search found: the log of the mass of the normal distribution by its curvature, in nats, as an
// approximation of the mass of the mode (Laplace's method), and the number of climbs that ended there.
type Mode struct {
	LogMass float64
	Starts  int
}

// Diagnostics of such a search: how many starts led to a mode, how many modes they found, and the share of trajectories
// that went astray because the target is far narrower in places than where most of it is, as in a funnel. DiagEdges is
// the number of coordinates along which the density drops to 0 at once, where there are some; DiagUnseen that of
// coordinates whose tails were not looked at; DiagBeyond how many nats more than all that was found is far out.
const (
	DiagClimbs diag.Number = "climbs"
	// DiagCutOff is the log density where numbers end along a coordinate, as where an inverse logit rounds to 1, less that
	// of a draw: the mass beyond is lost.
	DiagCutOff diag.Number = "cut_off"
	// DiagUnseenModes is the expected share of climbs from further starts that would end at a mode not found.
	DiagUnseenModes diag.Number = "unseen_modes"
	DiagModes       diag.Number = "modes"
	// log of the mass around the modes, where these are so many that the base has one part for all of them
	DiagLogZModes diag.Number = "logz_modes"
	// log of the mass of the heaviest mode by its height and curvature (Laplace's method)
	DiagLogZLaplace diag.Number = "logz_laplace"
	DiagAstray      diag.Number = "astray"
	DiagEdges       diag.Number = "edges"
	DiagUnseen      diag.Number = "tails_unseen"
	DiagBeyond      diag.Number = "beyond"
)

// LeastClimbs is how many climbs must end at modes so that a search says something of others. MostAstray is the share
// of trajectories that may go astray: beyond it error bars were too short, of funnels far too short, and kernels
// take finer steps too. MostUnseen is the expected share of climbs
// that would end at a mode not found, up to which a run may be trusted; MostCutOff the largest DiagCutOff.
const (
	LeastClimbs = 3
	MostAstray  = .05
	MostUnseen  = .1
	MostCutOff  = -7 // nats
	FarCutOff   = -4 // and where the mass beyond may be a tenth of all
)

// DiagTail is the slope of Search.Endless, where it is above SlowTail: nobody can say whether such an integral is finite. From
// EndlessTail on it is infinite.
const (
	DiagTail    diag.Number = "tail"
	SlowTail                = -.1
	EndlessTail             = -.01
)

// Truth is an exact log Z and where it comes from.
type Truth struct {
	LogZ   float64 `json:"logz"`
	Source string  `json:"source"`
	Error  float64 `json:"error,omitempty"` // how far LogZ may be off, in nats, beyond rounding; 0 for sums and formulas
}

// BaseRates folds the blocks of BlockMean, in order, into E[v] under the target.
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

// FlagBaseGuessed says that a model had to find the base of its path by itself.
var FlagBaseGuessed = diag.NewFlag("base_guessed",
	"The file has no base rates (p1), so the base was made from the model itself; with p1 it may be better. "+
		"Compare with another method.")

// FlagImproper says that a prior is missing.
var FlagImproper = diag.NewFlag("improper", "The program states no prior for a parameter, so that log Z may have no "+
	"meaning beyond a constant. Give each parameter a prior, or bounds on both sides.")

// FlagCut says that a declaration cuts a prior, or is a prior of density 1, which is not normalised.
var FlagCut = diag.NewFlag("cut", "The declaration of a parameter cuts its prior, or is all the prior it has, as bounds "+
	"or a simplex with density 1: the prior is not normalised. Write T[,], or uniform, dirichlet or lkj_corr, or add the "+
	"log of what is lost.")

// DiagCut is by how many nats log Z is lower because of FlagCut, where this is known; below 0: higher.
const DiagCut diag.Number = "cut_nats"
