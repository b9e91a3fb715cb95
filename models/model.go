package models

import (
	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/meter"
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

// Curved is implemented by populations on whose path log f_beta is not linear in beta, as where hidden units are summed
// out. On a linear path its slope by beta is log f_1 - log f_0.
type Curved interface {
	// Slope sets d[r] and curve[r] to the first and second derivative of log f by beta for row r at rung[r], in nats.
	Slope(rung []int32, d, curve []float64)
	// Slopes writes the first derivative of every row at all K rungs: row r's at out[r*K : (r+1)*K].
	Slopes(out []float64)
}

// Summed is implemented by models that may have part of their variables summed out of a geometric path. Where they
// have, the second derivative of Curved is the variance of d log f/d beta over that part, given the state.
type Summed interface{ SumsOut() bool }

// Flipper is implemented by populations of binary units that can flip in place of being drawn afresh, after which
// averages over time vary less (kernel.Layer.Flip).
type Flipper interface {
	// FlipUnits has units flip at the rungs where that is better.
	FlipUnits()
}

// Exact is implemented by models whose target can be summed exactly, by an
// enumeration cut into independent blocks of work.
type Exact interface {
	// Blocks is the number of blocks; ok is false where there are more than
	// maxUnits units to enumerate.
	Blocks(maxUnits int) (n int, ok bool)
	// LogBlocks sets out[i] to the log of the sum of f over block first+i. The log-sum-exp
	// of all blocks, in order, is the exact log Z.
	LogBlocks(first int, out []float64)
	// Knows reports whether the exact value needs no such sum (see Known); it takes no time.
	Knows() bool
	// SumCost is about what all blocks together take, as Cost.Block and Cost.Tables.
	SumCost() (time, tables float64)
	// Refusal says why there are no blocks.
	Refusal(maxUnits int) error
}

// SumNamed is implemented by Exact models whose sum is no enumeration; the name goes into Truth.Source.
type SumNamed interface{ SumName() string }

// Limits of sums that nobody asked for.
const (
	MaxSumTime    = .5 * (1 << 30) // time of an enumeration: 2^30 terms of an RBM
	MaxNamedTime  = 1 << 30        // time of a SumNamed: an elimination of 2^28 entries, about two seconds in a browser
	MaxCubature   = 1 << 30        // time of an Integrable: about a second
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

// TargetDrawer is implemented by populations that can draw exact samples of the
// target.
type TargetDrawer interface {
	// DrawTarget sets every row to an exact sample of f_1. Models that are Exact
	// need all their blocks; others are given none. A row may take long, so drawn,
	// unless nil, is called after each; false ends the work.
	DrawTarget(at rng.At, blocks []float64, drawn func() bool)
}

// Diagnoser is implemented by models with diagnostics that take some time to compute; they go
// into finished results only.
type Diagnoser interface {
	Diagnose() (numbers map[diag.Number]float64, flags []diag.Flag)
}

// NearBase is implemented by models whose base was fitted to the target before any run, with a part around each mode
// that a search from scattered starts found.
type NearBase interface {
	// Parts is the number of parts of the base. It waits for the search.
	Parts() int
	// SearchTime is about what the search takes, in nanoseconds, as far as that is known before it.
	SearchTime() float64
	// Measured is the cost by what the search found, which it waits for.
	Measured() Cost
}

// Searched is implemented by models whose target was searched for modes before any run.
type Searched interface {
	// Modes lists the modes, those of most mass first. It waits for the search.
	Modes() []Mode
}

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

// Ending is implemented by models that look whether the integral of their target is finite.
type Ending interface {
	// Endless is d log M / d log t of the mass M that the target has at distances about t, far out where it falls most
	// slowly, and the name of a parameter that grows or shrinks there. A t distribution of df degrees of freedom has -df.
	// It takes some time.
	Endless() (slope float64, name string)
}

// DiagTail is the slope of Ending, where it is above SlowTail: nobody can say whether such an integral is finite. From
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

// Integrable is implemented by models of few coordinates whose integral a rule of quadrature may find, without chains.
type Integrable interface {
	// Integrates is false for models of too many coordinates.
	Integrates() bool
	// IntegralTime is about what Integrate takes for an ordinary density, as Cost.Block.
	IntegralTime() float64
	// Integrate is log Z and its error, or why there is none: the integral has no end, or the rules did not come to agree.
	// going is called often, with the share of the evaluations that were made; false ends the work, and both are nil.
	Integrate(going func(share float64) bool) (*Truth, error)
}

// BaseFinder is implemented by models that may lack the parameters of their base and
// then find them by an enumeration of the target, cut into independent blocks of work.
type BaseFinder interface {
	Model
	// BaseBlocks is the number of blocks; 0 when the base is known.
	BaseBlocks() int
	// BlockMean is the log of the sum of f over block i, and the mean of the visible
	// units over it; BaseRates folds those of all blocks.
	BlockMean(i int) (logw float64, mean []float64)
	// WithBase is the model with the base that was found. The meter may be nil.
	WithBase(p1 []float64, m *meter.Meter) (Model, error)
	// FoundBase is what WithBase was given, nil otherwise.
	FoundBase() []float64
}

// Graphed is implemented by models of discrete variables on a graph that can be drawn.
type Graphed interface {
	// Graph is the graph, nil where it is too large to be seen. Callers do not change it.
	Graph() *frame.Graph
}

// KnownMeans is implemented by models of units whose means under the target, how often each is on, are a closed form.
type KnownMeans interface{ Means() []float64 }

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
	"The file has no base rates (p1), so the start was made from the machine itself; with p1 it may be better. "+
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

// Refittable is implemented by models whose base can be fitted to samples of the target.
type Refittable interface {
	Model
	// Refits is false where this model has a base that is to stay.
	Refits() bool
	// FitsFirst is true where the model asks that every tempered method start from a fitted base.
	FitsFirst() bool
	// Refit is the model with a base fitted to n rows; on is the sum of Counter.Count over them.
	Refit(on []float64, n int) Model
}

// Tailed is implemented by models of points to which a method may ask for a base of its choice.
type Tailed interface {
	// Tailed is the model with a Refit that makes a multivariate t density of df > 2 degrees of freedom around the
	// target, or for df = 0 a normal one; it Refits.
	Tailed(df int) Refittable
	// Closely is the model with a Refit that makes a normal density with the mean and the covariance of many samples; it
	// Refits.
	Closely() Refittable
}

// HeavyTailed is implemented by models whose normalised base may have the heavy tails of the target, where samples have
// no covariance that would say anything.
type HeavyTailed interface{ HeavyTailed() bool }

// Evened is implemented by Refittable models that have a base which favours no state.
type Evened interface {
	Refittable
	// Evenly is the model with that base.
	Evenly() Model
}

// RoughlyFitted is implemented by Refittable models that find a first base without chains, and tell how many log
// densities that took. Rough samples start from it.
type RoughlyFitted interface {
	Roughly() (m Model, evaluations int)
}

// WithFasterKernel is implemented by models that can choose a faster kernel by themselves.
type WithFasterKernel interface {
	// Faster is the model with the faster kernel, or the model itself where it has none.
	Faster() Model
}

// Telling is implemented by populations of points with names for what is shown of them.
type Telling interface {
	// Names are those of the numbers that Shown tells, nil for none.
	Names() []string
	// Shown sets out to the numbers of row r. It returns the log density of the target there, in coordinates without
	// bounds.
	Shown(r int, out []float64) (logF float64)
}

// Counter is a Population of a Refittable model.
type Counter interface {
	// Count is how many rows have each unit on, or density.Moments of points.
	Count() []float64
}

// Clamped is implemented by models of which some coordinates are fixed: their Z is the sum over the others.
type Clamped interface {
	// Free is the exact log Z of the same model with all coordinates free, nil where it is not known.
	Free() *Truth
}

// Landscape is implemented by models in space whose density can be seen in a plane.
type Landscape interface {
	Model
	// Flat is the model in the plane that Read shows, and log Z(beta) of the directions across it; nil where no
	// geometric path in the plane has the marginal of every f_beta.
	Flat() (flat Flat, across func(beta float64) float64)
}

// Flat is a model of two coordinates.
type Flat interface {
	Model
	// Hills are where the mass of the target lies, and that of the base.
	Hills() (target []Hill, base Hill)
}

// Hill is a part of a distribution: its mean and standard deviation in each coordinate, and its share of the mass.
type Hill struct {
	Mean, SD []float64
	Weight   float64
}

// Known is implemented by models whose exact log Z needs no work:
// closed forms, small enumerations, provenance of bundled files.
type Known interface{ Truth() *Truth }

// Zero is implemented by models whose sum may be 0. IsZero reports whether that is known, which takes at most some
// seconds.
type Zero interface{ IsZero() bool }

// ManyRows is implemented by models that move all rows of a lane in one call. The method reports whether a sweep costs
// less per row the more rows there are, up to a hundred.
type ManyRows interface{ ManyRows() bool }

// KnownLadder is implemented by models whose exact log Z is available along the whole path, for
// tests and for pictures of the exact values.
type KnownLadder interface {
	// LadderLogZ is log Z(beta) in nats at every beta in [0, 1], or an error where
	// it would take too long.
	LadderLogZ(betas []float64) ([]float64, error)
}

// WithData is implemented by models that may hold data that resemble samples of their target. Their populations are
// DataDrawers.
type WithData interface {
	// Data is the number of data, 0 without any.
	Data() int
	// OwnData reports whether a user gave the data. Nobody knows then whether the model was made from them: it may have
	// modes that they lack.
	OwnData() bool
}

// MeanLogF is the mean of log f, nats, over n data of a model from number first on; its populations are DataDrawers.
func MeanLogF(m Model, first, n int) float64 {
	const block = 100
	sum, logf := 0.0, make([]float64, block)
	for at := 0; at < n; at += block {
		some := min(block, n-at)
		rows := m.New(some, []float64{0, 1}).(DataDrawer)
		rows.DrawData(rng.At{Slot: uint32(first + at)})
		rows.LogData(logf[:some])
		for _, x := range logf[:some] {
			sum += x
		}
	}
	return sum / float64(n)
}

// Pseudo is implemented by models of data whose units are likely or not given the others.
type Pseudo interface {
	Model
	WithData
	// MeanPseudo is the mean over data of the sum over all visible units of log p(unit | the other visible units), of the
	// first data, as many as take about a second. going is called between data; false ends the call.
	MeanPseudo(going func() bool) float64
}

// DataDrawer is implemented by populations of models that may hold data.
type DataDrawer interface {
	// DrawData sets row r to the datum of its slot, modulo their number; ok is false without data.
	DrawData(at rng.At) bool
	// LogData sets out[r] to the log of the target's f of what is data in row r, with all else summed out.
	LogData(out []float64)
}
